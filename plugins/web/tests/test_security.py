"""The checklist of docs/security.md: what no other test of this folder shows."""

from __future__ import annotations

import ast
import re
from importlib.resources import files
from pathlib import Path

import pytest

from plugins.web.tests.conftest import Asking, token
from tests.syntax import nodes
from utilitysched_web.pages.files import static_files

ROOT = Path(__file__).parents[1]
WEB = ROOT / "utilitysched_web"
TEMPLATES = sorted((WEB / "templates").glob("*.html"))
OWN_SCRIPTS = sorted(path for path in (WEB / "static").glob("*.js") if path.stem != "htmx.min")


def test_every_test_that_the_checklist_names_exists() -> None:
    named = set(re.findall(r"`(test_\w+)`", (ROOT / "docs" / "security.md").read_text("utf-8")))
    found = {
        node.name
        for path in Path(__file__).parent.glob("test_*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.FunctionDef)
    }

    assert len(named) > 30
    assert named - found == set()


def test_nothing_here_runs_what_it_is_given() -> None:
    modules = {"pickle", "marshal", "shelve", "subprocess", "yaml", "xml", "urllib.request"}
    calls = {"eval", "exec", "compile", "__import__", "from_string", "system"}
    wrong = []
    for path in WEB.rglob("*.py"):
        for node in nodes(path):
            if isinstance(node, ast.Import):
                wrong += [alias.name for alias in node.names if alias.name in modules]
            elif isinstance(node, ast.ImportFrom) and node.module in modules:
                wrong.append(node.module)
            elif isinstance(node, ast.Call):
                called = getattr(node.func, "id", getattr(node.func, "attr", ""))
                wrong += [called] if called in calls and not _is_pattern(node) else []

    assert wrong == []


def _is_pattern(call: ast.Call) -> bool:
    """Whether it is `re.compile`."""
    return isinstance(call.func, ast.Attribute) and getattr(call.func.value, "id", "") == "re"


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.stem)
def test_templates_hold_no_script_and_trust_no_text(path: Path) -> None:
    text = path.read_text("utf-8")

    assert re.findall(r"<script(?![^>]* (src|type=\"application/json\"))", text) == []
    assert re.findall(r"\s(on\w+|hx-on[\w:-]*|hx-vars|style)\s*=", text) == []
    assert re.findall(r"\|\s*safe|javascript:|js:|autoescape", text) == []


@pytest.mark.parametrize("path", OWN_SCRIPTS, ids=lambda path: path.stem)
def test_no_script_keeps_anything_in_the_browser(path: Path) -> None:
    text = path.read_text("utf-8")

    assert re.findall(r"localStorage|sessionStorage|indexedDB|document\.cookie", text) == []
    assert re.findall(r"\beval\(|new Function|document\.write", text) == []


@pytest.mark.parametrize("path", ["/", "/bills", "/curves", "/login", "/docs", "/nothing"])
def test_every_answer_says_how_it_is_written(asking: Asking, path: str) -> None:
    client = asking("7")

    page = client.get(path, headers={"accept": "text/html"})
    data = client.get(path, params={"format": "json"})

    assert page.headers["content-type"] == "text/html; charset=utf-8"
    if path != "/login":
        assert data.headers["content-type"] == "application/json; charset=utf-8"
        assert data.headers["content-disposition"] == 'attachment; filename="api.json"'


def test_answers_name_no_version_and_allow_no_other_site(asking: Asking) -> None:
    answer = asking("7").get("/", headers={"origin": "https://evil.example"})

    names = {name.lower() for name in answer.headers}
    assert names & {"server", "x-powered-by"} == set()
    assert not [name for name in names if name.startswith("access-control")]


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "TRACE"])
def test_other_methods_are_refused(asking: Asking, method: str) -> None:
    assert asking("7").request(method, "/bills").status_code == 405


def test_a_repeated_parameter_counts_by_its_last(asking: Asking) -> None:
    found = asking("7").get("/bills?format=json&page=1&page=2").json()

    assert found["pages"]["jobs"]["page"] == 2


def test_what_is_not_asked_for_changes_nothing(asking: Asking) -> None:
    sent = {"token": token("7", "user"), "role": "operator", "user": "root"}
    someone = asking()
    someone.post("/login", data=sent)

    assert someone.get("/operators").status_code == 403
    assert "<span>user 7</span>" in someone.get("/").text


@pytest.mark.parametrize(
    "path",
    ["/bills?page=0", "/bills?page=x", "/bills?user=" + "x" * 301, "/bills?sort=" + "x" * 41],
)
def test_parameters_are_bounded(asking: Asking, path: str) -> None:
    assert asking("7").get(path).status_code == 422


@pytest.mark.parametrize("job", ["x", "1e999"])
def test_a_name_of_no_job_is_not_found(asking: Asking, job: str) -> None:
    assert asking("7").get(f"/bills/{job}").status_code == 404


def test_a_name_is_no_query(asking: Asking) -> None:
    name = "7' OR '1'='1"

    found = asking(name).get("/bills?format=json")

    assert found.status_code == 200
    assert found.json()["jobs"] == []
    assert asking(name).get("/curves?format=json").json()["saved"] == []


@pytest.mark.parametrize("path", ["/login?next=https://evil.example", "//evil.example/bills"])
def test_no_redirect_leads_elsewhere(asking: Asking, path: str) -> None:
    entered = asking().post(f"http://localhost{path}", data={"token": token("7", "user")})

    assert entered.headers.get("location", "/") in {"/", "/login"}


def test_the_licence_of_what_is_not_ours_is_sent_beside_it() -> None:
    assert "htmx.LICENSE" in static_files()
    assert (
        b"Zero-Clause BSD"
        in files("utilitysched_web").joinpath("static", "htmx.LICENSE").read_bytes()
    )
