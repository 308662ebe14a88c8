"""Bills and the pages of operators, in a browser that follows their policies."""

from __future__ import annotations

from pathlib import Path

from tests.browser.conftest import Opened, serious, settled


def test_a_charge_is_computed_again_before_ones_eyes(visiting: Opened, screenshots: Path) -> None:
    page = visiting("/bills", "7", viewport={"width": 1000, "height": 900})
    page.locator("#jobs tbody a").first.click()
    page.get_by_role("button", name="Compute it again").click()
    page.locator("#recomputed").get_by_text("identical to the last decimal").wait_for()

    page.screenshot(path=screenshots / "web-charge.png", full_page=True)
    steps = page.locator("#recomputed dt").all_inner_texts()
    written = page.locator("#recomputed dd").nth(steps.index(steps[-1])).inner_text()
    shown = page.locator("#charge dd").first.inner_text()

    assert page.url.rpartition("/bills/")[2].isdecimal()  # and the page is still there
    assert f"{float(written):,.2f} SU" == shown
    assert serious(page) == []


def test_a_tariff_is_tried_and_the_report_drawn_in_its_sandbox(
    visiting: Opened, screenshots: Path
) -> None:
    page = visiting("/operators/tariffs", "operator", viewport={"width": 1000, "height": 900})
    page.get_by_label("Mechanism").fill("single-price:rate=0.8")
    page.get_by_role("button", name="Try it").click()
    page.get_by_role("heading", name="Who pays more, who less").wait_for()
    page.screenshot(path=screenshots / "web-tariffs.png", full_page=True)
    assert serious(page) == []

    page.get_by_role("link", name="Operators").click()
    page.get_by_role("link", name="Report of the runs").click()
    settled(page)
    page.screenshot(path=screenshots / "web-report.png")

    assert page.locator("canvas").count() > 0
    assert page.evaluate("self.origin") == "null"
