"""Reports in a browser: drawn, pointed at, zoomed, dark, printed."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page

from swfx.base.numbers import span
from tests.browser.conftest import Opened, settled
from tests.reports import read_all
from tests.utilitysched.preempted import stored_preempted
from utilitysched.report.html import write_report
from utilitysched.runs import read_results

RANGE = """name => {
  const found = Bokeh.documents[0].get_model_by_name(name);
  return [found.start, found.end];
}"""
NO_LONG_PRESS = "Bokeh.require('core/ui_gestures').UIGestures.press_threshold = 1e9"
"""A button that is down for long before the mouse moves draws no box, as on a busy machine."""

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
    const copy = new OffscreenCanvas(canvas.width, canvas.height);
    const context = copy.getContext("2d", { willReadFrequently: true });
    context.drawImage(canvas, 0, 0);
    const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
    for (let i = 0; i < data.length; i += 4) {
      if (data[i + 3] === 255) found.add((data[i] << 16) | (data[i + 1] << 8) | data[i + 2]);
    }
  }
  return [...found];
}"""


@pytest.fixture(scope="module")
def report(runs: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("report") / "report.html"
    write_report(read_all(runs), target)
    return target


def over(page: Page, chart: str, across: float = 0.5, down: float = 0.45) -> tuple[float, float]:
    """Bring a chart into view and return a place in it."""
    place = page.locator(f"#chart-{chart}")
    place.scroll_into_view_if_needed()
    settled(page)
    box = place.bounding_box()
    assert box is not None
    return box["x"] + across * box["width"], box["y"] + down * box["height"]


def test_every_chart_is_drawn(opened: Opened, report: Path, screenshots: Path) -> None:
    page = settled(opened(report))
    page.screenshot(path=screenshots / "report-light.png", full_page=True)

    places = page.locator(".chart").evaluate_all("all => all.map(each => each.id)")

    assert len(places) == 10
    for place in places:
        colours = page.evaluate(COLOURS, place)
        assert 0xFFFFFF in colours, place
        assert len(colours) > 10, place


def test_a_job_that_is_pointed_at_is_told(
    opened: Opened, report: Path, runs: Path, screenshots: Path
) -> None:
    page = settled(opened(report))

    page.mouse.move(*over(page, "gantt", 0.3))
    said = page.get_by_text("job: ").inner_text()
    page.screenshot(path=screenshots / "report-pointed.png")

    told = dict(line.split(": ", 1) for line in said.splitlines())
    easy = read_all(runs)[0]
    place = easy.workload.job_id.tolist().index(int(told["job"]))
    wait = easy.schedule.wait(easy.workload)[place]
    assert told["user"] == str(easy.workload.user[place])
    assert told["processors"] == str(easy.workload.size[place])
    assert told["waited"] == span(float(wait))


def test_a_stretch_that_was_stopped_says_for_whom(
    opened: Opened, tmp_path: Path, screenshots: Path
) -> None:
    run = read_results(stored_preempted(tmp_path, value_lost=12.5))
    write_report([run], tmp_path / "report.html")
    page = settled(opened(tmp_path / "report.html"))

    page.mouse.move(*over(page, "gantt", 0.2))
    said = page.get_by_text("job: ").inner_text()
    page.screenshot(path=screenshots / "report-stopped.png")

    told = dict(line.split(": ", 1) for line in said.splitlines())
    assert told["job"] == "11"
    assert told["this stretch"] == (
        "stopped for job 12 of user 2: 20 s of work lost, 12.5 SU taken"
    )


def test_values_over_time_are_told_for_every_run(opened: Opened, report: Path) -> None:
    page = settled(opened(report))

    page.mouse.move(*over(page, "queue"))
    said = page.get_by_text("time: ").inner_text().splitlines()

    assert [line.split(": ")[0] for line in said] == ["time", "easy", "saf"]
    assert said[0].startswith("time: 2000-04-01 0")
    assert said[1].endswith(" jobs")


def range_after(page: Page, before: list[float]) -> list[float]:
    """The span of time that is shown once it is another: a wheel answers when it likes."""
    page.wait_for_function(f"before => String(({RANGE})('time')) !== String(before)", arg=before)
    found: list[float] = settled(page).evaluate(RANGE, "time")
    return found


def test_the_wheel_with_ctrl_and_a_box_zoom_all_charts_over_time(
    opened: Opened, report: Path, screenshots: Path
) -> None:
    page = settled(opened(report))
    whole = page.evaluate(RANGE, "time")

    page.mouse.move(*over(page, "gantt"))
    page.keyboard.down("Control")
    page.mouse.wheel(0, -300)
    page.keyboard.up("Control")
    wheeled = range_after(page, whole)
    page.evaluate(NO_LONG_PRESS)
    page.mouse.move(*over(page, "queue", 0.3))
    page.mouse.down()
    page.mouse.move(*over(page, "queue", 0.6), steps=5)
    page.mouse.up()
    boxed = range_after(page, wheeled)
    page.screenshot(path=screenshots / "report-zoomed.png")

    assert whole == page.evaluate(WHOLE, "time")
    assert whole[0] < wheeled[0] < wheeled[1] < whole[1]
    assert wheeled[0] < boxed[0] < boxed[1] < wheeled[1]


def test_the_wheel_alone_scrolls_the_page(opened: Opened, report: Path) -> None:
    page = settled(opened(report))
    whole = page.evaluate(RANGE, "time")
    page.mouse.move(*over(page, "gantt"))
    before = page.evaluate("scrollY")

    page.mouse.wheel(0, 200)
    page.wait_for_function("before => scrollY > before", arg=before)

    assert page.evaluate(RANGE, "time") == whole


def test_a_run_is_hidden_in_all_charts_and_shown_again(opened: Opened, report: Path) -> None:
    page = settled(opened(report))
    key = page.locator("#queue .key").get_by_role("button", name="saf")
    drawn = """() => Bokeh.documents[0].all_models
      ? [...Bokeh.documents[0].all_models].filter((each) => each.name === "run 1")
          .map((each) => each.visible) : []"""

    key.click()
    hidden = page.evaluate(drawn)
    pressed = (
        page.locator("#waits .key").get_by_role("button", name="saf").get_attribute("aria-pressed")
    )
    key.click()

    assert len(hidden) > 6
    assert not any(hidden)
    assert pressed == "false"
    assert all(page.evaluate(drawn))


def test_jobs_are_coloured_by_what_is_chosen(
    opened: Opened, report: Path, screenshots: Path
) -> None:
    page = settled(opened(report))
    kinds = len(page.evaluate(COLOURS, "chart-gantt"))

    page.get_by_label("Colour by").select_option("user")
    page.locator("#filters [name=queue]").select_option("1")
    settled(page)
    page.screenshot(path=screenshots / "report-users.png")

    seen = page.locator("#seen").inner_text()
    assert seen == "easy, coloured by user; the jobs chosen, others faint."
    assert page.locator(".classes:visible").filter(has_text="user 1").count() == 1
    assert {0x0072B2, 0xD55E00, 0xD9DCE0} <= set(page.evaluate(COLOURS, "chart-gantt"))
    assert kinds > 3


def test_stretches_of_a_job_are_marked_and_joined(opened: Opened, tmp_path: Path) -> None:
    write_report([read_results(stored_preempted(tmp_path))], tmp_path / "report.html")
    page = settled(opened(tmp_path / "report.html"))
    ends = "name => Bokeh.documents[0].get_model_by_name(name).data.x0.length"

    before = page.evaluate(ends, "joined")
    page.mouse.move(*over(page, "gantt", 0.2))
    page.get_by_text("job: ").inner_text()

    assert before == 0
    assert page.evaluate(ends, "joined") == 1
    assert page.evaluate(ends, "stopped") == 1


def test_keys_zoom_and_move(opened: Opened, report: Path) -> None:
    page = settled(opened(report))
    whole = page.evaluate(WHOLE, "time")
    page.mouse.click(*over(page, "utilisation"))

    page.keyboard.press("+")
    zoomed = page.evaluate(RANGE, "time")
    page.keyboard.press("ArrowRight")
    moved = page.evaluate(RANGE, "time")
    page.keyboard.press("0")

    length = whole[1] - whole[0]
    assert zoomed == pytest.approx([whole[0] + 0.2 * length, whole[1] - 0.2 * length])
    assert moved == pytest.approx([zoomed[0] + 0.12 * length, zoomed[1] + 0.12 * length])
    assert page.evaluate(RANGE, "time") == whole


def test_a_job_is_shown_by_its_number(opened: Opened, report: Path, screenshots: Path) -> None:
    page = settled(opened(report))
    whole = page.evaluate(WHOLE, "time")

    page.get_by_label("Show job", exact=True).fill("7")
    page.get_by_role("button", name="Show", exact=True).click()
    settled(page)
    page.screenshot(path=screenshots / "report-job.png")
    found = page.locator("#found").inner_text()
    shown = page.evaluate(RANGE, "time")
    page.get_by_label("Show job", exact=True).fill("4711")
    page.get_by_role("button", name="Show", exact=True).click()

    assert found.startswith("job 7, user ")
    assert whole[0] <= shown[0] < shown[1] < whole[1]
    assert page.locator("#found").inner_text() == "There is no job 4711."


def test_another_run_is_another_picture(opened: Opened, report: Path) -> None:
    page = settled(opened(report))
    cells = """() => {
      const [image] = Bokeh.documents[0].get_model_by_name("painted").get_column("image");
      return image.reduce((sum, cell, i) => (sum + cell * (i % 97)) % 1e9, 0);
    }"""
    easy = page.evaluate(cells)

    page.get_by_role("radio", name="saf").check()
    settled(page)
    saf = page.evaluate(cells)
    page.get_by_role("radio", name="easy").check()
    settled(page)

    assert saf != easy
    assert page.evaluate(cells) == easy


def test_charts_follow_the_browser_into_the_dark(
    opened: Opened, report: Path, screenshots: Path
) -> None:
    page = settled(opened(report, color_scheme="dark"))
    page.screenshot(path=screenshots / "report-dark.png", full_page=True)
    dark = page.evaluate(COLOURS, "chart-queue")
    page.emulate_media(color_scheme="light")
    settled(page)
    light = page.evaluate(COLOURS, "chart-queue")

    assert 0x1B1F23 in dark  # the panel
    assert 0x4DA6E8 in dark  # the line of the first run
    assert 0xFFFFFF not in dark
    assert {0xFFFFFF, 0x0072B2} <= set(light)
    assert 0x1B1F23 not in light


def test_paper_is_white_with_charts_as_shapes(
    opened: Opened, report: Path, screenshots: Path
) -> None:
    page = settled(opened(report, color_scheme="dark"))
    document = page.pdf(path=screenshots / "report.pdf", format="A4")
    page.emulate_media(media="print")
    settled(page)
    page.screenshot(path=screenshots / "report-print.png", full_page=True)
    printed = page.locator("svg.printed")

    assert document.startswith(b"%PDF")
    assert printed.count() == 10
    assert not page.locator(".chart").first.is_visible()
    assert not page.locator("#gantt .controls").is_visible()
    assert "#0072b2" in printed.nth(3).evaluate("each => each.outerHTML").lower()
    page.emulate_media(media="screen")
    settled(page)
    assert printed.count() == 0
    assert 0x1B1F23 in page.evaluate(COLOURS, "chart-queue")
