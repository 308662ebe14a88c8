"""Shadow time of the head of the queue."""

import numpy as np
from numba import njit

from utilitysched.model.state import Floats, Integers


@njit(cache=True)
def _by_request(jobs: Integers, request: Floats) -> Integers:
    """Return `jobs`, all started at one instant, by requested time."""
    ordered = jobs.copy()
    for i in range(1, len(ordered)):
        job = ordered[i]
        k = i
        while k > 0 and request[ordered[k - 1]] > request[job]:
            ordered[k] = ordered[k - 1]
            k -= 1
        ordered[k] = job
    return ordered


@njit(cache=True)
def shadow(
    now: float,
    free: int,
    release_end: Floats,
    release_job: Integers,
    request: Floats,
    size: Integers,
    begun: Integers,
    need: int,
) -> tuple[float, int]:
    """Return when `need` processors will be free, and how many more there will be then.

    Parameters
    ----------
    now : float
        The instant of the pass (s).
    free : int
        Processors free after the jobs in `begun` have started; fewer than `need`.
    release_end, release_job : (m,)
        Expected ends (s), non-decreasing, of the jobs that were running before, and the jobs.
    request, size : (n,)
        Requested times (s) and processors of all jobs.
    begun : (b,) int64
        Jobs started in this pass.
    need : int
        Processors wanted, at most the machine's.

    Returns
    -------
    time : float
        Shadow time (s): all releases at it count.
    extra : int
        Processors free at that time beyond the need.
    """
    fresh = _by_request(begun, request)
    i = 0
    k = 0
    time = now
    while True:
        earliest = np.inf
        if i < len(release_end):
            earliest = release_end[i]
        if k < len(fresh) and now + request[fresh[k]] < earliest:
            earliest = now + request[fresh[k]]
        if free >= need and earliest != time:
            return time, free - need
        time = earliest
        if i < len(release_end) and release_end[i] == time:
            free += size[release_job[i]]
            i += 1
        else:
            free += size[fresh[k]]
            k += 1
