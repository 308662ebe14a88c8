"""Time scales, and the machine, the queue, utility and weeks over time."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from swfx import Header, InputError, Workload
from tests.utilitysched.report.figures.conftest import Drawn, market, run_of
from tests.utilitysched.small import JOBS, plain_workload
from utilitysched.analysis.series import utilisation
from utilitysched.report.figures import distributions, over_time
from utilitysched.report.figures.canvas import COLUMN
from utilitysched.report.figures.catalogue import OVER_TIME, pictures
from utilitysched.report.figures.scales import TimeWindow, shared_timeline, timeline
from utilitysched.runs import RunResults

DAY = 86400.0


@pytest.mark.parametrize(
    ("span", "label"),
    [
        (100.0, "seconds"),
        (180.0, "minutes"),
        (3 * 3600.0, "hours"),
        (3 * DAY - 1, "hours"),
        (3 * DAY, "days"),
        (999 * DAY, "days"),
    ],
)
def test_a_unit_suits_the_span(span: float, label: str) -> None:
    scale = timeline(Workload.from_columns(submit=[0]), 50.0, 50.0 + span)

    assert scale.label == f"{label} since the first submission"
    assert scale.length * scale.seconds == pytest.approx(span)


def test_where_the_log_has_a_clock_its_date_is_told() -> None:
    header = Header((" UnixStartTime: 954547200", " TimeZoneString: US/Pacific"))

    scale = timeline(Workload.from_columns(submit=[0], header=header), 3600.0, 7200.0)
    assert scale.label == "minutes since 2000-03-31 17:00 (US/Pacific)"


@pytest.mark.parametrize(
    ("plot", "label"),
    [
        (over_time.UTILISATION, "processors\nin use (%)"),
        (over_time.QUEUE, "jobs waiting"),
        (over_time.DEMAND, "machines\nwaited for"),
    ],
)
def test_each_run_has_a_panel(
    plot: over_time.StepPlot, label: str, runs: list[RunResults], drawn: Drawn
) -> None:
    figure = drawn(lambda: plot.draw(runs, COLUMN))

    assert [axes.get_title(loc="left") for axes in figure.axes] == ["easy", "saf"]
    assert {axes.get_ylabel() for axes in figure.axes} == {label}
    assert figure.axes[-1].get_xlabel() == "days since 2000-04-01 00:00 (UTC)"


def test_the_mean_of_the_means_is_the_utilisation(runs: list[RunResults], drawn: Drawn) -> None:
    figure = drawn(lambda: over_time.UTILISATION.draw(runs[:1], COLUMN))

    (line,) = figure.axes[0].lines
    means = np.asarray(line.get_ydata())[:-1]
    assert means.mean() == pytest.approx(100 * runs[0].summary["utilisation"])


WEEK = TimeWindow(604_800.0, 2 * 604_800.0)


@pytest.mark.parametrize("name", OVER_TIME)
def test_figures_over_time_show_the_window(name: str, runs: list[RunResults], drawn: Drawn) -> None:
    (picture,) = pictures(runs[:1], [name], width=COLUMN, window=WEEK)

    axes = drawn(picture.draw).axes[0]
    assert axes.get_xlim() == pytest.approx((0, 7), abs=0.1)
    assert axes.get_xlabel() == "days since 2000-04-08 00:00 (UTC)"


def test_means_are_those_of_the_window(runs: list[RunResults], drawn: Drawn) -> None:
    (picture,) = pictures(runs[:1], ["utilisation"], window=WEEK)

    means = np.asarray(drawn(picture.draw).axes[0].lines[0].get_ydata())[:-1]
    steps = utilisation(runs[0].workload, runs[0].schedule)
    assert means.mean() == pytest.approx(100 * steps.means(np.array(WEEK))[0])


def test_a_window_ends_where_the_runs_do(runs: list[RunResults]) -> None:
    whole, open_end = shared_timeline(runs), shared_timeline(runs, TimeWindow(begin=100.0))

    assert (whole.begin, open_end.begin) == (0, 100)
    assert open_end.end == whole.end == max(run.schedule.end.max() for run in runs)


def test_a_window_without_anything_is_refused(runs: list[RunResults]) -> None:
    with pytest.raises(InputError, match=r"nothing happens between .*; the runs last from 0 to"):
        shared_timeline(runs, TimeWindow(begin=1e12))


def test_lines_end_at_the_aggregate_utility(runs: list[RunResults], drawn: Drawn) -> None:
    figure = drawn(lambda: over_time.draw_utility(runs, COLUMN))

    last = {
        str(line.get_label()): np.asarray(line.get_ydata())[-1] for line in figure.axes[0].lines
    }
    for run in runs:
        assert last[run.label] == pytest.approx(run.summary["aggregate_utility"])
    assert last[over_time.OFFERED] == pytest.approx(runs[0].summary["start_value"])


@pytest.mark.parametrize("draw", [over_time.draw_utility, distributions.draw_shares])
def test_without_utility_functions_there_is_nothing_to_draw(draw: Callable[..., object]) -> None:
    run = run_of("easy", plain_workload())

    with pytest.raises(InputError, match="no job has a utility function with a start value"):
        draw([run], COLUMN)


def test_every_figure_has_a_panel(runs: list[RunResults], drawn: Drawn) -> None:
    figure = drawn(lambda: over_time.draw_weekly(runs, COLUMN))

    jobs, *_, worth = figure.axes
    for line, run in zip(worth.lines, runs, strict=True):
        total = np.nansum(np.asarray(line.get_ydata()))
        assert total == pytest.approx(run.summary["aggregate_utility"])
    assert np.asarray(jobs.lines[0].get_ydata()).sum() == JOBS
    assert worth.get_xlabel().startswith("weeks since 2000-04-01")


def test_without_utility_functions_there_is_no_panel_of_them(drawn: Drawn) -> None:
    plain = plain_workload().replace(submit=market().submit)

    figure = drawn(lambda: over_time.draw_weekly([run_of("easy", plain)], COLUMN))
    assert len(figure.axes) == 4


def test_one_week_is_no_series() -> None:
    with pytest.raises(InputError, match="all jobs were submitted in one week"):
        over_time.draw_weekly([run_of("easy", plain_workload())], COLUMN)
