"""Pages for everybody: what axe finds on them, light and wide, dark and narrow."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.browser.conftest import Opened, serious, settled
from tests.utilitysched.experiments.small import small_file
from utilitysched.cli.entry import run

PAGES = ("report", "describe", "experiment", "estimates", "advice", "audit")


@pytest.fixture(scope="module")
def pages(runs: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """One page of each kind."""
    folder = tmp_path_factory.mktemp("pages")
    log = str(runs / "workload.swfx.gz")
    grid = str(small_file(folder))
    quick = ("-s", "easy", "-m", "first-price:reading=end", "--lie", "shift", "--sample", "6")
    commands = {
        "report": ["report", str(runs), "-o"],
        "describe": ["describe", log, "-o"],
        "experiment": ["experiment", "run", grid, "--processes", "1", "--page"],
        "estimates": ["describe", log, "--accuracy", "--least-request", "0", "-o"],
        "advice": ["advise-checkpoint", log, "--mtbf", "5y", "--cost", "60", "--page"],
    }
    made = {name: folder / f"{name}.html" for name in commands}
    for name, command in commands.items():
        assert run([*command, str(made[name]), "--quiet"]) == 0
    assert run(["audit", log, *quick, "--processes", "1", "-o", str(folder), "--quiet"]) == 0
    return made | {"audit": folder / "audit.html"}


@pytest.mark.slow
@pytest.mark.parametrize(("scheme", "width"), [("light", 1400), ("dark", 390)])
@pytest.mark.parametrize("name", PAGES)
def test_nothing_serious_is_found(
    name: str, scheme: str, width: int, opened: Opened, pages: dict[str, Path], screenshots: Path
) -> None:
    page = opened(pages[name], color_scheme=scheme)
    page.set_viewport_size({"width": width, "height": 900})
    if name == "report":
        settled(page)
    page.screenshot(path=screenshots / f"{name}-{scheme}.png", full_page=True)

    assert serious(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_long_tables_are_sorted_and_filtered(opened: Opened, pages: dict[str, Path]) -> None:
    page = opened(pages["experiment"])
    table = page.locator("#runs table")
    waits = table.locator("tbody tr td:last-child")

    table.get_by_role("button", name="mean wait").click()
    up = [float(text.replace(",", "")) for text in waits.all_inner_texts()]
    table.get_by_role("button", name="mean wait").click()
    down = [float(text.replace(",", "")) for text in waits.all_inner_texts()]
    page.locator("#runs input").fill("FCFS 0:20")
    shown = table.locator("tbody tr:visible").all_inner_texts()

    assert len(up) > 8
    assert up == sorted(up)
    assert down == up[::-1]
    assert len(shown) == 2
    assert all("fcfs" in row and "0:20" in row for row in shown)
