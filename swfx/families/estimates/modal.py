"""Modal estimates of run times, step by step.

The 20 popular estimates are the head, the others the tail. Times and sizes of both make a
histogram, whose estimates are dealt to jobs.

References
----------
D. Tsafrir, Y. Etsion, D. G. Feitelson, "Modeling user runtime estimates", JSSPP 2005 (LNCS 3834),
and its authors' program.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Collection, Sequence
from typing import NamedTuple

import numpy as np

from swfx.base.columns import Floats, Ints
from swfx.base.errors import InputError

__all__ = ["LEAST_MAXIMUM", "Histogram", "assign", "draw_histogram"]

LENGTH = 20
"""Number of popular estimates."""
TOTAL = 89.0
"""Percent of all jobs that have one of them."""
LEAST_MAXIMUM = 5700
"""The longest estimate (s) must be above it: below, there are no 20 round values."""

JOINT = tuple(60 * m for m in (5, 10, 15, 20, 30, 60, 120, 180, 240, 300, 360, 480, 600, 720, 1080))
"""Times (s) that are popular at every site."""
UNITS = tuple(60 * m for m in (12_000, 6_000, 3_000, 600, 300, 120, 60, 20, 10, 5))
"""Times (s) whose multiples fill up the 20."""

SHIFTS = (0, 30, -30, 20, -20, 10, -10)
"""What is tried (s) where an estimate is taken already."""

LOGS = (
    (3, 1, 4, 17, 13, 7, 8, 18, 2, 6, 16, 10, 5, 15, 14, 19, 11, 12, 9, 20),  # SDSC-106
    (1, 3, 4, 2, 12, 9, 8, 18, 6, 7, 11, 20, 16, 5, 14, 13, 10, 15, 17, 19),  # CTC
    (1, 4, 10, 14, 20, 2, 3, 7, 12, 6, 19, 5, 18, 16, 9, 17, 15, 13, 8, 11),  # KTH
    (1, 6, 5, 3, 7, 2, 18, 19, 4, 11, 20, 9, 10, 14, 13, 16, 15, 17, 8, 12),  # SDSC-Blue
)
"""Rank of each head position's time: the longest estimate, then the others ascending."""

DEADLINE = {rank: max(log.index(rank) for log in LOGS) for rank in range(1, 21)}
"""Last position at which any of the logs has a rank."""

KNOTS = (
    (0, 0),
    (20, 10),
    (200, 20),
    (1_000, 35),
    (10_000, 90),
    (70_000, 340),
    (250_000, 565),
)
"""Jobs and distinct estimates; straight lines between, constant after."""


class Histogram(NamedTuple):
    """Estimates (s), ascending, and the number of jobs of each, both of shape (k,)."""

    time: Ints
    jobs: Ints

    def expanded(self) -> Ints:
        """One estimate (s) per job, longest first."""
        return np.repeat(self.time, self.jobs)[::-1]


def distinct_estimates(jobs: int) -> int:
    """Tell how many distinct estimates so many jobs have.

    Examples
    --------
    >>> [distinct_estimates(jobs) for jobs in (191, 1000, 50_000, 10**6)]
    [20, 35, 257, 565]
    """
    for (jobs0, distinct0), (jobs1, distinct1) in itertools.pairwise(KNOTS):
        if jobs <= jobs1:
            added = (jobs - jobs0) * (distinct1 - distinct0) / (jobs1 - jobs0)
            return distinct0 + math.floor(added + 0.5)
    return KNOTS[-1][1]


def draw_histogram(jobs: int, maximum: int, rng: np.random.Generator) -> Histogram:
    """Draw the number of jobs of each estimate.

    The estimates and the multiset of their numbers of jobs are fixed; random is only which popular
    estimate has which rank, and which of the others has which size.

    Parameters
    ----------
    jobs : int
        Number of jobs.
    maximum : int
        Longest estimate (s), above `LEAST_MAXIMUM`.
    rng : Generator
        Source of the draws.
    """
    distinct = distinct_estimates(jobs)
    popular, sizes = head_times(maximum), head_percents()
    others = tail_times(distinct - LENGTH, maximum, popular, default_curve(distinct))
    rest = tail_percents(len(others), 100 - TOTAL)
    percent = dict(zip(popular, (sizes[rank - 1] for rank in deal_ranks(rng)), strict=True))
    order = rng.permutation(len(rest)).tolist()
    percent |= {others[place]: size for place, size in zip(order, rest, strict=True)}
    counts = repaired(jobs_of(list(percent.values()), jobs), jobs)
    time = np.array(sorted(percent), np.int64)
    number = dict(zip(percent, counts, strict=True))
    return Histogram(time, np.array([number[each] for each in time.tolist()], np.int64))


def head_percents() -> list[float]:
    """Percent of all jobs by popularity rank, most popular first.

    Examples
    --------
    >>> [round(percent, 4) for percent in head_percents()[:3]]
    [21.7329, 10.3128, 8.7105]
    """
    rest = [14.0491 * math.exp(-0.177531 * rank) + 0.462513 for rank in range(2, LENGTH + 1)]
    sizes = [TOTAL - math.fsum(rest), *rest]
    factor = TOTAL / math.fsum(sizes)
    return [size * factor for size in sizes]


def head_times(maximum: int) -> list[int]:
    """Return the 20 popular estimates (s): the longest, then the others in ascending order.

    Parameters
    ----------
    maximum : int
        Longest estimate (s), above `LEAST_MAXIMUM`.
    """
    return [maximum, *sorted(_default_times(maximum)[1:])]


