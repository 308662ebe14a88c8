"""How far a ratio might be off: bootstrap intervals."""

import warnings
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from utilitysched.statistics.pairing import Floats

LEVEL = 0.95
"""Share of all cases in which an interval should hold the true value."""

RESAMPLES = 9999
"""Draws of the bootstrap."""


class Interval(NamedTuple):
    """From where to where.

    Attributes
    ----------
    low, high : float
        Both included.
    """

    low: float
    high: float


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
        None for fewer than two pairs, or if a draw has no ratio, as where the baselines drawn are
        all 0.

    Examples
    --------
    >>> from utilitysched.statistics.means import ratio_of_means
    >>> bootstrap_interval(ratio_of_means, np.array([2.0, 4.0]), np.array([1.0, 1.0]), seed=0)
    Interval(low=2.0, high=4.0)

    References
    ----------
    B. Efron and R. J. Tibshirani, An Introduction to the Bootstrap, 1993, section 13.3.
    """
    from scipy.stats import DegenerateDataWarning, bootstrap  # noqa: PLC0415  slow to import

    if len(values) < 2:
        return None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DegenerateDataWarning)  # a draw has no ratio: see below
        result = bootstrap(
            (values, baseline),
            ratio,
            paired=True,
            vectorized=True,
            axis=-1,
            n_resamples=RESAMPLES,
            confidence_level=LEVEL,
            method="percentile",
            rng=seed,
        )
    if not np.isfinite(result.bootstrap_distribution).all():
        return None
    low, high = result.confidence_interval
    return Interval(float(low), float(high))
