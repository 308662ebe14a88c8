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
) -> tuple[int, int, int]:
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
    seen : int
        The first step that was not looked at.
    """
    # unsigned, so that no index is checked for being counted from the end
    i, start, end, one = np.uintp(at), np.uintp(at), np.uintp(count), np.uintp(1)
    least = 0
    enough = math.inf
    while i < end and time[i] < before and time[i] < enough:
        if free[i] < size:
            start = i + one
            enough = math.inf
        elif start == i:
            enough = time[i] + duration
            least = free[i]
        else:
            least = min(least, free[i])
        i += one
    if start < end and time[start] < before:
        return int(np.intp(start)), least, int(np.intp(i))
    return count, 0, int(np.intp(i))


@njit(cache=True)
def earliest(time: Floats, free: Integers, steps: Integers, size: int, duration: float) -> float:
    """Return when `size` processors are first free for `duration` seconds."""
    start, _, _ = first_gap(time, free, steps[0], 0, size, duration, math.inf)
    return time[start]


@njit(cache=True)
def step_at(time: Floats, count: int, when: float) -> int:
    """Return the last of `count` steps that begins at `when` or before, 0 without one."""
    low = 0
    while count > 1:
        # no branch to mispredict: which half it is cannot be foreseen
        half = count // 2
        low += half if time[low + half] <= when else 0
        count -= half
    return low


@njit(cache=True)
def step_near(time: Floats, count: int, at: int, when: float) -> int:
    """Return what `step_at` does, found from the step `at` nearby."""
    at = min(at, count - 1)
    while at > 0 and time[at] > when:
        at -= 1
    while at + 1 < count and time[at + 1] <= when:
        at += 1
    return at


@njit(cache=True)
def _find(time: Floats, count: int, when: float) -> int:
    """Return the first of `count` steps that begins at `when` or later."""
    at = step_at(time, count, when)
    return at if time[at] >= when else at + 1


@njit(cache=True)
def _insert(
    time: Floats, free: Integers, count: int, at: int, when: float, processors: int
) -> None:
    """Let a step begin before the step `at`; those from there to `count` move by one."""
    # each column on its own, unsigned, what is pushed out carried on: several steps at once
    for i in range(np.uintp(at), np.uintp(count + 1)):
        time[i], when = when, time[i]
    for i in range(np.uintp(at), np.uintp(count + 1)):
        free[i], processors = processors, free[i]


@njit(cache=True)
def _remove(time: Floats, free: Integers, count: int, at: int) -> None:
    """Remove the step `at`; those from there to `count` move by one."""
    one = np.uintp(1)
    for i in range(np.uintp(at), np.uintp(count - 1)):
        time[i] = time[i + one]
    for i in range(np.uintp(at), np.uintp(count - 1)):
        free[i] = free[i + one]


@njit(cache=True)
def occupy(
    time: Floats, free: Integers, steps: Integers, start: float, end: float, size: int
) -> None:
    """Take `size` processors out from `start` to `end` (s); a negative `size` gives back.

    Steps at which nothing changes any more are removed.
    """
    if start < end:
        occupy_from(time, free, steps, _find(time, steps[0], start), start, end, size)


@njit(cache=True)
def occupy_from(
    time: Floats, free: Integers, steps: Integers, first: int, start: float, end: float, size: int
) -> None:
    """Do what `occupy` does; `first` is the first step that begins at `start` or later."""
    count = steps[0]
    before = free[first - 1]  # of no use where the first step of all begins at `start`
    inside = before - size
    begins = first == count or time[first] != start
    last = first
    while last < count and time[last] < end:
        free[last] -= size
        inside = free[last]
        last += 1
    ends = last == count or time[last] != end
    obsolete = not begins and first > 0 and free[first] == before
    joined = not ends and free[last] == inside
    # steps behind `last` move only if there are more or fewer than before
    if begins and joined:
        _insert(time, free, last, first, start, before - size)
        return
    if obsolete and ends:
        _remove(time, free, last, first)
        time[last - 1], free[last - 1] = end, inside + size
        return
    if joined:
        _remove(time, free, count, last)
        count -= 1
    elif ends:
        _insert(time, free, count, last, end, inside + size)
        count += 1
    if begins:
        _insert(time, free, count, first, start, before - size)
        count += 1
    elif obsolete:
        _remove(time, free, count, first)
        count -= 1
    steps[0] = count


@njit(cache=True)
def give_back(
    time: Floats, free: Integers, steps: Integers, start: float, end: float, size: int
) -> int:
    """Give `size` processors back from `start` to `end` (s); return the most that are then free."""
    at = step_at(time, steps[0], start)
    first = at if time[at] >= start else at + 1
    occupy_from(time, free, steps, first, start, end, -size)
    most = 0
    at = max(at - 1, 0)  # what begins at `start` may have become one with the step before
    while at < steps[0] and time[at] < end:
        most = max(most, free[at])
        at += 1
    return most
