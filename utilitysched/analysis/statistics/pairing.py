"""Pairs of values of two candidates under the same circumstances, and means over them."""

import math
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from statistics import mean
from typing import Any, Literal, NamedTuple

import numpy as np

from swfx.base.columns import Floats

Runs = Mapping[Hashable, Sequence[float | None]]
"""By circumstances, for instance (workload, slice, seed of the utilities): a value per repeat."""


class UnpairedRuns(NamedTuple):
    """Circumstances, by their key, that do not make a pair, and why."""

    key: Hashable
    reason: str


@dataclass(frozen=True, eq=False)
class Pairs:
    """A value and the baseline's under the same circumstances, pair by pair.

    Attributes
    ----------
    keys : tuple of hashable
        The circumstances, n of them.
    values, baseline : ndarray, shape (n,)
        Finite; of any unit, the same for both.
    left_out : tuple of UnpairedRuns
        Circumstances without a pair.

    Raises
    ------
    ValueError
        If the shapes differ or a value is not finite.
    """

    keys: tuple[Hashable, ...]
    values: Floats
    baseline: Floats
    left_out: tuple[UnpairedRuns, ...] = ()

    def __post_init__(self) -> None:
        if not (len(self.keys),) == self.values.shape == self.baseline.shape:
            raise ValueError("keys, values and baseline must be as many as each other")
        if not (np.isfinite(self.values).all() and np.isfinite(self.baseline).all()):
            raise ValueError("values of a pair must be finite; leave out what is not defined")

    def __len__(self) -> int:
        return len(self.keys)


def pair(values: Runs, baseline: Runs) -> Pairs:
    """Average the repeats of either side, then put equal circumstances side by side.

    Repeats share workload and utilities, so they are no independent draws: four of them tell
    little more about another workload than one does. Only their mean enters the pair. A mean over
    the repeats that happen to be defined would be of another quantity, so one that is not defined
    leaves the pair out.

    Parameters
    ----------
    values, baseline : mapping of hashable to sequence of float or None
        Values of the repeats; None, nan and infinity are not defined. The numbers of repeats
        may differ.

    Examples
    --------
    >>> baseline = {"a": [2.0], "b": [3.0], "c": [1.0]}
    >>> pairs = pair({"a": [3.0, 5.0], "b": [6.0], "c": [None]}, baseline)
    >>> pairs.values.tolist(), pairs.baseline.tolist()
    ([4.0, 6.0], [2.0, 3.0])
    >>> pairs.left_out
    (UnpairedRuns(key='c', reason='not defined'),)
    """
    kept: list[tuple[Hashable, float, float]] = []
    left_out: list[UnpairedRuns] = []
    for key in dict.fromkeys((*baseline, *values)):
        ours, theirs = _mean(values.get(key, ())), _mean(baseline.get(key, ()))
        if isinstance(ours, float) and isinstance(theirs, float):
            kept.append((key, ours, theirs))
        else:
            left_out.append(UnpairedRuns(key, _reason(ours, theirs)))
    keys, first, second = zip(*kept, strict=True) if kept else ((), (), ())
    return Pairs(keys, np.array(first, float), np.array(second, float), tuple(left_out))


def pooled(pairs: Pairs, origin: Callable[[Hashable], Hashable]) -> Pairs:
    """Average the pairs of one origin on either side, so that each origin is one pair.

    Draws of utility functions on one log are to other logs what repeats are to other draws: many
    of them say much about this log, and little about another one. What is to be said of several
    workloads has to come from as many values as there are workloads.

    Parameters
    ----------
    pairs : Pairs
        Any number.
    origin : callable
        What the pairs of a key have in common: its workload.

    Examples
    --------
    >>> keys = (("log", 1), ("log", 2), ("other", 1))
    >>> pairs = Pairs(keys, np.array([1.0, 3.0, 6.0]), np.array([1.0, 2.0, 4.0]))
    >>> found = pooled(pairs, lambda key: key[0])
    >>> found.keys, found.values.tolist(), found.baseline.tolist()
    (('log', 'other'), [2.0, 6.0], [1.5, 4.0])
    """
    members: dict[Hashable, list[int]] = {}
    for place, key in enumerate(pairs.keys):
        members.setdefault(origin(key), []).append(place)
    values, baseline = (
        np.array([mean(column[places].tolist()) for places in members.values()], float)
        for column in (pairs.values, pairs.baseline)
    )
    return Pairs(tuple(members), values, baseline, pairs.left_out)


def _mean(repeats: Sequence[float | None]) -> float | str:
    """Return the mean, or why there is none; the mean of equal values is that value exactly."""
    numbers = [value for value in repeats if value is not None and math.isfinite(value)]
    if not repeats:
        return "not run"
    return float(mean(numbers)) if len(numbers) == len(repeats) else "not defined"


def _reason(ours: float | str, theirs: float | str) -> str:
    return ours if isinstance(ours, str) else f"baseline {theirs}"


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
