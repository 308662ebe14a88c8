"""Shadow time of the head of the queue."""

import numpy as np
from numba import njit

from utilitysched.kernels.releases import add_release
from utilitysched.model.state import Floats, Integers


@njit(cache=True)
def reservation(
    need: int, free: int, time: Floats, size: Integers, job: Integers | None = None
) -> tuple[float, int, int]:
    """Return when a job that needs more than the free processors can start at the latest.

    Parameters
    ----------
    need, free : int
        Processors the job needs, and those free now; less than it needs.
    time : (r,) float64
        Releases in order of time (s).
    size : (r,) or (n,) int64
        Their processors, or those of all jobs.
    job : (r,) int64, optional
        In the second case, the jobs that are released.

    Returns
    -------
    shadow : float
        That time (s); all releases at it count.
    peak : int
        Most processors free before it.
    extra : int
        Processors the job leaves over at it.
    """
    i = 0
    peak = free
    while True:
        shadow = time[i]
        free_then = peak
        while i < len(time) and time[i] == shadow:
            free_then += size[i] if job is None else size[job[i]]
            i += 1
        if free_then >= need:
            return shadow, peak, free_then - need
        peak = free_then


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
    end, job = release_end, release_job
    if len(begun) > 0:
        count = len(release_end)
        end, job = np.empty(count + len(begun)), np.empty(count + len(begun), np.int64)
        end[:count], job[:count] = release_end, release_job
        for k in range(len(begun)):
            add_release(end, job, count + k, now + request[begun[k]], begun[k])
    time, _, extra = reservation(need, free, end, size, job)
    return time, extra
