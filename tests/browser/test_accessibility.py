"""Pages for everybody: what axe finds on them, light and dark, wide and narrow."""

from __future__ import annotations

from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from tests.browser.conftest import Opened
from utilitysched.cli.entry import run

SERIOUS = {"serious", "critical"}


def serious(page: Page) -> list[str]:
    """Findings that keep somebody from reading the page."""
    return [
        f"{found['id']}: {found['nodes'][0]['html'][:200]}"
        for found in Axe().run(page).response["violations"]
        if found["impact"] in SERIOUS
    ]


@pytest.fixture(scope="module")
def pages(runs: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """One page of each kind."""
    folder = tmp_path_factory.mktemp("pages")
    log = str(runs / "workload.swfx.gz")
    commands = {
        "report": ["report", str(runs), "-o"],
        "describe": ["describe", log, "-o"],
    }
    made = {name: folder / f"{name}.html" for name in commands}
    for name, command in commands.items():
        assert run([*command, str(made[name]), "--quiet"]) == 0
    return made


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1400, 390])
@pytest.mark.parametrize("name", ["report", "describe"])
def test_nothing_serious_is_found(
    name: str, width: int, scheme: str, opened: Opened, pages: dict[str, Path]
) -> None:
    page = opened(pages[name], color_scheme=scheme)
    page.set_viewport_size({"width": width, "height": 900})
    if name == "report":
        page.wait_for_function("document.documentElement.dataset.ready")

    assert serious(page) == []
