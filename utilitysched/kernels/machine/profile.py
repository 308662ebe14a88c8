"""The availability profile of several resources, and of what windows leave of them.

Columns `time` (s, strictly increasing) and `room` hold its steps; `steps[0]` of them are in use,
and the last lasts for ever. A row of `room` has what is free of each resource and then, for each
window, what is left of each resource to the jobs that the window concerns: while it lasts, what it
does not take, and before and after as much as anybody wants. So jobs need more resources, and a
window is nothing special. A job that may have what a window takes needs nothing of the latter.
"""

import numpy as np

from utilitysched.kernels.compiling import leaf
from utilitysched.kernels.selection import copy
from utilitysched.model.machine import WindowTable
from utilitysched.model.scheduling_pass import Releases
from utilitysched.model.state import Floats, Integers

PLENTY = 2**60
"""More than all jobs together need."""


@leaf
def fits(need: Integers, room: Integers) -> bool:
    """Return whether there is enough of all that is needed; `room` may have more columns."""
    enough = True
    for k in range(len(need)):
        enough = enough and (need[k] == 0 or need[k] <= room[k])
    return enough


@leaf
def write_need(
    job: int, demand: Integers, windows: WindowTable, shown: Integers, need: Integers
) -> None:
    """Write what a job needs of each column of the profile."""
    resources = demand.shape[1]
    for k in range(resources):
        need[k] = demand[job, k]
    for i in range(len(shown)):
        exempt = windows.exempt[job, shown[i]]
        for k in range(resources):
            need[(1 + i) * resources + k] = 0 if exempt else demand[job, k]


@leaf
def find_gap(
    time: Floats, room: Integers, count: int, need: Integers, duration: float, before: float
) -> int:
    """Return the first step from which on there is room for a duration, `count` if there is none.

    From `before` on (s) there is room anyway: only an earlier start is looked for.
    """
    i = 0
    while i < count and time[i] < before:
        if not fits(need, room[i]):
            i += 1
            continue
        enough = min(time[i] + duration, before)
        k = i + 1
        while k < count and time[k] < enough and fits(need, room[k]):
            k += 1
        if k == count or time[k] >= enough:
            return i
        i = k
    return count


@leaf
def forget_before(time: Floats, room: Integers, steps: Integers, now: float) -> None:
    """Let the profile begin at `now`."""
    current = 0
    while current + 1 < steps[0] and time[current + 1] <= now:
        current += 1
    if current > 0:
        for i in range(current, steps[0]):
            time[i - current] = time[i]
            copy(room[i], room[i - current])
        steps[0] -= current
    time[0] = now


@leaf
def _split(time: Floats, room: Integers, steps: Integers, when: float) -> int:
    """Return the step that begins at `when`, a new one if there was none."""
    low, high = 0, steps[0]
    while low < high:
        middle = (low + high) // 2
        if time[middle] < when:
            low = middle + 1
        else:
            high = middle
    if when == np.inf or (low < steps[0] and time[low] == when):
        return low
    for i in range(steps[0], low, -1):
        time[i] = time[i - 1]
        copy(room[i - 1], room[i])
    time[low] = when
    copy(room[low - 1], room[low])
    steps[0] += 1
    return low


@leaf
def _join(time: Floats, room: Integers, steps: Integers, at: int, columns: int) -> None:
    """Remove a step at which nothing changes."""
    if at == 0 or at == steps[0]:
        return
    for k in range(columns):
        if room[at, k] != room[at - 1, k]:
            return
    for i in range(at + 1, steps[0]):
        time[i - 1] = time[i]
        copy(room[i], room[i - 1])
    steps[0] -= 1


@leaf
def occupy(
    time: Floats,
    room: Integers,
    steps: Integers,
    start: float,
    end: float,
    need: Integers,
    times: int = 1,
) -> None:
    """Take what a job needs out from `start` to `end` (s); `times` is -1 to give it back."""
    if not start < end:
        return
    first = _split(time, room, steps, start)
    last = _split(time, room, steps, end)
    for i in range(first, last):
        for k in range(len(need)):
            room[i, k] -= times * need[k]
    _join(time, room, steps, last, len(need))
    _join(time, room, steps, first, len(need))


@leaf
def build(
    now: float,
    soonest: float,
    free: Integers,
    releases: Releases,
    demand: Integers,
    capacity: Integers,
    windows: WindowTable,
    shown: Integers,
    time: Floats,
    room: Integers,
    steps: Integers,
    need: Integers,
) -> None:
    """Make the profile of the running jobs and the windows that are `shown`.

    Who is expected to end by `soonest` (s) holds nothing. `need` is scratch, of all columns.
    """
    resources = len(free)
    columns = resources * (1 + len(shown))
    # of each window at first as if it took nothing
    time[0], last = now, 0
    for k in range(columns):
        room[0, k] = free[k] if k < resources else PLENTY
    for i in range(len(releases.job)):
        write_need(releases.job[i], demand, windows, shown, need)
        for k in range(resources, columns):
            room[0, k] -= need[k]
    for i in range(len(releases.end)):
        if releases.end[i] > max(time[last], soonest):
            last += 1
            time[last] = releases.end[i]
            copy(room[last - 1], room[last])
        write_need(releases.job[i], demand, windows, shown, need)
        for k in range(columns):
            room[last, k] += need[k]
    steps[0] = last + 1
    # while a window lasts there is what it leaves
    for i in range(len(shown)):
        window = shown[i]
        need[:] = 0
        for k in range(resources):
            need[(1 + i) * resources + k] = PLENTY - (capacity[k] - windows.taken[window, k])
        occupy(time, room, steps, max(now, windows.begin[window]), windows.end[window], need)
