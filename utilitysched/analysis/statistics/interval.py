"""Bootstrap intervals of ratios."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from swfx.base.columns import Floats

LEVEL = 0.95
"""Share of all cases in which an interval should hold the true value."""

RESAMPLES = 9999
"""Draws of the bootstrap."""

LEAST = 3
"""Pairs below which there is no interval: two values say next to nothing about others."""

COVERAGE = {3: 0.74, 4: 0.78, 5: 0.83, 6: 0.84, 7: 0.86, 8: 0.88, 10: 0.90, 14: 0.91, 20: 0.92}
"""Share of all cases in which the interval of so many pairs holds the true value.

Of 3000 samples of each size, half of them normal, half log-normal: docs/metrics.md.
"""


class Interval(NamedTuple):
    """From `low` to `high`, both included."""

    low: float
    high: float


def coverage(pairs: int) -> float:
    """Return how often an interval of so many pairs holds the true value; at least `LEAST` pairs.

    Examples
    --------
    >>> coverage(4), coverage(9)
    (0.78, 0.88)
    """
    return COVERAGE[max(size for size in COVERAGE if size <= pairs)]


def bootstrap_interval(
    ratio: Callable[[Floats, Floats, int], Floats], values: Floats, baseline: Floats, *, seed: int
) -> Interval | None:
    """Return the 95% percentile bootstrap interval of a ratio; pairs are what is drawn anew.

    Parameters
    ----------
    ratio : callable
        Of values, baseline and the axis of the pairs.
    values, baseline : ndarray, shape (n,)
        Pairs.
    seed : int
        Of the draws.

    Returns
    -------
    Interval or None
        None for fewer than `LEAST` pairs, or if a draw has no ratio, as where the baselines
        drawn are all 0.

    Examples
    --------
    >>> from utilitysched.analysis.statistics.pairing import ratio_of_means
    >>> bootstrap_interval(ratio_of_means, np.array([2.0, 3.0, 4.0]), np.ones(3), seed=0)
    Interval(low=2.0, high=4.0)

    References
    ----------
    B. Efron and R. J. Tibshirani, An Introduction to the Bootstrap, 1993, section 13.3.
    """
    if len(values) < LEAST:
        return None
    drawn = np.random.default_rng(seed).integers(0, len(values), (RESAMPLES, len(values)))
    with np.errstate(divide="ignore", invalid="ignore"):  # a draw has no ratio: see below
        found = ratio(values[drawn], baseline[drawn], -1)
    if not np.isfinite(found).all():
        return None
    low, high = np.quantile(found, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return Interval(float(low), float(high))
