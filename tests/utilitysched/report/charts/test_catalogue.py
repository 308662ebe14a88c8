"""What holds for every figure of a paper."""

from __future__ import annotations

import re
import struct
from pathlib import Path

import pytest

from swfx import InputError
from tests.utilitysched.report.charts.conftest import market, run_of
from tests.utilitysched.report.charts.drawn import texts
from utilitysched.report.charts.catalogue import ALL_RUNS, NAMES, figures
from utilitysched.report.charts.picture import COLUMN, PAGE, Picture
from utilitysched.report.charts.scales import ALWAYS, TimeWindow
from utilitysched.runs import RunResults

LONG = "ga:generations=100,population=20,duration=requested,seed=7"
DRAWN = [name for name in NAMES if name != "convergence"]
WEEK = TimeWindow(604_800.0, 2 * 604_800.0)


def picture(name: str, runs: list[RunResults], window: TimeWindow = ALWAYS) -> Picture:
    return next(iter(figures(runs, [name], window=window))).draw()


@pytest.mark.parametrize("name", DRAWN)
@pytest.mark.parametrize(("width", "label"), [(COLUMN, LONG), (PAGE, "easy")])
def test_a_figure_is_as_wide_as_a_column_or_a_page_and_cuts_no_label(
    name: str, width: float, label: str, runs: list[RunResults], tmp_path: Path
) -> None:
    drawn = picture(name, [runs[0]._replace(label=label), runs[1]])
    drawn.save(tmp_path / "figure.svg", width)

    svg = (tmp_path / "figure.svg").read_text("utf-8")
    size = re.search(r'width="([\d.]+)pt" height="([\d.]+)pt"', svg)
    assert size is not None
    assert float(size[1]) == pytest.approx(width, abs=0.6)
    assert "\N{HORIZONTAL ELLIPSIS}" not in svg
    assert 'font-size="7px"' in svg


@pytest.mark.parametrize("name", DRAWN)
def test_the_same_runs_give_the_same_bytes(
    name: str, runs: list[RunResults], tmp_path: Path
) -> None:
    for number in "12":
        for kind in ("pdf", "svg"):
            picture(name, runs).save(tmp_path / f"{number}.{kind}")

    assert (tmp_path / "1.svg").read_bytes() == (tmp_path / "2.svg").read_bytes()
    content = (tmp_path / "1.pdf").read_bytes()
    assert content == (tmp_path / "2.pdf").read_bytes()
    assert b"/FontFile" in content
    assert b"/Type3" not in content
    assert b"CreationDate" not in content
    box = re.search(rb"/MediaBox \[0 0 ([\d.]+) ", content)
    assert box is not None
    assert float(box[1]) == pytest.approx(COLUMN, abs=0.6)


def test_a_png_has_300_pixels_an_inch(runs: list[RunResults], tmp_path: Path) -> None:
    picture("waits", runs).save(tmp_path / "waits.png")

    (width,) = struct.unpack(">I", (tmp_path / "waits.png").read_bytes()[16:20])
    assert width == pytest.approx(COLUMN / 72 * 300, abs=3)


@pytest.mark.parametrize("name", ["gantt", "utilisation", "queue", "demand", "utility"])
def test_figures_over_time_show_the_window(name: str, runs: list[RunResults]) -> None:
    written = texts(picture(name, runs[:1], WEEK))

    assert {"Apr 8", "time in 2000 (UTC)"} <= set(written)
    assert not {"Apr 7", "Apr 16"} & set(written)


@pytest.mark.parametrize("name", ["utilisation", "queue", "demand"])
def test_each_run_has_a_panel_on_the_same_scales(name: str, runs: list[RunResults]) -> None:
    panels = picture(name, runs).on_page()["vconcat"]

    assert [panel["title"].partition(":")[0] for panel in panels] == ["easy", "saf"]
    scales = [panel["layer"][0]["encoding"]["y"]["scale"] for panel in panels]
    assert scales[0] == scales[1]


def test_an_unknown_figure_is_refused_with_the_known(runs: list[RunResults]) -> None:
    with pytest.raises(InputError, match=r"no figure is named 'wait'; did you mean 'waits'\?"):
        list(figures(runs, ["wait"]))


def test_figures_of_one_run_are_named_for_it(runs: list[RunResults]) -> None:
    named = [figure.name for figure in figures(runs)]

    single = ["gantt-easy", "gantt-saf", "charges-easy", "charges-saf"]
    assert named == [*single, *ALL_RUNS, "comparison"]
    assert [figure.name for figure in figures(runs[:1])] == list(NAMES)


def test_runs_of_one_scheduler_are_told_apart_by_their_directories() -> None:
    first, second = (
        run_of("easy")._replace(directory=Path(folder) / "runs" / "easy") for folder in "ab"
    )

    named = [figure.name for figure in figures([first, second], ["gantt"])]
    assert named == ["gantt-a_runs_easy", "gantt-b_runs_easy"]


@pytest.mark.parametrize("name", ALL_RUNS)
def test_runs_that_cannot_share_a_figure_are_refused(name: str) -> None:
    mixed = [run_of("easy"), run_of("saf", market(seed=4))]
    many = [mixed[0]._replace(label=f"s{number}") for number in range(8)]

    with pytest.raises(InputError, match="the runs are of different workloads"):
        picture(name, mixed)
    with pytest.raises(InputError, match="8 runs cannot be told apart"):
        picture(name, many)


def test_every_figure_is_explained() -> None:
    page = (Path(__file__).parents[4] / "docs/report.md").read_text(encoding="utf-8")

    assert [name for name in NAMES if f"| `{name}` |" not in page] == []


@pytest.mark.parametrize("name", ["fig.pgn", "fig", "fig.PDF"])
def test_an_unknown_format_is_refused(name: str, runs: list[RunResults], tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"figures are not saved as .*known: pdf, png, svg"):
        picture("waits", runs).save(tmp_path / name)
