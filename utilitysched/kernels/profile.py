"""The availability profile: how many processors are free from when on.

Columns `time` (s, strictly increasing) and `free` (processors) hold its steps; `steps[0]` of
them are in use, and the last lasts for ever. The kernels take the columns rather than a tuple of
them because they are called for every job at every pass.
"""

import numpy as np
from numba import njit

from utilitysched.placements.moment import Profile, Releases
from utilitysched.state import Floats, Integers


@njit(cache=True)
def build(now: float, free: int, releases: Releases, reservations: int) -> Profile:
    """Return the profile of the running jobs, with room for this many reservations."""
    room = 1 + len(releases.end) + 2 * reservations
    profile = Profile(np.empty(room), np.empty(room, np.int64), np.ones(1, np.int64))
    profile.time[0] = now
    profile.free[0] = free
    last = 0
    for i in range(len(releases.end)):
        if releases.end[i] > profile.time[last]:
            last += 1
            profile.time[last] = releases.end[i]
            profile.free[last] = profile.free[last - 1]
        profile.free[last] += releases.size[i]
    profile.steps[0] = last + 1
    return profile


@njit(cache=True)
def forget_before(time: Floats, free: Integers, steps: Integers, now: float) -> None:
    """Let the profile begin at `now`."""
    current = 0
    while current + 1 < steps[0] and time[current + 1] <= now:
        current += 1
    if current > 0:
        for i in range(current, steps[0]):
            time[i - current] = time[i]
            free[i - current] = free[i]
        steps[0] -= current
    time[0] = now


@njit(cache=True, inline="always")
def earliest(
    time: Floats, free: Integers, steps: Integers, size: int, duration: float, before: float
) -> float:
    """Return when `size` processors are first free for `duration` seconds.

    Parameters
    ----------
    time, free, steps : arrays
        The profile.
    size : int
        Processors wanted.
    duration : float
        For how long (s).
    before : float
        A time from which on they are free for that long anyway (s), infinite if there is none
        that is known: what is returned is never later.
    """
    count = steps[0]
    start = 0
    enough = np.inf
    for i in range(count):
        if time[i] >= before or time[i] >= enough:
            break
        if free[i] < size:
            start = i + 1
            enough = np.inf
        elif start == i:
            enough = time[i] + duration
            if duration <= 0.0:
                break
    if start == count:
        return before
    return min(time[start], before)


@njit(cache=True)
def _step_at(time: Floats, free: Integers, steps: Integers, when: float) -> int:
    """Return the step that begins at `when`, made if need be."""
    count = steps[0]
    at = count
    while at > 0 and time[at - 1] >= when:
        at -= 1
    if at == count or time[at] != when:
        for i in range(count, at, -1):
            time[i] = time[i - 1]
            free[i] = free[i - 1]
        time[at] = when
        free[at] = free[at - 1]
        steps[0] = count + 1
    return at


@njit(cache=True)
def _join(time: Floats, free: Integers, steps: Integers, at: int) -> None:
    """Remove the step `at` if nothing changes there."""
    if at == 0 or free[at] != free[at - 1]:
        return
    for i in range(at + 1, steps[0]):
        time[i - 1] = time[i]
        free[i - 1] = free[i]
    steps[0] -= 1


@njit(cache=True)
def occupy(
    time: Floats, free: Integers, steps: Integers, start: float, end: float, size: int
) -> None:
    """Take `size` processors out from `start` to `end` (s); a negative `size` gives back."""
    if end <= start:
        return
    first = _step_at(time, free, steps, start)
    last = _step_at(time, free, steps, end)
    for i in range(first, last):
        free[i] -= size
    _join(time, free, steps, last)
    _join(time, free, steps, first)
