"""Metrics of the machine: makespan, utilisation, weeks."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

from swfx import Workload
from tests.utilitysched.metrics_jobs import (
    PROCESSORS,
    four_jobs,
    four_scheduled,
    schedule_of,
    scheduled,
)
from utilitysched import Schedule, metrics
from utilitysched.analysis.metrics import Week
from utilitysched.analysis.metrics.machine import WEEK, used_until


def test_makespan_is_from_the_first_submission_to_the_last_completion() -> None:
    assert metrics.makespan(four_jobs(), four_scheduled()) == 700


def test_utilisation_over_the_makespan() -> None:
    used = 8 * 100 + 2 * 1 + 4 * 200

    assert metrics.utilisation(four_jobs(), four_scheduled()) == used / (PROCESSORS * 700)


def test_utilisation_from_first_to_last_submission_leaves_the_warm_down_out() -> None:
    # until second 200: the first job, and the second from 101 to 102
    used = 8 * 100 + 2 * 1

    assert metrics.submission_utilisation(four_jobs(), four_scheduled()) == used / (8 * 200)


def test_without_any_extent_there_is_no_utilisation() -> None:
    jobs = Workload.from_columns(submit=[5], run=[0], processors=[1])
    schedule = schedule_of(jobs, [0])

    assert metrics.makespan(jobs, schedule) == 0
    assert metrics.utilisation(jobs, schedule) is None
    assert metrics.submission_utilisation(jobs, schedule) is None


@given(scheduled())
def test_use_adds_up_second_by_second(case: tuple[Workload, Schedule]) -> None:
    workload, schedule = case
    times = np.linspace(workload.submit.min(), schedule.end.max(), 7).round()

    expected = [
        sum(
            float(size) * min(max(now - start, 0), end - start)
            for size, start, end in zip(workload.size, schedule.start, schedule.end, strict=True)
        )
        for now in times
    ]

    assert used_until(workload, schedule, times).tolist() == pytest.approx(expected, abs=1e-3)


def test_a_short_schedule_is_one_week() -> None:
    used = 8 * 100 + 2 * 1 + 4 * 200

    assert metrics.weekly(four_jobs(), four_scheduled()) == [
        Week(0, 4, 303 / 4, 5.5 / 4, 9.0, used / (PROCESSORS * WEEK))
    ]


def test_weeks_begin_with_the_first_submission_and_may_be_empty() -> None:
    jobs = Workload.from_columns(submit=[50, 50 + 2 * WEEK], run=[100, 100], processors=[8, 8])

    weeks = metrics.weekly(jobs, schedule_of(jobs, [WEEK, 100]))

    busy = 100 / WEEK
    assert weeks == [
        Week(0, 1, WEEK, 6049.0, 0.0, 0.0),
        Week(1, 0, None, None, 0.0, busy),
        Week(2, 1, 100.0, 2.0, 0.0, busy),
    ]


def test_no_jobs_no_weeks() -> None:
    nothing = four_jobs()[:0]

    assert metrics.weekly(nothing, schedule_of(nothing, [])) == []


@given(scheduled())
def test_the_weeks_add_up_to_the_whole(case: tuple[Workload, Schedule]) -> None:
    workload, schedule = case
    weeks = metrics.weekly(workload, schedule)

    used = float(np.sum(workload.size * (schedule.end - schedule.start)))
    assert sum(week.jobs for week in weeks) == len(workload)
    assert sum(week.utility for week in weeks) == pytest.approx(
        metrics.aggregate_utility(workload, schedule)
    )
    assert sum(week.utilisation for week in weeks) * PROCESSORS * WEEK == pytest.approx(
        used, abs=1e-3
    )
