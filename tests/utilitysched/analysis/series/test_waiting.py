"""The queue over time."""

from __future__ import annotations

import pytest
from hypothesis import given

from swfx import Workload
from tests.utilitysched.metrics_jobs import scheduled
from tests.utilitysched.three_jobs import three_jobs, three_scheduled
from utilitysched import Schedule
from utilitysched.analysis.series import waiting_jobs, waiting_processors


def test_one_of_the_three_jobs_waits() -> None:
    jobs = waiting_jobs(three_jobs(), three_scheduled())
    processors = waiting_processors(three_jobs(), three_scheduled())

    assert jobs.time.tolist() == processors.time.tolist() == [0, 10]
    assert jobs.value.tolist() == [1, 0]
    assert processors.value.tolist() == [8, 0]


@given(scheduled())
def test_the_area_is_the_sum_of_the_waits(case: tuple[Workload, Schedule]) -> None:
    workload, schedule = case
    waits = schedule.wait(workload)

    assert waiting_jobs(workload, schedule).area() == pytest.approx(waits.sum())
    assert waiting_processors(workload, schedule).area() == pytest.approx(
        (workload.size * waits).sum()
    )
