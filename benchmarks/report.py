"""How large a report of 100,000 jobs is, how soon it answers in a browser, how fast it zooms."""

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from statistics import median

from playwright.sync_api import Page, sync_playwright

from benchmarks.logs import CURIE, path
from benchmarks.row import Row
from utilitysched.cli.entry import run

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
OPENINGS = 5
SOURCES = {
    "CEA-Curie, 100,000 jobs": (str(path(CURIE)), ("--jobs", "0:100000"), ("easy",)),
    "Lublin, 100,000 jobs, 5 runs": (
        "model:lublin,jobs=100000,procs=1024",
        (),
        ("easy", "fcfs", "value-density", "priority-fifo", "saf"),
    ),
}
ZOOM = """async () => {
  const time = Bokeh.documents[0].get_model_by_name("time");
  const [least, most] = time.bounds;
  const frame = () => new Promise((done) => requestAnimationFrame(done));
  const taken = [];
  for (const share of [0.5, 0.1, 0.02, 0.3, 1]) {
    const began = performance.now();
    time.setv({ start: least, end: least + share * (most - least) });
    await frame();
    await frame();
    taken.push(performance.now() - began);
  }
  return taken;
}"""


def measure() -> Iterator[Row]:
    """Simulate, write the reports, and open them in Chromium without a graphics card."""
    browser = next(filter(None, map(shutil.which, BROWSERS)), None)
    with tempfile.TemporaryDirectory() as folder:
        for name, (source, options, schedulers) in SOURCES.items():
            page = _written(Path(folder) / name.partition(",")[0], source, options, schedulers)
            megabytes = page.stat().st_size / 1e6
            yield Row(f"report, {name}", megabytes, "MB", 10)
            if browser is not None:
                yield from _opened(name, page, browser)


def _written(
    folder: Path, source: str, options: tuple[str, ...], schedulers: tuple[str, ...]
) -> Path:
    chosen = [word for name in schedulers for word in ("--scheduler", name)]
    simulate = ["simulate", source, *options, *chosen, "--utilities", "default", "--json", "-q"]
    assert run([*simulate, "--out", str(folder)]) == 0
    page = folder / "report.html"
    assert run(["report", str(folder), "-o", str(page), "-q"]) == 0
    return page


def _opened(name: str, file: Path, browser: str) -> Iterator[Row]:
    with sync_playwright() as playwright:
        found = playwright.chromium.launch(
            executable_path=browser, args=["--no-sandbox", "--disable-gpu"]
        )
        pages = [found.new_page() for _ in range(OPENINGS)]
        seconds, computed = zip(*(_timed(page, file) for page in pages), strict=True)
        zooms: list[float] = pages[-1].evaluate(ZOOM)
        found.close()
    note = f"median of {OPENINGS}; {min(seconds):.2f} s at best"
    yield Row(f"report opened, {name}", median(seconds), "s", 2, note=note)
    note = "computing until the last chart is drawn"
    yield Row(f"report drawn, {name}", median(computed), "s", note=note)
    yield Row(f"report zoomed, {name}", median(zooms), "ms", note="until all charts are drawn")


def _timed(page: Page, file: Path) -> tuple[float, float]:
    """Open a file; return when its first screen was drawn, and what all took of its thread (s)."""
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})
    page.goto(file.as_uri())
    page.wait_for_function("document.documentElement.dataset.drawn")
    ready = float(page.evaluate("document.documentElement.dataset.ready")) / 1000
    metrics = session.send("Performance.getMetrics")["metrics"]
    return ready, next(each["value"] for each in metrics if each["name"] == "TaskDuration")
