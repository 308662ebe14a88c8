"""What people see of reports and studies, before issue 17 and now: `make before-after`.

The program of both times makes its pages from the same input; `build/screenshots/index.html` has a
row for each item of the issue.
"""

from __future__ import annotations

import html
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page
from playwright.sync_api import Error as PlaywrightError

from tests.browser.conftest import ROOT
from tests.utilitysched.experiments.small import SMALL

BEFORE = "59ee1f3a5424ebf0904049b64b04ba405ad2eccb"
"""Last commit before the first of issue 17."""

WIDE, PHONE = 1280, 390
DRAWN = """() => document.documentElement.dataset.drawn
  || (document.documentElement.dataset.ready && !document.getElementById("filters"))"""
PREEMPTED = """
from pathlib import Path
from tests.utilitysched.preempted import stored_preempted
print(stored_preempted(Path(".")))
"""
NAMES = """() => [...document.querySelectorAll(".chart")]
  .map((each) => each.ariaLabel ?? "a chart without a name")"""
TEXT = (
    "<!DOCTYPE html><meta charset=utf-8><title>text</title><pre style='font:13px/1.35 monospace'>"
)

Shot = Callable[["Pages"], bytes]


class Pages:
    """Pages that the program of one time makes, in a folder, and a browser to see them in."""

    def __init__(self, source: Path, folder: Path, browser: Browser) -> None:
        self.source, self.folder, self.browser = source, folder, browser
        self.settings = {"PYTHONPATH": str(source), "COLUMNS": "80"}
        if source != ROOT:  # what is compiled of other sources would be removed
            self.settings["NUMBA_CACHE_DIR"] = str(ROOT / "build" / "compiled-before")
        folder.mkdir()
        chosen = [word for name in ("value-density", "easy") for word in ("-s", name)]
        self.run("simulate", "sample:", *chosen, "--out", "runs", "--quiet")
        self.run("bill", "runs/value-density", "--quiet")
        self.run("report", "runs", "-o", "report.html")
        self.run(
            "simulate", "model:lublin,jobs=4000,procs=64", *chosen, "--out", "weeks", "--quiet"
        )
        self.run("report", "weeks", "-o", "weeks.html")
        self.run("report", self.python(PREEMPTED).strip(), "-o", "preempted.html")
        (folder / "small.toml").write_text(SMALL, "utf-8")

    def python(self, *code: str) -> str:
        """Run Python where this time's program is imported, and return what it prints."""
        return subprocess.run(
            [sys.executable, "-c", *code],
            cwd=self.folder,
            env=os.environ | self.settings,
            capture_output=True,
            text=True,
            check=True,
        ).stdout

    def run(self, *command: str) -> str:
        """Return what a command prints."""
        words = (
            f"import sys; from utilitysched.cli.entry import run; sys.exit(run({list(command)}))"
        )
        return self.python(words)

    def open(self, name: str, width: int = WIDE, height: int = 820, **options: str) -> Page:
        page = self.browser.new_page(viewport={"width": width, "height": height}, **options)  # type: ignore[arg-type]
        page.goto((self.folder / name).as_uri())
        if page.locator("#settings").count():
            page.wait_for_function(DRAWN)
            page.wait_for_timeout(500)
        return page

    def text(self, said: str) -> bytes:
        """Return a picture of text, as on a terminal."""
        page = self.browser.new_page(viewport={"width": WIDE, "height": 300})
        page.set_content(f"{TEXT}{html.escape(said)}")
        return closed(page, page.screenshot(full_page=True))


def closed(page: Page, picture: bytes) -> bytes:
    page.close()
    return picture


def screen(**options: object) -> Shot:
    def take(pages: Pages) -> bytes:
        page = pages.open("report.html", **options)  # type: ignore[arg-type]
        return closed(page, page.screenshot())

    return take


def section(
    key: str, file: str = "report.html", act: str = "", run: int = 0, **chosen: str
) -> Shot:
    """Photograph a section, once a button is clicked, or a run and options are chosen."""

    def take(pages: Pages) -> bytes:
        page = pages.open(file)
        if run:
            page.locator(f"input[name=run][value='{run}']").check()
        for name, value in chosen.items():
            control = page.locator(f"select[name={name}]")
            if control.count():
                control.select_option(value)
        button = page.locator(f"#{key}").get_by_role("button", name=act)
        if act and button.count():
            button.first.click()
        page.locator(f"#{key}").scroll_into_view_if_needed()
        page.wait_for_timeout(700)
        return closed(page, page.locator(f"#{key}").screenshot())

    return take


def pointed(file: str, across: float) -> Shot:
    def take(pages: Pages) -> bytes:
        page = pages.open(file)
        over(page, across)
        page.wait_for_timeout(700)
        return closed(page, page.locator("#gantt").screenshot())

    return take


def over(page: Page, across: float) -> None:
    chart = page.locator("#chart-gantt")
    chart.scroll_into_view_if_needed()
    box = chart.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + across * box["width"], box["y"] + 0.45 * box["height"])


def wheeled(pages: Pages) -> bytes:
    page = pages.open("report.html")
    over(page, 0.5)
    page.mouse.wheel(0, 250)
    page.wait_for_timeout(900)
    return closed(page, page.screenshot())


def whole(file: str = "report.html", **options: object) -> Shot:
    def take(pages: Pages) -> bytes:
        page = pages.open(file, **options)  # type: ignore[arg-type]
        return closed(page, page.screenshot(full_page=True))

    return take


def printed(pages: Pages) -> bytes:
    page = pages.open("report.html", color_scheme="dark")
    page.emulate_media(media="print")
    page.wait_for_timeout(900)
    return closed(page, page.locator("#gantt").screenshot())


