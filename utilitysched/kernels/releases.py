"""Running jobs by expected end: sorted columns, kept so by insertion."""

import numpy as np
from numba import njit

from utilitysched.kernels.compiling import leaf
from utilitysched.model.scheduling_pass import Releases
from utilitysched.model.state import Floats, Integers


@leaf
def add_release(ends: Floats, whose: Integers, count: int, end: float, what: int) -> None:
    """Insert a job among `count`, behind those that are expected to end no later.

    `what` goes into the column `whose`: its number, or its processors.
    """
    k = count
    while k > 0 and ends[k - 1] > end:
        ends[k] = ends[k - 1]
        whose[k] = whose[k - 1]
        k -= 1
    ends[k] = end
    whose[k] = what


@leaf
def remove_release(ends: Floats, jobs: Integers, count: int, end: float, job: int) -> None:
    """Remove a job that was expected to end at `end` (s) from among `count`."""
    low = 0
    high = count
    while low < high:
        middle = (low + high) // 2
        if ends[middle] < end:
            low = middle + 1
        else:
            high = middle
    while jobs[low] != job:
        low += 1
    for k in range(low, count - 1):
        ends[k] = ends[k + 1]
        jobs[k] = jobs[k + 1]


@njit(cache=True)
def due_by(releases: Releases, now: float) -> Releases:
    """Return when running jobs are expected to end: who is past its limit, at any moment."""
    return Releases(np.maximum(releases.end, np.nextafter(now, np.inf)), releases.job)


@njit(cache=True)
def add_ending(ends: Floats, jobs: Integers, count: int, end: float, job: int) -> None:
    """Insert a job that ends at `end` (s) among `count`, at equal ends by job."""
    k = count
    while k > 0 and (ends[k - 1] < end or (ends[k - 1] == end and jobs[k - 1] < job)):
        ends[k] = ends[k - 1]
        jobs[k] = jobs[k - 1]
        k -= 1
    ends[k] = end
    jobs[k] = job


@njit(cache=True)
def remove_ending(ends: Floats, jobs: Integers, count: int, job: int) -> None:
    """Remove a job from among `count`."""
    k = 0
    while jobs[k] != job:
        k += 1
    for i in range(k, count - 1):
        ends[i] = ends[i + 1]
        jobs[i] = jobs[i + 1]
