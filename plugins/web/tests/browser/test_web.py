"""The market in a browser: every page is read by everybody, and curves are drawn and kept."""

from __future__ import annotations

from pathlib import Path

import pytest

from plugins.web.tests.browser.pictures import DOCS, HEIGHT, PICTURES, WIDTH, picture, size_of
from tests.browser.conftest import Opened, serious
from utilitysched_web.answers import NAVIGATION, Page


@pytest.mark.slow
@pytest.mark.parametrize(("scheme", "width"), [("light", WIDTH), ("dark", 375)])
@pytest.mark.parametrize("page", NAVIGATION, ids=lambda page: page.name)
def test_nothing_serious_is_found_on_any_page(
    page: Page, scheme: str, width: int, visiting: Opened, served: str, screenshots: Path
) -> None:
    who = "operator" if page.role == "operator" else "1"
    size = {"width": width, "height": HEIGHT}

    seen = visiting("/", who, viewport=size, color_scheme=scheme)
    seen.route("**/quote/stream*", lambda route: route.fulfill(content_type="text/event-stream"))
    seen.goto(f"{served}{page.path}")  # with the first figures, and no time taken by better ones
    name = f"web-{page.name.lower().replace(' ', '-')}-{scheme}"
    seen.screenshot(path=screenshots / f"{name}.png", full_page=scheme == "dark")

    assert serious(seen) == []
    assert seen.evaluate("document.documentElement.scrollWidth") <= width


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
