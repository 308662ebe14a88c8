"""Small static problems for the tests of this folder."""

from __future__ import annotations

import math
from itertools import permutations
from random import Random

from swfx import UtilityFunction
from tests.planning import random_case
from utilitysched.exact import StaticProblem
from utilitysched.model.forecast import ForecastRule
from utilitysched.model.state import Floats
from utilitysched.runs.snapshot import QueuedJob, RunningJob, Snapshot

RULES = (ForecastRule("zero"), ForecastRule("requested"), ForecastRule("fraction"))


def random_problem(rng: Random, most: int = 5, *, whole: bool = False) -> StaticProblem:
    """Draw up to `most` queued jobs; with `whole` all times are whole seconds."""
    while True:
        snapshot = Snapshot.of_state(random_case(rng, most).state)
        times = [snapshot.now, *(job.request for job in snapshot.queued)]
        times += [job.expected_end for job in snapshot.running]
        if not whole or all(time.is_integer() for time in times):
            return StaticProblem(snapshot, rng.choice(RULES))


def worth(problem: StaticProblem, start: Floats) -> float:
    """What a schedule is worth (SU)."""
    return math.fsum(problem.values(start))


def best_of_all(problem: StaticProblem) -> float:
    """The most that any left-shifted schedule is worth (SU)."""
    orders = permutations(range(len(problem.snapshot.queued)))
    return max(worth(problem, problem.left_shifted(order)) for order in orders)


def held_back() -> StaticProblem:
    """Three jobs on four processors, of which no EASY placement is best.

    Best is the first at 1 s, the second at 3 s, and then the narrow one. It fits beside the first
    from the beginning, and whatever the order EASY starts it before the second, for which there is
    no reservation yet.
    """
    curve = UtilityFunction
    return StaticProblem(
        Snapshot(
            0.0,
            4,
            (RunningJob(9, 2, 1.0),),
            (
                QueuedJob(1, 0.0, 3, 2.0, curve([0, 1, 1.5], [20, 20, 0])),
                QueuedJob(2, 0.0, 4, 2.0, curve([0, 3, 3.5], [20, 20, 0])),
                QueuedJob(3, 0.0, 1, 10.0, curve([0, 100], [10, 9])),
            ),
        ),
        ForecastRule("zero"),
    )


def called_infeasible() -> StaticProblem:
    """Three jobs that OR-tools 9.15 cannot schedule by its defaults."""
    curve = UtilityFunction
    return StaticProblem(
        Snapshot(
            0.0,
            4,
            (RunningJob(9, 2, 1.0),),
            (
                QueuedJob(1, 0.0, 2, 10.0, curve([0, 100], [10, 9])),
                QueuedJob(2, 0.0, 4, 2.0, curve([0, 1, 1.5], [20, 20, 0])),
                QueuedJob(3, 0.0, 2, 10.0, curve([0, 100], [10, 9])),
            ),
        ),
        ForecastRule("zero"),
    )


def best_lost() -> StaticProblem:
    """Four jobs of whose schedules OR-tools 9.15 does not see the best by its defaults."""
    curve = UtilityFunction
    return StaticProblem(
        Snapshot(
            54.0,
            15,
            (RunningJob(4, 5, 62.0),),
            (
                QueuedJob(
                    0, 35.0, 12, 19.0, curve([0, 23, 48, 50, 77], [16.87571761787153, 10, 10, 0, 0])
                ),
                QueuedJob(1, 49.0, 1, 18.0, curve([0, 49, 57], [19.544599765713752, 0, 0])),
                QueuedJob(
                    2, 50.0, 3, 13.0, curve([0, 5, 74], [15.52139970840943, 10.870820119688076, 10])
                ),
                QueuedJob(
                    3, 53.0, 8, 4.0, curve([0, 27, 46, 55], [16.325882713708186, 10, 10, 10])
                ),
            ),
        ),
        ForecastRule("zero"),
    )


def long_spans() -> StaticProblem:
    """Four jobs of years, over which the solver creeps in whole seconds."""
    rows = (
        (4, 405121240.0, 1.3202144e9, 486.0),
        (4, 1013173449.0, 1.49661923e9, 725.0),
        (5, 395284617.0, 7.2965085e8, 879.0),
        (3, 38900158.0, 4.93504367e8, 555.0),
    )
    queued = (
        QueuedJob(number, 0.0, size, request, UtilityFunction([0, until], [value, 0]))
        for number, (size, request, until, value) in enumerate(rows)
    )
    running = (RunningJob(9, 3, 14644384.0),)
    return StaticProblem(Snapshot(0.0, 10, running, tuple(queued)), ForecastRule("zero"))
