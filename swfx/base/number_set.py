"""A set of whole numbers that grows."""

from __future__ import annotations

import numpy as np

from swfx.base.columns import Bools, Ints

__all__ = ["NumberSet"]


class NumberSet:
    """Numbers, each added once, in a few sorted arrays, each more than twice as long as the next.

    n numbers that come in parts cost O(n log n) together, and m questions O(m log^2 n).

    Examples
    --------
    >>> numbers = NumberSet()
    >>> numbers.add(np.array([7, 3]))
    >>> numbers.has(np.array([1, 3, 7])).tolist()
    [False, True, True]
    """

    def __init__(self) -> None:
        self._sorted: list[Ints] = []

    def __len__(self) -> int:
        return sum(map(len, self._sorted))

    @property
    def arrays(self) -> int:
        """Number of arrays, each of which a question looks into."""
        return len(self._sorted)

    def add(self, numbers: Ints) -> None:
        """Add numbers."""
        if not len(numbers):
            return
        self._sorted.append(np.sort(numbers))
        while len(self._sorted) > 1 and len(self._sorted[-2]) <= 2 * len(self._sorted[-1]):
            last = self._sorted.pop()
            both = np.concatenate([self._sorted[-1], last])
            self._sorted[-1] = np.sort(both, kind="stable")  # which merges what is sorted

    def has(self, numbers: Ints) -> Bools:
        """Whether each of the numbers, (n,), is among them."""
        held = np.zeros(len(numbers), np.bool_)
        for some in self._sorted:
            near = np.flatnonzero((numbers >= some[0]) & (numbers <= some[-1]))
            held[near] |= some[np.searchsorted(some, numbers[near])] == numbers[near]
        return held
