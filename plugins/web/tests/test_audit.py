"""The audit log: nothing of a known user's is left out, and nobody unknown fills it."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from plugins.web.tests.conftest import EVER, KEY, Variant, token
from plugins.web.tests.test_doors import Time
from utilitysched_web import audit
from utilitysched_web.application import application
from utilitysched_web.audit import (
    AUDIT_FILE,
    LONGEST,
    REFUSED_FILE,
    AuditLog,
    audit_lines,
    audit_lines_with,
)
from utilitysched_web.doors import Doors, RateLimit

BROUGHT = {"authorization": f"Bearer {token('7', 'user')}", "accept": "application/json"}
LONG = f"/{'x' * 8_000}"

Server = Callable[..., TestClient]


@pytest.fixture
def server(variant: Variant, tmp_path: Path) -> Server:
    """Give a browser of a server that logs into an empty folder, with limits of its log."""

    def made(doors: Doors | None = None, **limits: RateLimit) -> TestClient:
        site = variant(state=tmp_path)
        app = application(site, doors or Doors(KEY, None, logins=EVER, requests=EVER, writes=EVER))
        app.state.audit = AuditLog(tmp_path, **limits)
        return TestClient(app, "http://localhost", follow_redirects=False)

    return made


def lines(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


@pytest.mark.parametrize("path", [LONG, "/login", "/curves", "/static/none"])
def test_nobody_unknown_fills_the_log(server: Server, tmp_path: Path, path: str) -> None:
    someone = server()

    for _ in range(60):
        someone.post(path, data={"token": "guess"})

    assert lines(tmp_path / AUDIT_FILE) == []
    assert len(lines(tmp_path / REFUSED_FILE)) == 20
    assert (tmp_path / REFUSED_FILE).stat().st_size < 20 * 500


def test_lines_that_were_left_out_are_counted(server: Server, tmp_path: Path) -> None:
    clock = Time()
    someone = server(lines_of_each=RateLimit(2, 60.0, clock), lines=RateLimit(10, 6.0, clock))
    for _ in range(7):
        someone.post("/nothing")
    clock.now += 60

    someone.post("/nothing")

    assert [line["left_out"] for line in lines(tmp_path / REFUSED_FILE)] == [0, 0, 5]


def test_many_addresses_fill_no_more_than_a_few(tmp_path: Path, server: Server) -> None:
    someone = server(lines=RateLimit(5, 6.0))
    for place in range(12):
        TestClient(someone.app, "http://localhost", client=(f"10.0.0.{place}", 1)).post("/nothing")

    assert len(lines(tmp_path / REFUSED_FILE)) == 5


def test_a_line_is_short_whatever_is_asked_for(server: Server, tmp_path: Path) -> None:
    someone = server()
    method, name = "M" * 5_000, "n" * 600
    brought = BROUGHT | {"authorization": f"Bearer {token(name, 'user')}"}

    someone.request(method, LONG, headers=brought)

    (line,) = lines(tmp_path / AUDIT_FILE)
    assert line["path"] == f"{LONG[:LONGEST]}... of 8001 characters"
    assert line["user"] == f"{name[:LONGEST]}... of 600 characters"
    assert line["method"] == f"{method[:LONGEST]}... of 5000 characters"


def test_every_write_of_a_known_user_is_logged(server: Server, tmp_path: Path) -> None:
    someone = server(lines_of_each=RateLimit(1, 60.0))
    for _ in range(5):
        someone.post("/nothing")
    for _ in range(40):
        someone.post("/curves/delete", data={"name": "none"}, headers=BROUGHT)
    someone.post("/nothing", headers=BROUGHT)
    someone.post("/login", data={"token": token("7", "user")})

    found = [(line["user"], line["path"], line["from"]) for line in lines(tmp_path / AUDIT_FILE)]
    assert found[:40] == [("7", "/curves/delete", "testclient")] * 40
    assert [path for _, path, _ in found[40:]] == ["/nothing", "/login"]


def test_who_writes_too_often_has_to_wait_and_fills_no_log(server: Server, tmp_path: Path) -> None:
    doors = Doors(KEY, requests=EVER, writes=RateLimit(3, 60.0))
    someone = server(doors)

    sent = [someone.post("/curves/delete", data={"name": "x"}, headers=BROUGHT) for _ in range(40)]

    assert {each.status_code for each in sent[3:]} == {429}
    assert len(lines(tmp_path / AUDIT_FILE)) == 3
    assert len(lines(tmp_path / REFUSED_FILE)) == 20


def test_a_log_goes_on_in_another_file_and_refuses_when_all_are_full(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(audit, "LARGEST", 500)
    monkeypatch.setattr(audit, "MOST", 3)
    someone = server()

    answers = []
    while not answers or answers[-1].status_code != 503:
        form = {"name": f"number-{len(answers)}"}
        answers.append(someone.post("/curves/delete", data=form, headers=BROUGHT))
        assert len(answers) < 100

    kept = [*sorted(tmp_path.glob("audit-*.jsonl")), tmp_path / AUDIT_FILE]
    logged = [line for path in kept for line in lines(path)]
    assert len(kept) == 4
    assert [line["status"] for line in logged] == [each.status_code for each in answers]
    assert "the operator must make room" in answers[-1].text
    newest = [line["at"] for line in audit_lines(tmp_path, 4)]
    assert newest == [line["at"] for line in reversed(logged[-4:])]
    assert someone.get("/curves", headers=BROUGHT).status_code == 200
    kept[0].unlink()
    assert someone.post("/curves/delete", data=form, headers=BROUGHT).status_code != 503


def test_a_full_disk_refuses_writes(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    usage = shutil.disk_usage(tmp_path)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage._replace(free=audit.FREE - 1))

    assert server().post("/curves/delete", data={"name": "x"}, headers=BROUGHT).status_code == 503


def test_of_refused_requests_the_latest_are_kept(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(audit, "LARGEST", 1_000)
    someone = server(lines_of_each=EVER, lines=EVER)

    for _ in range(40):
        someone.post("/nothing")

    assert sum(path.stat().st_size for path in tmp_path.glob("refused*")) < 2 * 1_300
    assert len(lines(tmp_path / REFUSED_FILE)) > 0


def test_a_line_that_was_not_written_whole_is_passed_over(tmp_path: Path) -> None:
    (tmp_path / AUDIT_FILE).write_text('{"at": 1}\n{"at": 2, "us\n{"at": 3}\n')

    assert audit_lines(tmp_path, 10) == [{"at": 3}, {"at": 1}]


def test_unknown_routes_are_limited(server: Server) -> None:
    doors = Doors(KEY, logins=RateLimit(3, 60.0), requests=EVER, writes=EVER)
    someone = server(doors)

    tried = [someone.get(f"/none/{place}").status_code for place in range(5)]

    assert tried == [404, 404, 404, 429, 429]
    assert someone.get("/none", headers=BROUGHT).status_code == 404
    assert someone.post("/login", data={"token": token("7", "user")}).status_code == 303


def test_half_a_line_breaks_no_page(server: Server, tmp_path: Path) -> None:
    whole = {"at": "2026-11-28T08:00:00", "user": "7", "job": 3, "verdict": "identical"}
    text = json.dumps(whole)
    (tmp_path / AUDIT_FILE).write_text(f"{text}\n{text[:-3]}\n")  # as the disk was full

    assert audit_lines(tmp_path, 10) == audit_lines_with(tmp_path, "verdict") == [whole]


def test_full_files_are_read_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    line = json.dumps({"at": "then", "verdict": "identical"}) + "\n"
    (tmp_path / "audit-20261128T080000000000.jsonl").write_text(line)
    (tmp_path / AUDIT_FILE).write_text(line * 2)

    assert len(audit_lines_with(tmp_path, "verdict")) == 3
    read = []
    real = Path.read_bytes
    monkeypatch.setattr(Path, "read_bytes", lambda path: read.append(path.name) or real(path))
    assert len(audit_lines_with(tmp_path, "verdict")) == 3
    assert read == [AUDIT_FILE]
