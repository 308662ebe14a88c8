"""Trials of orders equal their readable twin."""

from __future__ import annotations

from functools import partial
from random import Random

import numpy as np
import pytest

from tests.reference import trials as twin
from tests.reference.jobs import Job
from tests.reference.stream import Stream
from tests.reference.values import utility
from tests.scale import many
from utilitysched.kernels.trials import LOST_VALUE, SLOWDOWN, WAIT, cost_by_first
from utilitysched.model.state import JobTable

COSTS: dict[int, twin.Cost] = {
    SLOWDOWN: twin.slowdown,
    WAIT: lambda _, wait: wait,
    LOST_VALUE: lambda job, wait: (
        utility(job.points, job.run) - utility(job.points, wait + job.run)
    ),
}
PROCESSORS = 6


def some_jobs(random: Random, count: int) -> list[Job]:
    jobs = []
    submit = 0.0
    for number in range(count):
        submit += random.choice([0.0, 1.0, 20.0])
        run = random.choice([0.0, 3.0, 12.5, 60.0])
        value = random.uniform(1, 9)
        points = ((0.0, value), (run + random.choice([1.0, 50.0]), 0.0))
        size = random.randint(1, PROCESSORS)
        jobs.append(Job(number, submit, run, run, size, points=points))
    return jobs


def table(jobs: list[Job]) -> JobTable:
    points = [point for job in jobs for point in job.points]
    submit = np.array([job.submit for job in jobs])
    return JobTable(
        PROCESSORS,
        submit,
        submit - submit[0],
        np.array([job.size for job in jobs]),
        np.array([job.request for job in jobs]),
        np.zeros(len(jobs), np.int64),
        np.full(len(jobs), -1),
        np.arange(0, len(points) + 1, 2),
        np.array([time for time, _ in points]),
        np.array([value for _, value in points]),
    )


@pytest.mark.parametrize("aim", COSTS)
def test_costs_are_those_of_the_twin(aim: int) -> None:
    random = Random(aim)
    for _ in range(many(40)):
        warm, count = random.randint(0, 4), random.randint(2, 6)
        jobs, seed = some_jobs(random, warm + count), random.randint(0, 2**60)
        run = np.array([job.run for job in jobs])
        stream = np.array([seed], dtype=np.uint64)

        found = cost_by_first(table(jobs), run, warm, 3, stream, aim)

        expected = partial(twin.cost_by_first, jobs, PROCESSORS, warm, 3)
        assert found.tolist() == pytest.approx(expected(Stream(seed), COSTS[aim]))


def test_a_wide_long_job_that_goes_first_costs_most() -> None:
    wide = Job(0, 0.0, 1000.0, 1000.0, PROCESSORS, points=((0.0, 1.0), (1.0, 0.0)))
    small = [
        Job(i, 0.0, 1.0, 1.0, 1, points=((0.0, 1.0), (1.0, 0.0))) for i in range(1, PROCESSORS + 1)
    ]
    jobs = [wide, *small]
    run = np.array([job.run for job in jobs])

    found = cost_by_first(table(jobs), run, 0, 50, np.array([1], dtype=np.uint64), SLOWDOWN)

    assert found.argmax() == 0
    assert found[0] == pytest.approx(50 * (1 + PROCESSORS * 100.1) / (PROCESSORS + 1))
