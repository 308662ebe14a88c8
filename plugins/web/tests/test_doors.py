"""Who is let in, for how long, and what a browser must bring to change something."""

from __future__ import annotations

import json
import re
import stat
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event, Semaphore
from typing import Any

import pytest
from starlette.testclient import TestClient

from plugins.web.tests.conftest import EVER, KEY, token
from swfx import InputError
from utilitysched_web.application import Outside, application
from utilitysched_web.audit import AUDIT_FILE, REFUSED_FILE
from utilitysched_web.doors import COOKIE, Doors, Proxy, RateLimit
from utilitysched_web.queue_view import QueueView
from utilitysched_web.sign_ins import IDLE
from utilitysched_web.site import Site
from utilitysched_web.tokens import issue, read, signing_key


class Time:
    """A clock that tests set."""

    def __init__(self) -> None:
        self.now = time.time()

    def __call__(self) -> float:
        return self.now


def browser(site: Site, doors: Doors, **options: object) -> TestClient:
    """Give a browser: it keeps cookies, and brings no token by itself."""
    app = application(site, doors, options.pop("outside", Outside()))  # type: ignore[arg-type]
    return TestClient(app, "http://localhost", follow_redirects=False, **options)  # type: ignore[arg-type]


def open_doors(clock: Time | None = None, proxy: Proxy | None = None) -> Doors:
    return Doors(KEY, proxy, clock or time.time, logins=EVER, requests=EVER)


def csrf_of(page: str) -> str:
    return page.partition('name="csrf" value="')[2].partition('"')[0]


def test_a_token_says_who_until_its_time_is_over() -> None:
    text = issue(KEY, "alice", "user", 100.0)

    found = read(KEY, text, 99.0)

    assert found is not None
    assert (found.user, found.role) == ("alice", "user")
    assert read(KEY, text, 100.0) is None


@pytest.mark.parametrize("place", [0, 10, -1])
def test_a_token_with_another_letter_is_none(place: int) -> None:
    text = issue(KEY, "alice", "user", 100.0)
    other = "A" if text[place] != "A" else "B"
    forged = text[:place] + other + (text[place + 1 :] if place != -1 else "")

    assert read(KEY, forged[: len(text)], 0.0) is None or place == -1
    assert read(b"x" * 32, text, 0.0) is None
    assert read(KEY, "", 0.0) is None
    assert read(KEY, "é.é", 0.0) is None
    assert read(KEY, text + "A" * 2000, 0.0) is None


def test_the_key_is_made_once_and_for_its_owner_only(tmp_path: Path) -> None:
    path = tmp_path / "state" / "key"

    key = signing_key(path)

    assert signing_key(path) == key
    assert len(key) == 64
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    path.chmod(0o640)
    with pytest.raises(InputError, match="others may read it; chmod 600"):
        signing_key(path)
    path.chmod(0o600)
    path.write_text("short")
    with pytest.raises(InputError, match="too short"):
        signing_key(path)


def test_a_session_begins_with_a_token_and_ends_with_it(site: Site) -> None:
    clock = Time()
    someone = browser(site, open_doors(clock))

    entered = someone.post("/login", data={"token": issue(KEY, "7", "user", clock.now + 600)})

    assert entered.status_code == 303
    assert entered.headers["location"] == "/"
    kept = entered.headers["set-cookie"].lower()
    assert kept.startswith(COOKIE)
    assert "httponly" in kept
    assert "samesite=lax" in kept
    assert "7" in someone.get("/").text
    clock.now += 601
    assert someone.get("/").headers["location"] == "/login"


def test_a_session_that_nobody_uses_ends(site: Site) -> None:
    clock = Time()
    someone = browser(site, open_doors(clock))
    week = issue(KEY, "7", "user", clock.now + 7 * 86400)
    someone.post("/login", data={"token": week})

    clock.now += IDLE - 1
    assert someone.get("/").status_code == 200
    clock.now += IDLE - 1
    assert someone.get("/").status_code == 200
    clock.now += IDLE
    assert someone.get("/").status_code == 303


def test_a_link_is_good_once(site: Site) -> None:
    doors = open_doors()
    link = token("root", "operator", once=True)

    first, second = (browser(site, doors).post("/login", data={"token": link}) for _ in range(2))

    assert (first.status_code, second.status_code) == (303, 403)
    assert "not good" in second.text


