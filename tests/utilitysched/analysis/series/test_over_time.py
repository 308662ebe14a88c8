"""Machine in use, queue and utility over time."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

from swfx import Workload
from tests.utilitysched.metrics_jobs import scheduled
from tests.utilitysched.three_jobs import three_jobs, three_scheduled
from utilitysched import Schedule, metrics
from utilitysched.analysis.series import (
    delivered_utility,
    offered_utility,
    processors_in_use,
    running_jobs,
    spans,
    undelayed_utility,
    utilisation,
    waiting_jobs,
    waiting_processors,
)


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


def test_utility_of_the_three_jobs() -> None:
    delivered = delivered_utility(three_jobs(), three_scheduled())
    undelayed = undelayed_utility(three_jobs(), three_scheduled())
    offered = offered_utility(three_jobs(), three_scheduled())

    assert (delivered.time.tolist(), delivered.value.tolist()) == ([10, 30], [10, 12])
    assert (undelayed.time.tolist(), undelayed.value.tolist()) == ([10, 20], [10, 14])
    assert (offered.time.tolist(), offered.value.tolist()) == ([0, 5], [28, 28])


@given(scheduled())
def test_the_last_value_is_the_aggregate_utility_and_below_its_bounds(
    case: tuple[Workload, Schedule],
) -> None:
    workload, schedule = case
    delivered = delivered_utility(workload, schedule)
    undelayed = undelayed_utility(workload, schedule)
    offered = offered_utility(workload, schedule)

    aggregate = metrics.aggregate_utility(workload, schedule)
    assert delivered.value[-1] == pytest.approx(aggregate)
    instants = np.concatenate([delivered.time, undelayed.time, offered.time])
    slack = 1e-9 * offered.value[-1]
    assert np.all(delivered.at(instants) <= undelayed.at(instants) + slack)
    assert np.all(undelayed.at(instants) <= offered.at(instants) + slack)
