"""Running jobs by actual end: sorted columns, the next one last, kept so by insertion.

Most jobs are shorter than those already running, so a new one goes near the end; on real logs
this is faster than a binary heap.
"""

from numba import njit

from utilitysched.model.state import Floats, Integers


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
