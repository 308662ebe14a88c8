"""Who holds which processors."""

from collections.abc import Sequence
from copy import copy
from itertools import groupby
from typing import Self

import numpy as np

from utilitysched.model.state import Floats, Integers

NOBODY = -1


class Processors:
    """The processors of a machine, each held by at most one job.

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
        self._order = np.arange(count) if rate is None else np.argsort(rate, kind="stable")
        self._held: dict[int, Integers] = {}

    def copy(self) -> Self:
        """Return the same, to go on separately."""
        other = copy(self)
        other._owner = self._owner.copy()
        other._held = self._held.copy()
        return other

    def take(self, job: int, count: int) -> None:
        """Hand free processors out."""
        free = self._order[self._owner[self._order] == NOBODY]
        self.take_these(job, free[:count])

    def take_these(self, job: int, processors: Integers) -> None:
        """Hand these out, which are free."""
        self._held[job] = processors
        self._owner[processors] = job

    def give_back(self, job: int) -> None:
        """Take those of a job back."""
        self._owner[self._held.pop(job)] = NOBODY

    def holders(self, low: int, high: int) -> list[int]:
        """Return who holds some of the processors from `low` on, below `high`, ascending."""
        found = np.unique(self._owner[low:high])
        holders: list[int] = found[found != NOBODY].tolist()
        return holders

    def between(self, job: int, bounds: Integers) -> bytes:
        """Return how many of those of a job are between which ascending bounds."""
        place = np.searchsorted(bounds, self._held[job], side="right")
        return np.bincount(place, minlength=len(bounds) + 1).tobytes()

    def text(self, job: int) -> str:
        """Return the processors of a job as ranges, for instance ``0-7 9``."""
        return in_ranges(np.sort(self._held[job]).tolist())


def in_ranges(numbers: Sequence[int]) -> str:
    """Write ascending numbers as ranges.

    Examples
    --------
    >>> in_ranges([0, 1, 2, 5, 7, 8])
    '0-2 5 7-8'
    """
    runs = groupby(enumerate(numbers), key=lambda pair: pair[1] - pair[0])
    ranges = ([number for _, number in run] for _, run in runs)
    return " ".join(str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in ranges)
