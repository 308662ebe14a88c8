"""The best schedule of a snapshot, or how good one can be at most."""

import math
from dataclasses import dataclass

import numpy as np

from utilitysched.exact.problem import StaticProblem
from utilitysched.model.state import Floats

EFFORT = 60.0
"""Deterministic seconds of search, unless said otherwise."""

LIMIT = 120.0
"""Seconds of search, unless said otherwise."""

_LAST_BITS = 1e-12
"""What sums of floats may be off, in proportion."""


@dataclass(frozen=True, eq=False)
class Optimum:
    """The best schedule found, beside a bound on all.

    Attributes
    ----------
    start : (k,) float64
        Starts of the queued jobs (s).
    value : (k,) float64
        What each is worth then (SU).
    bound : float
        No schedule of the queue is worth more (SU).
    proven : bool
        The schedule is the best: it is worth as much as the bound, but for roundings.
    timed_out : bool
        The wall clock ended the search, so that another one may find something else.
    """

    start: Floats
    value: Floats
    bound: float
    proven: bool
    timed_out: bool = False

    @property
    def total(self) -> float:
        """What the schedule is worth (SU)."""
        return math.fsum(self.value)

    @property
    def gap(self) -> float:
        """What could be missing at most (SU); 0 if the schedule is proven to be the best."""
        return 0.0 if self.proven else max(0.0, self.bound - self.total)


def optimum(
    problem: StaticProblem,
    effort: float = EFFORT,
    hint: Floats | None = None,
    *,
    limit: float = LIMIT,
) -> Optimum:
    """Return the schedule of the queue with the highest value, or a bound on it.

    Not only of those that some queue order has under a placement: a job may be held back though
    it would fit, and no job has a reservation.

    Parameters
    ----------
    problem : StaticProblem
        What is to be scheduled.
    effort : float
        Where to stop without a proof, by the solver's own clock: about a second each. The same
        effort gives the same result on every machine that needs less than `limit` for it.
    hint : (k,) float64, optional
        A schedule to begin with (s); none worse is returned.
    limit : float
        Where to stop in any case (s).

    Raises
    ------
    InputError
        OR-tools is not installed.
    """
    # most of the package does without OR-tools
    from utilitysched.exact.model import solve  # noqa: PLC0415

    jobs = len(problem.snapshot.queued)
    if not jobs:
        return Optimum(np.empty(0), np.empty(0), 0.0, proven=True)
    begin = problem.left_shifted(range(jobs)) if hint is None else hint
    solution = solve(problem, effort, limit, begin)
    schedules = [problem.left_shifted(solution.order.tolist()), begin]
    start = max(schedules, key=lambda start: math.fsum(problem.values(start)))
    value = problem.values(start)
    missing = solution.bound - math.fsum(value)
    if missing < -_LAST_BITS * solution.bound:
        raise AssertionError(
            f"the solver's bound, {solution.bound} SU, is below {math.fsum(value)}"
        )
    proven = missing <= solution.slack
    return Optimum(start, value, solution.bound, proven, solution.timed_out and not proven)