def names(pages: Pages) -> bytes:
    page = pages.open("report.html")
    found = Axe().run(page).response["violations"]
    said = [*page.evaluate(NAMES), "", f"axe: {len(found)} findings"]
    said += [f"{each['impact']}: {each['help']} ({len(each['nodes'])})" for each in found]
    page.close()
    return pages.text("\n".join(said))


def made(file: str, *command: str) -> Shot:
    """Photograph a page that a command writes, or what it prints where it wrote none."""

    def take(pages: Pages) -> bytes:
        page = [word.replace("PAGE", file) for word in command]
        try:
            said = pages.run(*page)
        except subprocess.CalledProcessError:  # it knows no such option
            place = next(i for i, word in enumerate(command) if word in {"--page", "-o"})
            said = pages.run(*command[:place], *command[place + 2 :])
        return whole(file)(pages) if (pages.folder / file).exists() else pages.text(said)

    return take


STUDY = ("experiment", "run", "small.toml", "--processes", "1", "--page", "PAGE")
AUDIT = (
    *("audit", "sample:", "-s", "easy", "-m", "first-price:reading=end"),
    *("--lie", "shift", "--sample", "4"),
)
ITEMS: dict[str, Shot] = {
    "A headline first, then contents and links": screen(),
    "The baseline is the first scheduler given (here value-density)": section("comparison"),
    "Comparison: ticks below and above 1, better and worse in colour": section(
        "comparison", "weeks.html"
    ),
    "Legends that hide a run and show it again": section("queue", act="easy"),
    "Filters by user, queue and class, on all charts": section("users", queue="3"),
    "Filters: the picture of the jobs": section("gantt", queue="3"),
    "Colours of the jobs by user, queue, class, value, wait, charge": section(
        "gantt", colour="user"
    ),
    "Preempted pieces marked, and joined when pointed at": pointed("preempted.html", 0.2),
    "Difference of two pictures of the jobs": section("gantt", run=1, colour="moved"),
    "Users from scheduler to scheduler": section("ladder"),
    "Weeks in which submissions ended are marked": section("weekly-wait", "weeks.html"),
    "The wheel scrolls the page, not the chart": wheeled,
    "“Waited” is the time until the first start": pointed("report.html", 0.3),
    "The order on the screen is that of the document": whole(),
    "Charts have names for screen readers": names,
    "390 pixels": screen(width=PHONE, height=1600),
    "Dark": screen(color_scheme="dark", height=1700),
    "Printed pages name their scheduler": printed,
    "Experiments: one page, with verdicts, intervals, all runs to sort and filter": made(
        "experiment.html", *STUDY
    ),
    "Audits": made("audit.html", *AUDIT, "--processes", "1", "-o", "."),
    "Study of requested times": made("estimates.html", "estimates", "sample:", "--page", "PAGE"),
    "Advice on checkpoints": made(
        "advice.html", *("advise-checkpoint", "sample:", "--mtbf", "5y"), "--page", "PAGE"
    ),
}


@pytest.fixture
def before(tmp_path: Path) -> Iterator[Path]:
    """Yield the sources as they were; skipped where the history does not reach that far."""
    folder = tmp_path / "before"
    git = ["git", "-C", str(ROOT), "worktree"]
    done = subprocess.run(
        [*git, "add", "--detach", folder, BEFORE], capture_output=True, check=False
    )
    if done.returncode:
        pytest.skip(f"the history has no {BEFORE[:8]}: {done.stderr.decode().strip()}")
    yield folder
    subprocess.run([*git, "remove", "--force", folder], check=True)


def test_before_and_after(
    before: Path, browser: Browser, screenshots: Path, tmp_path: Path
) -> None:
    rows = []
    old = Pages(before, tmp_path / "old", browser)
    new = Pages(ROOT, tmp_path / "new", browser)
    for number, (item, take) in enumerate(ITEMS.items(), 1):
        cells = []
        for when, pages in (("before", old), ("after", new)):
            picture = screenshots / f"{when}-{number:02}.png"
            picture.write_bytes(shown(take, pages))
            cells.append(
                f'<td><a href="{picture.name}"><img src="{picture.name}" alt="{when}"></a>'
            )
        rows.append(f"<tr><th>{html.escape(item)}{''.join(cells)}")
    (screenshots / "index.html").write_text(PAGE.format(rows="\n".join(rows)), "utf-8")

    taken = {path.name for path in screenshots.glob("after-*.png")}
    assert {f"after-{number:02}.png" for number in range(1, len(ITEMS) + 1)} <= taken


def shown(take: Shot, pages: Pages) -> bytes:
    """Return a picture, or a text that there was nothing to photograph."""
    try:
        return take(pages)
    except (subprocess.CalledProcessError, PlaywrightError) as error:
        if pages.source == ROOT:
            raise
        return pages.text(f"There was no such thing.\n\n{str(error).splitlines()[0]}")


PAGE = """<!DOCTYPE html>
<html lang="en"><meta charset="utf-8"><title>Before and after</title>
<style>
body {{ font: 15px/1.5 system-ui, sans-serif; margin: 1rem; }}
table {{ border-collapse: collapse; width: 100%; table-layout: fixed; }}
th {{ text-align: left; width: 14%; }} th, td {{ vertical-align: top; padding: .5rem; }}
tr {{ border-top: 1px solid #ccc; }}
img {{ max-width: 100%; max-height: 40rem; border: 1px solid #ccc; }}
</style>
<h1>Before and after</h1>
<table><thead><tr><th>Item<th style="width:43%">Before<th style="width:43%">After</thead>
{rows}
</table>
</html>
"""
