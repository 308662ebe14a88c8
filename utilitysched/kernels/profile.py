"""The availability profile: how many processors are free from when on.

Columns `time` (s, strictly increasing) and `free` (processors) hold its steps; `steps[0]` of
them are in use, and the last lasts for ever. The kernels take the columns rather than a tuple of
them because they are called for every job at every pass.
"""

import math
from typing import Any

import numpy as np
from numba import njit

from utilitysched.kernels.compiling import kernel, leaf, leaf_kernel
from utilitysched.model.scheduling_pass import Profile, Releases
from utilitysched.model.state import Floats, Integers


@kernel
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


@leaf_kernel
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


@leaf
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
    i, end, one = np.uintp(at), np.uintp(count), np.uintp(1)
    while True:
        while i < end and free[i] < size and time[i] < before:
            i += one
        if i == end or time[i] >= before:
            return count, 0, int(np.intp(i))
        start, least = i, free[i]
        enough = min(time[i] + duration, before)
        i += one
        while i < end and time[i] < enough and free[i] >= size:
            least = min(least, free[i])
            i += one
        if i == end or time[i] >= enough:
            return int(np.intp(start)), least, int(np.intp(i))


@leaf_kernel
def earliest(time: Floats, free: Integers, steps: Integers, size: int, duration: float) -> float:
    """Return when `size` processors are first free for `duration` seconds."""
    start, _, _ = first_gap(time, free, steps[0], 0, size, duration, math.inf)
    return time[start]


@leaf
def step_at(time: Floats, count: int, when: float) -> int:
    """Return the last of `count` steps that begins at `when` or before, 0 without one."""
    low = 0
    while count > 1:
        # no branch to mispredict: which half it is cannot be foreseen
        half = count // 2
        low += half * (time[low + half] <= when)
        count -= half
    return low


@leaf
def step_near(time: Floats, count: int, at: int, when: float) -> int:
    """Return what `step_at` does, found from the step `at` nearby."""
    at = min(at, count - 1)
    while at > 0 and time[at] > when:
        at -= 1
    while at + 1 < count and time[at + 1] <= when:
        at += 1
    return at


@leaf
def _find(time: Floats, count: int, when: float) -> int:
    """Return the first of `count` steps that begins at `when` or later."""
    at = step_at(time, count, when)
    return at if time[at] >= when else at + 1


@njit(cache=True, inline="always")
def _later(column: Any, first: int, last: int, by_two: bool) -> None:
    """Move the entries from `first` to `last` by one place, or by two."""
    i, end, one = np.uintp(last), np.uintp(first), np.uintp(1)
    if by_two:
        while i > end:
            column[i + one] = column[i - one]
            i -= one
    else:
        carried = column[end]
        # what is pushed out carried on: several entries at once
        for k in range(end + one, np.uintp(last + 1)):
            column[k], carried = carried, column[k]


@njit(cache=True, inline="always")
def _sooner(column: Any, first: int, last: int, by: int) -> None:
    """Move the entries from `first` to `last` back by so many places."""
    distance = np.uintp(by)
    for i in range(np.uintp(first), np.uintp(last)):
        column[i - distance] = column[i]


@leaf_kernel
def occupy(
    time: Floats, free: Integers, steps: Integers, start: float, end: float, size: int
) -> None:
    """Take `size` processors out from `start` to `end` (s); a negative `size` gives back.

    Steps at which nothing changes any more are removed.
    """
    if start < end:
        occupy_from(time, free, steps, _find(time, steps[0], start), start, end, size)


@leaf
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
    # the steps behind `last` move by as many places as there are more or fewer steps
    behind = last + 1 if joined else last
    more = int(begins) - int(obsolete) + int(ends) - int(joined)
    if more > 0:
        _later(time, behind, count, more == 2)
        _later(free, behind, count, more == 2)
    # those in between by one, if the first of them is new or not needed any more
    if begins and last > first:
        _later(time, first, last, False)
        _later(free, first, last, False)
    elif obsolete:
        _sooner(time, first + 1, last, 1)
        _sooner(free, first + 1, last, 1)
    if more < 0:
        _sooner(time, behind, count, -more)
        _sooner(free, behind, count, -more)
    if begins:
        time[first], free[first] = start, before - size
    if ends:
        at = last + int(begins) - int(obsolete)
        time[at], free[at] = end, inside + size
    steps[0] = count + more


@leaf_kernel
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
