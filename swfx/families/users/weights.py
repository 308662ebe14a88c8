"""Whole weights that change, and draws in proportion to them."""

from __future__ import annotations

__all__ = ["Weights"]


class Weights:
    """Weights of places 0 to n - 1, all 0 at first, as a Fenwick tree.

    Examples
    --------
    >>> weights = Weights(3)
    >>> weights.add(0, 2)
    >>> weights.add(2, 1)
    >>> weights.total, weights.find(1.9), weights.find(2.0)
    (3, 0, 2)
    """

    def __init__(self, places: int) -> None:
        self.total = 0
        self._sums = [0] * (places + 1)
        self._top = 1 << places.bit_length() >> 1

    def add(self, place: int, weight: int) -> None:
        """Add to the weight of a place."""
        self.total += weight
        place += 1
        while place < len(self._sums):
            self._sums[place] += weight
            place += place & -place

    def find(self, amount: float) -> int:
        """First place with which the weights together are more than an amount below `total`."""
        place, step = 0, self._top
        while step:
            further = place + step
            if further < len(self._sums) and self._sums[further] <= amount:
                place = further
                amount -= self._sums[further]
            step >>= 1
        return place
