"""Pairing of the survey's checkpoint intervals with jobs, by run times."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from swfx.base.columns import Floats

__all__ = ["INTERVALS", "KINDS", "SHORTEST_RUN", "interval_kind", "paired_intervals"]

MINUTE = 60.0

INTERVALS: dict[int, int] = {
    1: 8,
    2: 6,
    5: 36,
    10: 38,
    15: 30,
    20: 14,
    30: 34,
    60: 32,
    120: 15,
    240: 6,
}
"""Answers by interval (min), 219 together. Published are those of 5, 10 and 30 minutes, that no
other interval has more, and that the median is 15 minutes (LEE 6.5.2). The others are our model:
round times, with more answers at 15 minutes and an hour than at their neighbours."""

KINDS: dict[str, int] = {"fine": 67, "between": 48, "coarse": 5}
"""Jobs of known run time by their interval: at most 1/50 of it; between; at least 1/4 of it
(LEE 6.5.2: 67 and 115 of 120)."""

SHORTEST_RUN = 4 * MINUTE * min(INTERVALS)
"""Run time (s) up to which every interval is coarse."""

ROUNDS = 500
"""Of proportional fitting: on SDSC-DS-2004 all shares are then met to three digits."""

FLOOR = 1e-4
"""Least probability of a pair over that of independence: nothing is impossible, and where the kinds
cannot have their shares, fitting the intervals still converges."""

Kinds = npt.NDArray[np.int8]
Matrix = Floats
Places = npt.NDArray[np.intp]


def interval_kind(interval: npt.ArrayLike, run: npt.ArrayLike) -> Kinds:
    """Positions in `KINDS`, broadcast.

    Examples
    --------
    >>> interval_kind([72, 73, 900], 3600).tolist()
    [0, 1, 2]
    """
    every, time = np.asarray(interval), np.asarray(run)
    kinds: Kinds = np.where(50 * every <= time, 0, np.where(4 * every < time, 1, 2)).astype(np.int8)
    return kinds


def paired_intervals(run: Floats, rng: np.random.Generator) -> Floats:
    """Draw an interval for each job.

    The probability of interval c for a job of run time p is proportional to ``x_c y_kind(c, p)``
    with factors x and y such that, over all jobs, each interval has its share of `INTERVALS` and
    each kind its share of `KINDS`: among all joint distributions that do, the nearest to
    independence. Factors are found by iterative proportional fitting. If the run times do not allow
    the shares of the kinds, the shares of the intervals hold and the kinds come near.

    Parameters
    ----------
    run : ndarray of float64, shape (n,)
        Run times (s).
    rng : numpy.random.Generator
        Only its `random` is used.

    Returns
    -------
    ndarray of float64, shape (n,)
        Intervals (s).
    """
    intervals = MINUTE * np.array(list(INTERVALS))
    kinds = interval_kind(intervals, run[:, None])
    # jobs for which the same intervals are fine, between and coarse have the same probabilities
    code = kinds @ len(KINDS) ** np.arange(len(intervals))
    first, group, jobs = np.unique(
        code, return_index=True, return_inverse=True, return_counts=True
    )[1:]
    cumulative = np.cumsum(_fitted(kinds[first], jobs / len(run)), axis=1)
    quantile = _systematic(group, jobs, rng)
    drawn: Floats = intervals[(quantile[:, None] >= cumulative[group, :-1]).sum(axis=1)]
    return drawn


def _fitted(kinds: Kinds, weight: Floats) -> Matrix:
    """Probabilities of the intervals in each group of jobs; groups have these weights."""
    by_interval = _shares(INTERVALS)
    by_kind = _shares(KINDS)
    joint = independent = weight[:, None] * by_interval
    for _ in range(ROUNDS):
        now = np.bincount(kinds.ravel(), joint.ravel(), len(by_kind))
        factor = np.divide(by_kind, now, out=np.ones(len(now)), where=now > 0)
        joint = np.maximum(joint * factor[kinds], FLOOR * independent)
        joint = _balanced(joint, weight, by_interval)
    for _ in range(ROUNDS):
        joint = _balanced(joint, weight, by_interval)
    probability: Matrix = joint / weight[:, None]
    return probability


def _balanced(joint: Matrix, weight: Floats, by_interval: Floats) -> Matrix:
    joint = joint * (by_interval / joint.sum(axis=0))
    balanced: Matrix = joint * (weight / joint.sum(axis=1))[:, None]
    return balanced


def _shares(counts: dict[int, int] | dict[str, int]) -> Floats:
    shares: Floats = np.array(list(counts.values())) / sum(counts.values())
    return shares


def _systematic(group: Places, jobs: Places, rng: np.random.Generator) -> Floats:
    """Evenly spaced quantiles within each group, in random order: counts are within one job."""
    order = np.lexsort((rng.random(len(group)), group))
    rank = np.empty(len(group), np.int64)
    rank[order] = np.arange(len(group)) - np.repeat(np.cumsum(jobs) - jobs, jobs)
    return (rank + rng.random(len(jobs))[group]) / jobs[group]
