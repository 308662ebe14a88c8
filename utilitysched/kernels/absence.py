"""Compiled changes of a queue: without a job, and with that job running."""

import numpy as np
from numba import njit

from utilitysched.kernels.fitness import Worth
from utilitysched.kernels.plan import Queue


@njit(cache=True)
def without(queue: Queue, job: int) -> Queue:
    """Return the queue without one of its jobs."""
    return Queue(
        queue.now,
        queue.free,
        queue.pinned - (job < queue.pinned),
        np.concatenate((queue.size[:job], queue.size[job + 1 :])),
        np.concatenate((queue.request[:job], queue.request[job + 1 :])),
        queue.release_time,
        queue.release_size,
    )


@njit(cache=True)
def worth_without(worth: Worth, job: int) -> Worth:
    """Return what the jobs but one are worth."""
    return Worth(
        np.concatenate((worth.submit[:job], worth.submit[job + 1 :])),
        np.concatenate((worth.duration[:job], worth.duration[job + 1 :])),
        np.concatenate((worth.first[:job], worth.first[job + 1 :])),
        np.concatenate((worth.last[:job], worth.last[job + 1 :])),
        worth.times,
        worth.values,
    )


@njit(cache=True)
def occupied(queue: Queue, size: int, duration: float) -> Queue:
    """Return the queue with `size` of the free processors in use from now on for `duration` (s)."""
    end = queue.now + duration
    later = np.searchsorted(queue.release_time, end, side="right")
    time, held = queue.release_time, queue.release_size
    return Queue(
        queue.now,
        queue.free - size,
        queue.pinned,
        queue.size,
        queue.request,
        np.concatenate((time[:later], np.array([end]), time[later:])),
        np.concatenate((held[:later], np.array([size]), held[later:])),
    )
