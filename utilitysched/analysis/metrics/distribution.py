"""Distributions over jobs and users: percentiles, classes of slowdowns, indices of fairness."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from swfx import MISSING, InputError, Workload
from utilitysched.model.state import Floats

LEE_LEVELS = (25, 50, 75, 98, 100)
"""Percentiles of the tables."""

Five = tuple[float | None, ...]


def percentiles(
    values: Floats, levels: Sequence[int], *, best_first: bool = False
) -> list[float | None]:
    """Smallest value that at least `level` % of the sample do not exceed, for each level.

    No interpolation: every percentile is the value of some job.

    Parameters
    ----------
    values : (n,) float64
        The sample; NaN = not defined for that job, left out.
    levels : sequence of int
        From 0 to 100; 0 is the smallest value, 100 the largest.
    best_first : bool, default False
        Count from the largest value downward: 25 is the largest value that a quarter of the sample
        reach, as in LEE's tables of shares of the start value.

    Returns
    -------
    list of float or None
        None for every level when the sample is empty.

    Raises
    ------
    InputError
        If a level is not within 0 to 100.

    Examples
    --------
    >>> percentiles(np.array([4.0, 1.0, 3.0, 2.0]), [25, 50, 75, 98, 100])
    [1.0, 2.0, 3.0, 4.0, 4.0]
    """
    for level in levels:
        if not 0 <= level <= 100:
            raise InputError(f"{level} is not a percentile", field="levels", remedy="use 0 to 100")
    sample = np.sort(values[~np.isnan(values)])
    if best_first:
        sample = sample[::-1]
    if len(sample) == 0:
        return [None] * len(levels)
    return [float(sample[_rank(level, len(sample))]) for level in levels]


def _rank(level: int, size: int) -> int:
    """Position, from 0, of the first value at which the empirical distribution is at `level` %."""
    return max(-(-level * size // 100) - 1, 0)


class LeeRow(NamedTuple):
    """Columns of the table, in its order.

    Attributes
    ----------
    scheduler : str
        Label.
    wait : tuple of float
        Percentiles `LEE_LEVELS` of the wait (s), ascending.
    expansion_factor : tuple of float
        The same of the expansion factor by run times, her definition.
    requested_expansion_factor : tuple of float
        The same by requested times, which her figures seem to be.
    bounded_slowdown : float
        Mean.
    start_value_share : tuple of float
        The same percentiles of the share of the start value earned (0 to 1), from the best down.
    aggregate_utility : float
        SU.
    """

    scheduler: str
    wait: Five
    expansion_factor: Five
    requested_expansion_factor: Five
    bounded_slowdown: float | None
    start_value_share: Five
    aggregate_utility: float


def lee_table_row(summary: Mapping[str, Any]) -> LeeRow:
    """Columns of LEE's tables out of a summary; None where a metric is not defined."""
    return LeeRow(
        summary["scheduler"],
        _five(summary, "wait"),
        _five(summary, "expansion_factor"),
        _five(summary, "requested_expansion_factor"),
        summary["bounded_slowdown_mean"],
        _five(summary, "start_value_share"),
        summary["aggregate_utility"],
    )


def _five(summary: Mapping[str, Any], name: str) -> Five:
    return tuple(summary[f"{name}_p{level}"] for level in LEE_LEVELS)


def user_means(workload: Workload, values: Floats) -> Floats:
    """Mean of a per-job metric for each user, ascending by user number.

    Parameters
    ----------
    workload : Workload
        n jobs; those without a user are left out.
    values : (n,) float64
        Metric of each job; NaN = not defined, left out.

    Returns
    -------
    (users,) float64
    """
    counted = (workload.user != MISSING) & ~np.isnan(values)
    _, member = np.unique(workload.user[counted], return_inverse=True)
    jobs = np.bincount(member)
    return np.bincount(member, weights=values[counted]) / jobs


def jain(shares: Floats) -> float | None:
    """Jain's index (sum x)^2 / (n sum x^2): 1 = all equal, 1/n = one has everything.

    None without users; 1 if all have nothing.

    References
    ----------
    Jain, Chiu, Hawe 1984.

    Examples
    --------
    >>> jain(np.array([1.0, 1.0, 4.0]))
    0.6666666666666666
    """
    if len(shares) == 0:
        return None
    squares = float(np.sum(shares**2))
    return 1.0 if squares == 0 else float(np.sum(shares) ** 2 / (len(shares) * squares))


def gini(shares: Floats) -> float | None:
    """Gini coefficient, mean absolute difference over twice the mean: 0 = all equal.

    None without users; 0 if all have nothing.

    Examples
    --------
    >>> gini(np.array([1.0, 1.0, 4.0]))
    0.3333333333333333
    """
    users = len(shares)
    if users == 0:
        return None
    total = float(np.sum(shares))
    if total == 0:
        return 0.0
    ranks = 2 * np.arange(1, users + 1) - users - 1
    return float(np.sum(ranks * np.sort(shares)) / (users * total))
