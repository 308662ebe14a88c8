"""A real browser, and pages to open in it."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Container, Iterator
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, ConsoleMessage, Page, Request, sync_playwright

from tests.reports import make_runs

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
LOOKS = (("light", 1280), ("dark", 1280), ("light", 640), ("light", 390), ("dark", 390))
"""Colours and width (pixels) of a page; half the width is what a zoom of 200% leaves."""

PATIENCE = 600_000
"""For what a browser is waited for (ms): none is so slow."""

SETTLED = """async () => {
  const drawn = async () => {
    const begin = performance.now();
    while (!document.documentElement.dataset.drawn) {
      if (performance.now() - begin > 30000) throw new Error("the charts are not drawn");
      await new Promise(requestAnimationFrame);
    }
  };
  await drawn();
  await new Promise((done) => setTimeout(() => requestAnimationFrame(done), 200));
  await drawn();
}"""
"""Timers and frames of a page come in turn, however late: what had begun by then is over."""

SERIOUS = {"serious", "critical"}
IMPACTS = {"minor", "moderate", *SERIOUS}

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
        # of charts whose marks alone have a legend, the library says that it merges legends
        if message.type in {"error", "warning"} and "Conflicting legend" not in message.text:
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


def drawn(page: Page) -> None:
    """Wait until the charts of a page, if it has any, are there."""
    page.wait_for_function(
        """() => [...document.querySelectorAll("figure.chart")]
          .every((each) => !each.offsetWidth || each.querySelector("svg"))"""
    )


def findings(page: Page, among: Container[str] = IMPACTS) -> list[str]:
    """What axe finds on a page, of all impacts or of some."""
    return [
        f"{found['id']}: {found['nodes'][0]['html'][:200]}"
        for found in Axe().run(page).response["violations"]
        if found["impact"] in among
    ]


def serious(page: Page) -> list[str]:
    """Findings that keep somebody from reading the page."""
    return findings(page, SERIOUS)


@pytest.fixture(scope="session")
def screenshots() -> Path:
    """Folder of pictures to look at; they stay."""
    SCREENSHOTS.mkdir(parents=True, exist_ok=True)
    return SCREENSHOTS
