"""A binary heap of running jobs by actual end."""

from typing import NamedTuple

import numpy as np
from numba import njit

from utilitysched.state import Floats, Integers


class Heap(NamedTuple):
    """Jobs by (end, index), the earliest at 0.

    Attributes
    ----------
    end : (c,) float64
        Actual ends (s).
    job : (c,) int64
        Jobs.
    filled : (1,) int64
        Jobs in the heap.
    """

    end: Floats
    job: Integers
    filled: Integers

    @classmethod
    def blank(cls, room: int) -> "Heap":
        """Return an empty heap with room for this many jobs."""
        return cls(np.empty(room), np.empty(room, np.int64), np.zeros(1, np.int64))


@njit(cache=True)
def _before(heap: Heap, a: int, b: int) -> bool:
    return heap.end[a] < heap.end[b] or (heap.end[a] == heap.end[b] and heap.job[a] < heap.job[b])


@njit(cache=True)
def _swap(heap: Heap, a: int, b: int) -> None:
    heap.end[a], heap.end[b] = heap.end[b], heap.end[a]
    heap.job[a], heap.job[b] = heap.job[b], heap.job[a]


@njit(cache=True)
def push(heap: Heap, end: float, job: int) -> None:
    """Add a job that ends at `end` (s)."""
    i = heap.filled[0]
    heap.end[i] = end
    heap.job[i] = job
    heap.filled[0] = i + 1
    while i > 0 and _before(heap, i, (i - 1) // 2):
        _swap(heap, i, (i - 1) // 2)
        i = (i - 1) // 2


@njit(cache=True)
def pop(heap: Heap) -> int:
    """Remove the job that ends first and return it."""
    job = heap.job[0]
    last = heap.filled[0] - 1
    heap.end[0] = heap.end[last]
    heap.job[0] = heap.job[last]
    heap.filled[0] = last
    i = 0
    while True:
        least = i
        for child in (2 * i + 1, 2 * i + 2):
            if child < last and _before(heap, child, least):
                least = child
        if least == i:
            return int(job)
        _swap(heap, i, least)
        i = least
