"""Pairs of values of two candidates under the same circumstances."""

import math
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from statistics import mean
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

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
