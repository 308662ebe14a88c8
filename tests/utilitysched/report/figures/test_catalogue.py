"""What holds for every figure."""

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from swfx import InputError
from tests.utilitysched.report.figures.conftest import Drawn, run_of
from utilitysched.report.figures import canvas
from utilitysched.report.figures.canvas import COLUMN, FORMATS, PAGE, save, styled
from utilitysched.report.figures.catalogue import ALL_RUNS, NAMES, ONE_RUN, pictures
from utilitysched.runs import RunResults

if TYPE_CHECKING:
    from matplotlib.figure import Figure


LONG = "ga:generations=100,population=20"


def picture(name: str, runs: list[RunResults], width: float = COLUMN) -> Callable[[], Figure]:
    chosen = runs[:1] if name in ONE_RUN else runs
    (found,) = pictures(chosen, [name], width=width)
    return found.draw


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(("width", "label"), [(COLUMN, LONG), (PAGE, "easy")])
def test_nothing_is_cut_off_and_every_scale_says_what_it_is(
    name: str, width: float, label: str, runs: list[RunResults], drawn: Drawn
) -> None:
    named = [runs[0]._replace(label=label), runs[1]]

    figure = drawn(picture(name, named, width))
    box, (wide, high) = figure.get_tightbbox(), figure.get_size_inches()
    assert wide == width
    assert -0.01 <= box.x0 < box.x1 <= wide + 0.01
    assert -0.01 <= box.y0 < box.y1 <= high + 0.01
    every_scale_says_what_it_is(name, figure)


def every_scale_says_what_it_is(name: str, figure: Figure) -> None:
    shared_x = bool(figure.get_supxlabel())
    below = [axes for axes in figure.axes if axes.xaxis.get_ticklabels()]
    for axes in below:
        last = axes.get_subplotspec().is_last_row()  # type: ignore[union-attr]
        assert axes.get_xlabel() or shared_x or not last
        named_rows = name in ("charges", "comparison")
        assert axes.get_ylabel() or named_rows


@pytest.mark.parametrize(
    ("name", "kind"),
    sorted({(name, "svg") for name in NAMES} | {("waits", kind) for kind in FORMATS}),
)
def test_the_same_runs_give_the_same_bytes(
    name: str, kind: str, runs: list[RunResults], tmp_path: Path
) -> None:
    paths = [tmp_path / f"{number}.{kind}" for number in (1, 2)]
    for path in paths:
        save(picture(name, runs), path)

    content = paths[0].read_bytes()
    assert content == paths[1].read_bytes()
    assert len(content) > 2000
    assert b"CreationDate" not in content
    assert b"dc:date" not in content


def test_settings_of_the_user_change_nothing(runs: list[RunResults], tmp_path: Path) -> None:
    import matplotlib as mpl

    save(picture("waits", runs), tmp_path / "plain.svg")
    with mpl.rc_context({"font.size": 30, "axes.facecolor": "red", "svg.hashsalt": "other"}):
        save(picture("waits", runs), tmp_path / "loud.svg")
        assert mpl.rcParams["font.size"] == 30

    assert (tmp_path / "plain.svg").read_bytes() == (tmp_path / "loud.svg").read_bytes()


def test_fonts_are_in_the_file(runs: list[RunResults]) -> None:
    content = BytesIO()
    with styled():
        picture("waits", runs)().savefig(content, format="pdf")

    assert b"/FontFile2" in content.getvalue()
    assert b"/Type3" not in content.getvalue()


def test_an_unknown_figure_is_refused_with_the_known(runs: list[RunResults]) -> None:
    with pytest.raises(InputError, match=r"no figure is named 'wait'; did you mean 'waits'\?"):
        list(pictures(runs, ["wait"]))


def test_figures_of_one_run_are_named_for_it(runs: list[RunResults]) -> None:
    named = [found.name for found in pictures(runs)]

    assert named == ["gantt-easy", "gantt-saf", "charges-easy", "charges-saf", *ALL_RUNS]
    assert [found.name for found in pictures(runs[:1])] == list(NAMES)


def test_runs_of_one_scheduler_are_told_apart_by_their_directories() -> None:
    first, second = (
        run_of("easy")._replace(directory=Path(folder) / "runs" / "easy") for folder in "ab"
    )

    named = [found.name for found in pictures([first, second], ["gantt"])]
    assert named == ["gantt-a_runs_easy", "gantt-b_runs_easy"]


@pytest.mark.parametrize("name", [name for name in ALL_RUNS if name != "comparison"])
def test_runs_of_different_workloads_share_no_figure(name: str, drawn: Drawn) -> None:
    from tests.utilitysched.report.figures.conftest import market

    mixed = [run_of("easy"), run_of("saf", market(seed=4))]

    with pytest.raises(InputError, match="the runs are of different workloads"):
        drawn(picture(name, mixed))


@pytest.mark.parametrize("name", [name for name in ALL_RUNS if name != "comparison"])
def test_more_runs_than_can_be_told_apart_are_refused(name: str, drawn: Drawn) -> None:
    many = [run_of("easy")._replace(label=f"s{number}") for number in range(8)]

    with pytest.raises(InputError, match="8 runs cannot be told apart"):
        drawn(picture(name, many))


def test_every_figure_is_explained() -> None:
    page = (Path(__file__).parents[4] / "docs/report.md").read_text(encoding="utf-8")

    assert [name for name in NAMES if f"| `{name}` |" not in page] == []


@pytest.mark.parametrize("name", ["fig.pgn", "fig", "fig.PDF"])
def test_an_unknown_format_is_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"figures are not saved as .*known: pdf, png, svg"):
        canvas.save(lambda: pytest.fail("not drawn"), tmp_path / name)
