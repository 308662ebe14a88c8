"""All charts on one page, and photographs of pages for the documentation.

`python -m tests.pictures` (`make pictures`) simulates the packaged workload, and makes
build/pictures/index.html: every chart, as readers see it on pages, in papers and on a printer that
knows no colours, with the names of the functions that made it, and a page of each kind.
`python -m tests.pictures photographs` takes the pictures in docs/images.
"""

from __future__ import annotations

import ast
import contextlib
import csv
import io
import json
import shlex
import shutil
import sys
import tempfile
from collections.abc import Iterator
from html import escape
from pathlib import Path
from types import FrameType
from typing import Any

from playwright.sync_api import sync_playwright

import pricing
from swfx import UtilityFunction, open_workload
from swfx.heatmap import find_heatmap
from tests.browser.conftest import FLAGS, chromium
from tests.pages import with_output
from utilitysched import simulate
from utilitysched.cli.entry import run
from utilitysched.experiments.experiment_file import read_experiment
from utilitysched.market.quote import QuotedJob, QuoteTerms, quote
from utilitysched.report.charts.experiments import speeds
from utilitysched.report.charts.look import variables
from utilitysched.report.charts.picture import Picture, library
from utilitysched.report.quote import quote_description
from utilitysched.report.templating import write_page
from utilitysched.runs.snapshot import Snapshot
from utilitysched.schedulers.coscheduling.completion import completed

ROOT = Path(__file__).parents[1]
BUILT = ROOT / "build/pictures"
CHARTS = ROOT / "utilitysched/report/charts"
WEEKS = 1500
"""Jobs of a model that are submitted within more than a week; the packaged ones are within one."""

MOST = 12
"""Charts by the same function that are shown."""

EXPERIMENT = """
name = "grid"
[[workload]]
source = "sample:"
jobs = [{slices}]
[schedulers]
names = ["easy", "value-density", "saf", "conservative"]
baseline = "easy"
[report]
metrics = ["aggregate_utility", "wait_mean", "bounded_slowdown_mean"]
compare = ["aggregate_utility", "wait_mean"]
plots = ["ratio", "box", "pareto", "correlation"]
over_time = true
"""

COMMANDS = """
simulate {log} -s easy -s value-density -s ga:population=6,generations=8 --out runs
bill runs/value-density --html bill.html
report runs -o report.html
report runs --figures figures --wide
simulate model:lublin,jobs={weeks},machine_size=64 -s easy -s saf --out weeks
report weeks --figures weeks --only weekly
experiment run grid.toml --page experiment.html --processes 1
describe {log} -o describe.html
describe {log} --accuracy -o estimates.html
describe {log} --curves curves.svg --job 12 --job 40
describe {log} --curves classes.svg --queue 1 --queue 2 --queue 3
advise-checkpoint {log} --checkpoints survey --mtbf 5y --preemptions 2d --page checkpoints.html
audit {log} -s value-density -m first-price --sample 6 -o audit --processes 1
ceiling sample: --jobs 0:{ceiling} --page ceiling.html
learn mixed sample: --windows 12h --learn-on 1:3 --judge-on 4:7 --grid 5
  --generations 2 -o mixed.toml --page mixed.html --processes 1
simulate {log} -s ga:population=6,generations=8 --mechanism vcg --out vcg
bill vcg/ga-population_6-generations_8
explain-charge vcg/ga-population_6-generations_8 {charged} --draw explanation.html
"""

PAGES = (
    "report.html",
    "experiment.html",
    "describe.html",
    "estimates.html",
    "checkpoints.html",
    "audit/audit.html",
    "ceiling.html",
    "mixed.html",
    "bill.html",
    "explanation.html",
    "quote.html",
    "centre/billing/2026-10/summary.html",
    "centre/billing/2026-10/invoices/index.html",
)

VCG = "vcg/ga-population_6-generations_8"

