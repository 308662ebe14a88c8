"""Processors by number: who holds which."""

from copy import copy
from typing import Self

import numpy as np

from utilitysched.model.state import Floats, Integers

NOBODY = -1
BROKEN = -2


class Processors:
    """The processors of a machine, each held by at most one job, or down.

    Parameters
    ----------
    count : int
        How many, numbered from 0.
    rate : (count,) float64, optional
        How often each fails: the free one that fails least often is handed out first, at equal
        rates the lowest; without it, the lowest.
    """

    def __init__(self, count: int, rate: Floats | None = None) -> None:
        self._owner = np.full(count, NOBODY, dtype=np.int64)
        self._order = None if rate is None else np.argsort(rate, kind="stable")
        self._held: dict[int, Integers] = {}

    def fork(self) -> Self:
        """Return the same, to go on separately."""
        other = copy(self)
        other._owner = self._owner.copy()
        other._held = self._held.copy()
        return other

    def take(self, job: int, count: int) -> None:
        """Hand free processors out."""
        if self._order is None:
            free = np.flatnonzero(self._owner == NOBODY)
        else:
            free = self._order[self._owner[self._order] == NOBODY]
        self._held[job] = held = free[:count]
        self._owner[held] = job

    def give_back(self, job: int) -> str:
        """Take those of a job back; return which, as ranges, for instance ``0-7 9``."""
        held = self._held.pop(job)
        self._owner[held] = NOBODY
        return in_ranges(np.sort(held))

    def fail(self, low: int, high: int) -> None:
        """Take processors out from `low` on, below `high`, that no job holds."""
        self._owner[low:high] = BROKEN

    def repair(self, low: int, high: int) -> None:
        """Have them back."""
        self._owner[low:high] = NOBODY

    def holders(self, low: int, high: int) -> list[int]:
        """Return the jobs on some of the processors from `low` on, below `high`, ascending."""
        found = np.unique(self._owner[low:high])
        holders: list[int] = found[found >= 0].tolist()
        return holders

    def between(self, job: int, bounds: Integers) -> bytes:
        """Return how many of those of a job are between which ascending bounds."""
        place = np.searchsorted(bounds, self._held[job], side="right")
        return np.bincount(place, minlength=len(bounds) + 1).tobytes()


def in_ranges(numbers: Integers) -> str:
    """Write ascending numbers as ranges.

    Examples
    --------
    >>> in_ranges(np.array([0, 1, 2, 5, 7, 8]))
    '0-2 5 7-8'
    """
    breaks = np.flatnonzero(np.diff(numbers) > 1)
    first = numbers[np.append(0, breaks + 1)].tolist()
    last = numbers[np.append(breaks, len(numbers) - 1)].tolist()
    return " ".join(
        str(low) if low == high else f"{low}-{high}" for low, high in zip(first, last, strict=True)
    )
