"""Quotes and the queue in a browser: figures follow the curve, and a higher bid shows who moves."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page

from tests.browser.conftest import Opened, serious
from utilitysched_web.quoting import STEPS

FEW = tuple(step._replace(samples=step.samples // 5) for step in STEPS)


@pytest.fixture(autouse=True)
def few_samples(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("utilitysched_web.quoting", "utilitysched_web.pages.quotes"):
        monkeypatch.setattr(f"{module}.STEPS", FEW)


def refined(page: Page) -> str:
    """Wait for the last figures; return what is said first."""
    page.locator(f"#quote[data-samples='{FEW[-1].samples}'][aria-busy=false]").wait_for()
    return page.locator("#quote .lead li").first.inner_text()


def test_a_new_user_has_a_quote_after_one_click(visiting: Opened, screenshots: Path) -> None:
    page = visiting("/", "2")
    page.get_by_role("link", name="See what it would get and cost").click()

    said = refined(page)
    page.screenshot(path=screenshots / "web-quote.png", full_page=True)
    assert re.match(r"Done in .* in 80% of the samples between .* earns .* SU and pays .* SU", said)
    assert re.search(r"number\s+\d+\s", page.locator("#rests").inner_text())
    assert serious(page) == []


def test_figures_follow_the_curve_and_the_job(visiting: Opened) -> None:
    page = visiting("/quote?processors=8&requested=1h&curve=0:100,4h:100,1d:0", "2")
    before = refined(page)
    point = page.locator(".point").first
    point.focus()
    point.press("Shift+ArrowUp")
    page.locator("#quote[aria-busy=true]").wait_for()
    dearer = refined(page)
    page.get_by_label("Processors").fill("256")
    page.locator("#quote > h2").get_by_text("256 processors for at most 1 h").wait_for()

    assert dearer != before


def test_a_higher_bid_shows_who_moves(visiting: Opened, screenshots: Path) -> None:
    page = visiting("/queue", "operator")
    job = page.locator("select[name=job] option").last.inner_text()
    page.locator("select[name=job]").select_option(job)
    page.get_by_label("Multiply its bid by").select_option("1024")
    page.get_by_role("button", name="Show").click()

    shown = page.locator("#changed")
    shown.get_by_text(f"If job {job} bid 1024 times as much").wait_for()
    page.screenshot(path=screenshots / "web-queue.png", full_page=True)
    assert f"job {job}" in shown.inner_text()
    assert page.locator("figure.chart .mark-rect path").count() > 20


def test_a_saved_curve_is_chosen_for_a_quote(visiting: Opened) -> None:
    page = visiting("/curves?curve=0:7,5h:3", "2")
    page.get_by_label("Name").fill("chosen")
    page.get_by_role("button", name="Save").click()
    page.get_by_role("link", name="chosen").wait_for()
    page.goto(page.url.partition("/curves")[0] + "/quote?processors=8&requested=1h&curve=0:9,1h:0")
    refined(page)
    page.get_by_label("My curves").select_option(label="chosen")
    page.locator("#quote[aria-busy=true]").wait_for()

    assert page.evaluate("document.querySelector('form.job curve-editor').value") == "0:7,5h:3"
    refined(page)
    sent = "new FormData(document.querySelector('form.job')).get('curve')"
    assert page.evaluate(sent) == "0:7,5h:3"