STYLE = """
body { font: 15px/1.4 Liberation Sans, Arial, sans-serif; margin: 1.5rem auto; max-width: 1400px }
section { border-top: 1px solid #999; display: grid; gap: 0.8rem; grid-template-columns: 1fr 1fr }
section > h2, section > p { grid-column: 1 / 3; margin: 0.4rem 0 0 }
.light, .dark { background: var(--panel); padding: 0.6rem; min-width: 0 }
.grey { filter: grayscale(1) }
code { font-size: 0.85em; font-weight: normal }
"""

SECTION = """
<section><h2>{title} <code>{maker}</code></h2><p>{caption} <a href="{place}-column.pdf">PDF</a>
<div class="light"></div><div class="dark"></div>
<div><img src="{place}-column.svg" alt="a column wide"></div>
<div><img class="grey" src="{place}-column.svg" alt="the same in grey"></div></section>
"""

SCRIPT = """
let drawn = 0;
for (const name of ["light", "dark"])
  document.querySelectorAll("." + name).forEach((place, i) =>
    vegaEmbed(place, pictures[i], {renderer: "svg", actions: false, ast: true, defaultStyle: false})
      .then(() => document.documentElement.dataset.drawn = ++drawn));
"""

GENERAL = ("above", "_low", "draw", "_together")
"""Functions that know nothing of what they draw."""

Made = dict[str, dict[str, Picture]]
"""Pictures by key, by the function that made them; the largest of each key."""


def functions() -> set[str]:
    """Return the names of all functions of charts that return a picture, each with its module."""
    return {
        f"{path.stem}.{node.name}"
        for path in CHARTS.glob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.FunctionDef) and node.name not in GENERAL
        if node.returns and ast.unparse(node.returns) == "Picture"
    }


@contextlib.contextmanager
def noted() -> Iterator[Made]:
    """Note every picture that is made, and by which functions."""
    known, made, begin = functions(), Made(), Picture.__init__

    def note(self: Picture, *values: Any, **named: Any) -> None:
        begin(self, *values, **named)
        frame: FrameType | None = sys._getframe(1)
        if frame.f_code.co_name == "replace":
            return  # of one that was noted
        drawn: dict[str, Picture] | None = None
        while frame:
            path = Path(frame.f_code.co_filename)
            name = f"{path.stem}.{frame.f_code.co_name}"
            if path.parent == CHARTS and name in known:
                by_key = made.setdefault(name, {})
                drawn = by_key if drawn is None else drawn  # the innermost
            frame = frame.f_back
        if drawn is not None:
            drawn[self.key] = max(drawn.get(self.key, self), self, key=_length)

    Picture.__init__ = note
    try:
        yield made
    finally:
        Picture.__init__ = begin


def _length(picture: Picture) -> int:
    """Return the length of a specification; 0 without rows, which the script of a page gives."""
    text = json.dumps(picture.on_page())
    return len(text) if '"values": [{"' in text else 0


def made_from_runs(folder: Path, jobs: int) -> Made:
    """Run everything that draws, on so many jobs of the packaged workload, and note its pictures.

    Parameters
    ----------
    folder : Path
        Empty; where pages and files are written.
    jobs : int
        At least 60.
    """
    slices = ", ".join(f'"{i * jobs // 6}:{(i + 1) * jobs // 6}"' for i in range(6))
    (folder / "grid.toml").write_text(EXPERIMENT.format(slices=slices), "utf-8")
    words = {"log": f"sample: --jobs 0:{jobs}", "ceiling": min(jobs, 200), "weeks": WEEKS}
    quiet = contextlib.redirect_stdout(io.StringIO())
    with noted() as made, contextlib.chdir(folder), quiet:
        for line in COMMANDS.replace("\n  ", " ").strip().splitlines():
            words["charged"] = _dearest(folder / VCG)
            command = [*shlex.split(line.format_map(words)), "--quiet"]
            assert run(command) == 0, line
        _show_objects(jobs)
    return made


def _dearest(run: Path) -> str:
    """Return the job of a run with the largest charge, empty without a bill."""
    bill = run / "charges.csv"
    if not bill.exists():
        return ""
    rows = csv.DictReader(bill.read_text("utf-8").splitlines())
    return max(rows, key=lambda row: float(row["charge"] or 0))["job_id"]


