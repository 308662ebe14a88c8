"""Running jobs by expected end, in sorted columns, and the shadow time that follows from them."""

import numpy as np

from utilitysched.kernels.compiling import inner, kernel, leaf, leaf_kernel
from utilitysched.kernels.selection import copy
from utilitysched.model.scheduling_pass import Releases
from utilitysched.model.state import Floats, Integers


@leaf
def add_release(ends: Floats, owner: Integers, count: int, end: float, what: int) -> None:
    """Insert a job among `count`, behind those that are expected to end no later.

    `what` goes into the column `owner`: its number, or its processors.
    """
    k = count
    while k > 0 and ends[k - 1] > end:
        ends[k] = ends[k - 1]
        owner[k] = owner[k - 1]
        k -= 1
    ends[k] = end
    owner[k] = what


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


@inner
def due_by(releases: Releases, now: float) -> Releases:
    """Return when running jobs are expected to end: who is past its limit, at any moment."""
    return Releases(np.maximum(releases.end, np.nextafter(now, np.inf)), releases.job)


@leaf_kernel
def add_ending(ends: Floats, jobs: Integers, count: int, end: float, job: int) -> None:
    """Insert a job that ends at `end` (s) among `count`, at equal ends by job."""
    k = count
    while k > 0 and (ends[k - 1] < end or (ends[k - 1] == end and jobs[k - 1] < job)):
        ends[k] = ends[k - 1]
        jobs[k] = jobs[k - 1]
        k -= 1
    ends[k] = end
    jobs[k] = job


@leaf
def remove_ending(ends: Floats, jobs: Integers, count: int, job: int) -> None:
    """Remove a job from among `count`."""
    k = 0
    while jobs[k] != job:
        k += 1
    for i in range(k, count - 1):
        ends[i] = ends[i + 1]
        jobs[i] = jobs[i + 1]


@leaf
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


@kernel
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
        copy(release_end, end)
        copy(release_job, job)
        for k in range(len(begun)):
            add_release(end, job, count + k, now + request[begun[k]], begun[k])
    time, _, extra = reservation(need, free, end, size, job)
    return time, extra