def test_a_link_signs_nobody_in_before_a_button_is_pressed(site: Site) -> None:
    doors, link = open_doors(), token("root", "operator", once=True)
    someone = browser(site, doors)

    asked = [someone.get("/login", params={"link": link}) for _ in range(2)]

    assert [each.status_code for each in asked] == [200, 200]
    assert "Sign in as root" in asked[0].text
    assert "set-cookie" not in asked[0].headers
    assert someone.get("/").status_code == 303
    (shown,) = re.findall('name="token" value="([^"]+)"', asked[0].text)
    assert someone.post("/login", data={"token": shown}).status_code == 303
    assert someone.get("/login", params={"link": link}).status_code == 403


ELSEWHERE = [
    {"sec-fetch-site": "cross-site", "origin": "https://evil.example"},
    {"sec-fetch-site": "cross-site"},
    {"sec-fetch-site": "same-site", "origin": "http://localhost:9999"},
    {"sec-fetch-site": ""},
    {"origin": "https://evil.example"},
    {"origin": "http://localhost:9999"},
    {"origin": "http://localhost.evil.example"},
    {"origin": "null"},
    {"origin": ""},
    {"origin": "http://["},
]
HERE: list[dict[str, str]] = [
    {},
    {"sec-fetch-site": "none"},
    {"sec-fetch-site": "same-origin", "origin": "null"},
    {"origin": "http://localhost"},
]


@pytest.mark.parametrize("said", ELSEWHERE)
def test_a_page_elsewhere_signs_nobody_in(site: Site, said: dict[str, str]) -> None:
    victim = browser(site, open_doors())

    answer = victim.post("/login", data={"token": token("attacker", "user")}, headers=said)

    assert answer.status_code == 403
    assert "set-cookie" not in answer.headers


@pytest.mark.parametrize("said", HERE)
def test_pages_here_and_programs_sign_in(site: Site, said: dict[str, str]) -> None:
    someone = browser(site, open_doors())

    answer = someone.post("/login", data={"token": token("7", "user")}, headers=said)

    assert answer.status_code == 303


def test_a_form_of_ondemand_signs_in_below_its_path(site: Site) -> None:
    """The page that offers the app is of the same origin, and posts the token in a form."""
    outside = Outside("/node/n1/8080", ("ondemand.example.org",), https=True)
    someone = browser(site, open_doors(), outside=outside)
    form = {"token": token("7", "operator")}

    for said in ({"sec-fetch-site": "same-origin"}, {}):
        headers = {"host": "ondemand.example.org", "origin": "https://ondemand.example.org"} | said
        answer = someone.post("/node/n1/8080/login", data=form, headers=headers)

        assert answer.headers["location"] == "/node/n1/8080/"


def test_a_link_is_no_token_for_programs_and_stays_good_for_a_browser(site: Site) -> None:
    doors, link = open_doors(), token("root", "operator", once=True)
    brought = {"authorization": f"Bearer {link}", "accept": "application/json"}

    for path in ("/", "/operators", "/bills"):
        assert browser(site, doors).get(path, headers=brought).status_code == 401
    assert browser(site, doors).post("/login", data={"token": link}).status_code == 303
    assert browser(site, doors).get("/", headers=brought).status_code == 401


def test_signing_out_ends_the_session_at_the_server(site: Site) -> None:
    someone = browser(site, open_doors())
    someone.post("/login", data={"token": token("7", "user")})
    cookie = someone.cookies[COOKIE]

    left = someone.post("/logout", data={"csrf": csrf_of(someone.get("/").text)})

    assert left.status_code == 303
    again = browser(site, someone.app.state.doors, cookies={COOKIE: cookie})  # type: ignore[attr-defined]
    assert again.get("/").status_code == 303


def test_a_session_has_a_new_number_each_time(site: Site) -> None:
    doors, chosen = open_doors(), "chosen by somebody else"
    numbers = {chosen}

    for _ in range(2):
        someone = browser(site, doors, headers={"cookie": f"{COOKIE}={chosen}"})
        entered = someone.post("/login", data={"token": token("7", "user")})
        numbers.add(entered.cookies[COOKIE])

    assert len(numbers) == 3
    assert {len(number) for number in numbers - {chosen}} == {43}  # 256 bits


@pytest.mark.parametrize("brought", [{}, {"csrf": ""}, {"csrf": "x"}, {"csrf": "é"}])
def test_a_browser_changes_nothing_without_the_pages_token(
    site: Site, brought: dict[str, str]
) -> None:
    someone = browser(site, open_doors())
    someone.post("/login", data={"token": token("6", "user")})

    assert someone.post("/bills/100/recompute", data=brought).status_code == 403
    right = csrf_of(someone.get("/bills/100").text)
    assert someone.post("/bills/100/recompute", data={"csrf": right}).status_code == 200
    header = {"X-CSRF-Token": right}
    assert someone.post("/bills/100/recompute", headers=header).status_code == 200


