"""Numbers of jobs by estimate."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from swfx.base.columns import Ints
from swfx.families.estimates.modal import counts, head, tail
from swfx.families.estimates.modal.ranks import deal_ranks

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


class Shape(NamedTuple):
    """What fixes a histogram apart from chance.

    Attributes
    ----------
    jobs : int
        Number of jobs.
    maximum : int
        Longest estimate (s), above 5700.
    distinct : int
        Number of distinct estimates, at least 20.
    curve : float
        Parameter a of the curve of tail times, above 1.
    given : mapping of int to int
        Estimate (s) to number of jobs, where these are known; not more than `jobs` together.
    """

    jobs: int
    maximum: int
    distinct: int
    curve: float
    given: Mapping[int, int]


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


def distinct_by_power_law(jobs: int) -> int:
    """Tell the same by the power law of the same paper.

    Examples
    --------
    >>> distinct_by_power_law(10_000)
    101
    """
    return math.floor(0.653566 * math.pow(jobs, 0.547761) + 0.5)


def draw_histogram(shape: Shape, rng: np.random.Generator) -> Histogram:
    """Draw which estimates are how popular.

    The estimates and the multiset of their numbers of jobs are fixed by `shape`; random is only
    which popular estimate has which rank, and which of the others has which size.
    """
    popular = head.times(shape.maximum, shape.given)
    sizes = head.slots(shape.maximum, {t: 100 * n / shape.jobs for t, n in shape.given.items()})
    settled = {popular.index(time): rank for time, rank in sizes.rank_of.items()}
    ranks = deal_ranks(settled, rng)
    others = tail.times(shape.distinct - head.LENGTH, shape.maximum, popular, shape.curve)
    rest = tail.percents(len(others), 100 - head.TOTAL)
    percent = dict(zip(popular, (sizes.percent[rank - 1] for rank in ranks), strict=True))
    order = rng.permutation(len(rest)).tolist()
    percent |= {others[place]: size for place, size in zip(order, rest, strict=True)}
    return _whole_jobs(percent, shape)


def _whole_jobs(percent: Mapping[int, float], shape: Shape) -> Histogram:
    free = [time for time in percent if time not in shape.given]
    rounded = counts.jobs_of([percent[time] for time in free], shape.jobs)
    left = shape.jobs - sum(shape.given.values())
    jobs = dict(shape.given) | dict(zip(free, counts.repaired(rounded, left), strict=True))
    time = np.array(sorted(t for t in jobs if jobs[t] > 0), dtype=np.int64)
    return Histogram(time, np.array([jobs[t] for t in time.tolist()], dtype=np.int64))
