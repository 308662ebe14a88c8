"""The market in a browser: every page is read by everybody, and curves are drawn and kept."""

from __future__ import annotations

from pathlib import Path

import pytest

from plugins.web.tests.browser.pictures import DOCS, HEIGHT, PICTURES, WIDTH, picture, size_of
from tests.browser.conftest import LOOKS, Opened, drawn, findings
from utilitysched_web.answers import NAVIGATION
from utilitysched_web.pages.operators import OPERATOR_PAGES

USER = "1"
OTHER_PAGES = {
    "sign in": (USER, "/login"),
    "bid": (USER, "/queue?job=1994&bid=8"),
    "past job": (USER, "/quote/job/960"),
    "charge": (USER, "/bills/1450"),
    "bills of all": ("operator", "/bills"),
    "charge for operators": ("operator", "/bills/1450"),
    "queue for operators": ("operator", "/queue"),
    **{page.name.lower(): ("operator", page.path) for page in OPERATOR_PAGES[1:]},
    "charged by another": ("operator", "/operators/mechanisms?mechanism=single-price&charge=true"),
    "account": ("operator", "/operators?by=month&account=user+7"),
    "jobs": ("1", "/bills?page=2&sort=-charge"),
    "quotes kept": (USER, "/quote/kept"),
    "long curve": (USER, "/quote?processors=8&request=12h&curve=0:77,1d:77,6d:0"),
}
"""Who reads it, and where: what the navigation does not lead to."""

PAGES = {
    page.name: ("operator" if page.role == "operator" else USER, page.path) for page in NAVIGATION
} | OTHER_PAGES
TOO_WIDE = """() => [document.documentElement, ...document.querySelectorAll("section, figure")]
  .filter((each) => each.scrollWidth > each.clientWidth + 1)
  .map((each) => each.id || each.tagName)"""


@pytest.mark.slow
@pytest.mark.parametrize("name", PAGES)
def test_everybody_can_read_every_page(
    name: str, visiting: Opened, served: str, screenshots: Path
) -> None:
    who, path = PAGES[name]
    seen = visiting("/docs", who, viewport={"width": WIDTH, "height": HEIGHT})
    seen.route("**/quote/stream*", lambda route: route.fulfill(content_type="text/event-stream"))

    seen.goto(f"{served}{path}")  # with the first figures, and no time taken by better ones
    for scheme, width in LOOKS:
        seen.emulate_media(color_scheme=scheme)
        seen.set_viewport_size({"width": width, "height": HEIGHT})
        drawn(seen)
        picture = f"web-{name.lower().replace(' ', '-')}-{scheme}-{width}.png"
        seen.screenshot(path=screenshots / picture, full_page=width != WIDTH)

        assert findings(seen) == []
        assert seen.evaluate(TOO_WIDE) == []


@pytest.mark.parametrize(
    ("path", "place"), [("/queue", "figure.chart svg"), ("/curves", "curve-editor svg")]
)
def test_one_finger_scrolls_over_what_is_drawn(path: str, place: str, visiting: Opened) -> None:
    size = {"width": 390, "height": 700}
    page = visiting(path, USER, viewport=size, has_touch=True, is_mobile=True)
    drawn(page)
    picture = page.locator(place).first
    picture.scroll_into_view_if_needed()
    box = picture.bounding_box()
    assert box is not None
    touch = page.context.new_cdp_session(page)
    before = page.evaluate("scrollY")
    x, y = box["x"] + 0.9 * box["width"], box["y"] + 0.4 * box["height"]

    for step in range(10):
        finger = [{"x": x, "y": y - 20 * step}]
        kind = "touchMove" if step else "touchStart"
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": finger})
        page.wait_for_timeout(16)
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})

    page.wait_for_function("before => scrollY > before + 100", arg=before, timeout=10_000)


def test_the_tutorial_shows_pages_as_wide_as_they_are_tested() -> None:
    text = (DOCS / "tutorial.md").read_text("utf-8")
    names = [page.name for page in NAVIGATION]

    assert set(names) >= set(PICTURES)
    for name in PICTURES:
        assert size_of(picture(name)) == (WIDTH, HEIGHT)
        assert f"](images/{picture(name).name})" in text


def test_a_curve_is_drawn_saved_loaded_and_deleted(visiting: Opened, screenshots: Path) -> None:
    page = visiting("/curves", viewport={"width": 1000, "height": 900})
    page.locator(".point").nth(1).focus()
    with page.expect_response("**/curves/texts*"):
        page.keyboard.press("Shift+ArrowRight")
    page.get_by_text('sbatch --comment="0:100,6h:100,1d:0"').wait_for()
    page.get_by_role("link", name="What would it cost?").click()
    page.wait_for_url("**/quote?*")
    quote = page.url.rpartition("/")[2]
    page.go_back()
    page.get_by_label("Name").fill("spät.1")
    page.screenshot(path=screenshots / "web-draw.png")

    page.get_by_role("button", name="Save").click()
    page.get_by_role("link", name="spät.1").wait_for()
    kept = page.url.rpartition("/")[2], page.evaluate("document.forms[1].elements.curve.value")
    page.get_by_role("button", name="Delete spät.1").click()
    page.get_by_text("None is saved yet.").wait_for()

    assert quote == "quote?curve=0%3A100%2C6h%3A100%2C1d%3A0"
    assert kept == ("curves?name=sp%C3%A4t.1", "0:100,6h:100,1d:0")
