"""Sign-ins: who is in, and how one is ended without the others."""

from __future__ import annotations

import stat
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from plugins.web.tests.conftest import EVER, KEY, token
from plugins.web.tests.test_doors import Time, browser, csrf_of, open_doors
from swfx import InputError
from utilitysched_web.doors import COOKIE, Doors
from utilitysched_web.sign_ins import VOID_FILE, VoidTokens
from utilitysched_web.site import Site
from utilitysched_web.tokens import Token, issue, read

PAGE = "/operators/sign-ins"


def kept_doors(state: Path) -> Doors:
    return Doors(KEY, logins=EVER, requests=EVER, void=VoidTokens(state / VOID_FILE))


def signed_in(site: Site, doors: Doors, text: str) -> TestClient:
    someone = browser(site, doors)
    assert someone.post("/login", data={"token": text}).status_code == 303
    return someone


def bearer(text: str) -> dict[str, str]:
    return {"authorization": f"Bearer {text}", "accept": "application/json"}


def number_of(text: str) -> str:
    found = read(KEY, text, 0.0)
    assert found is not None
    return found.number


def test_one_session_is_ended_without_the_others(site: Site) -> None:
    doors, text = open_doors(), token("7", "user")
    first, second = (signed_in(site, doors, text) for _ in range(2))
    mine = next(each for each in doors.sign_ins())

    assert doors.revoke(mine.number)
    assert not doors.revoke(mine.number)

    assert sorted(each.get("/").status_code for each in (first, second)) == [200, 303]
    assert browser(site, doors).get("/", headers=bearer(text)).status_code == 200


def test_a_token_is_taken_back_with_its_sessions_and_no_other(site: Site) -> None:
    doors, text, other = open_doors(), token("7", "user"), token("7", "user")
    its, others = signed_in(site, doors, text), signed_in(site, doors, other)
    program = browser(site, doors)
    assert program.get("/", headers=bearer(text)).status_code == 200

    assert doors.revoke(number_of(text))

    assert its.get("/").status_code == 303
    assert program.get("/", headers=bearer(text)).status_code == 401
    assert program.post("/login", data={"token": text}).status_code == 403
    assert others.get("/").status_code == 200
    assert program.get("/", headers=bearer(other)).status_code == 200


@pytest.mark.parametrize("once", [False, True])
def test_a_token_that_was_lost_unused_is_taken_back_by_its_text(site: Site, *, once: bool) -> None:
    doors, text, other = open_doors(), token("7", "user", once=once), token("7", "user")

    assert doors.revoke(text)
    assert not doors.revoke("no token")

    assert browser(site, doors).post("/login", data={"token": text}).status_code == 403
    assert browser(site, doors).get("/", headers=bearer(text)).status_code == 401
    assert browser(site, doors).get("/", headers=bearer(other)).status_code == 200


def test_what_was_taken_back_or_used_up_stays_so_through_restarts(
    site: Site, tmp_path: Path
) -> None:
    doors, text, link = kept_doors(tmp_path), token("7", "user"), token("7", "user", once=True)
    signed_in(site, doors, text)
    signed_in(site, doors, link)
    doors.revoke(number_of(text))

    again = kept_doors(tmp_path)

    for each in (text, link):
        assert browser(site, again).post("/login", data={"token": each}).status_code == 403
    assert browser(site, again).get("/", headers=bearer(text)).status_code == 401
    assert stat.S_IMODE((tmp_path / VOID_FILE).stat().st_mode) == 0o600


def test_void_tokens_are_forgotten_once_they_end(tmp_path: Path) -> None:
    void = VoidTokens(tmp_path / VOID_FILE)
    for number, until in (("a", 10.0), ("b", 30.0), ("c", 40.0)):
        void.add(Token("7", "user", until, number), now=20.0 if number == "c" else 0.0)

    assert [number in VoidTokens(tmp_path / VOID_FILE) for number in "abc"] == [False, True, True]


@pytest.mark.parametrize("text", ["", "[]", '{"a": []}', "{"])
def test_a_list_of_void_tokens_is_whole_or_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / VOID_FILE).write_text(text)

    with pytest.raises(InputError, match="is no list of void tokens; restore it"):
        kept_doors(tmp_path)


def test_a_link_sent_twice_at_a_time_is_good_once(monkeypatch: pytest.MonkeyPatch) -> None:
    doors, link = open_doors(), token("7", "user", once=True)
    contains = VoidTokens.__contains__

    def slowly(self: VoidTokens, number: str) -> bool:
        found = contains(self, number)
        time.sleep(0.02)
        return found

    monkeypatch.setattr(VoidTokens, "__contains__", slowly)
    with ThreadPoolExecutor(4) as threads:
        cookies = list(threads.map(lambda _: doors.open(link, "10.0.0.1"), range(4)))

    assert len([each for each in cookies if each]) == 1


def test_sign_ins_say_who_since_when_and_from_where(site: Site) -> None:
    clock = Time()
    doors = open_doors(clock)
    text = issue(KEY, "alice", "user", clock.now + 20 * 3600)
    someone = browser(site, doors, client=("10.0.0.7", 1))
    someone.post("/login", data={"token": text})
    begin = clock.now
    clock.now += 60
    someone.get("/docs")
    browser(site, doors, client=("10.0.0.8", 1)).get("/docs", headers=bearer(text))

    program, session = sorted(doors.sign_ins(), key=lambda each: each.browser)

    assert (session.user, session.role, session.address) == ("alice", "user", "10.0.0.7")
    assert (session.since, session.used) == (begin, begin + 60)
    assert (program.address, program.since) == ("10.0.0.8", begin + 60)
    clock.now += 13 * 3600
    assert doors.sign_ins() == [program]
    clock.now += 13 * 3600
    assert doors.sign_ins() == []


def test_an_operator_ends_a_sign_in_on_the_page(site: Site) -> None:
    doors = open_doors()
    root = signed_in(site, doors, token("root", "operator"))
    user = signed_in(site, doors, token("7", "user"))
    (target,) = (each for each in doors.sign_ins() if each.user == "7")

    page = root.get(PAGE).text
    shown = root.get(PAGE, params={"format": "json"}).json()["sign_ins"]
    brought = {"csrf": csrf_of(page), "number": target.number}
    refused = root.post(PAGE, data={"number": target.number})
    ended = root.post(PAGE, data=brought)

    assert {each["user"] for each in shown} == {"root", "7"}
    for secret in (user.cookies[COOKIE], root.cookies[COOKIE]):
        assert secret not in page
        assert secret not in str(shown)
    assert (refused.status_code, ended.status_code) == (403, 303)
    assert user.get("/").status_code == 303
    assert root.get(PAGE).status_code == 200
    assert root.post(PAGE, data=brought).status_code == 404