def test_the_pages_token_of_one_session_is_none_of_another(site: Site) -> None:
    doors = open_doors()
    someone, other = browser(site, doors), browser(site, doors)
    for each in (someone, other):
        each.post("/login", data={"token": token("6", "user")})

    theirs = csrf_of(other.get("/").text)

    assert someone.post("/logout", data={"csrf": theirs}).status_code == 403


def test_a_header_is_believed_from_the_proxy_only(site: Site) -> None:
    named = {"X-Remote-User": "7"}
    proxy = Proxy("10.0.0.2", "X-Remote-User", frozenset({"root"}))
    by_proxy = browser(site, open_doors(proxy=proxy), client=("10.0.0.2", 1))
    by_others = browser(site, open_doors(proxy=proxy), client=("10.0.0.3", 1))
    unasked = browser(site, open_doors(), client=("10.0.0.2", 1))

    assert by_proxy.get("/bills", headers=named).status_code == 200
    assert by_proxy.get("/operators", headers=named).status_code == 403
    assert by_proxy.get("/operators", headers={"X-Remote-User": "root"}).status_code == 200
    assert by_proxy.get("/bills").status_code == 303
    assert by_proxy.post("/logout", headers=named).status_code == 403
    forwarded = named | {"X-Forwarded-For": "10.0.0.2"}
    assert by_others.get("/bills", headers=forwarded).status_code == 303
    assert unasked.get("/bills", headers=named).status_code == 303


def test_rates_are_limited_by_who_asks() -> None:
    clock = Time()
    limit = RateLimit(3, 10.0, clock)

    assert [limit.wait("a") for _ in range(3)] == [0, 0, 0]
    assert limit.wait("a") == pytest.approx(10)
    assert limit.wait("b") == 0
    clock.now += 10
    assert limit.wait("a") == 0
    assert limit.wait("a") == pytest.approx(10)


def test_only_so_many_are_remembered_who_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("utilitysched_web.doors.MOST_KEYS", 3)
    limit = RateLimit(1, 10.0, Time())

    assert [limit.wait(key) for key in "abcd"] == [0] * 4
    assert limit.wait("d") > 0
    assert limit.wait("a") == 0


def test_who_has_a_network_is_one(site: Site) -> None:
    doors = Doors(KEY, logins=RateLimit(2, 60.0))
    addresses = [f"2001:db8:0:1::{place}" for place in range(1, 4)]

    tried = [
        browser(site, doors, client=(each, 1)).post("/login", data={"token": "guess"})
        for each in addresses
    ]

    assert [each.status_code for each in tried] == [403, 403, 429]


def test_who_tries_tokens_has_to_wait(site: Site) -> None:
    someone = browser(site, Doors(KEY, logins=RateLimit(2, 60.0)))

    tried = [someone.post("/login", data={"token": "guess"}) for _ in range(3)]

    assert [each.status_code for each in tried] == [403, 403, 429]
    assert int(tried[2].headers["retry-after"]) > 0


def test_who_guesses_keeps_nobody_out_behind_the_same_proxy(site: Site) -> None:
    everybody = browser(site, Doors(KEY, logins=RateLimit(2, 60.0)))
    for _ in range(3):
        everybody.post("/login", data={"token": "guess"})

    tried = [everybody.post("/login", data={"token": token("7", "user")}) for _ in range(3)]

    assert [each.status_code for each in tried] == [303, 303, 429]


def test_who_asks_too_often_has_to_wait(site: Site) -> None:
    someone = browser(site, Doors(KEY, logins=EVER, requests=RateLimit(2, 60.0)))
    brought = {"authorization": f"Bearer {token('7', 'user')}"}

    assert [someone.get("/docs", headers=brought).status_code for _ in range(3)] == [200, 200, 429]


def test_no_body_is_larger_than_any_page_sends(site: Site) -> None:
    someone = browser(site, open_doors())

    whole = someone.post("/login", data={"token": "x" * 70_000})
    in_pieces = someone.post(
        "/login",
        content=(b"token=" + b"x" * 10_000 for _ in range(8)),
        headers={"content-type": "application/x-www-form-urlencoded"},
    )

    assert (whole.status_code, in_pieces.status_code) == (413, 413)


def test_another_name_of_the_host_is_refused(site: Site) -> None:
    someone = browser(site, open_doors(), headers={"host": "evil.example"})

    assert someone.get("/login").status_code == 400


