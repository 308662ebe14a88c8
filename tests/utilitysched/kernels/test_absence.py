"""Queues of some jobs, and beside one more that is running, as if made so from the start."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import numpy as np

from tests.planning import random_case
from tests.reference.jobs import Running
from tests.reference.plan import fitness, plan
from tests.scale import many
from utilitysched.kernels.fitness import lone_values, occupied, only, planned_values, worth_of_only
from utilitysched.schedulers.genetic.options import GeneticOptions

OPTIONS = GeneticOptions(duration="expected", delays=(0.0,))


def columns(queue: tuple[object, ...]) -> list[object]:
    return [column.tolist() if isinstance(column, np.ndarray) else column for column in queue]


def test_some_jobs_alone_are_the_queue_without_the_others() -> None:
    rng = Random(1)
    for _ in range(many(200)):
        case = random_case(rng)
        kept = np.array([rng.random() < 0.7 for _ in case.jobs])
        if not kept.any():
            continue
        threshold = rng.choice([np.inf, 20.0])
        whole = case.problem(OPTIONS, threshold)
        jobs = [job for job, stays in zip(case.jobs, kept, strict=True) if stays]
        fewer = len(case.jobs) - len(jobs)
        expected = replace(
            case,
            jobs=[job._replace(number=number) for number, job in enumerate(jobs)],
            running=[one._replace(number=one.number - fewer) for one in case.running],
        ).problem(OPTIONS, threshold)
        start = np.full(len(jobs), case.now + 3)
        values, found = np.empty((2, len(jobs)))

        assert columns(only(whole.queue, kept)) == columns(expected.queue)
        planned_values(start, expected.worth, values)
        planned_values(start, worth_of_only(whole.worth, kept), found)
        assert found.tolist() == values.tolist()


def test_alone_a_job_gets_the_most_it_can() -> None:
    rng = Random(3)
    for _ in range(many(100)):
        case = random_case(rng, most=6)
        problem, guesses = case.problem(OPTIONS), case.guesses(OPTIONS)

        found = lone_values(problem.queue, problem.worth)

        for job, guess, value in zip(case.jobs, guesses, found, strict=True):
            alone = [job._replace(number=0)]
            starts = plan([0], alone, case.now, case.running, case.processors)
            assert value == fitness(alone, starts, [guess])


def test_jobs_that_start_are_more_running_jobs() -> None:
    rng = Random(2)
    for _ in range(many(200)):
        case = random_case(rng)
        queue = case.problem(OPTIONS).queue
        if queue.free == 0:
            continue
        size = np.array([rng.randint(1, queue.free)])
        if rng.random() < 0.5 and size[0] < queue.free:
            size = np.append(size, rng.randint(1, queue.free - size.item()))
        duration = np.array([rng.choice([0.0, 5.0, 7.5]) for _ in size])
        first = len(case.jobs) + len(case.running)
        begun = [
            Running(case.now + lasts, number, taken)
            for number, (lasts, taken) in enumerate(
                zip(duration, size.tolist(), strict=True), first
            )
        ]
        expected = replace(case, running=[*case.running, *begun]).problem(OPTIONS).queue

        found = occupied(queue, size, duration)

        assert found.free == expected.free
        assert found.release_time.tolist() == expected.release_time.tolist()
        pairs = [
            sorted(zip(one.release_time, one.release_size, strict=True))
            for one in (found, expected)
        ]
        assert pairs[0] == pairs[1]
