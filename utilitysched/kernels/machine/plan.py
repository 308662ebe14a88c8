"""Compiled planning on several resources, or beside windows that are known.

`utilitysched.kernels.plan.place` hands such queues on, with the jobs lined up. The plan is the same
simulation of EASY backfilling, with vectors for numbers, and two things are different:

- No job starts where a window bars it: where it would run into the window and need more than what
  that leaves beside the jobs that it does not leave alone and that run by then. So a blocked job's
  shadow time may be the end of a window, and a job that is barred now may start at a later instant
  before the shadow time.
- What the blocked job leaves over is a vector, and a vector more for each window that it runs into.
"""

import numpy as np

from utilitysched.kernels.compiling import leaf
from utilitysched.kernels.planned_queue import (
    GONE,
    PlannedAmounts,
    PlannedQueue,
    Scratch,
    preempt,
)
from utilitysched.kernels.releases import add_release
from utilitysched.kernels.selection import copy
from utilitysched.model.state import Floats, Integers

FREE, LEFT, EXTRA, BESIDE = range(4)
"""Rows of working memory; from the last on one for each window."""


@leaf
def within(demand: Integers, amounts: Integers) -> bool:
    """Return whether each amount that is needed is large enough."""
    k = 0
    while k < len(demand) and (demand[k] == 0 or demand[k] <= amounts[k]):
        k += 1
    return k == len(demand)


@leaf
def subtract(demand: Integers, amounts: Integers) -> None:
    """Take amounts away."""
    for k in range(len(demand)):
        amounts[k] -= demand[k]


@leaf
def lies_in(window: int, job: int, start: float, end: float, amounts: PlannedAmounts) -> bool:
    """Return whether a job that runs from `start` to `end` (s) runs into a window."""
    if amounts.exempt[job, window]:
        return False
    return start < amounts.end[window] and end > amounts.begin[window]


@leaf
def leave(
    window: int, when: float, amounts: PlannedAmounts, ends: Floats, jobs: Integers, left: Integers
) -> None:
    """Fill in what a window leaves beside the running jobs that still run at some time (s)."""
    copy(amounts.left[window], left)
    for i in range(len(ends)):
        if ends[i] > when and not amounts.exempt[jobs[i], window]:
            subtract(amounts.demand[jobs[i]], left)


@leaf
def is_barred(
    job: int,
    start: float,
    length: float,
    amounts: PlannedAmounts,
    ends: Floats,
    jobs: Integers,
    left: Integers,
) -> bool:
    """Return whether a window bars a job from starting at `start` for `length` (s).

    Parameters
    ----------
    ends, jobs : (m,)
        Expected ends of the running jobs (s), and the jobs.
    left : (r,) int64
        Working memory.
    """
    for window in range(len(amounts.begin)):
        if lies_in(window, job, start, start + length, amounts):
            leave(window, max(start, amounts.begin[window]), amounts, ends, jobs, left)
            if not within(amounts.demand[job], left):
                return True
    return False


@leaf
def may_start(
    job: int,
    now: float,
    length: float,
    amounts: PlannedAmounts,
    ends: Floats,
    jobs: Integers,
    goes_on: bool,
) -> bool:
    """Return whether a job fits in what is free, and no window bars it if it does not run already.

    See `is_barred`.
    """
    if not within(amounts.demand[job], amounts.work[FREE]):
        return False
    return goes_on or not is_barred(job, now, length, amounts, ends, jobs, amounts.work[LEFT])


@leaf
def next_instant(now: float, window_end: Floats, ends: Floats) -> float:
    """Return when a job ends next, or a window after `now` (s); infinite if none does."""
    instant = ends[0] if len(ends) > 0 else np.inf
    for end in window_end:
        if now < end < instant:
            instant = end
    return instant


@leaf
def release_until(
    instant: float, demand: Integers, ends: Floats, jobs: Integers, free: Integers
) -> int:
    """Free the amounts of the jobs that end by an instant (s), and return how many do."""
    count = 0
    while count < len(ends) and ends[count] <= instant:
        for k in range(len(free)):
            free[k] += demand[jobs[count], k]
        count += 1
    return count


@leaf
def earliest_start(
    job: int,
    now: float,
    length: float,
    amounts: PlannedAmounts,
    ends: Floats,
    jobs: Integers,
    free: Integers,
    left: Integers,
) -> float:
    """Return when a job can start if only those that run now are ahead of it (s).

    Parameters
    ----------
    job : int
        Row of `amounts`.
    now, length : float
        The present, and for how long it runs (s).
    ends, jobs : (m,)
        Expected ends of the running jobs (s), non-decreasing, and the jobs.
    free : (r,) int64
        Free amounts; left holding those at that time.
    left : (r,) int64
        Working memory.
    """
    over = 0
    while not within(amounts.demand[job], free) or is_barred(
        job, now, length, amounts, ends[over:], jobs[over:], left
    ):
        now = next_instant(now, amounts.end, ends[over:])
        over += release_until(now, amounts.demand, ends[over:], jobs[over:], free)
    return now


@leaf
def lone_starts_of_amounts(queue: PlannedQueue, start: Floats) -> None:
    """Fill in when each job would start if no other were in the queue (s)."""
    amounts, running = queue.amounts, len(queue.size) - len(queue.later)
    free, left = amounts.work[0], amounts.work[1]
    for job in range(len(start)):
        start[job] = queue.now
        if job >= running:  # it goes on running
            continue
        copy(amounts.free, free)
        length, ends, jobs = queue.request[job], queue.release_time, amounts.released
        start[job] = earliest_start(job, queue.now, length, amounts, ends, jobs, free, left)


