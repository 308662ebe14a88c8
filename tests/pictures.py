"""Picture of a report for README and the site: `python -m tests.pictures` takes it anew."""

from __future__ import annotations

import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from tests.browser.conftest import FLAGS, chromium
from utilitysched.cli.entry import run

PICTURE = Path(__file__).parents[1] / "docs/images/report.png"
SCHEDULERS = ("easy", "value-density", "conservative")
SIZE = {"width": 1280, "height": 790}
LEFT_OUT = "document.querySelectorAll('#summary, nav').forEach((each) => each.remove())"


def main() -> None:
    """Simulate the packaged workload, and photograph the first screen of the report."""
    with tempfile.TemporaryDirectory() as folder:
        runs, page = Path(folder) / "runs", Path(folder) / "report.html"
        chosen = [word for name in SCHEDULERS for word in ("-s", name)]
        assert run(["simulate", "sample:", *chosen, "--out", str(runs), "--quiet"]) == 0
        assert run(["report", str(runs), "-o", str(page), "--quiet"]) == 0
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium(), args=list(FLAGS))
            opened = browser.new_page(viewport=SIZE)
            opened.goto(page.as_uri())
            opened.wait_for_function("document.documentElement.dataset.drawn")
            opened.evaluate(LEFT_OUT)
            opened.wait_for_timeout(1000)
            opened.screenshot(path=PICTURE)
            browser.close()


if __name__ == "__main__":
    main()
