"""Processors by number: who holds which."""

from copy import copy
from typing import Self

import numpy as np

from swfx.base.ranges import ranges_text
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

    def take(self, job: int, count: int, wanted: Integers | None = None) -> None:
        """Hand free processors out: those that are wanted, if any are."""
        if wanted is not None:
            held = wanted
        elif self._order is None:
            held = np.flatnonzero(self._owner == NOBODY)[:count]
        else:
            held = self._order[self._owner[self._order] == NOBODY][:count]
        self._held[job] = held
        self._owner[held] = job

    def give_back(self, job: int) -> str:
        """Take those of a job back; return which, as ranges, for instance ``0-7 9``."""
        held = self._held.pop(job)
        self._owner[held] = NOBODY
        return ranges_text(np.sort(held))

    def fail(self, low: int, high: int) -> None:
        """Take processors out from `low` on, below `high`, that no job holds."""
        self._owner[low:high] = BROKEN

    def repair(self, low: int, high: int) -> None:
        """Return repaired processors to the free ones."""
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