def _show_objects(jobs: int) -> None:
    """Plot what notebooks plot, and write the page of a quote."""
    workload = open_workload("sample:").workload[:jobs]
    workload.plot()
    workload.utility[len(workload) // 2].plot()
    offers = quote(
        Snapshot(0.0, 4),
        QuotedJob(4, 1800.0, curves={"": UtilityFunction([0, 3600], [36, 0])}),
        QuoteTerms("easy"),
    )
    offers.plot()
    write_page(quote_description(offers), Path("quote.html"))
    schedule = simulate(workload, "easy")
    pricing.charge(workload, schedule.start, schedule.end, "multi-queue").plot()
    read_experiment(Path("grid.toml")).plot("grid.store")
    speeds(completed(find_heatmap("aris"), 0))


def write_gallery(folder: Path, made: Made, most: int = MOST) -> Path:
    """Write a page with at most so many pictures of each function, and links to pages."""
    shown = [
        (maker, picture)
        for maker, by_key in sorted(made.items())
        for picture in [each for each in by_key.values() if _length(each)][:most]
    ]
    sections = []
    for place, (maker, picture) in enumerate(shown):
        for kind in ("svg", "pdf"):
            picture.save(folder / f"{place}-column.{kind}")
        words = {"place": place, "title": picture.title, "caption": picture.caption}
        escaped = {name: escape(str(word)) for name, word in words.items()}
        sections.append(SECTION.format(**escaped, maker=maker))
    style = "".join(
        f".{name} {{{';'.join(f'{key}:{value}' for key, value in variables(dark=dark).items())}}}"
        for name, dark in (("light", False), ("dark", True))
    )
    links = "".join(
        f'<li><a href="{page}">{page}</a>' for page in PAGES if (folder / page).exists()
    )
    specifications = json.dumps([picture.on_page() for _, picture in shown])
    script = f"const pictures = {specifications};{SCRIPT}".replace("</", "<\\/")
    page = folder / "index.html"
    page.write_text(
        "<!doctype html><html lang=en><meta charset=utf-8><title>All charts</title>"
        f"<style>{STYLE}{style}</style><h1>All charts</h1><ul>{links}</ul>{''.join(sections)}"
        f"<script>{library()}</script><script>{script}</script>",
        "utf-8",
    )
    return page


def main() -> None:
    """Build the page of all charts."""
    shutil.rmtree(BUILT, ignore_errors=True)
    BUILT.mkdir(parents=True)
    made = made_from_runs(BUILT, 2000)
    invoices = BUILT / "centre"
    invoices.mkdir()
    with_output((ROOT / "plugins/centre/docs/tutorial.md").read_text("utf-8"), invoices)
    print(write_gallery(BUILT, made))


PHOTOGRAPHS = {
    "report": (
        "simulate sample: -s easy -s value-density -s conservative --out runs",
        "report runs -o page.html",
    ),
    "ceiling": ("ceiling sample: --jobs 0:1000 --page page.html",),
}
"""Commands that make a page, by the name of its picture."""

SIZES = {"report": {"width": 1280, "height": 790}, "ceiling": {"width": 880, "height": 1040}}


def photograph() -> None:
    """Take the pictures of pages anew that the documentation shows."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=list(FLAGS))
        for name, commands in PHOTOGRAPHS.items():
            with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
                for line in commands:
                    assert run([*shlex.split(line), "--quiet"]) == 0, line
                opened = browser.new_page(viewport=SIZES[name])
                opened.goto(Path("page.html").resolve().as_uri())
                opened.wait_for_load_state("networkidle")
                opened.evaluate("document.querySelectorAll('nav').forEach((each) => each.remove())")
                opened.wait_for_timeout(1000)
                opened.screenshot(path=ROOT / f"docs/images/{name}.png")
        browser.close()


if __name__ == "__main__":
    photograph() if "photographs" in sys.argv else main()
