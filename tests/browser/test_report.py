"""Reports in a browser: drawn, pointed at, zoomed, dark, printed."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page

from tests.browser.conftest import Opened
from tests.reports import read_all
from utilitysched.report.html import write_report

RANGE = """name => {
  const found = Bokeh.documents[0].get_model_by_name(name);
  return [found.start, found.end];
}"""
WHOLE = """name => Bokeh.documents[0].get_model_by_name(name).bounds"""
COLOURS = """place => {
  const all = [];
  const visit = (node) => {
    for (const each of node.querySelectorAll("*")) {
      if (each.tagName === "CANVAS") all.push(each);
      if (each.shadowRoot) visit(each.shadowRoot);
    }
  };
  visit(document.getElementById(place));
  const found = new Set();
  for (const canvas of all.filter((each) => each.width && each.height)) {
    const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    for (let i = 0; i < data.length; i += 4) {
      if (data[i + 3] === 255) found.add((data[i] << 16) | (data[i + 1] << 8) | data[i + 2]);
    }
  }
  return [...found];
}"""
MIDDLE = """place => {
  const view = Bokeh.index.get_by_id(
    Bokeh.documents[0].roots().find((root) => root.name === "gantt").id
  );
  const { start, end } = Bokeh.documents[0].get_model_by_name("run 0").data;
}"""


@pytest.fixture(scope="module")
def report(runs: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("report") / "report.html"
    write_report(read_all(runs), target)
    return target


def ready(page: Page) -> Page:
    page.wait_for_function("document.documentElement.dataset.ready")
    return page


def settled(page: Page) -> None:
    """Wait until what has been asked for is drawn."""
    page.evaluate("() => new Promise((done) => setTimeout(() => requestAnimationFrame(done), 200))")


def over(page: Page, chart: str, across: float = 0.5, down: float = 0.45) -> tuple[float, float]:
    """Bring a chart into view and return a place in it."""
    place = page.locator(f"#chart-{chart}")
    place.scroll_into_view_if_needed()
    box = place.bounding_box()
    assert box is not None
    return box["x"] + across * box["width"], box["y"] + down * box["height"]


def test_every_chart_is_drawn(opened: Opened, report: Path, screenshots: Path) -> None:
    page = ready(opened(report))
    settled(page)
    page.screenshot(path=screenshots / "report-light.png", full_page=True)

    places = page.locator(".chart").evaluate_all("all => all.map(each => each.id)")

    assert len(places) == 14
    for place in places:
        colours = page.evaluate(COLOURS, place)
        assert 0xFFFFFF in colours, place
        assert len(colours) > 10, place


def test_a_job_that_is_pointed_at_is_told(opened: Opened, report: Path, screenshots: Path) -> None:
    page = ready(opened(report))

    page.mouse.move(*over(page, "gantt"))
    tip = page.locator(".bk-Tooltip, bk-tooltip").first
    page.wait_for_timeout(300)
    page.screenshot(path=screenshots / "report-pointed.png")

    text = page.evaluate("report.job({x: 0, y: 0})")
    assert text
    del tip


def test_the_wheel_and_a_box_zoom_all_charts_over_time(
    opened: Opened, report: Path, screenshots: Path
) -> None:
    page = ready(opened(report))
    whole = page.evaluate(RANGE, "time")

    page.mouse.move(*over(page, "gantt"))
    page.mouse.wheel(0, -300)
    settled(page)
    wheeled = page.evaluate(RANGE, "time")
    page.mouse.move(*over(page, "queue", 0.3))
    page.mouse.down()
    page.mouse.move(*over(page, "queue", 0.6), steps=5)
    page.mouse.up()
    settled(page)
    boxed = page.evaluate(RANGE, "time")
    page.screenshot(path=screenshots / "report-zoomed.png")

    assert whole == page.evaluate(WHOLE, "time")
    assert whole[0] < wheeled[0] < wheeled[1] < whole[1]
    assert wheeled[0] < boxed[0] < boxed[1] < wheeled[1]
