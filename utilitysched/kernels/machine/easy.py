"""The fast path of a pool of several resources, for EASY with an order that never changes.

`utilitysched.kernels.machine.loop` gives the same schedules, more slowly.
"""

import numpy as np

from utilitysched.kernels.compiling import kernel, leaf
from utilitysched.kernels.machine.profile import fits
from utilitysched.kernels.progress import ARRIVED, PASSES, QUEUED, RUNNING, Progress
from utilitysched.kernels.releases import add_ending, add_release, remove_release
from utilitysched.model.state import Floats, Integers


@leaf
def _take(total: Integers, amounts: Integers) -> None:
    for k in range(len(total)):
        total[k] -= amounts[k]


@leaf
def _give(total: Integers, amounts: Integers) -> None:
    for k in range(len(total)):
        total[k] += amounts[k]


@leaf
def _is_short(amounts: Integers) -> bool:
    """Return whether any amount is below zero."""
    short = False
    for k in range(len(amounts)):
        short = short or amounts[k] < 0
    return short


@kernel
def advance_easy_pool(
    run: Floats,
    submit: Floats,
    request: Floats,
    demand: Integers,
    rank: Integers,
    progress: Progress,
    free: Integers,
    passes: int,
) -> bool:
    """Process events as `utilitysched.kernels.replay_easy.advance_easy` does, on all resources.

    Parameters
    ----------
    run, submit, request : (n,) float64
        Actual run times, at most the requests, when jobs come, and requests (s).
    demand : (n, r) int64
        Amount of each resource that each job needs, processors first.
    rank : (n,) int64
        Place of each job in the queue order.
    progress : Progress
        What has happened so far; the free processors are not kept in it.
    free : (r,) int64
        Amounts in use by nobody; changed.
    passes : int
        Passes after which to return, so that the caller can report.

    Returns
    -------
    done : bool
        Whether all jobs have ended.
    """
    start, end, backfilled = progress.start, progress.end, progress.backfilled
    ends, ending = progress.ends, progress.ending
    release_end, release_job = progress.release_end, progress.release_job
    queue, counts = progress.queue, progress.counts
    arrived, queued, running = counts[ARRIVED], counts[QUEUED], counts[RUNNING]
    made, done = 0, False
    head, shadow = -1, np.inf
    extra = np.zeros(len(free), np.int64)
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
            remove_release(release_end, release_job, running, start[job] + request[job], job)
            running -= 1
            _give(free, demand[job])
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
        if queued == 0 or free[0] == 0:
            continue
        # down the queue: start from the head, or look at new arrivals behind one that stays
        blocked = head >= 0 and queue[0] == head
        i = first_new if blocked else 0
        kept = i
        while i < queued:
            job = queue[i]
            i += 1
            need, expected = demand[job], now + request[job]
            may = fits(need, free)
            # behind a blocked head: over before its reservation, or beside it
            if blocked and may and expected > shadow:
                may = fits(need, extra)
                if may:
                    _take(extra, need)
            # start, and enter the requested end for later reservations
            if may:
                start[job] = now
                end[job] = now + run[job]
                backfilled[job] = blocked
                _take(free, need)
                add_ending(ends, ending, running, end[job], job)
                add_release(release_end, release_job, running, expected, job)
                running += 1
                continue
            # who stays moves up
            queue[kept] = job
            kept += 1
            # the first that does not fit is the head: reserve its shadow time
            if not blocked:
                blocked, head = True, job
                for k in range(len(free)):
                    extra[k] = free[k] - need[k]
                k = 0
                while k < running and (_is_short(extra) or release_end[k] == shadow):
                    shadow = release_end[k]
                    _give(extra, demand[release_job[k]])
                    k += 1
        # an unblocked queue has no head: the next pass looks at all of it
        queued = kept
        if not blocked:
            head = -1
    counts[ARRIVED], counts[QUEUED], counts[RUNNING] = arrived, queued, running
    counts[PASSES] += made
    return done
