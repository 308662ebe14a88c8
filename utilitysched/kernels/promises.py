"""Keeping promised starts."""

import math

import numpy as np
from numba import njit
from numpy.typing import NDArray

from utilitysched.kernels.profile import earliest, occupy
from utilitysched.kernels.selection import in_order
from utilitysched.model.scheduling_pass import Releases
from utilitysched.model.state import Floats, Integers


@njit(cache=True)
def compress(
    jobs: Integers,
    request: Floats,
    size: Integers,
    promised: Floats,
    time: Floats,
    free: Integers,
    steps: Integers,
) -> None:
    """Put each promise at its earliest feasible start, one job at a time, in this order.

    A job may use its own place in the profile (`time`, `free`, `steps`) again: another start is
    looked for only until then, and from then on there is room.
    """
    for i in range(len(jobs)):
        job = jobs[i]
        old = promised[job]
        if old == math.inf:
            continue
        new = earliest(time, free, steps, size[job], request[job], old)
        if new < old:
            occupy(time, free, steps, old, old + request[job], -size[job])
            occupy(time, free, steps, new, new + request[job], size[job])
            promised[job] = new


@njit(cache=True)
def promise(
    jobs: Integers,
    request: Floats,
    size: Integers,
    promised: Floats,
    time: Floats,
    free: Integers,
    steps: Integers,
) -> None:
    """Promise each job that has no promise yet its earliest feasible start."""
    for i in range(len(jobs)):
        job = jobs[i]
        if promised[job] == math.inf:
            start = earliest(time, free, steps, size[job], request[job], math.inf)
            occupy(time, free, steps, start, start + request[job], size[job])
            promised[job] = start


@njit(cache=True)
def plan_anew(
    now: float,
    free_now: int,
    releases: Releases,
    jobs: Integers,
    request: Floats,
    size: Integers,
    promised: Floats,
    time: Floats,
    free: Integers,
    steps: Integers,
) -> None:
    """Break all promises, and promise each job its earliest feasible start, in this order.

    Who runs past its limit may end at any moment, so it holds nothing in the profile.
    """
    count = 0
    time[0], free[0] = now, free_now
    for i in range(len(releases.end)):
        end = releases.end[i]
        if end > np.nextafter(now, np.inf) and end > time[count]:
            count += 1
            time[count], free[count] = end, free[count - 1]
        free[count] += size[releases.job[i]]
    steps[0] = count + 1
    for i in range(len(jobs)):
        promised[jobs[i]] = np.inf
    promise(jobs, request, size, promised, time, free, steps)


@njit(cache=True)
def start_due(
    now: float,
    processors: int,
    jobs: Integers,
    score: Floats,
    size: Integers,
    promised: Floats,
    started: NDArray[np.bool_],
) -> float:
    """Mark the jobs whose promised start has come; return the next one still to come (s).

    A job without run time may hold processors until the next pass of this instant, so a job
    starts only if it fits in the free `processors`.
    """
    next_start = math.inf
    due = 0
    for i in range(len(jobs)):
        if promised[jobs[i]] <= now:
            due += 1
        else:
            next_start = min(next_start, promised[jobs[i]])
    if due == 0:
        return next_start
    ordered = in_order(jobs, score)
    for i in range(len(ordered)):
        job = ordered[i]
        if promised[job] <= now and size[job] <= processors:
            started[job] = True
            processors -= size[job]
    return next_start
