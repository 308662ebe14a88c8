"""The page as a whole."""

from __future__ import annotations

import os
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest

from swfx import InputError
from swfx.base.numbers import span
from utilitysched.report.html import report_page, write_report
from utilitysched.report.html.shown import Shown
from utilitysched.report.html.summary import figures_table
from utilitysched.runs import RunResults, read_results

ROOT = Path(__file__).parents[4]
SECTIONS = [
    "comparison",
    "summary",
    "gantt",
    "utilisation",
    "queue",
    "utility",
    "waits",
    "shares",
    "users",
    "lorenz",
    "charges-user",
    "waits-queue",
    "terms",
    "provenance",
]
WRITE = """
import sys
from pathlib import Path
from utilitysched.report.html import write_report
from utilitysched.runs import read_results
write_report([read_results(Path(sys.argv[1]))], Path(sys.argv[2]))
"""


class Reader(HTMLParser):
    """Collects what the page refers to, names and shows."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.references: list[str] = []
        self.ids: list[str] = []
        self.sections: list[str] = []
        self.labelled: list[str] = []
        self.headings = 0
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = {name: value or "" for name, value in attrs}
        self.references += [found[name] for name in ("src", "href") if name in found]
        self.ids += [found["id"]] if "id" in found else []
        self.sections += [found["id"]] if tag == "section" else []
        self.headings += tag == "h2"
        for name in ("aria-labelledby", "aria-describedby"):
            self.labelled += [found[name]] if name in found else []


@pytest.fixture(scope="module")
def page(runs: list[RunResults]) -> str:
    return report_page(runs)


def test_every_section_is_there_and_named(page: str) -> None:
    reader = Reader(page)

    assert reader.sections == SECTIONS
    assert reader.headings == len(SECTIONS)
    assert set(reader.labelled) <= set(reader.ids)
    assert len(reader.ids) == len(set(reader.ids))


def test_nothing_comes_from_elsewhere_and_nothing_may(page: str) -> None:
    named = [f"#{name}" for name in SECTIONS if name != "summary"]
    assert Reader(page).references == ["data:,", *named]
    assert "default-src 'none'" in page
    assert "unsafe-eval" not in page[: page.index("<style>")]
    assert "connect-src" not in page


def test_the_figures_are_those_of_the_runs(page: str, runs: list[RunResults]) -> None:
    waits = [f'<td data-label="{run.label}">{span(run.summary["wait_p100"])}</td>' for run in runs]

    assert f'<th class="text">longest wait</th>{"".join(waits)}' in page


def test_hours_waited_below_one_are_not_0(runs: list[RunResults]) -> None:
    held = runs[0]._replace(summary=runs[0].summary | {"limit_wait_hours": 0.125})

    rows = {row[0]: row[-1] for row in figures_table(Shown.of([held])).rows}

    assert rows["hours waited for limits"] == "0.125"


def test_provenance_repeats_the_runs(page: str, runs: list[RunResults]) -> None:
    end = page[page.index('id="provenance"') :]

    for run in runs:
        assert run.record["command"] in end
        assert run.record["files"]["jobs.csv"] in end
    assert runs[0].record["workload"]["digest"] in end


def test_a_single_run_is_not_compared(runs: list[RunResults]) -> None:
    sections = Reader(report_page(runs[1:])).sections

    assert sections == [name for name in SECTIONS if name not in ("comparison", "charges-user")]


def test_without_utility_functions_there_is_no_utility(runs: list[RunResults]) -> None:
    import swfx

    plain = runs[1].workload.replace(utility=swfx.UtilityTable.empty(len(runs[1].workload)))

    sections = Reader(report_page([runs[1]._replace(workload=plain)])).sections

    assert not {"utility", "shares"} & set(sections)
    assert "waits" in sections


def test_the_baseline_comes_first(runs: list[RunResults]) -> None:
    page = report_page(runs, "saf")

    assert "<h1>saf, easy on market.swfx</h1>" in page
    assert "Compared with saf" in page
    with pytest.raises(InputError, match=r"no run is of 'sav'; did you mean 'saf'\?"):
        report_page(runs, "sav")


def test_names_are_escaped(runs: list[RunResults]) -> None:
    page = report_page([runs[0]._replace(label="<b>&"), runs[1]])

    assert "<b>&" not in page
    assert "<h1>&lt;b&gt;&amp;, saf on market.swfx</h1>" in page


def test_the_same_runs_give_the_same_bytes(directory: Path, tmp_path: Path) -> None:
    subprocess.run(
        [sys.executable, "-c", WRITE, str(directory / "easy"), str(tmp_path / "there.html")],
        cwd=ROOT,
        env={**os.environ, "PYTHONHASHSEED": "1"},  # here it is drawn at random
        check=True,
    )
    write_report([read_results(directory / "easy")], tmp_path / "here.html")

    assert (tmp_path / "here.html").read_bytes() == (tmp_path / "there.html").read_bytes()
