"""The availability profile: how many processors are free from when on.

Columns `time` (s, strictly increasing) and `free` (processors) hold its steps; `steps[0]` of
them are in use, and the last lasts for ever. The kernels take the columns rather than a tuple of
them because they are called for every job at every pass.
"""

import math

import numpy as np
from numba import njit

from utilitysched.model.scheduling_pass import Profile, Releases
from utilitysched.model.state import Floats, Integers


@njit(cache=True)
def build(now: float, free: int, releases: Releases, size: Integers, reservations: int) -> Profile:
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
        profile.free[last] += size[releases.job[i]]
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


@njit(cache=True)
def first_gap(
    time: Floats,
    free: Integers,
    count: int,
    at: int,
    size: int,
    duration: float,
    before: float,
) -> tuple[int, int]:
    """Return from which step on `size` processors are free for long enough, and how many are.

    Parameters
    ----------
    time, free : arrays
        The profile's columns, of which `count` steps are in use.
    at : int
        The step to begin with.
    size : int
        Processors wanted.
    duration : float
        For how long (s).
    before : float
        From this time on (s) they are free anyway: only an earlier start is looked for.

    Returns
    -------
    start : int
        The step, `count` if there is none.
    least : int
        The fewest processors free meanwhile.
    """
    start = at
    least = 0
    enough = math.inf
    i = at
    while i < count and time[i] < before and time[i] < enough:
        if free[i] < size:
            start = i + 1
            enough = math.inf
        elif start == i:
            enough = time[i] + duration
            least = free[i]
        else:
            least = min(least, free[i])
        i += 1
    if start < count and time[start] < before:
        return start, least
    return count, 0


@njit(cache=True)
def earliest(time: Floats, free: Integers, steps: Integers, size: int, duration: float) -> float:
    """Return when `size` processors are first free for `duration` seconds."""
    start, _ = first_gap(time, free, steps[0], 0, size, duration, math.inf)
    return time[start]


@njit(cache=True)
def step_at(time: Floats, count: int, when: float) -> int:
    """Return the last of `count` steps that begins at `when` or before, 0 without one."""
    low = 0
    high = count
    while high - low > 1:
        middle = (low + high) // 2
        if time[middle] <= when:
            low = middle
        else:
            high = middle
    return low


@njit(cache=True)
def most_free(time: Floats, free: Integers, count: int, start: float, end: float) -> int:
    """Return the most processors free at any time from `start` to `end` (s)."""
    at = step_at(time, count, start)
    most = free[at]
    while at < count and time[at] < end:
        most = max(most, free[at])
        at += 1
    return most


@njit(cache=True)
def _find(time: Floats, count: int, when: float) -> int:
    """Return the first of `count` steps that begins at `when` or later."""
    at = step_at(time, count, when)
    return at if time[at] >= when else at + 1


@njit(cache=True)
def _insert(time: Floats, free: Integers, count: int, at: int, when: float) -> None:
    """Let a step begin at `when`, between the steps `at - 1` and `at`."""
    i = count
    while i > at:
        time[i] = time[i - 1]
        free[i] = free[i - 1]
        i -= 1
    time[at] = when
    free[at] = free[at - 1]


@njit(cache=True)
def _remove(time: Floats, free: Integers, count: int, at: int) -> None:
    """Remove the step `at`."""
    i = at + 1
    while i < count:
        time[i - 1] = time[i]
        free[i - 1] = free[i]
        i += 1


@njit(cache=True)
def occupy(
    time: Floats, free: Integers, steps: Integers, start: float, end: float, size: int
) -> None:
    """Take `size` processors out from `start` to `end` (s); a negative `size` gives back.

    Steps at which nothing changes any more are removed.
    """
    if end <= start:
        return
    count = steps[0]
    first = _find(time, count, start)
    if first == count or time[first] != start:
        _insert(time, free, count, first, start)
        count += 1
    last = _find(time, count, end)
    if last == count or time[last] != end:
        _insert(time, free, count, last, end)
        count += 1
    i = first
    while i < last:
        free[i] -= size
        i += 1
    if free[last] == free[last - 1]:
        _remove(time, free, count, last)
        count -= 1
    if first > 0 and free[first] == free[first - 1]:
        _remove(time, free, count, first)
        count -= 1
    steps[0] = count


@njit(cache=True)
def move(
    time: Floats,
    free: Integers,
    steps: Integers,
    old: float,
    new: float,
    duration: float,
    size: int,
) -> None:
    """Have `size` processors in use for `duration` (s) from `new` on rather than from `old`."""
    occupy(time, free, steps, max(old, new + duration), old + duration, -size)
    occupy(time, free, steps, new, min(old, new + duration), size)
