"""Tokens: each kind is signed by a key of its own, and whatever else comes is none."""

from __future__ import annotations

import base64
import json
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plugins.web.tests.conftest import KEY, token
from plugins.web.tests.test_doors import browser, csrf_of, open_doors
from utilitysched_web.doors import Proxy
from utilitysched_web.site import Site
from utilitysched_web.tokens import Purpose, Token, issue, read, sign

NOW = 1_000.0
PURPOSES: tuple[Purpose, ...] = ("token", "link", "session", "proxy")
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=2), inner),
    max_leaves=6,
)
FIELDS = st.lists(JSON | st.sampled_from(["user", "operator", "alice", 2_000.0]), max_size=6)


def written(payload: bytes) -> str:
    return base64.urlsafe_b64encode(payload).decode()


def signed(payload: str, purpose: Purpose) -> str:
    return f"{payload}.{sign(KEY, purpose, payload)}"


def is_whole(found: Token | None) -> bool:
    """Whether it is none, or all in it is as it should be."""
    return found is None or (
        isinstance(found.user, str)
        and found.role in {"user", "operator"}
        and found.until > NOW
        and isinstance(found.number, str)
    )


@given(st.text(max_size=200).map(lambda text: text * 9))
def test_any_text_is_no_token(text: str) -> None:
    assert read(KEY, text, NOW) is None


@given(FIELDS, st.sampled_from(PURPOSES))
def test_what_is_signed_for_another_purpose_is_no_token(
    fields: list[object], purpose: Purpose
) -> None:
    found = read(KEY, signed(written(json.dumps(fields).encode()), purpose), NOW)

    assert is_whole(found)
    assert found is None or purpose in {"token", "link"}
    assert found is None or found.once == (purpose == "link")


@given(st.binary(max_size=700) | st.text(max_size=700), st.sampled_from(PURPOSES))
def test_what_is_signed_and_no_token_is_none(payload: bytes | str, purpose: Purpose) -> None:
    text = payload if isinstance(payload, str) else written(payload)

    assert is_whole(read(KEY, signed(text, purpose), NOW))


@pytest.mark.parametrize("payload", [b"[" * 700, b"1" * 700, b"\xff", b"NaN", b"null", b"{}"])
def test_deep_or_wrong_json_is_no_token(payload: bytes) -> None:
    assert read(KEY, signed(written(payload), "token"), NOW) is None


@given(st.booleans(), st.data())
def test_a_token_that_was_cut_or_changed_is_none(once: bool, data: st.DataObject) -> None:
    text = issue(KEY, "alice", "user", 2_000.0, once=once)
    place = data.draw(st.integers(0, len(text) - 1))
    letter = data.draw(st.sampled_from(string.printable))

    assert read(KEY, text[:place], NOW) is None
    changed = text[:place] + letter + text[place + 1 :]
    assert changed == text or read(KEY, changed, NOW) is None


def test_each_purpose_has_its_key() -> None:
    assert len({sign(KEY, each, "the same") for each in PURPOSES}) == len(PURPOSES)


def test_what_pages_bring_is_no_token(site: Site) -> None:
    """Behind a proxy the name of a user is signed for pages; before, by the key of tokens."""
    proxy = Proxy("10.0.0.2", "X-User")
    someone = browser(site, open_doors(proxy=proxy), client=("10.0.0.2", 1))
    pages = csrf_of(someone.get("/", headers={"X-User": "7"}).text)

    assert pages == sign(KEY, "proxy", "user:7")
    for name in ("user:7", "csrf:user:7"):
        brought = {"authorization": f"Bearer {name}.{pages}", "accept": "application/json"}
        assert someone.get("/", headers=brought).status_code == 401
        assert someone.post("/login", data={"token": f"{name}.{pages}"}).status_code == 403


@pytest.mark.parametrize(
    "text",
    [
        *(
            signed(written(b'["7", "user", 9e9, "n"]'), each)
            for each in PURPOSES
            if each != "token"
        ),
        *(signed(written(json.dumps(each).encode()), "token") for each in (7, [], ["7"] * 4, {})),
        signed("csrf:user:7", "token"),
        token("7", "user")[:-1],
        "x" * 10_000,
        ".",
        "\xe9.\xe9",
    ],
)
def test_a_wrong_kind_of_token_is_refused_and_no_error(site: Site, text: str) -> None:
    brought = {"authorization": f"Bearer {text}".encode("latin-1"), "accept": b"application/json"}

    answer = browser(site, open_doors()).get("/bills", headers=brought)  # type: ignore[arg-type]

    assert answer.status_code == 401
    del brought["accept"]  # as curl asks, which follows no redirect and takes it for success
    assert browser(site, open_doors()).get("/bills", headers=brought).status_code == 401  # type: ignore[arg-type]
