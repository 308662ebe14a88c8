"""One server of the packaged sample for all tests of this folder, and who asks it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from dataclasses import replace
from typing import Any

import pytest
from starlette.testclient import TestClient

from utilitysched_web.application import application
from utilitysched_web.doors import Doors, RateLimit
from utilitysched_web.opening import SAMPLE, open_site
from utilitysched_web.site import Site
from utilitysched_web.tokens import Role, issue

KEY = b"k" * 32
EVER = RateLimit(1e9, 1e-9)
"""No limit: tests ask faster than people."""

Asking = Callable[..., TestClient]
Variant = Callable[..., Site]


def token(user: str, role: Role, *, once: bool = False) -> str:
    return issue(KEY, user, role, time.time() + 86_400, once=once)


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    state = tmp_path_factory.mktemp("web") / "state"
    found = open_site(SAMPLE, state, "", lambda _: None)
    with closing(found.books):
        yield found


@pytest.fixture
def variant(site: Site) -> Iterator[Variant]:
    """Give the site with other fields; the ledger of each is closed at the end of the test."""
    with ExitStack() as ending:

        def changed(**fields: Any) -> Site:
            shown = replace(site, **fields)
            ending.callback(shown.books.close)
            return shown

        yield changed


@pytest.fixture
def doors() -> Doors:
    return Doors(KEY, logins=EVER, requests=EVER)


@pytest.fixture
def asking(site: Site, doors: Doors) -> Asking:
    """Give a client that brings a token of somebody, or none."""
    app = application(site, doors)

    def client(user: str = "", role: Role = "user") -> TestClient:
        brought = {"authorization": f"Bearer {token(user, role)}"} if user else {}
        return TestClient(app, "http://localhost", headers=brought, follow_redirects=False)

    return client
