"""Compiled planning: the `easy` placement of queue orders until every queued job has started.

The plan is a simulation of what EASY backfilling (semantics, section 2) would do from now on if
every job, queued or running, ran for its requested time and nobody else came. Since nothing
surprising happens in it, three facts hold that a general simulation cannot use:

- The first blocked job starts exactly at its shadow time. Backfilled jobs cannot move that time,
  and the spare processors at it are those of the first instant less what was backfilled past it.
  So both are worked out once a blocked job, not once an instant.
- Until then fewer processors are free than the blocked job needs, and the most that ever are
  (`peak`) is known at once. Jobs larger than that are no candidates.
- A job that may not be backfilled at some instant (it would end after the shadow time and is
  larger than the spare) may not be at any later one before the shadow time either.

A running job that may be preempted is planned as if it were queued, its processors as if they were
free (semantics, section 6, last point). Started in the first pass, it has in fact gone on running;
started later it was preempted, and takes longer. The three facts hold for such jobs too: none of
them speaks of what a job takes but the last, and longer is less often before the shadow time.
"""

import numpy as np

from utilitysched.kernels.compiling import kernel, leaf_kernel
from utilitysched.kernels.machine.plan import place_amounts
from utilitysched.kernels.planned_queue import (
    GONE,
    PlannedAmounts,
    PlannedQueue,
    Scratch,
    line_up,
    preempt,
)
from utilitysched.kernels.releases import add_release, reservation
from utilitysched.model.state import Floats, Integers


@leaf_kernel
def place(
    order: Integers, queue: PlannedQueue, scratch: Scratch, start: Floats, now_only: bool = False
) -> int:
    """Plan the start of every queued job by EASY backfilling in the given order.

    Parameters
    ----------
    order : (n - pinned,) int64
        A permutation of 0..n-pinned-1: the jobs that are not pinned, counted from the first of
        them, in queue order.
    queue : PlannedQueue
        Jobs and machine.
    scratch : Scratch
        Working memory.
    start : (n,) float64
        Filled with the planned starts (s).
    now_only : bool
        Stop after the pass at `queue.now`; the starts of the other jobs are left as they are.

    Returns
    -------
    int
        How many jobs start, or go on running, in the pass at `queue.now`: the first so many of
        `scratch.placed`.
        A job without a requested time frees its processors at once; what starts on these at the
        same instant is not counted.
    """
    line_up(order, queue, scratch)
    if len(queue.amounts.free) > 0:
        return place_amounts(queue, scratch, start, now_only)
    # working copies of queue and releases, which the plan uses up
    size, request, job, candidate = scratch.size, scratch.request, scratch.job, scratch.candidate
    demand, sequence = scratch.demand, scratch.placed
    release_time, release_size = scratch.release_time, scratch.release_size
    smallest, shortest = scratch.smallest, scratch.shortest
    first, last = 0, len(queue.release_time)
    held_time, held_size = queue.release_time, queue.release_size
    for i in range(last):
        release_time[i] = held_time[i]
        release_size[i] = held_size[i]
    now, free = queue.now, queue.free
    head, count = 0, queue.pinned + len(order)
    placed, immediate = 0, -1
    preemptible = len(queue.later) > 0
    while True:
        # jobs start from the head while they fit
        while head < count and (job[head] < 0 or size[head] <= free):
            if job[head] >= 0:
                start[job[head]] = now
                sequence[placed] = job[head]
                free -= size[head]
                add_release(release_time, release_size, last, now + request[head], size[head])
                last += 1
                placed += 1
            head += 1
        if head == count:
            return placed if immediate < 0 else immediate

        # the first that does not fit holds the only reservation
        shadow, peak, extra = reservation(
            size[head], free, release_time[first:last], release_size[first:last]
        )

        # the rest may start before, if they cannot delay it
        rest = head + 1
        least = smallest[rest]
        candidates = 0
        if peak >= least and (extra >= least or now + shortest[rest] <= shadow):
            for i in range(rest, count):
                candidate[candidates] = i
                demand[candidates] = size[i]
                candidates += (size[i] <= peak) & (
                    (size[i] <= extra) | (now + request[i] <= shadow)
                )
        # `least` is at most what the smallest candidate needs: instants with less are skipped
        while candidates > 0:
            if free >= least:
                seen = GONE
                for c in range(candidates):
                    processors = demand[c]
                    if processors > free:
                        seen = min(seen, processors)
                        continue
                    demand[c] = GONE
                    i = candidate[c]
                    ends_before = now + request[i] <= shadow
                    if not ends_before:
                        if processors > extra:
                            continue
                        extra -= processors
                    start[job[i]] = now
                    sequence[placed] = job[i]
                    free -= processors
                    add_release(release_time, release_size, last, now + request[i], processors)
                    last += 1
                    placed += 1
                    job[i] = -1
                    size[i] = GONE
                    if free < least:
                        seen = least
                        break
                least = seen
            # the pass at `now` is over: what follows is only planned
            if immediate < 0:
                immediate = placed
                if now_only:
                    return immediate
                if preemptible:
                    preempt(head, queue, scratch)
            # on to the next instant, before the shadow time, at which a candidate fits
            while first < last and release_time[first] < shadow and free < least:
                now = release_time[first]
                while first < last and release_time[first] == now:
                    free += release_size[first]
                    first += 1
            if free < least:
                break
        if immediate < 0:
            immediate = placed
            if now_only:
                return immediate
            if preemptible:
                preempt(head, queue, scratch)
        # at the shadow time the head fits
        now = shadow
        while first < last and release_time[first] <= shadow:
            free += release_size[first]
            first += 1


@kernel
def planned_starts(
    order: Integers,
    now: float,
    free: int,
    size: Integers,
    request: Floats,
    release_time: Floats,
    release_size: Integers,
) -> Floats:
    """Return when each queued job starts by EASY backfilling in an order (s).

    What `place` takes, as plain arrays: each tuple handed over from Python costs as much as the
    plan of a short queue.
    """
    due = 0
    while due < len(release_time) and release_time[due] <= now:
        free += release_size[due]
        due += 1
    held, sizes = release_time[due:], release_size[due:]
    jobs, whole = len(order), np.empty((6, len(order) + 1), np.int64)
    part, releases = np.empty((2, jobs + 1)), np.empty(jobs + len(held))
    # one resource: amounts without rows
    rows, none, times = np.empty((0, 0), np.int64), np.empty(0, np.int64), np.empty(0)
    flags = np.empty((0, 0), np.bool_)
    amounts = PlannedAmounts(rows, flags, none, none, times, times, rows, rows)
    queue = PlannedQueue(now, free, 0, size, request, times, held, sizes, amounts)
    scratch = Scratch(
        whole[0],
        part[0],
        whole[1],
        whole[2],
        whole[3],
        whole[4],
        whole[5],
        part[1],
        releases,
        np.empty(len(releases), np.int64),
    )
    start = np.empty(jobs)
    place(order, queue, scratch, start)
    return start
