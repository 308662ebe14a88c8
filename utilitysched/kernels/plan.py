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

from typing import NamedTuple

import numpy as np

from utilitysched.kernels.compiling import kernel, leaf, leaf_kernel
from utilitysched.kernels.releases import add_release, reservation
from utilitysched.model.state import Floats, Integers

_GONE = np.iinfo(np.int64).max


class PlannedQueue(NamedTuple):
    """The jobs and the machine at the instant a plan starts.

    Attributes
    ----------
    now : float
        Instant (s).
    free : int
        Free processors.
    pinned : int
        So many of the jobs stay in front of every order, in the order given (starved jobs). Only
        running jobs can come before them: those with which an order begins.
    size : (n,) int64
        Processors of the queued jobs; none is larger than the machine.
    request : (n,) float64
        Their requested times (s).
    later : (b,) float64
        The last b jobs are running and may be preempted. What each takes if it does not start in
        the first pass (s), at least its `request`.
    release_time : (m,) float64
        Expected ends of the running jobs (s), non-decreasing, none before now.
    release_size : (m,) int64
        Their processors.
    """

    now: float
    free: int
    pinned: int
    size: Integers
    request: Floats
    later: Floats
    release_time: Floats
    release_size: Integers


class Scratch(NamedTuple):
    """Working memory of `place` for up to n queued and m running jobs.

    `placed` is left holding the jobs in the order in which they were started. The first six have
    one entry per queued job in the order being placed; `smallest` and `shortest` (least over
    this and all later ones) one more; the releases n + m.
    """

    size: Integers
    request: Floats
    job: Integers
    candidate: Integers
    demand: Integers
    placed: Integers
    smallest: Integers
    shortest: Floats
    release_time: Floats
    release_size: Integers

    @classmethod
    def empty(cls, queued: int, running: int) -> "Scratch":
        """Return working memory for so many jobs."""
        whole = np.empty((6, queued + 1), dtype=np.int64)
        part = np.empty((2, queued + 1))
        return cls(
            size=whole[0],
            request=part[0],
            job=whole[1],
            candidate=whole[2],
            demand=whole[3],
            placed=whole[4],
            smallest=whole[5],
            shortest=part[1],
            release_time=np.empty(queued + running),
            release_size=np.empty(queued + running, dtype=np.int64),
        )


@leaf
def line_up(order: Integers, queue: PlannedQueue, scratch: Scratch) -> None:
    """Copy the jobs into `scratch` in the order in which they are to be placed."""
    # plain locals: each access to an array in a tuple counts references up and down
    sizes, requests, pinned = queue.size, queue.request, queue.pinned
    jobs, demands, lengths = scratch.job, scratch.size, scratch.request
    smallest, shortest = scratch.smallest, scratch.shortest
    count = pinned + len(order)
    running = len(sizes) - len(queue.later) - pinned
    # running jobs at the head of the order come before those that are pinned
    ahead = 0
    while ahead < len(order) and order[ahead] >= running:
        ahead += 1
    # from the back, so that the least of all later ones is at hand
    least, briefest = _GONE, np.inf
    smallest[count] = least
    shortest[count] = briefest
    for i in range(count - 1, -1, -1):
        if i >= ahead + pinned:
            job = order[i - pinned] + pinned
        else:
            job = i - ahead if i >= ahead else order[i] + pinned
        jobs[i] = job
        demands[i] = sizes[job]
        lengths[i] = requests[job]
        least = min(least, sizes[job])
        briefest = min(briefest, requests[job])
        smallest[i] = least
        shortest[i] = briefest


@leaf
def preempt(head: int, queue: PlannedQueue, scratch: Scratch) -> None:
    """Have running jobs from position `head` on that were not started take their later time.

    `shortest` is left alone: what is least of shorter times is at most the least.
    """
    running = len(queue.size) - len(queue.later)
    for i in range(head, len(queue.size)):
        if scratch.job[i] >= running:
            scratch.request[i] = queue.later[scratch.job[i] - running]


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
    # working copies of queue and releases, which the plan uses up
    line_up(order, queue, scratch)
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
                seen = _GONE
                for c in range(candidates):
                    processors = demand[c]
                    if processors > free:
                        seen = min(seen, processors)
                        continue
                    demand[c] = _GONE
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
                    size[i] = _GONE
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
    queue = PlannedQueue(now, free, 0, size, request, np.empty(0), held, sizes)
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
