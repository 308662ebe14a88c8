"""A real browser, and pages to open in it."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Thread

import pytest
import uvicorn
from playwright.sync_api import Browser, ConsoleMessage, Page, Request, sync_playwright

from tests.reports import make_runs
from tests.utilitysched.web.conftest import EVER, KEY, token
from utilitysched.web.application import application
from utilitysched.web.doors import Doors
from utilitysched.web.opening import SAMPLE, Studies, open_site

ROOT = Path(__file__).parents[2]
SCREENSHOTS = ROOT / "build" / "screenshots"
NAMES = ("chromium", "chromium-browser", "google-chrome")
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
SIZE = {"width": 1280, "height": 900}
PATIENCE = 600_000
"""For what a browser is waited for (ms): none is so slow."""

SETTLED = """async () => {
  const drawn = async () => {
    while (!document.documentElement.dataset.drawn) await new Promise(requestAnimationFrame);
  };
  await drawn();
  await new Promise((done) => setTimeout(() => requestAnimationFrame(done), 200));
  await drawn();
}"""
"""Timers and frames of a page come in turn, however late: what had begun by then is over."""

Opened = Callable[..., Page]


def chromium() -> str | None:
    """Where the browser of the system is."""
    return next(filter(None, map(shutil.which, NAMES)), None)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Chromium of the system; without it tests are skipped, never on CI.

    While it is there this thread has an event loop, so it is gone before tests that make their own.
    """
    path = chromium()
    if path is None:
        reason = f"no browser is installed: none of {', '.join(NAMES)}"
        if os.environ.get("CI") == "true":
            pytest.fail(reason)
        pytest.skip(reason)
    with sync_playwright() as playwright:
        # without a folder named, it is a fresh one that goes away again
        found = playwright.chromium.launch(executable_path=path, args=list(FLAGS), timeout=PATIENCE)
        yield found
        found.close()


@pytest.fixture(scope="session")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory of two small runs."""
    return make_runs(tmp_path_factory.mktemp("browser"))


@pytest.fixture
def opened(browser: Browser) -> Iterator[Opened]:
    """Open a file; in the end nothing may have been fetched, and nothing complained about."""
    strange: list[str] = []
    pages = []

    def asked(request: Request) -> None:
        if not request.url.startswith(("file://", "data:", "blob:")):
            strange.append(request.url)

    def said(message: ConsoleMessage) -> None:
        if message.type in {"error", "warning"}:
            strange.append(message.text)

    def open_file(path: Path, **options: object) -> Page:
        page = browser.new_page(viewport=SIZE, **options)  # type: ignore[arg-type]
        page.set_default_timeout(PATIENCE)
        page.on("request", asked)
        page.on("console", said)
        page.on("pageerror", lambda error: strange.append(str(error)))
        page.goto(path.as_uri())
        pages.append(page)
        return page

    yield open_file
    for page in pages:
        page.close()
    assert strange == []


def settled(page: Page) -> Page:
    """Wait until what a report has been asked for is drawn, in view and elsewhere."""
    page.evaluate(SETTLED)
    return page


@pytest.fixture(scope="session")
def screenshots() -> Path:
    """Folder of pictures to look at; they stay."""
    SCREENSHOTS.mkdir(parents=True, exist_ok=True)
    return SCREENSHOTS


@pytest.fixture(scope="session")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Serve the packaged sample on this machine; the address."""
    site = open_site(
        SAMPLE, tmp_path_factory.mktemp("served") / "state", "", Studies(), lambda _: None
    )
    app = application(site, Doors(KEY, logins=EVER, requests=EVER))
    server = uvicorn.Server(uvicorn.Config(app, port=0, log_level="warning", ws="none"))
    thread = Thread(target=server.run)
    thread.start()
    while not server.started:
        assert thread.is_alive()
        time.sleep(0.01)
    [address] = (socket.getsockname() for each in server.servers for socket in each.sockets)
    yield f"http://127.0.0.1:{address[1]}"
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
        page.goto(f"{served}{path}")
        pages.append(page)
        return page

    yield visit
    for page in pages:
        page.close()
    assert wrong == []
