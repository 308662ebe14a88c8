"""Bills and the pages of operators, in a browser that follows their policies."""

from __future__ import annotations

from pathlib import Path

from tests.browser.conftest import Opened, serious


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
