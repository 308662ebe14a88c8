"""Means by which pairs are compared with a baseline; pairs stand along an axis."""

from collections.abc import Callable, Mapping
from typing import Any, Literal, NamedTuple

import numpy as np

from utilitysched.analysis.statistics.pairing import Floats

MeanName = Literal["arithmetic", "geometric", "median", "difference"]
"""Names of the means."""


def ratio_of_means(values: Floats, baseline: Floats, axis: int = -1) -> Floats:
    """Divide the mean of the values by the mean of the baseline; nan unless the latter is above 0.

    Examples
    --------
    >>> float(ratio_of_means(np.array([2.0, 4.0]), np.array([1.0, 3.0])))
    1.5
    """
    return _ratio(values.mean(axis), baseline.mean(axis))


def ratio_of_medians(values: Floats, baseline: Floats, axis: int = -1) -> Floats:
    """Divide the median of the values by that of the baseline; nan unless the latter is above 0.

    Examples
    --------
    >>> float(ratio_of_medians(np.array([2.0, 3.0, 90.0]), np.array([1.0, 2.0, 9.0])))
    1.5
    """
    return _ratio(np.median(values, axis), np.median(baseline, axis))


def _ratio(over: Floats, under: Floats) -> Floats:
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(under > 0, over / under, np.nan)


def difference_of_means(values: Floats, baseline: Floats, axis: int = -1) -> Floats:
    """Return the mean of the differences of the pairs.

    Examples
    --------
    >>> float(difference_of_means(np.array([2.0, 4.0]), np.array([1.0, 1.0])))
    2.0
    """
    difference: Floats = (values - baseline).mean(axis)
    return difference


def ratio_of_geometric_means(values: Floats, baseline: Floats, axis: int = -1) -> Floats:
    """Return the geometric mean of the ratios of the pairs; nan unless every value is above 0.

    Examples
    --------
    >>> round(float(ratio_of_geometric_means(np.array([2.0, 1.0]), np.array([1.0, 2.0]))), 12)
    1.0
    """
    ratio: Floats = np.exp(log_ratio(values, baseline).mean(axis))
    return ratio


def log_ratio(values: Floats, baseline: Floats) -> Floats:
    """Return the logarithm of each pair's ratio; nan unless both values are above 0.

    Equal ratios have equal logarithms, which the difference of two logarithms would not give.
    """
    positive = (values > 0) & (baseline > 0)
    over, under = np.where(positive, values, np.nan), np.where(positive, baseline, np.nan)
    logarithm: Floats = np.log(over / under)
    return logarithm


class Mean(NamedTuple):
    """A way to sum up pairs.

    Attributes
    ----------
    ratio : callable
        Of values, baseline and an axis: the ratio of the means, or their difference.
    difference : callable
        Of values and baseline: each pair's difference whose sign and rank are tested.
    middle : callable
        Of values: what stands beside the ratio.
    """

    ratio: Callable[[Floats, Floats, int], Floats]
    difference: Callable[[Floats, Floats], Floats]
    middle: Callable[[Floats], Any] = np.mean


MEANS: dict[MeanName, Mean] = {
    "arithmetic": Mean(ratio_of_means, np.subtract),
    "geometric": Mean(ratio_of_geometric_means, log_ratio),
    "median": Mean(ratio_of_medians, np.subtract, np.median),
    "difference": Mean(difference_of_means, np.subtract),
}
"""The arithmetic mean counts each pair by its size, the geometric mean counts all alike.

The median is for pairs of which a few would decide a mean, windows of a log among them.

By differences are compared what may be 0 or less, shares of a gap among them.
"""


def to_baseline(values: Mapping[str, float], baseline: str) -> dict[str, float]:
    """Return the ratios of values to the baseline's, by name; none without it, or if it is 0."""
    base = values.get(baseline)
    return {name: value / base for name, value in values.items()} if base else {}
