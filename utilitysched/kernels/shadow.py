"""When the head of the queue can start."""

import numpy as np
from numba import njit

from utilitysched.placements.moment import Releases
from utilitysched.state import Integers, Known


@njit(cache=True)
def _sorted_by_end(known: Known, jobs: Integers) -> Integers:
    """Return `jobs`, all started at one instant, by requested time."""
    ordered = jobs.copy()
    for i in range(1, len(ordered)):
        job = ordered[i]
        k = i
        while k > 0 and known.request[ordered[k - 1]] > known.request[job]:
            ordered[k] = ordered[k - 1]
            k -= 1
        ordered[k] = job
    return ordered


@njit(cache=True)
def shadow(
    now: float, free: int, releases: Releases, known: Known, begun: Integers, need: int
) -> tuple[float, int]:
    """Return when `need` processors will be free, and how many more there will be then.

    Parameters
    ----------
    now : float
        The instant of the pass (s).
    free : int
        Processors free after the jobs in `begun` have started.
    releases : Releases
        Expected ends of the jobs that were running before.
    begun : (b,) int64
        Jobs started in this pass.
    need : int
        Processors wanted; more than are free, at most the machine's.

    Returns
    -------
    time : float
        Shadow time (s): all releases at it count.
    extra : int
        Processors free at that time beyond the need.
    """
    fresh = _sorted_by_end(known, begun)
    i = 0
    k = 0
    time = now
    while free < need or _next_end(now, releases, known, fresh, i, k) == time:
        time = _next_end(now, releases, known, fresh, i, k)
        if i < len(releases.end) and releases.end[i] == time:
            free += releases.size[i]
            i += 1
        else:
            free += known.size[fresh[k]]
            k += 1
    return time, free - need


@njit(cache=True)
def _next_end(
    now: float, releases: Releases, known: Known, fresh: Integers, i: int, k: int
) -> float:
    running = releases.end[i] if i < len(releases.end) else np.inf
    begun = now + known.request[fresh[k]] if k < len(fresh) else np.inf
    return min(running, begun)
