"""The packaged sample, served to a real browser."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator
from threading import Thread

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page

from plugins.web.tests.conftest import EVER, KEY, token
from tests.browser.conftest import PATIENCE, SIZE, Opened, browser, screenshots
from utilitysched_web.application import application
from utilitysched_web.connections import BoundedServer
from utilitysched_web.doors import Doors
from utilitysched_web.opening import SAMPLE, open_site

__all__ = ["browser", "screenshots"]


@pytest.fixture(scope="session")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Serve the packaged sample on this machine; the address."""
    site = open_site(SAMPLE, tmp_path_factory.mktemp("served") / "state", "", lambda _: None)
    app = application(site, Doors(KEY, logins=EVER, requests=EVER))
    server = BoundedServer(app)
    listening = socket.create_server(("127.0.0.1", 0))
    thread = Thread(target=server.run, args=([listening],))
    thread.start()
    while not server.started:
        assert thread.is_alive()
        time.sleep(0.01)
    yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    server.should_exit = True
    thread.join()
    site.books.close()


@pytest.fixture
def visiting(browser: Browser, served: str) -> Iterator[Opened]:
    """Sign in as a user, or an operator, at a page; nothing may go wrong on it."""
    wrong: list[str] = []
    pages = []

    def said(message: ConsoleMessage) -> None:
        if message.type in {"error", "warning"}:
            wrong.append(message.text)

    def visit(path: str = "/", user: str = "1", **options: object) -> Page:
        page = browser.new_page(**{"viewport": SIZE, **options})  # type: ignore[arg-type]
        page.set_default_timeout(PATIENCE)
        page.on("console", said)
        page.on("pageerror", lambda error: wrong.append(str(error)))
        link = token(user, "operator" if user == "operator" else "user", once=True)
        page.goto(f"{served}/login?link={link}")
        page.get_by_role("button", name="Sign in").click()
        page.wait_for_url(f"{served}/")
        page.goto(f"{served}{path}")
        pages.append(page)
        return page

    yield visit
    for page in pages:
        page.close()
    assert wrong == []
