"""A queue without a job, and with that job running, beside the same made from the jobs."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import numpy as np

from tests.planning import random_case
from tests.reference.jobs import Running
from tests.scale import many
from utilitysched.genetic.options import GeneticOptions
from utilitysched.kernels.absence import occupied, without, worth_without
from utilitysched.kernels.fitness import planned_values

OPTIONS = GeneticOptions(duration="expected")


def columns(queue: tuple[object, ...]) -> list[object]:
    return [column.tolist() if isinstance(column, np.ndarray) else column for column in queue]


def test_without_a_job_a_queue_is_that_of_the_others() -> None:
    rng = Random(1)
    for _ in range(many(200)):
        case = random_case(rng)
        gone = rng.randrange(len(case.jobs))
        threshold = rng.choice([np.inf, 20.0])
        whole = case.problem(OPTIONS, threshold)
        others = [job for job in case.jobs if job.number != gone]
        if not others:
            continue
        rest = replace(case, jobs=[job._replace(number=i) for i, job in enumerate(others)])
        running = [one._replace(number=one.number - 1) for one in case.running]
        expected = replace(rest, running=running).problem(OPTIONS, threshold)
        start = np.full(len(others), case.now + 3)
        values, found = np.empty((2, len(others)))

        assert columns(without(whole.queue, gone)) == columns(expected.queue)
        planned_values(start, expected.worth, values)
        planned_values(start, worth_without(whole.worth, gone), found)
        assert found.tolist() == values.tolist()


def test_a_job_that_starts_is_one_more_running_job() -> None:
    rng = Random(2)
    for _ in range(many(200)):
        case = random_case(rng)
        queue = case.problem(OPTIONS).queue
        if queue.free == 0:
            continue
        size, duration = rng.randint(1, queue.free), rng.choice([0.0, 5.0, 7.5])
        one = Running(case.now + duration, len(case.jobs) + len(case.running), size)
        expected = replace(case, running=[*case.running, one]).problem(OPTIONS).queue

        found = occupied(queue, size, duration)

        assert found.free == expected.free
        assert found.release_time.tolist() == expected.release_time.tolist()
        pairs = [
            sorted(zip(one.release_time, one.release_size, strict=True))
            for one in (found, expected)
        ]
        assert pairs[0] == pairs[1]
