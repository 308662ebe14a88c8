"""Reports in a browser: drawn, pointed at, zoomed, dark, printed."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

import swfx
from swfx.base.numbers import span
from swfx.clock import Clock
from tests.browser.conftest import Opened, settled
from tests.reports import read_all
from tests.utilitysched.preempted import stored_preempted
from utilitysched.cli.entry import run as run_command
from utilitysched.report.html import write_report
from utilitysched.runs import read_results

SHEETS = 4
CHARTS = 10
TIME = "[report.time.start, report.time.end]"
PAINTED = """() => {
  const canvas = document.getElementById("painted");
  const copy = new OffscreenCanvas(canvas.width, canvas.height);
  const context = copy.getContext("2d", { willReadFrequently: true });
  context.drawImage(canvas, 0, 0);
  const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
  const found = new Set();
  for (let i = 0; i < data.length; i += 4) {
    if (data[i + 3] === 255) found.add((data[i] << 16) | (data[i + 1] << 8) | data[i + 2]);
  }
  return [...found];
}"""
PINCH = """place => {
  const { left, width, top } = place.getBoundingClientRect();
  const send = (name, pointerId, x) => place.dispatchEvent(new PointerEvent(name, {
    pointerType: "touch", pointerId, clientX: left + x * width, clientY: top + 50 }));
  send("pointerdown", 1, 0.5);
  send("pointermove", 1, 0.2);
  const one = [report.time.start, report.time.end];
  send("pointerdown", 2, 0.7);
  send("pointermove", 2, 0.9);
  return one;
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


def pointed(page: Page, across: float) -> dict[str, str]:
    page.mouse.move(*over(page, "gantt", across))
    lines = page.locator("#tip").inner_text().splitlines()
    return dict(line.split(": ", 1) for line in lines)


def seen(page: Page) -> list[float]:
    found: list[float] = settled(page).evaluate(TIME)
    return found


def test_every_chart_is_drawn_light_and_dark(
    opened: Opened, report: Path, screenshots: Path
) -> None:
    page = settled(opened(report, color_scheme="dark"))
    page.screenshot(path=screenshots / "report-dark.png", full_page=True)
    dark = page.evaluate(PAINTED)
    page.emulate_media(color_scheme="light")
    settled(page)
    page.screenshot(path=screenshots / "report-light.png", full_page=True)

    marks = page.locator(".chart").evaluate_all(
        "all => all.map(each => each.querySelectorAll('svg path').length)"
    )
    assert len(marks) == CHARTS
    assert min(marks) > 5
    assert set(dark).isdisjoint(page.evaluate(PAINTED))


def test_a_job_that_is_pointed_at_is_told(opened: Opened, report: Path, runs: Path) -> None:
    page = settled(opened(report))

    told = pointed(page, 0.3)

    easy = read_all(runs)[0]
    place = easy.workload.job_id.tolist().index(int(told["job"]))
    wait = easy.schedule.wait(easy.workload)[place]
    assert told["user"] == str(easy.workload.user[place])
    assert told["processors"] == str(easy.workload.size[place])
    assert told["waited"] == span(float(wait))


def test_a_stretch_that_was_stopped_says_for_whom_and_is_joined_to_the_next(
    opened: Opened, tmp_path: Path, screenshots: Path
) -> None:
    run = read_results(stored_preempted(tmp_path, value_lost=12.5))
    write_report([run], tmp_path / "report.html")
    page = settled(opened(tmp_path / "report.html"))

    told = pointed(page, 0.2)
    page.screenshot(path=screenshots / "report-stopped.png")

    assert told["job"] == "11"
    assert told["this stretch"] == (
        "stopped for job 12 of user 2: 20 s of work lost, 12.5 SU taken"
    )
    for name, count in {"stopped": 1, "outlined": 2, "joined": 1}.items():
        assert len(page.evaluate("name => report.rows('gantt', name)", name)) == count


def test_charts_over_time_move_together(opened: Opened, report: Path, screenshots: Path) -> None:
    page = settled(opened(report))
    whole = seen(page)

    page.mouse.move(*over(page, "gantt"))
    page.mouse.wheel(0, 200)
    scrolled = seen(page)
    page.mouse.move(*over(page, "gantt"))
    page.keyboard.down("Control")
    page.mouse.wheel(0, -300)
    page.keyboard.up("Control")
    page.evaluate(
        f"async before => {{ while (String({TIME}) === String(before))"
        " await new Promise(requestAnimationFrame); }",
        whole,
    )
    wheeled = seen(page)
    page.mouse.move(*over(page, "queue", 0.3))
    page.mouse.down()
    page.mouse.move(*over(page, "queue", 0.6), steps=5)
    page.mouse.up()
    boxed = seen(page)
    page.screenshot(path=screenshots / "report-zoomed.png")
    rows = page.evaluate("report.rows('utilisation').map(({ time }) => time)")
    scale = page.evaluate("JSON.parse(document.getElementById('settings').textContent).scale")

    assert whole == scrolled
    assert whole[0] < wheeled[0] < wheeled[1] < whole[1]
    assert wheeled[0] < boxed[0] < boxed[1] < wheeled[1]
    ends = [scale["first"] + each * scale["per_second"] for each in boxed]
    assert [min(rows), max(rows)] == pytest.approx(ends)


def test_keys_and_two_fingers_zoom_and_one_scrolls(opened: Opened, report: Path) -> None:
    page = settled(opened(report))
    whole = seen(page)
    page.locator("#chart-utilisation").focus()

    page.keyboard.press("+")
    zoomed = seen(page)
    page.keyboard.press("ArrowRight")
    moved = seen(page)
    page.keyboard.press("0")
    back = seen(page)
    one = page.locator("#chart-queue").evaluate(PINCH)
    pinched = seen(page)

    length = whole[1] - whole[0]
    assert zoomed == pytest.approx([whole[0] + 0.2 * length, whole[1] - 0.2 * length])
    assert moved == pytest.approx([zoomed[0] + 0.12 * length, zoomed[1] + 0.12 * length])
    assert back == one == whole
    assert pinched[1] - pinched[0] < 0.8 * length
    touch = page.locator("#chart-queue").evaluate("each => getComputedStyle(each).touchAction")
    assert touch == "pan-y"


def test_a_hidden_run_leaves_the_charts_and_comes_back(opened: Opened, report: Path) -> None:
    page = settled(opened(report))
    key = page.locator("#filters").get_by_role("button", name="saf")

    def shown() -> list[set[str]]:
        settled(page)
        return [
            {row["run"] for row in page.evaluate("key => report.rows(key)", name)}
            for name in ("queue", "waits", "users")
        ]

    before = shown()
    key.click()
    hidden = shown()
    pressed = key.get_attribute("aria-pressed")
    key.click()

    assert before == [{"easy", "saf"}] * 3
    assert hidden == [{"easy"}] * 3
    assert pressed == "false"
    assert shown() == before


def test_jobs_are_coloured_by_what_is_chosen_and_others_are_faint(
    opened: Opened, report: Path, screenshots: Path
) -> None:
    page = settled(opened(report))
    kinds: list[Any] = page.evaluate(PAINTED)

    page.get_by_label("Colour by").select_option("user")
    page.locator("#filters [name=queue]").select_option("1")
    page.get_by_role("radio", name="saf").check()
    settled(page)
    page.screenshot(path=screenshots / "report-users.png")

    text = page.locator("#seen").inner_text()
    assert text == "saf, coloured by user; the jobs chosen, others faint."
    assert page.locator(".classes:visible").filter(has_text="user 1").count() == 1
    assert {0x0072B2, 0xC04F00, 0xD9DCE0} <= set(page.evaluate(PAINTED))
    assert len(kinds) >= 3


def test_a_job_is_shown_by_its_number(opened: Opened, report: Path) -> None:
    page = settled(opened(report))
    whole = seen(page)

    page.get_by_label("Show job", exact=True).fill("7")
    page.get_by_role("button", name="Show", exact=True).click()
    found = page.locator("#found").inner_text()
    shown = seen(page)
    page.get_by_label("Show job", exact=True).fill("4711")
    page.get_by_role("button", name="Show", exact=True).click()

    assert found.startswith("job 7, user ")
    assert shown[1] - shown[0] < whole[1] - whole[0]
    assert page.locator("#found").inner_text() == "There is no job 4711."


def test_times_are_those_of_the_clock_that_is_put_forward(opened: Opened, tmp_path: Path) -> None:
    log = tmp_path / "log.swf"
    start = int(datetime(2004, 4, 3, 12, tzinfo=UTC).timestamp())
    lines = (" MaxProcs: 4", f" UnixStartTime: {start}", " TimeZoneString: US/Pacific")
    jobs = swfx.Workload.from_columns(
        submit=[0, 80_000], run=[600] * 2, processors=[1] * 2, requested_time=[600] * 2,
        header=swfx.Header(lines),
    )  # fmt: skip
    swfx.write(jobs, log)
    runs = tmp_path / "runs"
    assert run_command(["simulate", str(log), "-s", "easy", "--out", str(runs), "--quiet"]) == 0
    write_report([read_results(runs / "easy")], tmp_path / "report.html")
    page = settled(opened(tmp_path / "report.html"))
    clock = Clock.of(jobs.header)

    for second in (0, 79_000, 79_199, 79_200, 80_000):
        there = page.evaluate("second => report.instant(second)", second)
        assert there == f"{clock.date(second):%Y-%m-%d %H:%M:%S}"
    assert page.get_by_text("US/Pacific").count() >= 2


def test_terms_are_linked_to_their_meaning(opened: Opened, report: Path) -> None:
    page = settled(opened(report))

    link = page.locator("#headline").get_by_role("link", name="starved")

    assert link.get_attribute("href") == "#term-starved"
    assert "three times the longest request" in (link.get_attribute("title") or "")
    assert page.locator("#term-starved").inner_text() == "starved"
    assert page.locator("#figures").get_by_role("link", name="backfilled").count() == 1


def test_paper_has_few_sheets_and_no_hash(opened: Opened, report: Path, screenshots: Path) -> None:
    page = settled(opened(report, color_scheme="dark"))
    document = page.pdf(path=screenshots / "report.pdf", prefer_css_page_size=True)
    page.emulate_media(media="print")
    settled(page)
    page.screenshot(path=screenshots / "report-print.png", full_page=True)
    text = page.locator("body").inner_text()

    assert 1 <= len(re.findall(rb"/Type /Page\b", document)) <= SHEETS
    assert b"/Subtype /Image" in document  # the jobs alone; charts are shapes
    assert "Compared with easy" in text
    assert not re.search(r"[0-9a-f]{32}", text)
    assert not page.locator("#gantt .controls").is_visible()
    assert 0x3F93C9 in page.evaluate(PAINTED)  # as on light pages
    page.emulate_media(media="screen")
    settled(page)
    assert page.locator("#gantt .controls").is_visible()
