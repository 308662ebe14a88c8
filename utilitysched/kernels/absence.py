"""Compiled changes of a queue: some of its jobs alone, and processors taken by other jobs."""

import numpy as np
from numba import njit
from numpy.typing import NDArray

from utilitysched.kernels.fitness import Worth, lone_starts, planned_values
from utilitysched.kernels.plan import PlannedQueue
from utilitysched.model.state import Floats, Integers


@njit(cache=True)
def lone_values(queue: PlannedQueue, worth: Worth) -> Floats:
    """Return what each job would get if no other were in the queue (SU): the most it can."""
    start = np.empty(len(queue.size))
    lone_starts(queue, start)
    values = np.empty(len(start))
    planned_values(start, worth, values)
    return values


@njit(cache=True)
def only(queue: PlannedQueue, kept: NDArray[np.bool_]) -> PlannedQueue:
    """Return the queue of some of its jobs."""
    return PlannedQueue(
        queue.now,
        queue.free,
        int(np.count_nonzero(kept[: queue.pinned])),
        queue.size[kept],
        queue.request[kept],
        queue.later[kept[len(kept) - len(queue.later) :]],
        queue.release_time,
        queue.release_size,
    )


@njit(cache=True)
def worth_of_only(worth: Worth, kept: NDArray[np.bool_]) -> Worth:
    """Return what some of the jobs are worth."""
    return Worth(
        worth.submit[kept],
        worth.duration[kept],
        worth.first[kept],
        worth.last[kept],
        worth.times,
        worth.values,
    )


@njit(cache=True)
def occupied(queue: PlannedQueue, size: Integers, duration: Floats) -> PlannedQueue:
    """Return the queue with free processors in use from now on: `size` each for `duration` (s)."""
    time = np.concatenate((queue.release_time, queue.now + duration))
    held = np.concatenate((queue.release_size, size))
    by_time = np.argsort(time, kind="mergesort")
    return PlannedQueue(
        queue.now,
        queue.free - size.sum(),
        queue.pinned,
        queue.size,
        queue.request,
        queue.later,
        time[by_time],
        held[by_time],
    )
