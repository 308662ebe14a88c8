"""Outages and repairs, and which processors jobs hold meanwhile."""

from typing import NamedTuple

from numba import njit

from utilitysched.model.state import Floats, Integers

NOBODY, BROKEN = -1, -2


class DownProcessors(NamedTuple):
    """Outages, and who holds which of p processors, none where nothing fails.

    Attributes
    ----------
    start, end : (d,) float64
        When each outage begins, in this order, and when it is repaired (s).
    low, high : (d,) int64
        Its processors: from `low` on, below `high`.
    repair_end, repairing : (p,)
        Repairs (s) of the outages under way, which come first, and the outages; the next one last.
    owner : (p,) int64
        The job on each processor, by place in arrival order, or `NOBODY`, or `BROKEN`.
    failed : (n,) int64
        How often each job failed.
    most : int
        Failures of a job after which it is taken never to end; or outages while nobody runs,
        after which jobs are taken never to start.
    """

    start: Floats
    end: Floats
    low: Integers
    high: Integers
    repair_end: Floats
    repairing: Integers
    owner: Integers
    failed: Integers
    most: int


@njit(cache=True)
def take(owner: Integers, job: int, count: int, low: Integers, high: Integers) -> int:
    """Hand out the lowest free processors as ascending ranges; return the number of ranges."""
    ranges, processor = 0, 0
    while count > 0:
        if owner[processor] == NOBODY:
            owner[processor] = job
            count -= 1
            if ranges > 0 and high[ranges - 1] == processor:
                high[ranges - 1] += 1
            else:
                low[ranges], high[ranges] = processor, processor + 1
                ranges += 1
        processor += 1
    return ranges


@njit(cache=True)
def first_holder(owner: Integers, low: int, high: int, number: Integers) -> int:
    """Return the job with the least number on processors from `low` on, below `high`, or nobody."""
    first = NOBODY
    for processor in range(low, high):
        job = owner[processor]
        if job >= 0 and (first == NOBODY or number[job] < number[first]):
            first = job
    return first
