"""Processors in use over time."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

from swfx import Workload
from tests.utilitysched.metrics_jobs import scheduled
from tests.utilitysched.three_jobs import three_jobs, three_scheduled
from utilitysched import Schedule, metrics
from utilitysched.analysis.series import processors_in_use, running_jobs, spans, utilisation


def test_processors_of_the_three_jobs() -> None:
    steps = processors_in_use(three_jobs(), three_scheduled())

    assert steps.time.tolist() == [0, 5, 10, 30]
    assert steps.value.tolist() == [4, 6, 8, 0]
    assert steps.area() == 4 * 10 + 8 * 20 + 2 * 5


def test_utilisation_is_a_share_of_the_machine() -> None:
    assert utilisation(three_jobs(), three_scheduled()).value.tolist() == [0.5, 0.75, 1, 0]


def test_running_jobs_of_the_three() -> None:
    steps = running_jobs(three_scheduled())

    assert steps.time.tolist() == [0, 5, 10, 30]
    assert steps.value.tolist() == [1, 2, 1, 0]


def test_a_job_has_one_span() -> None:
    found = spans(three_scheduled())

    assert found.job.tolist() == [0, 1, 2]
    assert found.end.tolist() == [10, 30, 10]


@given(scheduled())
def test_the_area_is_the_processor_seconds_used(case: tuple[Workload, Schedule]) -> None:
    workload, schedule = case
    used = np.sum(workload.size * (schedule.end - schedule.start))

    assert processors_in_use(workload, schedule).area() == pytest.approx(used)
    span = metrics.makespan(workload, schedule)
    if span > 0:
        shares = utilisation(workload, schedule)
        assert shares.area() / span == pytest.approx(metrics.utilisation(workload, schedule))
