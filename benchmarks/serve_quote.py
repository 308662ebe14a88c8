"""Quotes in a browser: from a point dragged to the number in the page, a hundred jobs queued."""

import statistics
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from threading import Thread

import numpy as np
import uvicorn
from playwright.sync_api import Page, sync_playwright

from benchmarks.quote import CURVE, JOB, QUEUED, moment
from benchmarks.row import Row
from swfx import InputError
from tests.browser.conftest import FLAGS, chromium
from tests.utilitysched.web.conftest import EVER, KEY, token
from utilitysched.runs.snapshot.document import to_text
from utilitysched.web.application import application
from utilitysched.web.doors import Doors
from utilitysched.web.opening import SAMPLE, Studies, open_site
from utilitysched.web.quoting import QuoteQuestion, quote_desk, quote_processes

DRAGS = 60
TARGET = 300.0

DRAG = """async (value) => {
  const editor = document.querySelector("curve-editor"), shown = document.querySelector("#quote");
  await new Promise((done) => setTimeout(done, 100));
  const begun = performance.now();
  const changed = new Promise((done) => new MutationObserver(done).observe(
    shown, {childList: true}));
  editor.value = value;
  editor.dispatchEvent(new Event("input", {bubbles: true}));
  await changed;
  return performance.now() - begun;
}"""


def measure() -> Iterator[Row]:
    """Drag a point again and again, and wait for the figures."""
    path = chromium()
    if path is None:
        raise InputError("no browser is installed")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        site = open_site(SAMPLE, Path(folder) / "state", "", Studies(), lambda _: None)
        site.moment.__dict__["snapshot"] = moment()
        browser = playwright.chromium.launch(executable_path=path, args=list(FLAGS))
        question = QuoteQuestion(to_text(moment()), JOB, CURVE, {})
        with quote_processes() as processes:
            desk = quote_desk(processes, site.rules, question)
            app = application(site, Doors(KEY, logins=EVER, requests=EVER), desk=desk)
            server = uvicorn.Server(uvicorn.Config(app, port=0, log_level="warning", ws="none"))
            thread = Thread(target=server.run)
            thread.start()
            while not server.started:
                time.sleep(0.01)
            [port] = (one.getsockname()[1] for each in server.servers for one in each.sockets)
            page = browser.new_page()
            page.goto(f"http://127.0.0.1:{port}/login?link={token('1', 'user', once=True)}")
            page.goto(f"http://127.0.0.1:{port}/quote?processors=64&requested=4h")
            waited = list(_drags(page))
            server.should_exit = True
            thread.join()
    note = f"{QUEUED} queued, {site.moment.scheduler}; median {statistics.median(waited):.0f} ms"
    yield Row("drag to number, p95", float(np.quantile(waited, 0.95)), "ms", TARGET, note=note)


def _drags(page: Page) -> Iterator[float]:
    page.locator("#quote[data-samples='30']").wait_for(timeout=300_000)
    for drag in range(DRAGS):
        yield page.evaluate(DRAG, f"0:{60 + drag},4h:{60 + drag},1d:0")
