"""The compiled local search with running jobs that may be preempted, beside its readable twin."""

from __future__ import annotations

from random import Random

import numpy as np

from tests.preemptible import ANYBODY, PreemptionCase, random_preemption_case
from tests.reference.jobs import Running
from tests.reference.preemption_refinement import refine as refine_slowly
from tests.reference.refinement import Situation
from tests.scale import enough, many
from utilitysched.kernels.fitness import occupied
from utilitysched.kernels.planned_queue import Scratch
from utilitysched.kernels.refinement import Objective, refine
from utilitysched.schedulers.genetic.genome_map import (
    GenomeMap,
    Memory,
    find_preemptible,
    forecast_beside,
)
from utilitysched.schedulers.genetic.problem import problem_of
from utilitysched.schedulers.history import History


def line_of(case: PreemptionCase, threshold: float) -> GenomeMap:
    state = case.state
    return GenomeMap.of(state, threshold, None).beside(find_preemptible(state, ANYBODY))


def situations(case: PreemptionCase, size: int, duration: float) -> list[Situation]:
    """Return the machine with some processors taken, and without that."""
    others = case.others
    one = Running(others.now + duration, -1, size)
    return [
        Situation(others.now, running, others.processors)
        for running in ([*others.running, one], others.running)
    ]


def test_searches_are_equal() -> None:
    rng = Random(21)
    moved = 0
    for _ in range(many(60)):
        case = random_preemption_case(rng, most=4)
        line = line_of(case, rng.choice([np.inf, np.inf, 20.0]))
        forecast = forecast_beside(History(ANYBODY.rule), case.state)
        queue, worth = problem_of(case.state, line, forecast, Memory(), ANYBODY)[:2]
        free = queue.free
        if not free or len(line.movable) > 7:
            continue
        size, duration = rng.randint(1, free), float(rng.randint(1, 20))
        # not larger than what is left: everybody has to fit in once
        not_preempted = np.array([rng.choice([0.0, 5.0, 30.0]) for _ in line.preemptible.job])
        orders = [rng.sample(range(len(line.movable)), len(line.movable)) for _ in range(2)]
        start = np.empty((2, len(line.job)))
        queues = occupied(queue, np.array([size]), np.array([duration])), queue
        scratch = Scratch.empty(len(line.job), len(queues[0].release_time))

        refine(np.array(orders), queues, Objective(worth, not_preempted), scratch, start)

        by_number = {job.number: job for job in case.jobs}
        jobs = [by_number[number] for number in line.job.tolist()]
        added = list(zip(line.preemptible.job.tolist(), not_preempted.tolist(), strict=True))
        zero = [[0.0]] * len(jobs)
        expected = refine_slowly(
            orders, (jobs, line.pinned), case.held, zero, situations(case, size, duration), added
        )
        assert start.tolist() == expected
        moved += expected[0] != expected[1]
    assert moved > enough(5)
