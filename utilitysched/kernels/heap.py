"""A binary heap of running jobs by actual end, then job."""

from numba import njit

from utilitysched.state import Floats, Integers


@njit(cache=True)
def push(ends: Floats, jobs: Integers, count: int, end: float, job: int) -> None:
    """Add a job that ends at `end` (s) to a heap of `count` jobs."""
    i = count
    while i > 0:
        parent = (i - 1) // 2
        if ends[parent] < end or (ends[parent] == end and jobs[parent] < job):
            break
        ends[i] = ends[parent]
        jobs[i] = jobs[parent]
        i = parent
    ends[i] = end
    jobs[i] = job


@njit(cache=True)
def pop(ends: Floats, jobs: Integers, count: int) -> None:
    """Remove the first job of a heap of `count` jobs."""
    last = count - 1
    end = ends[last]
    job = jobs[last]
    i = 0
    child = 1
    while child < last:
        right = child + 1
        if right < last and (
            ends[right] < ends[child] or (ends[right] == ends[child] and jobs[right] < jobs[child])
        ):
            child = right
        if end < ends[child] or (end == ends[child] and job < jobs[child]):
            break
        ends[i] = ends[child]
        jobs[i] = jobs[child]
        i = child
        child = 2 * i + 1
    ends[i] = end
    jobs[i] = job
