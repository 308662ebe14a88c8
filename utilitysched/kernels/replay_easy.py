"""The fast path of the compiled event loop, for EASY with an order that never changes.

`utilitysched.kernels.replay.advance` gives the same schedules, more slowly.
"""

import numpy as np

from utilitysched.kernels.compiling import kernel
from utilitysched.kernels.progress import ARRIVED, FREE, PASSES, QUEUED, RUNNING, Progress
from utilitysched.kernels.releases import add_ending, add_release, remove_release
from utilitysched.model.state import Floats, Integers, JobTable


@kernel
def advance_easy(
    run: Floats, known: JobTable, rank: Integers, progress: Progress, passes: int
) -> bool:
    """Process events as `utilitysched.kernels.replay.advance` does, with two short cuts.

    The queue is kept sorted. And while nothing is released and the same head stays blocked,
    its shadow time stays and the processors beyond its need only shrink: a job that could not
    start cannot start later either, so only new arrivals are looked at.

    Parameters
    ----------
    run : (n,) float64
        Actual run times (s), at most the requests.
    rank : (n,) int64
        Place of each job in the queue order.
    passes : int
        Passes after which to return, so that the caller can report.

    Returns
    -------
    done : bool
        Whether all jobs have ended.
    """
    submit, request, size = known.submit, known.request, known.size
    start, end, backfilled = progress.start, progress.end, progress.backfilled
    ends, ending = progress.ends, progress.ending
    release_end, release_job = progress.release_end, progress.release_job
    queue = progress.queue
    counts = progress.counts
    arrived, queued, running = counts[ARRIVED], counts[QUEUED], counts[RUNNING]
    free = counts[FREE]
    made = 0
    done = False
    head = -1
    shadow = np.inf
    extra = 0
    for _ in range(passes):
        # the clock: the next arrival or completion
        now = np.inf
        if arrived < len(submit):
            now = submit[arrived]
        if running > 0:
            now = min(now, ends[running - 1])
        if now == np.inf:
            done = True
            break
        made += 1
        # completions: what they give back unblocks the head
        while running > 0 and ends[running - 1] == now:
            job = ending[running - 1]
            expected = start[job] + request[job]
            remove_release(release_end, release_job, running, expected, job)
            running -= 1
            free += size[job]
            head = -1
        # arrivals line up in queue order
        first_new = queued
        while arrived < len(submit) and submit[arrived] == now:
            k = queued
            while k > 0 and rank[queue[k - 1]] > rank[arrived]:
                queue[k] = queue[k - 1]
                k -= 1
            queue[k] = arrived
            first_new = min(first_new, k)
            queued += 1
            arrived += 1
        if queued == 0 or free == 0:
            continue
        # down the queue: start from the head, or look at new arrivals behind one that stays
        blocked = head >= 0 and queue[0] == head
        i = first_new if blocked else 0
        kept = i
        while i < queued:
            job = queue[i]
            i += 1
            expected = now + request[job]
            fits = size[job] <= free
            # behind a blocked head: over before its reservation, or beside it
            if blocked and fits and expected > shadow:
                fits = size[job] <= extra
                extra -= size[job] if fits else 0
            # start, and enter the requested end for later reservations
            if fits:
                start[job] = now
                end[job] = now + run[job]
                backfilled[job] = blocked
                free -= size[job]
                add_ending(ends, ending, running, end[job], job)
                add_release(release_end, release_job, running, expected, job)
                running += 1
                continue
            # who stays moves up
            queue[kept] = job
            kept += 1
            # the first that does not fit is the head: reserve its shadow time, here and not by
            # `reservation`, whose call would cost 3 to 8% of the loop
            if not blocked:
                blocked = True
                head = job
                extra = free - size[job]
                k = 0
                while extra < 0 or (k < running and release_end[k] == shadow):
                    shadow = release_end[k]
                    extra += size[release_job[k]]
                    k += 1
        # an unblocked queue has no head: the next pass looks at all of it
        queued = kept
        if not blocked:
            head = -1
    counts[ARRIVED], counts[QUEUED], counts[RUNNING] = arrived, queued, running
    counts[FREE] = free
    counts[PASSES] += made
    return done
