"""The curve editor alone: mouse, finger, keys, table, shapes, and in a notebook."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib.resources import files

import numpy as np
import pytest
from playwright.sync_api import Browser, Page, Route

from swfx.families.utilities.points import read_points
from tests.browser.conftest import PATIENCE, ROOT, SIZE
from tests.scale import enough, many

STATIC = files("utilitysched_web").joinpath("static")
POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:"
CURVE = "0:200,4h:200,12h:40,1d:0"
TUESDAY = 1_764_060_000
"""25 November 2025, 9:40 in Berlin."""

FRIDAY = 1_774_624_500
"""27 March 2026, 16:15 in Berlin, before the clocks go forward."""

PAGE = """<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>A curve</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="icon" href="data:,">
<link rel="stylesheet" href="page.css"><link rel="stylesheet" href="curve-editor.css">
<script type="module" src="curve-editor.js"></script></head>
<body><main><section class="wide"><h1>A curve</h1><form><curve-editor name="curve" {attributes}>
</curve-editor></form></section></main></body></html>"""

EDITOR = "document.querySelector('curve-editor')"
PLACE = """([time, value]) => {
  const [a, , , b] = [...document.querySelectorAll(".dot")].map((dot) => {
    const box = dot.getBoundingClientRect();
    return [box.x + box.width / 2, box.y + box.height / 2];
  });
  return {x: a[0] + (b[0] - a[0]) * time / 86400, y: b[1] + (a[1] - b[1]) * value / 200};
}"""
COUNT = f"""() => {{
  window.said = [];
  for (const type of ["input", "change"])
    {EDITOR}.addEventListener(type, (e) => said.push([type, e.target.value]));
}}"""

Drawing = Callable[..., Page]


@pytest.fixture
def drawing(browser: Browser) -> Iterator[Drawing]:
    """Open a page with an editor, as strict as those of the server; nothing may go wrong on it."""
    wrong: list[str] = []
    opened = []

    def fetch(route: Route, attributes: str) -> None:
        name = route.request.url.rpartition("/")[2]
        if name in {"curve-editor.js", "curve-editor.css"}:
            route.fulfill(path=str(STATIC / name))
        elif name == "page.css":
            route.fulfill(path=ROOT / "utilitysched/report/templates/page.css")
        elif not name:
            body = PAGE.format(attributes=attributes)
            headers = {"Content-Security-Policy": POLICY}
            route.fulfill(body=body, content_type="text/html", headers=headers)
        else:
            route.abort()

    def open_editor(value: str = CURVE, width: int = SIZE["width"], **options: object) -> Page:
        page = browser.new_page(viewport={"width": width, "height": 900}, **options)  # type: ignore[arg-type]
        page.set_default_timeout(PATIENCE)
        page.on("console", lambda message: wrong.append(message.text))
        page.on("pageerror", lambda error: wrong.append(str(error)))
        attributes = f'value="{value}" submitted="{TUESDAY}" zone="Europe/Berlin"'
        page.route("**/*", lambda route: fetch(route, attributes))
        page.goto("http://editor.invalid/")
        page.locator("curve-editor svg[viewBox]").first.wait_for()
        opened.append(page)
        return page

    yield open_editor
    for page in opened:
        page.close()
    assert wrong == []


def value(page: Page) -> str:
    found: str = page.evaluate(f"{EDITOR}.value")
    return found


def place(page: Page, time: float, su: float) -> tuple[float, float]:
    """Where a time (h) and SU are, on a page that shows `CURVE`."""
    found = page.evaluate(PLACE, [3600 * time, su])
    return found["x"], found["y"]


def drag(page: Page, start: tuple[float, float], end: tuple[float, float]) -> None:
    begin, stop = place(page, *start), place(page, *end)
    page.mouse.move(*begin)
    page.mouse.down()
    page.mouse.move(*stop, steps=4)
    page.mouse.up()


def test_a_point_is_dragged_between_its_neighbours(drawing: Drawing) -> None:
    page = drawing()
    page.evaluate(COUNT)

    drag(page, (4, 200), (6, 150))
    near = read_points(value(page))
    drag(page, (12, 40), (30, 180))
    far = read_points(value(page))
    said = page.evaluate("said")

    assert near.times / 3600 == pytest.approx([0, 6, 12, 24], abs=0.1)
    assert near.values == pytest.approx([200, 150, 40, 0], abs=1)
    assert far.times.tolist() == [0, near.times[1], 86_399, 86_400]
    assert far.values.tolist() == [200, near.values[1], near.values[1], 0]
    assert [each for each in said if each[0] == "change"][-1] == ["change", value(page)]
    assert [kind for kind, _ in said].count("change") == 2
    assert [kind for kind, _ in said].count("input") > 4


def test_points_are_added_where_one_clicks_and_removed_by_key_or_button(drawing: Drawing) -> None:
    page = drawing()
    page.mouse.move(*place(page, 20, 150))
    page.mouse.down()
    page.mouse.move(0, 0)
    page.mouse.up()  # elsewhere: no click

    page.mouse.click(*place(page, 8, 100))
    added = read_points(value(page))
    page.keyboard.press("Delete")
    removed = value(page)
    page.get_by_role("button", name="Remove point 3").click()
    page.get_by_role("button", name="Undo").click()
    undone = value(page)
    page.get_by_role("button", name="Remove point 2").click()
    page.get_by_role("button", name="Add a point").click()

    assert added(8 * 3600) == pytest.approx(100, abs=3)
    assert len(added.times) == 5
    assert removed == undone == CURVE
    assert len(read_points(value(page)).times) == 4


def test_a_finger_draws(drawing: Drawing, screenshots: object) -> None:
    page = drawing(width=375, has_touch=True, is_mobile=True)
    touch = page.context.new_cdp_session(page)

    def finger(kind: str, *at: float) -> None:
        points = [{"x": at[0], "y": at[1]}] if at else []
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    begin = place(page, 12, 40)
    page.touchscreen.tap(*place(page, 18, 15))
    tapped = read_points(value(page))
    begin = (begin[0] + 9, begin[1] - 9)  # fingers are thick
    finger("touchStart", *begin)
    for part in range(1, 5):
        finger("touchMove", begin[0] + 4 * part, begin[1] - 10 * part)
    finger("touchEnd")
    page.screenshot(path=f"{screenshots}/curve-editor-touch.png")
    dragged = read_points(value(page))

    assert len(tapped.times) == 5
    assert tapped.times[3] / 3600 == pytest.approx(18, abs=0.5)
    assert dragged.times[2] > tapped.times[2]
    assert dragged.values[2] > 40
    assert dragged.times[[0, 1, 3, 4]].tolist() == tapped.times[[0, 1, 3, 4]].tolist()


def test_keys_alone_draw_a_curve_from_nothing(drawing: Drawing) -> None:
    page = drawing("")
    empty = value(page), page.evaluate("document.forms[0].checkValidity()")

    for _ in range(20):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.textContent") == "Add a point":
            break
    page.keyboard.press("Enter")  # 0:100,4h:100, and the focus on the second point
    keys = ["Shift+ArrowRight", "Shift+ArrowDown", "Insert", "ArrowDown", "ArrowRight"]
    for key in keys:
        page.keyboard.press(key)
    point = page.locator(".point:focus")

    assert empty == ("", False)
    assert value(page) == "0:100,6h:80,9.25h:38"
    words = "38 SU at 9 h 15 min after submission, Tue 18:55"
    assert point.get_attribute("aria-valuetext") == words
    assert [point.get_attribute(f"aria-{name}") for name in ("valuemin", "valuemax")] == ["0", "80"]
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Delete")
    assert value(page) == "0:100,9.25h:38"
    assert page.evaluate("new FormData(document.forms[0]).get('curve')") == "0:100,9.25h:38"


RANDOM = """([seed, count]) => {
  let state = seed;
  const draw = (n) => {  // Park, Miller 1988
    state = state * 48271 % 2147483647;
    return state % n;
  };
  const editor = document.querySelector("curve-editor"), svg = editor.querySelector("svg");
  svg.setPointerCapture = () => {};  // no such pointer is there
  const box = svg.getBoundingClientRect(), seen = [];
  const act = (type, x, y) => svg.dispatchEvent(new PointerEvent(`pointer${type}`,
    {pointerId: 1, pointerType: "mouse", clientX: box.x + x, clientY: box.y + y, bubbles: true}));
  const keys = ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Insert", "Delete"];
  const far = () => [draw(box.width + 200) - 100, draw(box.height + 200) - 100];
  for (let i = 0; i < count; i++) {
    const points = [...editor.querySelectorAll(".point")], point = points[draw(points.length)];
    const inputs = [...editor.querySelectorAll("tbody input")], kind = draw(8);
    if (kind < 5) {
      const dot = point.firstChild;
      act("down", Number(dot.getAttribute("cx")), Number(dot.getAttribute("cy")));
      for (let j = draw(4); j >= 0; j--) {
        act("move", ...far());
        seen.push(editor.value);
      }
      act(draw(5) ? "up" : "cancel", ...far());
    } else if (kind === 5) {
      point.dispatchEvent(new KeyboardEvent("keydown", {key: keys[draw(6)], shiftKey: !draw(2)}));
    } else if (kind === 6) {
      const at = far();
      for (const type of ["down", "up"]) act(type, ...at);
    } else {
      const input = inputs[draw(inputs.length)];
      input.value = ["0", "7h", "-3", "x", "1e3", "0.1", "90 min", "400d", ""][draw(9)];
      input.dispatchEvent(new Event("change", {bubbles: true}));
    }
    seen.push(editor.value);
  }
  return seen;
}"""


def test_whatever_one_does_it_stays_a_curve(drawing: Drawing) -> None:
    page = drawing()
    seen = page.evaluate(RANDOM, [1 + np.random.default_rng(21).integers(10**6).item(), many(250)])

    curves = [read_points(text) for text in dict.fromkeys(seen)]  # it raises where one is none

    assert len(curves) > enough(100)
    assert sum(len(curve.times) > 5 for curve in curves) > enough(20)
    assert max(len(curve.times) for curve in curves) <= 40


def test_the_table_says_the_same_and_takes_what_is_typed(drawing: Drawing) -> None:
    page = drawing()
    rows = page.locator("tbody tr")

    def entered(name: str, text: str) -> str:
        field = page.get_by_label(name, exact=True)
        field.fill(text)
        field.press("Enter")
        said = page.get_by_role("status").inner_text()
        return f"{value(page)} {said}".strip()

    page.locator(".point").nth(1).focus()
    page.keyboard.press("ArrowRight")
    moved = rows.nth(1).locator("input").first.input_value()
    clock = rows.nth(1).locator(".clock").inner_text()

    assert (moved, clock) == ("4.5h", "Tue 14:10")
    assert entered("Time of point 2", "90min") == "0:200,1.5h:200,12h:40,1d:0"
    assert entered("Time of point 2", "2.5 hours") == "0:200,2.5h:200,12h:40,1d:0"
    assert entered("Time of point 3", "8") == "0:200,2.5h:200,8h:40,1d:0"
    assert entered("SU of point 3", "30.5") == "0:200,2.5h:200,8h:30.5,1d:0"
    over = "Point 3 is limited to 200 SU at 8 h after submission, Tue 17:40."
    assert entered("SU of point 3", "900") == f"0:200,2.5h:200,8h:200,1d:0 {over}"
    wrong = "soon is no time: write 4h, 90min or 2d."
    assert entered("Time of point 3", "soon") == f"0:200,2.5h:200,8h:200,1d:0 {wrong}"


def test_ranges_are_those_asked_for(drawing: Drawing) -> None:
    page = drawing()
    wide = page.locator(".dot").nth(2).bounding_box()

    page.get_by_label("Show up to").fill("15h")
    page.get_by_label("and (SU)").fill("50")
    page.keyboard.press("Enter")
    close = page.locator(".dot").nth(2).bounding_box()
    beyond = page.locator(".point.beyond").count()
    page.locator(".point").nth(3).focus()  # what has the focus is seen

    assert wide is not None
    assert close is not None
    assert close["x"] > wide["x"]
    assert close["y"] < wide["y"]
    assert beyond == 3
    assert page.locator(".point.beyond").count() == 0


@pytest.mark.parametrize("text", ["0:8,90 min:8,1.5 days:2,1w:0", "0:1e2, 3600.5:7.25,2 hrs:0"])
def test_texts_are_read_as_everywhere(text: str, drawing: Drawing) -> None:
    assert read_points(value(drawing(text))) == read_points(text)


@pytest.mark.parametrize("text", ["1h:8,2h:0", "0:8", "0:8,1h:9", "0:8,1h:8,1h:0", "0:8,x:0", "0:"])
def test_what_is_no_curve_is_said(text: str, drawing: Drawing) -> None:
    page = drawing(text)

    assert value(page) == ""
    assert "is no curve" in page.get_by_role("status").inner_text()


def test_shapes_are_what_they_are_called(drawing: Drawing) -> None:
    page = drawing()

    def shape(name: str) -> str:
        page.get_by_role("button", name=name).click()
        return value(page)

    deadline, step, weekend = shape("Until Tue 18:00"), shape("Step"), shape("Weekend")
    page.evaluate(f"{EDITOR}.setAttribute('submitted', {FRIDAY})")
    forward = shape("Weekend")
    page.get_by_label("Worth (SU)").fill("64")
    half = read_points(shape("Half-life"))
    times = np.linspace(0, 5 * 4 * 3600, 2000)
    error = half(times) / 64 - 0.5 ** (times / 14_400)

    assert deadline == "0:200,500min:200"
    assert step == "0:200,4h:200,14401:100,8h:100"
    assert weekend == "0:200,8540min:200,9140min:0"
    assert forward == "0:200,62.75h:200,72.75h:0"  # an hour is missing
    assert len(half.times) == 8
    assert 0.006 < error.max() <= 0.007
    assert error.min() > -1e-4
    assert half.deadline == 5 * 14_400
    assert "at most 0.7%" in page.get_by_role("status").inner_text()


NOTEBOOK = """async () => {
  const {default: widget} = await import("/curve-editor.js");
  const said = {value: "0:8,1h:0", zone: "Asia/Tokyo"}, heard = {};
  const el = document.body;
  let saved = 0;
  const model = {get: (name) => said[name], set: (name, value) => { said[name] = value; },
    save_changes: () => { saved++; }, on: (name, call) => { heard[name] = call; },
    off: (name) => { delete heard[name]; }};
  el.replaceChildren();
  const end = widget.render({model, el});
  const first = el.firstChild.value;
  said.value = "0:4,2h:1";
  heard["change:value"]();
  const taken = el.firstChild.value;
  const inputs = el.querySelectorAll("tbody input");
  inputs[3].value = "3";
  inputs[3].dispatchEvent(new Event("change", {bubbles: true}));
  end();
  return [first, taken, said.value, saved, Object.keys(heard).length];
}"""


def test_a_notebook_shows_it_by_the_contract_of_anywidget(drawing: Drawing) -> None:
    page = drawing()

    assert page.evaluate(NOTEBOOK) == ["0:8,1h:0", "0:4,2h:1", "0:4,2h:3", 1, 0]
