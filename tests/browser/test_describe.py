"""The page of `utilitysched describe` in a browser."""

from __future__ import annotations

from pathlib import Path

from tests.browser.conftest import Opened
from utilitysched.cli.entry import run


def test_the_page_shows_its_charts(
    opened: Opened, runs: Path, tmp_path: Path, screenshots: Path
) -> None:
    target = tmp_path / "describe.html"
    assert run(["describe", str(runs / "workload.swfx.gz"), "-o", str(target), "--quiet"]) == 0

    page = opened(target)
    page.screenshot(path=screenshots / "describe.png", full_page=True)

    sizes = page.locator("section svg").evaluate_all(
        "all => all.map(each => each.getBoundingClientRect().height)"
    )
    assert len(sizes) >= 2
    assert min(sizes) > 100
