"""Lines over time."""

from __future__ import annotations

from pathlib import Path

import pytest

import swfx
from utilitysched import simulate
from utilitysched.report.html import over_time
from utilitysched.report.html.canvas import ReportSection, shared_range
from utilitysched.report.html.shown import Shown, time_scale
from utilitysched.runs import RunResults


def made(shown: Shown) -> dict[str, ReportSection]:
    found = over_time.pictures(shown, shared_range(shown.scale))
    return {picture.key: picture for picture in found}


def test_all_share_the_scale_of_time(shown: Shown) -> None:
    pictures = made(shown)

    assert list(pictures) == ["utilisation", "queue", "utility"]
    assert len({id(picture.chart.x_range) for picture in pictures.values()}) == 1


def test_utility_ends_at_the_aggregate_utility(shown: Shown) -> None:
    table = made(shown)["utility"].table

    assert table is not None
    assert table.rows[-1][1:] == pytest.approx(
        [run.summary["aggregate_utility"] for run in shown.runs]
    )


def test_weeks_that_the_log_ends_in_are_marked() -> None:
    jobs = swfx.Workload.from_columns(
        submit=[0, 1, 16 * 86_400],
        run=[60] * 3,
        processors=[1] * 3,
        requested_time=[60] * 3,
        header=swfx.Header((" MaxProcs: 1",)),
    )
    schedule = simulate(jobs, "fcfs")
    run = RunResults(Path(), "fcfs", jobs, schedule, {}, {}, None, None)
    shown = Shown([run], ["fcfs"], time_scale([run]))

    [wait, *_] = over_time.weekly_pictures(shown, shared_range(shown.scale))

    assert wait.table is not None
    assert [row[0] for row in wait.table.rows] == ["week 1", "week 2", "week 3 (2.0 of 7 d)"]


def test_logs_of_less_than_two_weeks_have_none(shown: Shown) -> None:
    assert list(over_time.weekly_pictures(shown, shared_range(shown.scale))) == []