def _default_times(maximum: int) -> list[int]:
    times = [maximum, *(time for time in JOINT if time < maximum)]
    for unit in UNITS:
        for time in range(maximum // unit * unit, 0, -unit):
            if len(times) == LENGTH:
                return times
            if time not in times:
                times.append(time)
    return times


def default_curve(distinct: int) -> float:
    """Find parameter a of the curve of times from the number of distinct estimates."""
    return 1 + 12.1039 * math.pow(distinct, -0.6026)


def tail_times(count: int, maximum: int, popular: Collection[int], curve: float) -> list[int]:
    """Unpopular estimates (s), about `count`: a time without a free place is left out.

    For x = i/count the time is (a - 1) x / (a - x) of the longest, rounded to a minute.

    Parameters
    ----------
    count : int
        How many to try.
    maximum : int
        Longest estimate (s).
    popular : collection of int
        The head's times (s), which are not used again.
    curve : float
        The parameter a, above 1.
    """
    taken = set(popular)
    times: list[int] = []
    for i in range(1, count + 1):
        x = i / count
        wanted = 60 * math.floor((curve - 1) * x / (curve - x) * maximum / 60 + 0.5)
        near = (wanted + shift for shift in SHIFTS)
        time = next((t for t in near if 0 < t < maximum and t not in taken), None)
        if time is not None:
            taken.add(time)
            times.append(time)
    return times


def tail_percents(count: int, total: float) -> list[float]:
    """Percent of all jobs of each unpopular estimate, most jobs first, `total` together."""
    sizes = [795.6 * rank**-2.267 for rank in range(LENGTH + 1, LENGTH + 1 + count)]
    whole = math.fsum(sizes)
    return [size * total / whole for size in sizes]


def deal_ranks(rng: np.random.Generator) -> list[int]:
    """Deal the ranks 1 to 20 to the positions of the head; return the rank of each position.

    At each position the logs' ranks there join a pool (a rank twice counts twice). The position
    gets the smallest rank whose deadline has come, or else the smaller of two members of the
    pool, drawn with replacement; the first position gets rank 1.
    """
    free = sorted(DEADLINE)
    pool: list[int] = []
    ranks: list[int] = []
    for position in range(len(DEADLINE)):
        pool += [log[position] for log in LOGS if log[position] in free]
        rank = _next_rank(position, free, pool, rng)
        ranks.append(rank)
        free = [other for other in free if other != rank]
        pool = [other for other in pool if other != rank]
    return ranks


def _next_rank(position: int, free: list[int], pool: list[int], rng: np.random.Generator) -> int:
    if position == 0:
        return 1
    due = [rank for rank in free if DEADLINE[rank] <= position]
    if due or not pool:
        return (due or free)[0]
    first, second = (int(len(pool) * draw) for draw in rng.random(2))
    return min(pool[first], pool[second])


def jobs_of(percents: Sequence[float], jobs: int) -> list[int]:
    """Jobs of each estimate, rounded, at least 1; they need not add up."""
    return [max(1, math.floor(percent * jobs / 100 + 0.5)) for percent in percents]


def repaired(counts: Sequence[int], total: int) -> list[int]:
    """Change counts until they add up to `total`.

    In up to four passes, each from the largest count to the smallest: every count changes in
    proportion to itself; by 1; by all but 1; by all. None falls below 1 before the last pass,
    and the change ends as soon as the sum is right.

    Parameters
    ----------
    counts : sequence of int
        At least 1 each.
    total : int
        From 0; reached always, unless there are no counts.
    """
    changed = list(counts)
    lacking = total - sum(counts)
    whole, amount = sum(counts), abs(lacking)
    steps: tuple[Callable[[int], int], ...] = (
        lambda count: -(-count * amount // whole),
        lambda _: 1,
        lambda count: count - 1,
        lambda count: count,
    )
    for number, step in enumerate(steps):
        least = 0 if number == len(steps) - 1 else 1
        for place in sorted(range(len(changed)), key=lambda i: -changed[i]):
            change = min(step(changed[place]), abs(lacking))
            if lacking < 0:
                change = -min(change, changed[place] - least)
            changed[place] += change
            lacking -= change
    return changed


def assign(run: Floats, estimates: Ints, rng: np.random.Generator) -> Floats:
    """Deal every estimate to a job that runs no longer; all ways to do so are equally likely.

    From the longest job to the shortest, each gets an estimate drawn from the unused ones that
    are long enough. These lie in one stretch of an array: the drawn one is swapped to its front,
    where the stretch of the next job no longer reaches.

    Parameters
    ----------
    run : ndarray, shape (n,)
        Run times (s).
    estimates : ndarray of int64, shape (n,)
        Estimates (s), longest first.
    rng : Generator
        Source of the draws.

    Returns
    -------
    ndarray, shape (n,)
        Estimate of each job (s).

    Raises
    ------
    InputError
        There are fewer estimates of some length than jobs that need one.
    """
    order = np.argsort(-run, kind="stable")
    enough = np.searchsorted(-estimates, -run[order], side="right")
    used = np.arange(run.size)
    _require_feasible(run[order], enough, used)
    drawn = used + (rng.random(run.size) * (enough - used)).astype(np.int64)
    shuffled = estimates.tolist()
    for front, place in enumerate(drawn.tolist()):
        shuffled[front], shuffled[place] = shuffled[place], shuffled[front]
    dealt = np.empty(run.size)
    dealt[order] = shuffled
    return dealt


def _require_feasible(longest: Floats, enough: Ints, used: Ints) -> None:
    short = enough <= used
    if short.any():
        first = int(np.argmax(short))
        raise InputError(
            f"{first + 1} jobs run {longest[first]:g} s or longer, "
            f"estimates that long: {enough[first]}",
            source="tsafrir",
            field="max",
            remedy="give a larger max=",
        )
