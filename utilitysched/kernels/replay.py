"""The event loop for orderings and placements that are compiled."""

import numpy as np
from numba import njit
from numpy.typing import NDArray

from utilitysched.kernels.agenda import add_ending
from utilitysched.kernels.history import fill, learn
from utilitysched.kernels.policy import Policy, within_depth
from utilitysched.kernels.progress import ARRIVED, FREE, PASSES, QUEUED, RUNNING, Progress
from utilitysched.kernels.ranking import starved_first
from utilitysched.kernels.releases import add_release, remove_release
from utilitysched.model.forecast import Forecast, RuntimeHistory
from utilitysched.model.scheduling_pass import Plan, Queue, Releases, SchedulingPass
from utilitysched.model.state import Floats, Integers, JobTable


@njit(cache=True)
def _smallest(jobs: Integers, size: Integers) -> int:
    """Return the fewest processors that a job in the queue needs."""
    smallest = size[jobs[0]]
    for i in range(1, len(jobs)):
        smallest = min(smallest, size[jobs[i]])
    return smallest


@njit(cache=True)
def _first_waiting(jobs: Integers, score: Floats, started: NDArray[np.bool_]) -> tuple[int, bool]:
    """Return the position of the first by score not started, -1 without one; and if any did."""
    first = -1
    least = np.inf
    any_started = False
    for i in range(len(jobs)):
        if started[jobs[i]]:
            any_started = True
        elif score[i] < least or first < 0:
            first = i
            least = score[i]
    return first, any_started


@njit(cache=True)
def _mark_backfilled(
    jobs: Integers,
    score: Floats,
    blocked: int,
    started: NDArray[np.bool_],
    backfilled: NDArray[np.bool_],
) -> None:
    """Mark the started jobs that were behind the one that stays in the queue at `blocked`."""
    for i in range(len(jobs)):
        if started[jobs[i]]:
            behind = score[i] > score[blocked] or (score[i] == score[blocked] and i > blocked)
            backfilled[jobs[i]] = behind


@njit(cache=True)
def advance(
    run: Floats,
    known: JobTable,
    forecast: Forecast,
    learnt: RuntimeHistory,
    policy: Policy,
    plan: Plan,
    progress: Progress,
    passes: int,
    until: float,
) -> bool:
    """Process events before `until` until all jobs have ended or `passes` more have been made.

    At each distinct time: all completions, then all arrivals, then one pass. A job without run
    time completes at its own start, which makes another pass at that instant.

    Parameters
    ----------
    run : (n,) float64
        Actual run times (s), at most the requests.
    plan : Plan
        Memory of the placement.
    passes : int
        Passes after which to return, so that the caller can report.
    until : float
        The first event at this time or later is left to the next call (s).

    Returns
    -------
    done : bool
        Whether all jobs have ended.
    """
    # Plain locals: each access to an array in a tuple, and each tuple handed to a function,
    # counts references up and down, which costs more than the pass itself.
    submit, request, size, user = known.submit, known.request, known.size, known.user
    start, end, backfilled = progress.start, progress.end, progress.backfilled
    queue = progress.queue
    ends, ending = progress.ends, progress.ending
    release_end, release_job = progress.release_end, progress.release_job
    counts = progress.counts
    arrived, queued, running = counts[ARRIVED], counts[QUEUED], counts[RUNNING]
    free = counts[FREE]
    wake_up = progress.wake_up[0]
    fixed, score_of = policy.primary.fixed, policy.primary.score
    parameters = policy.primary.parameters
    backfill_of, backfill_parameters = policy.secondary.score, policy.secondary.parameters
    place, limits, same_order = policy.place, policy.limits, policy.same_order
    threshold, depth, learns = policy.threshold, policy.depth, policy.learns
    started = progress.started
    ended = np.empty(len(ending), np.int64)
    # of the jobs in `queue`; kept from pass to pass where they never change
    scores = np.empty(len(queue))
    if len(fixed) > 0:
        for i in range(queued):
            scores[i] = fixed[queue[i]]
    done = False
    for _ in range(passes):
        # the next instant
        now = wake_up
        if arrived < len(submit):
            now = min(now, submit[arrived])
        if running > 0:
            now = min(now, ends[running - 1])
        if now == np.inf:
            done = True
            break
        if now >= until:
            break
        counts[PASSES] += 1
        wake_up = np.inf
        # completions, then arrivals
        ended_now = 0
        while running > 0 and ends[running - 1] == now:
            job = ending[running - 1]
            expected = start[job] + request[job]
            ended[ended_now] = job
            ended_now += 1
            remove_release(release_end, release_job, running, expected, job)
            running -= 1
            free += size[job]
            if learns:
                learn(learnt, user[job], run[job], request[job])
        while arrived < len(submit) and submit[arrived] == now:
            queue[queued] = arrived
            if len(fixed) > 0:
                scores[queued] = fixed[arrived]
            queued += 1
            arrived += 1
        jobs = queue[:queued]
        if not (policy.keeps_reservations or (queued > 0 and _smallest(jobs, size) <= free)):
            continue
        if learns:
            fill(jobs, known, learnt, policy.rule, forecast)
        # put in order
        score = scores[:queued]
        if len(fixed) == 0:
            score_of(now, jobs, known, forecast, parameters, score)
        if threshold < np.inf:
            starved_first(jobs, submit, now, threshold, score)
        if depth < queued:
            within = within_depth(score, depth)
            jobs = jobs[within]
            score = score[within]
        backfill = score
        if not same_order:
            backfill = np.empty(len(jobs))
            backfill_of(now, jobs, known, forecast, backfill_parameters, backfill)
            starved_first(jobs, submit, now, threshold, backfill)
        # place, and start what was marked
        wake_up = place(
            SchedulingPass(now, free, ended[:ended_now]),
            Queue(jobs, score, backfill),
            Releases(release_end[:running], release_job[:running]),
            known,
            limits,
            plan,
            started,
        )
        blocked, any_started = _first_waiting(jobs, score, started)
        if not any_started:
            continue
        if blocked >= 0:
            _mark_backfilled(jobs, score, blocked, started, backfilled)
        kept = 0
        for i in range(queued):
            job = queue[i]
            if not started[job]:
                queue[kept] = job
                scores[kept] = scores[i]
                kept += 1
                continue
            started[job] = False
            start[job] = now
            end[job] = now + run[job]
            free -= size[job]
            add_ending(ends, ending, running, end[job], job)
            expected = now + request[job]
            add_release(release_end, release_job, running, expected, job)
            running += 1
        queued = kept
    counts[ARRIVED], counts[QUEUED], counts[RUNNING] = arrived, queued, running
    counts[FREE] = free
    progress.wake_up[0] = wake_up
    return done
