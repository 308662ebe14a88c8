"""Every route: who is let in, and what each answer carries."""

from __future__ import annotations

import re

import pytest

from plugins.web.tests.conftest import KEY, Asking
from utilitysched_web.application import application
from utilitysched_web.doors import PUBLIC, Doors
from utilitysched_web.middleware import FIXED
from utilitysched_web.site import Site


def routes() -> list[tuple[str, str]]:
    """Return method and path of every route, parameters filled in with 1."""
    from pathlib import Path

    app = application(Site(Path(), Path()), Doors(KEY))
    paths = app.openapi()["paths"]
    return [
        (method.upper(), re.sub("{[^}]*}", "1", path))
        for path, methods in paths.items()
        for method in methods
    ]


ROUTES = routes()


@pytest.mark.parametrize(("method", "path"), ROUTES)
def test_a_stranger_is_asked_to_sign_in(asking: Asking, method: str, path: str) -> None:
    answer = asking().request(method, path, headers={"accept": "application/json"})

    if path in PUBLIC:
        assert answer.status_code in {200, 422}
    else:
        assert answer.status_code == 401
        assert answer.json()["title"] == "Sign in"


def test_a_program_is_told_that_its_token_is_not_good(asking: Asking) -> None:
    headers = {"accept": "application/json", "authorization": "Bearer old"}

    assert asking().get("/queue", headers=headers).json()["lead"] == [
        "this token is not good, or no longer; ask for a new one"
    ]


@pytest.mark.parametrize(("method", "path"), ROUTES)
def test_a_user_is_kept_out_of_what_is_for_operators(
    asking: Asking, method: str, path: str
) -> None:
    answer = asking("1").request(method, path, headers={"accept": "application/json"})

    assert (answer.status_code == 403) == path.startswith("/operators")
    assert answer.status_code < 500


@pytest.mark.parametrize("path", [path for method, path in ROUTES if method == "GET"])
def test_every_page_is_the_same_in_html_and_in_json(asking: Asking, path: str) -> None:
    client = asking("1", "operator")
    page = client.get(path)
    data = client.get(path, params={"format": "json"})

    assert page.status_code == data.status_code
    assert FIXED.items() <= dict(page.headers).items()
    if "html" in page.headers["content-type"] and path != "/login":
        assert data.json()["title"] in page.text
        assert "<script>" not in page.text
        assert "://" not in page.text
