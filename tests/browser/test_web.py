"""The market in a browser: every page is read by everybody, and curves are drawn and kept."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import parse_qs, urlparse

import pytest

from tests.browser.conftest import ROOT, Opened
from tests.browser.pictures import HEIGHT, IMAGES, PICTURES, WIDTH, size_of
from tests.browser.test_accessibility import serious
from utilitysched.web.answers import NAVIGATION, Page


@pytest.mark.slow
@pytest.mark.parametrize(("scheme", "width"), [("light", 1400), ("dark", 375)])
@pytest.mark.parametrize("page", NAVIGATION, ids=lambda page: page.name)
def test_nothing_serious_is_found_on_any_page(
    page: Page, scheme: str, width: int, visiting: Opened, screenshots: Path
) -> None:
    who = "operator" if page.role == "operator" else "1"
    size = {"width": width, "height": 900}

    seen = visiting(page.path, who, viewport=size, color_scheme=scheme)
    name = page.name.lower().replace(" ", "-")
    seen.screenshot(path=screenshots / f"web-{name}-{scheme}-{width}.png", full_page=True)

    assert serious(seen) == []
    assert seen.evaluate("document.documentElement.scrollWidth") <= width


def test_a_curve_is_drawn_saved_loaded_and_deleted(visiting: Opened, screenshots: Path) -> None:
    page = visiting("/curves", viewport={"width": 1000, "height": 900})
    page.locator(".point").nth(1).focus()
    with page.expect_response("**/curves/texts*"):
        page.keyboard.press("Shift+ArrowRight")
    page.get_by_text('sbatch --comment="0:100,6h:100,1d:0"').wait_for()
    quote = page.get_by_role("link", name="What would it cost?").get_attribute("href")
    page.get_by_label("Name").fill("spät.1")
    page.screenshot(path=screenshots / "web-draw.png")

    page.get_by_role("button", name="Save").click()
    page.get_by_role("link", name="spät.1").wait_for()
    kept = page.url.rpartition("/")[2], page.evaluate("document.forms[1].elements.curve.value")
    page.get_by_role("button", name="Delete spät.1").click()
    page.get_by_text("None is saved yet.").wait_for()

    assert quote == "/quote?curve=0%3A100%2C6h%3A100%2C1d%3A0"
    assert kept == ("curves?name=sp%C3%A4t.1", "0:100,6h:100,1d:0")


@pytest.mark.parametrize("name", PICTURES)
def test_the_tutorial_shows_each_page(name: str, visiting: Opened, screenshots: Path) -> None:
    page = visiting(PICTURES[name], viewport={"width": WIDTH, "height": HEIGHT})
    page.screenshot(path=screenshots / f"{name}.png")

    assert size_of(IMAGES / f"{name}.png") == size_of(screenshots / f"{name}.png")
    assert f"](../images/{name}.png)" in (ROOT / "docs/tutorials/browser.md").read_text("utf-8")


def test_a_first_quote_takes_a_link_and_a_click(visiting: Opened) -> None:
    page = visiting("/")

    page.get_by_role("link", name="See what it would get and cost").click()
    quote = page.locator("#quote")
    quote.get_by_text("SU").first.wait_for()
    page.locator(".point").first.focus()
    with page.expect_request("**/quote/stream*") as asked:
        page.keyboard.press("Shift+ArrowUp")
    drawn = page.evaluate("document.querySelector('curve-editor').value")

    assert parse_qs(urlparse(asked.value.url).query)["curve"] == [drawn]
