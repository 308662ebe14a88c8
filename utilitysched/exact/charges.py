"""Charges by Vickrey, Clarke and Groves in one static problem, neither clipped nor capped.

With the best of all schedules they are exact: no job pays more than it is worth, nobody is
paid, a job that is said to be worth more is served no worse, and no lie pays. With a planner that
misses the best, none of this is sure, but one thing is: if every job has an owner of its own, the
best lie of any gains at most what the plan under the truth is short of the optimum. For what is
left to an owner is the true worth of the whole plan, less a sum that the own report is not in.
"""

import math
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import numpy as np

from utilitysched.exact.optimum import EFFORT, LIMIT, Optimum, optimum
from utilitysched.exact.problem import StaticProblem
from utilitysched.model.state import Floats, Integers

PROMISES = frozenset({"rationality", "monotonicity", "externality", "truthfulness"})
"""What the exact charges promise; see `pricing.checks`."""

Planner = Callable[[StaticProblem], Floats]
"""Starts (s) of the queued jobs of a problem, in the order of the queue."""


class StaticCharges(NamedTuple):
    """What each queued job pays.

    Attributes
    ----------
    id : (k,) int64
        The jobs.
    start : (k,) float64
        When each starts in the plan with all of them (s).
    value : (k,) float64
        What it is worth then (SU).
    charge : (k,) float64
        What the others are worth in the plan without it, less what they are worth in the plan with
        it (SU). Below 0 only where plans are not the best.
    """

    id: Integers
    start: Floats
    value: Floats
    charge: Floats


def static_charges(problem: StaticProblem, planner: Planner) -> StaticCharges:
    """Return the charges of queued jobs for the losses of others, by one planner's plans.

    Parameters
    ----------
    problem : StaticProblem
        k queued jobs.
    planner : callable
        Makes the plan with all of them, and k plans without one.
    """
    start = planner(problem)
    value = problem.values(start)
    charge = np.array(
        [
            _total(rest, planner(rest)) - math.fsum(np.delete(value, place))
            for place, job in enumerate(problem.snapshot.queued)
            for rest in (problem.without(job.id),)
        ]
    )
    return StaticCharges(problem.snapshot.ids, start, value, charge)


def exact_charges(
    problem: StaticProblem, effort: float = EFFORT, *, limit: float = LIMIT
) -> StaticCharges:
    """Return the exact charges of queued jobs for the losses of others.

    Raises
    ------
    UnprovenOptimum
        One of the optima is not proven within `effort` and `limit`, of each (see `optimum`).
    """
    return static_charges(problem, partial(_best, effort=effort, limit=limit))


def exact_pivot(
    problem: StaticProblem, job: int, effort: float = EFFORT, *, limit: float = LIMIT
) -> float:
    """Return what the others lose if the queued job `job` starts now, by the best plans (SU).

    Pivot charges estimate this. It is the job's exact charge where the job starts now in the best
    plan of all, too, and never less.

    Raises
    ------
    InputError
        The job is not queued, or does not fit.
    UnprovenOptimum
        One of the optima is not proven within `effort` and `limit`.
    """
    rest = problem.without(job)
    begun = StaticProblem(problem.snapshot.started([job]), problem.rule)
    without, with_job = (_proven(part, effort, limit).total for part in (rest, begun))
    return without - with_job


class UnprovenOptimum(ArithmeticError):  # noqa: N818 - the optimum is what is unproven
    """No proof was found within the effort allowed; the message says how far it got."""


def _best(problem: StaticProblem, effort: float, limit: float) -> Floats:
    return _proven(problem, effort, limit).start


def _proven(problem: StaticProblem, effort: float, limit: float) -> Optimum:
    best = optimum(problem, effort, limit=limit)
    if not best.proven:
        raise UnprovenOptimum(
            f"of {len(best.start)} jobs: the best schedule found is worth {best.total:.6g} SU,"
            f" the bound is {best.bound:.6g} SU"
            + (f" after {limit:g} s, where it stopped" if best.timed_out else "")
        )
    return best


def _total(problem: StaticProblem, start: Floats) -> float:
    return math.fsum(problem.values(start))
