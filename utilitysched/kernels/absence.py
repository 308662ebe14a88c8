"""Compiled changes of a queue: some of its jobs alone, and processors taken by another job."""

import numpy as np
from numba import njit
from numpy.typing import NDArray

from utilitysched.kernels.fitness import Worth, lone_starts, planned_values
from utilitysched.kernels.plan import PlannedQueue
from utilitysched.model.state import Floats


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
def occupied(queue: PlannedQueue, size: int, duration: float) -> PlannedQueue:
    """Return the queue with `size` of the free processors in use from now on for `duration` (s)."""
    end = queue.now + duration
    later = np.searchsorted(queue.release_time, end, side="right")
    time, held = queue.release_time, queue.release_size
    return PlannedQueue(
        queue.now,
        queue.free - size,
        queue.pinned,
        queue.size,
        queue.request,
        queue.later,
        np.concatenate((time[:later], np.array([end]), time[later:])),
        np.concatenate((held[:later], np.array([size]), held[later:])),
    )