@pytest.mark.parametrize("asked", ["/node/8080/login", "/login"])
def test_a_proxy_may_take_the_base_path_off_or_leave_it(site: Site, asked: str) -> None:
    someone = browser(site, open_doors(), outside=Outside("/node/8080"))

    page = someone.get(asked)
    entered = someone.post(asked, data={"token": token("7", "user")})

    assert 'href="/node/8080/static/page.css' in page.text
    assert 'action="/node/8080/login"' in page.text
    assert entered.headers["location"] == "/node/8080/"
    assert "path=/node/8080/" in entered.headers["set-cookie"].lower()


def test_behind_a_proxy_that_encrypts_nothing_goes_in_the_clear(site: Site) -> None:
    someone = browser(site, open_doors(), outside=Outside(https=True))

    entered = someone.post("/login", data={"token": token("7", "user")})

    assert "secure" in entered.headers["set-cookie"].lower()
    assert entered.headers["strict-transport-security"].startswith("max-age=")


def test_every_write_stands_in_the_log_of_writes(site: Site) -> None:
    paths = [site.state / name for name in (AUDIT_FILE, REFUSED_FILE)]
    before = [len(path.read_text().splitlines()) if path.exists() else 0 for path in paths]
    someone, mine = browser(site, open_doors()), token("6", "user")

    someone.post("/login", data={"token": "secret-guess"})
    someone.post("/bills/100/recompute")
    someone.get("/login")
    someone.post("/login", data={"token": mine})
    someone.post("/bills/100/recompute")

    texts = [path.read_text() for path in paths]
    known, refused = (
        [json.loads(line) for line in text.splitlines()[start:]]
        for text, start in zip(texts, before, strict=True)
    )
    assert [(line["path"], line["status"]) for line in refused] == [
        ("/login", 403),
        ("/bills/100/recompute", 303),
    ]
    assert [(line["user"], line["path"], line["status"]) for line in known] == [
        ("6", "/login", 303),
        ("6", "/bills/100/recompute", 403),
    ]
    for secret in ("secret-guess", mine, someone.cookies[COOKIE]):
        assert secret not in "".join(texts)


def test_only_known_files_are_sent(site: Site) -> None:
    someone = browser(site, open_doors())

    assert someone.get("/static/htmx.min.js").headers["content-type"].startswith("text/javascript")
    for name in ("../site.py", "..%2fsite.py", "%2e%2e/site.py", "nothing.css"):
        assert someone.get(f"/static/{name}").status_code in {303, 404}


def test_what_users_wrote_is_text_in_pages(site: Site) -> None:
    someone = browser(site, open_doors())
    name = "<script>alert(1)</script>"
    brought = {"authorization": f"Bearer {token(name, 'user')}"}

    page = someone.get("/", headers=brought).text

    assert name not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page


def test_an_error_of_ours_says_nothing_of_the_inside(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("utilitysched_web.pages.home.home_document", lambda *_: 1 / 0)
    app = application(site, open_doors())
    someone = TestClient(app, "http://localhost", raise_server_exceptions=False)

    answer = someone.get("/", headers={"authorization": f"Bearer {token('7', 'user')}"})

    assert answer.status_code == 500
    assert "division" not in answer.text
    assert "default-src 'none'" in answer.headers["content-security-policy"]


def test_nobody_takes_all_threads(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    begun, go_on = Semaphore(0), Event()

    def slowly(*given: Any) -> QueueView:
        begun.release()
        go_on.wait(10)
        return QueueView(*given)

    monkeypatch.setattr("utilitysched_web.pages.queue.QueueView", slowly)
    doors = Doors(KEY, at_once=2)
    app = application(site, doors)

    def asked(user: str) -> int:
        brought = {"authorization": f"Bearer {token(user, 'user')}"}
        return TestClient(app, "http://localhost", headers=brought).get("/queue").status_code

    with ThreadPoolExecutor(2) as pool:
        first = [pool.submit(asked, "7") for _ in range(2)]
        have_begun = [begun.acquire(timeout=10) for _ in first]
        refused = asked("7")
        go_on.set()
        assert have_begun == [True, True]
        assert [each.result() for each in first] == [200, 200]
    assert refused == 429
    assert asked("7") == 200
    assert not doors._answering


def test_disputes_are_limited_by_user(site: Site) -> None:
    app = application(site, Doors(KEY, disputes=RateLimit(1, 60.0)))

    def disputed(user: str, job: int) -> int:
        brought = {"authorization": f"Bearer {token(user, 'user')}"}
        someone = TestClient(app, "http://localhost", headers=brought)
        return someone.post(f"/bills/{job}/recompute").status_code

    job = int(site.results.workload.job_id[site.jobs_of("7")[0]])
    assert [disputed("7", job) for _ in range(2)] == [200, 429]
    assert disputed("6", 100) == 200
