"""Reservations that are kept from pass to pass, and only ever move earlier."""

import math

import numpy as np
from numpy.typing import NDArray

from utilitysched.kernels.compiling import kernel, leaf, leaf_kernel
from utilitysched.kernels.profile import (
    earliest,
    first_gap,
    give_back,
    occupy,
    occupy_from,
    step_at,
    step_near,
)
from utilitysched.kernels.selection import in_order
from utilitysched.model.scheduling_pass import Releases
from utilitysched.model.state import Floats, Integers

_FEW, _MANY = 31, 251  # rows for short queues and for long ones


@leaf
def _row(sizes: Integers, requests: Floats, until: Floats, size: int, request: float) -> int:
    """Return the row of a class, which is blank if the class did not have it.

    Jobs of one size and request are a class; each has one row, which it may lose to another.

    Parameters
    ----------
    sizes : (c,) int64
        Processors of the class that has the row, -1 where none has.
    requests : (c,) float64
        Its requested time (s).
    until : (c,) float64
        There is no gap for the class that ends before this time (s).
    size : int
        Processors of the class looked for.
    request : float
        Its requested time (s).
    """
    # requests are round numbers, so the number of rows is a prime
    row = int((31 * size + np.int64(request)) % len(sizes))
    if sizes[row] != size or requests[row] != request:
        sizes[row] = size
        requests[row] = request
        until[row] = -math.inf
    return row


@leaf
def _unblock(size: Integers, until: Floats, free: int, since: float) -> None:
    """Have classes that fit into `free` processors look again for gaps that reach `since` (s)."""
    for row in range(len(size)):
        if size[row] <= free and until[row] > since:
            until[row] = since


@leaf
def _open_before(free: Integers, at: int, size: int) -> int:
    """Return the first of the steps up to `at` since when `size` processors are free, or `at`."""
    while at > 0 and free[at - 1] >= size:
        at -= 1
    return at


@leaf
def _alike(jobs: Integers, first: int, request: Floats, size: Integers, reserved: Floats) -> int:
    """Return the end of a run of jobs with the size, request and reserved start of `first`."""
    # unsigned, so that no index is checked for being counted from the end
    job = jobs[first]
    start, processors, duration = reserved[job], size[job], request[job]
    last, end, one = np.uintp(first + 1), np.uintp(len(jobs)), np.uintp(1)
    while last < end:
        other = np.uintp(jobs[last])
        if reserved[other] != start or size[other] != processors or request[other] != duration:
            break
        last += one
    return int(np.intp(last))


@leaf
def _passed(
    time: Floats,
    free: Integers,
    count: int,
    at: int,
    place: float,
    following: float,
    end: float,
    duration: float,
    held: int,
    size: int,
) -> tuple[int, bool, int]:
    """Look from a place that was left to the following one, while a move there is not made yet.

    What is free is `held` processors more from the later of `place` and `end` on.

    Parameters
    ----------
    time, free : arrays
        The profile's columns, of which `count` steps are in use.
    at : int
        The step in which `place` lies.
    place, following : float
        The start that was left, and that of the next jobs (s).
    end : float
        When the jobs that moved first will end (s).
    duration : float
        Requested time (s).
    held : int
        Processors of the jobs that moved.
    size : int
        Processors of one of them.

    Returns
    -------
    least : int
        The fewest processors free for those that come from `following` to `place`.
    closed : bool
        Once they have come, no other such job can start between the two.
    at : int
        The step in which `following` lies.
    """
    least = np.iinfo(np.int64).max
    closed = True
    reached = min(place + duration, following)
    enough = math.inf
    i = at
    while True:
        until = time[i + 1] if i + 1 < count else math.inf
        ended = time[i] >= end
        if time[i] < reached:
            least = min(least, free[i] + held if ended else free[i])
        if free[i] - (0 if ended else held) >= size:
            if enough == math.inf:
                enough = max(time[i], place) + duration
        else:
            # a gap between the two was long enough, or begins in this step
            closed &= time[i] < enough or enough == math.inf
            closed &= free[i] < size or min(until, following) <= end
            enough = math.inf
        if until >= following:
            # a gap reaches the place that is left
            closed &= enough == math.inf
            return least, closed, i if until > following else i + 1
        i += 1


