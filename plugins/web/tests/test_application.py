"""Every route: who is let in, and what each answer carries."""

from __future__ import annotations

import asyncio
import re

import pytest
from starlette.types import Message, Receive, Scope, Send

from plugins.web.tests.conftest import KEY, Asking, token
from utilitysched_web.application import application
from utilitysched_web.doors import PUBLIC, Doors
from utilitysched_web.middleware import FIXED, WholeRequests
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


def test_half_a_body_is_nobodys_request() -> None:
    """Half a form, then the connection ends: nothing is answered or logged."""
    half = {"type": "http.request", "body": b"token=", "more_body": True}
    messages = [half, half, {"type": "http.disconnect"}]
    passed_on: list[Scope] = []

    async def receive() -> Message:
        return messages.pop(0)

    async def app(scope: Scope, _: Receive, __: Send) -> None:
        passed_on.append(scope)

    async def send(_: Message) -> None:
        raise AssertionError

    asyncio.run(WholeRequests(app, 1_000)({"type": "http"}, receive, send))

    assert (passed_on, messages) == ([], [])


def test_a_body_that_comes_in_pieces_is_whole(asking: Asking) -> None:
    form = {"content-type": "application/x-www-form-urlencoded"}
    text = f"token={token('7', 'user')}".encode()

    entered = asking().post("/login", content=iter([text[:20], text[20:]]), headers=form)

    assert entered.status_code == 303
