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
from utilitysched.analysis.metrics.machine import WEEK


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