@leaf
def _pass_on(
    jobs: Integers,
    first: int,
    last: int,
    request: Floats,
    size: Integers,
    reserved: Floats,
    time: Floats,
    free: Integers,
    count: int,
    at: int,
    old: float,
    moved: int,
) -> tuple[float, float, int, int, int]:
    """Move a run of like jobs up into the reservations left ahead, one after the other.

    When `moved` jobs go from `old` to the step `at`, those that follow often go to `old`, others
    to where these were, and so on. In the profile, all this is one move from the last place that
    is left; it is still to be made. Where some other gap opens the chain ends.

    Returns
    -------
    left : float
        The last place that is left (s).
    searched : float
        No gap for such a job ends before this time (s).
    at : int
        The step in which `searched` lies.
    first, last : int
        The jobs that are to be looked at next.
    """
    job = jobs[first - 1]
    processors, duration = size[job], request[job]
    held = moved * processors
    end = time[at] + duration
    searched, place = time[at], at
    left = old
    _, closed, at = _passed(time, free, count, at, searched, left, end, duration, held, processors)
    while closed:
        # the others at that place stay
        first = last
        searched, place = left, at
        if first == len(jobs):
            break
        job = jobs[first]
        following = reserved[job]
        if size[job] != processors or request[job] != duration:
            break
        if not left < following < math.inf:
            break
        behind = _alike(jobs, first, request, size, reserved)
        least, closed, at = _passed(
            time, free, count, at, left, following, end, duration, held, processors
        )
        if min(behind - first, least // processors) != moved:
            break
        for i in range(first, first + moved):
            reserved[jobs[i]] = left
        left = following
        first += moved
        last = behind
    return left, searched, place, first, last


@kernel
def compress(
    jobs: Integers,
    request: Floats,
    size: Integers,
    reserved: Floats,
    time: Floats,
    free: Integers,
    steps: Integers,
) -> None:
    """Put each reservation at its earliest feasible start, one job at a time, in this order.

    Jobs may use their own place in the profile (`time`, `free`, `steps`) again: another start is
    looked for only until then, and from then on there is room. Long queues are runs of like
    jobs, which look for a start together and move together, as many as fit. Down a run reserved
    starts mostly rise, so one walk along the profile serves all of it.
    """
    # plain locals: each access to an array in a tuple counts references up and down
    rows = _FEW if len(jobs) < _MANY else _MANY
    sizes, requests = np.full(rows, -1, np.int64), np.empty(rows)
    blocked = np.empty(rows)  # of each class: no gap ends before this time (s)
    row, processors, duration = 0, 0, 0.0
    # no gap of this run's class ends before `searched`, in the step before `at`
    searched, at = -math.inf, 0
    # what this run has given back, of which other classes do not know yet
    freed, most = math.inf, 0
    first, last = 0, 0
    while first < len(jobs):
        # a run of like jobs with the same start; without a reservation to move it is passed over
        if first == last:
            last = _alike(jobs, first, request, size, reserved)
        job = jobs[first]
        old = reserved[job]
        if not time[0] < old < math.inf:
            first = last
            continue
        if size[job] != processors or request[job] != duration or old < searched:
            # the next run
            blocked[row] = max(blocked[row], searched)
            if freed < math.inf:
                _unblock(sizes, blocked, most, freed)
                freed, most = math.inf, 0
            processors, duration = size[job], request[job]
            row = _row(sizes, requests, blocked, processors, duration)
            at = step_at(time, steps[0], min(blocked[row], old))
            at = _open_before(free, at, processors)
        searched = old
        # the earliest gap before the run's present start
        gap, room, at = first_gap(time, free, steps[0], at, processors, duration, old)
        if gap == steps[0]:
            first = last
            continue
        # as many as fit move to the gap, those that follow to the places that are left
        new = time[gap]
        moved = min(last - first, room // processors)
        for i in range(first, first + moved):
            reserved[jobs[i]] = new
        left, searched, at, first, last = _pass_on(
            jobs,
            first + moved,
            last,
            request,
            size,
            reserved,
            time,
            free,
            steps[0],
            gap,
            old,
            moved,
        )
        # give the old places back, and take the new ones
        held = moved * processors
        since, until = max(left, new + duration), left + duration
        if since < until:
            most = max(most, give_back(time, free, steps, since, until, held))
            freed = min(freed, since)
        if duration > 0.0:
            occupy_from(time, free, steps, gap, new, min(left, new + duration), held)
        at = _open_before(free, step_near(time, steps[0], at, searched), processors)


@leaf_kernel
def reserve(
    jobs: Integers,
    request: Floats,
    size: Integers,
    reserved: Floats,
    time: Floats,
    free: Integers,
    steps: Integers,
) -> tuple[int, float]:
    """Reserve the earliest feasible start for each job that has none yet.

    Returns
    -------
    due : int
        Jobs whose start has come when the profile begins.
    next_start : float
        The first start after that (s).
    """
    now, due, next_start = time[0], 0, math.inf
    for i in range(np.uintp(len(jobs))):
        job = np.uintp(jobs[i])
        start = reserved[job]
        # nearly all jobs have a start that is none of the next
        if next_start <= start < math.inf:
            continue
        if start == math.inf:
            start = earliest(time, free, steps, size[job], request[job])
            occupy(time, free, steps, start, start + request[job], size[job])
            reserved[job] = start
        if start <= now:
            due += 1
        else:
            next_start = min(next_start, start)
    return due, next_start


@leaf_kernel
def plan_anew(
    now: float,
    free_now: int,
    releases: Releases,
    jobs: Integers,
    request: Floats,
    size: Integers,
    reserved: Floats,
    time: Floats,
    free: Integers,
    steps: Integers,
) -> None:
    """Drop all reservations, and reserve the earliest feasible starts in this order.

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
        reserved[jobs[i]] = np.inf
    reserve(jobs, request, size, reserved, time, free, steps)


@kernel
def start_due(
    now: float,
    processors: int,
    due: int,
    jobs: Integers,
    score: Floats,
    size: Integers,
    reserved: Floats,
    started: NDArray[np.bool_],
) -> None:
    """Mark the `due` jobs whose reserved start has come.

    A job without run time may hold processors until the next pass of this instant, so a job
    starts only if it fits in the free `processors`.
    """
    position = np.empty(due, np.int64)
    i = 0
    for k in range(due):
        while reserved[jobs[i]] > now:
            i += 1
        position[k] = i
        i += 1
    for job in in_order(jobs[position], score[position]):
        if size[job] <= processors:
            started[job] = True
            processors -= size[job]