@leaf
def put_aside(
    head: int, shadow: float, end: float, amounts: PlannedAmounts, ends: Floats, jobs: Integers
) -> None:
    """Work out what the blocked job leaves over at its shadow time, and of each window it is in.

    Parameters
    ----------
    head : int
        Row of the job.
    shadow, end : float
        Its reservation (s).
    ends, jobs : (m,)
        Expected ends of the running jobs (s), and the jobs.
    """
    subtract(amounts.demand[head], amounts.work[EXTRA])
    for window in range(len(amounts.begin)):
        if lies_in(window, head, shadow, end, amounts):
            when = max(shadow, amounts.begin[window])
            leave(window, when, amounts, ends, jobs, amounts.work[BESIDE + window])
            subtract(amounts.demand[head], amounts.work[BESIDE + window])


@leaf
def is_beside(
    window: int, job: int, end: float, held: tuple[int, float, float], amounts: PlannedAmounts
) -> bool:
    """Return whether a job that starts before the shadow time is in a window with the blocked one.

    Parameters
    ----------
    job : int
        Row of the job.
    end : float
        When it ends (s).
    held : (int, float, float)
        Row of the blocked job, and its reservation (s).
    """
    if amounts.exempt[job, window] or end <= max(held[1], amounts.begin[window]):
        return False
    return lies_in(window, held[0], held[1], held[2], amounts)


@leaf
def delays(job: int, end: float, held: tuple[int, float, float], amounts: PlannedAmounts) -> bool:
    """Return whether a job that ends after the shadow time would delay the blocked job."""
    needs = amounts.demand[job]
    if not within(needs, amounts.work[EXTRA]):
        return True
    for window in range(len(amounts.begin)):
        room = amounts.work[BESIDE + window]
        if is_beside(window, job, end, held, amounts) and not within(needs, room):
            return True
    return False


@leaf
def take_extra(
    job: int, end: float, held: tuple[int, float, float], amounts: PlannedAmounts
) -> None:
    """Take what a job that ends after the shadow time needs from what the blocked job leaves."""
    subtract(amounts.demand[job], amounts.work[EXTRA])
    for window in range(len(amounts.begin)):
        if is_beside(window, job, end, held, amounts):
            subtract(amounts.demand[job], amounts.work[BESIDE + window])


@leaf
def place_amounts(queue: PlannedQueue, scratch: Scratch, start: Floats, now_only: bool) -> int:
    """Plan the start of every queued job, lined up in `scratch`; see `place`."""
    # working copies of what is free and of the releases, which the plan uses up
    amounts, needs, count = queue.amounts, queue.amounts.demand, len(queue.size)
    size, request, job = scratch.size, scratch.request, scratch.job
    candidate, sequence = scratch.candidate, scratch.placed
    ends, owner = scratch.release_time, scratch.release_size
    free, left, extra = amounts.work[FREE], amounts.work[LEFT], amounts.work[EXTRA]
    copy(amounts.free, free)
    first, last = 0, len(queue.release_time)
    for i in range(last):
        ends[i] = queue.release_time[i]
        owner[i] = amounts.released[i]
    now, running = queue.now, count - len(queue.later)
    head = placed = 0
    immediate = -1
    while True:
        # jobs start from the head while they fit and no window bars them; who runs goes on
        while head < count:
            row = job[head]
            if row >= 0:
                goes_on = immediate < 0 and row >= running
                if not may_start(
                    row, now, request[head], amounts, ends[first:last], owner[first:last], goes_on
                ):
                    break
                start[row] = now
                sequence[placed] = row
                subtract(needs[row], free)
                add_release(ends, owner, last, now + request[head], row)
                last += 1
                placed += 1
            head += 1
        if head == count:
            return placed if immediate < 0 else immediate

        # the first that cannot start holds the only reservation
        row, length = job[head], request[head]
        if immediate < 0 and row >= running:
            length = queue.later[row - running]
        copy(free, extra)
        shadow = earliest_start(
            row, now, length, amounts, ends[first:last], owner[first:last], extra, left
        )
        held = row, shadow, shadow + length
        put_aside(row, shadow, shadow + length, amounts, ends[first:last], owner[first:last])

        # the rest may start before, if they cannot delay it
        candidates = 0
        for i in range(head + 1, count):
            candidate[candidates] = i
            candidates += job[i] >= 0
        while candidates > 0:
            kept, least = 0, GONE
            for c in range(candidates):
                i = candidate[c]
                row, end = job[i], now + request[i]
                # who would delay it now would do so later, too
                if end > shadow and delays(row, end, held, amounts):
                    continue
                goes_on = immediate < 0 and row >= running
                if not may_start(
                    row, now, request[i], amounts, ends[first:last], owner[first:last], goes_on
                ):
                    candidate[kept] = i
                    kept += 1
                    least = min(least, size[i])
                    continue
                if end > shadow:
                    take_extra(row, end, held, amounts)
                start[row] = now
                sequence[placed] = row
                subtract(needs[row], free)
                add_release(ends, owner, last, end, row)
                last += 1
                placed += 1
                job[i] = -1
            candidates = kept
            # the pass at `now` is over: what follows is only planned
            if immediate < 0:
                immediate = placed
                if now_only:
                    return immediate
                preempt(head, queue, scratch)
            # on to the next instant, before the shadow time, at which a candidate may fit
            while candidates > 0:
                instant = next_instant(now, amounts.end, ends[first:last])
                if instant >= shadow:
                    candidates = 0
                    break
                now = instant
                first += release_until(now, needs, ends[first:last], owner[first:last], free)
                if free[0] >= least:
                    break
        if immediate < 0:
            immediate = placed
            if now_only:
                return immediate
            preempt(head, queue, scratch)
        # at the shadow time the head can start
        now = shadow
        first += release_until(now, needs, ends[first:last], owner[first:last], free)
