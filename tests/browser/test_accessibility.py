"""Pages for everybody: what axe finds on them, light and wide, dark and narrow."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from pricing.evidence import Loss
from tests.browser.conftest import Opened, drawn, findings, settled
from tests.utilitysched.experiments.small import small_file
from tests.utilitysched.report.charts.drawn import explained
from utilitysched.analysis.documents import (
    ColumnChart,
    Description,
    IntervalChart,
    IntervalRow,
    Landscape,
    LandscapePart,
    Line,
    LineChart,
)
from utilitysched.cli.entry import run
from utilitysched.report.charts.losses import losses as losses_of
from utilitysched.report.templating import render, write_html, write_page

PAGES = (
    *("report", "describe", "experiment", "estimates", "advice", "one job", "audit", "ceiling"),
    *("explanation", "charts"),
)

WIDER = """[...document.querySelectorAll("section")]
  .filter((each) => each.scrollWidth > each.clientWidth + 1).map((each) => each.id)"""
"""Parts that must be scrolled sideways."""

HALF = np.array([[np.nan, 2.0], [1.0, 3.0]])
LONG = "ga:generations=100,population=20,moves=swap+insert"
EVERY_CHART = Description(
    "Charts",
    [
        ColumnChart("columns", "Prices", "", "SU", [f"{i}" for i in range(100)], [0.0, 4.0] * 50),
        LineChart(
            "lines", "Regret", "", "ratio", "week", [Line(LONG, [1.0, 2.0], [0.5, 1.5], [2, 3])]
        ),
        Landscape(
            "maps", "All", "", "s", "wait", "request", 1.0, 3.0, [LandscapePart("one", HALF)]
        ),
    ],
    ["Every chart is drawn."],
    [IntervalChart("intervals", "Waits", "", "ratio", [IntervalRow(LONG, 0.9, 0.8, 1.1)], 1.0)],
)


@pytest.fixture(scope="module")
def pages(runs: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """One page of each kind."""
    folder = tmp_path_factory.mktemp("pages")
    log = str(runs / "workload.swfx.gz")
    grid = str(small_file(folder))
    quick = ("-s", "easy", "-m", "first-price:reading=end", "--lie", "shift", "--sample", "6")
    stops = ("--mtbf", "5y", "--cost", "60")
    commands = {
        "report": ["report", str(runs), "-o"],
        "describe": ["describe", log, "-o"],
        "experiment": ["experiment", "run", grid, "--processes", "1", "--page"],
        "estimates": ["describe", log, "--accuracy", "--least-request", "0", "-o"],
        "advice": ["advise-checkpoint", log, *stops, "--page"],
        "one job": ["advise-checkpoint", "--nodes", "64", "--run", "5d", *stops, "--page"],
        "ceiling": ["ceiling", log, "--page"],
    }
    made = {name: folder / f"{name}.html" for name in (*commands, "audit", "explanation", "charts")}
    for name, command in commands.items():
        assert run([*command, str(made[name]), "--quiet"]) == 0
    assert run(["audit", log, *quick, "--processes", "1", "-o", str(folder), "--quiet"]) == 0
    some = [Loss(1, 8.0, 60.0), Loss(2, -4.0, -7200.0)]
    graph = losses_of(explained(some, some))
    said = ["It pays 5.00 SU."]
    text = render("explanation.html", title="Job 1", said=said, graph=graph)
    write_html(text, made["explanation"])
    write_page(EVERY_CHART, made["charts"])
    return made


@pytest.mark.slow
@pytest.mark.parametrize(("scheme", "width"), [("light", 1400), ("dark", 390)])
@pytest.mark.parametrize("name", PAGES)
def test_nothing_is_found_and_nothing_is_wider_than_the_page(
    name: str, scheme: str, width: int, opened: Opened, pages: dict[str, Path], screenshots: Path
) -> None:
    page = opened(pages[name], color_scheme=scheme)
    page.set_viewport_size({"width": width, "height": 900})
    if name == "report":
        settled(page)
    drawn(page)
    page.screenshot(path=screenshots / f"{name}-{scheme}.png", full_page=True)

    assert findings(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert name == "report" or page.evaluate(WIDER) == []


def test_long_tables_are_sorted_and_filtered(opened: Opened, pages: dict[str, Path]) -> None:
    page = opened(pages["experiment"])
    page.locator("#runs summary").click()
    table = page.locator("#runs table")
    waits = table.locator("tbody tr td:last-child")

    table.get_by_role("button", name="mean wait").click()
    up = [float(text.replace(",", "")) for text in waits.all_inner_texts()]
    table.get_by_role("button", name="mean wait").click()
    down = [float(text.replace(",", "")) for text in waits.all_inner_texts()]
    page.locator("#runs input").fill("FCFS 0:20")
    shown = table.locator("tbody tr:visible").all_inner_texts()

    assert len(up) > 8
    assert up == sorted(up)
    assert down == up[::-1]
    assert len(shown) == 2
    assert all("fcfs" in row and "0:20" in row for row in shown)
