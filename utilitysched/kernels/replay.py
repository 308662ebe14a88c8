"""The event loop for orderings and placements that are compiled."""

from typing import Any

import numpy as np

import utilitysched.kernels.sources as events
from utilitysched.kernels.compiling import kernel
from utilitysched.kernels.history import fill, learn
from utilitysched.kernels.policy import Policy, looked_at, starved_first
from utilitysched.kernels.progress import ARRIVED, FREE, PASSES, QUEUED, RUNNING, Progress
from utilitysched.kernels.releases import add_ending, add_release, due_by, remove_release
from utilitysched.kernels.restarts import (
    KILLS,
    TakingBack,
    decide_taking_back,
    note_end,
    running_jobs,
)
from utilitysched.kernels.selection import (
    close_up,
    find_started,
    first_waiting,
    in_order,
    mark_backfilled,
    smallest,
)
from utilitysched.kernels.sources import DISRUPTED, DOWN, TROUBLE, EventSources
from utilitysched.kernels.stops import PREEMPTED
from utilitysched.model.forecast import Forecast, RuntimeHistory
from utilitysched.model.scheduling_pass import Plan, Queue, Releases, SchedulingPass
from utilitysched.model.state import Floats, JobTable


@kernel
def advance(
    run: Floats,
    known: JobTable,
    forecast: Forecast,
    history: RuntimeHistory,
    policy: Policy,
    plan: Plan,
    progress: Progress,
    passes: int,
    until: float,
    sources: EventSources | None = None,
    restarts: TakingBack | None = None,
) -> bool:
    """Process events before `until` until all jobs have ended or `passes` more have been made.

    At each distinct time: all completions, repairs, outages, arrivals, then one pass. A job without
    run time completes at its own start, which makes another pass at that instant. Compiled three
    times: what depends on `sources` and `restarts` is left out where there are none.

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
    sources : EventSources or None
        Other sources of events than the log, with a job table and a policy of their own in which
        nothing is fixed. If one of them has no more room, or something went wrong, the next event
        is left to the next call.
    restarts : TakingBack or None
        Terms on which running jobs are killed and requeued; needs sources.

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
    held = running  # running jobs, and outages under way, which hold processors as they do
    if sources is not None:
        others, dependents, stops = sources.counts, sources.dependents, sources.stops
        rows, downtime = sources.rows, sources.downtime
        came, numbers, owner = dependents.came, dependents.number, downtime.owner
        held += others[DOWN]
    fixed, score_of = policy.primary.fixed, policy.primary.score
    parameters = policy.primary.parameters
    backfill_of, backfill_parameters = policy.secondary.score, policy.secondary.parameters
    place, limits, same_order = policy.place, policy.limits, policy.same_order
    threshold, depth, learns = policy.threshold, policy.depth, policy.learns
    started, machine_size = progress.started, known.machine_size
    ended = np.empty(len(ending), np.int64)
    starting = np.empty(len(queue), np.int64)  # the places in it of those that start in this pass
    # of the jobs in `queue`; kept from pass to pass where they never change
    scores = np.empty(len(queue))
    if len(fixed) > 0:
        for i in range(queued):
            scores[i] = fixed[queue[i]]
    done = False
    for _ in range(passes):
        # the clock moves on to the next instant
        now = wake_up
        if running > 0:
            now = min(now, ends[running - 1])
        if sources is None:
            if arrived < len(submit):
                now = min(now, submit[arrived])
        else:
            if events.is_full(others, rows, machine_size):
                break
            now = events.next_instant(others, dependents, downtime, now, queued + running)
        if now == np.inf:
            done = True
            break
        if now >= until:
            break
        counts[PASSES] += 1
        wake_up = np.inf
        # completions
        ended_now = 0
        while running > 0 and ends[running - 1] == now:
            job = ending[running - 1]
            if sources is not None:
                job = came[job]
            expected = start[job] + request[job]
            ended[ended_now] = job
            ended_now += 1
            remove_release(release_end, release_job, held, expected, job)
            held -= 1
            running -= 1
            free += size[job]
            done_of_it = run[job]
            if sources is not None:
                done_of_it -= events.end_job(
                    others, dependents, stops, rows, owner, request, job, now
                )
            if learns:
                learn(history, user[job], done_of_it, request[job])
            if restarts is not None:
                note_end(known, restarts.memory, restarts.terms, job, done_of_it, now)
        # repairs and outages, then arrivals
        if sources is None:
            while arrived < len(submit) and submit[arrived] == now:
                queue[queued] = arrived
                if len(fixed) > 0:
                    scores[queued] = fixed[arrived]
                queued += 1
                arrived += 1
        else:
            counts[ARRIVED], counts[QUEUED], counts[RUNNING] = arrived, queued, running
            counts[FREE] = free
            if events.fails_now(others, downtime, now):
                events.repair_and_fail(sources, known, progress, now)
            events.come(others, dependents, counts, queue, submit, known.arrival, now)
            arrived, queued, running = counts[ARRIVED], counts[QUEUED], counts[RUNNING]
            free = counts[FREE]
            held = running + others[DOWN]
            if others[TROUBLE] > 0:
                wake_up = now
                break
            # what was reserved may not be possible: anew, once there is anything to reserve
            if queued == 0 and others[DISRUPTED] > 0:
                continue
        # the pass: kills and starts where processors are taken back, else starts
        jobs = queue[:queued]
        releases = Releases(release_end[:held], release_job[:held])
        if restarts is not None and sources is not None:
            if queued == 0:
                continue
            others[DISRUPTED] = 0
            if held > 0 and release_end[0] <= now and not stops.kills:
                releases = due_by(releases, now)
            # decide, and take off who is killed, so that the starts find room
            runs = running_jobs(releases, start, restarts.interval, stops, numbers)
            moves, wake_up = decide_taking_back(
                now,
                free,
                jobs,
                runs,
                known,
                forecast,
                history,
                policy,
                plan,
                restarts,
                started,
                scores,
            )
            score = scores[:queued]
            for k in range(moves.counts[KILLS]):
                events.take_off(sources, known, progress, moves.kill[k])
            running, free = counts[RUNNING], counts[FREE]
            held = running + others[DOWN]
        else:
            if not (policy.keeps_reservations or (queued > 0 and smallest(jobs, size) <= free)):
                continue
            # forecasts of the jobs in the queue, where an ordering reads them
            if learns:
                fill(jobs, known, history, policy.rule, forecast)
            # put in order
            moment = SchedulingPass(now, free, ended[:ended_now])
            score = scores[:queued]
            if len(fixed) == 0:
                score_of(moment, jobs, known, forecast, parameters, score)
            # who has starved goes first; who is beyond the depth is not looked at
            if threshold < np.inf:
                starved_first(jobs, submit, now, threshold, score)
            if depth < queued or policy.reserve.price > 0.0:
                within = looked_at(policy, jobs, score, now, free, known)
                jobs = jobs[within]
                score = score[within]
            # the order of backfilling, where it is another one
            backfill = score
            if not same_order:
                backfill = np.empty(len(jobs))
                backfill_of(moment, jobs, known, forecast, backfill_parameters, backfill)
                starved_first(jobs, submit, now, threshold, backfill)
            # reserve anew if more than completions changed what is free
            if sources is not None:
                late = queued > 0 and held > 0 and release_end[0] <= now
                if late and not stops.kills:
                    releases = due_by(releases, now)
                if policy.keeps_reservations and (late or others[DISRUPTED] > 0):
                    events.reserve_anew(now, free, releases, in_order(jobs, score), known, plan)
                    moment = SchedulingPass(now, free, ended[:0])
                others[DISRUPTED] = 0
            # place, and start what was marked
            wake_up = place(
                moment, Queue(jobs, score, backfill), releases, known, limits, plan, started
            )
        # collect the marks, and note who was backfilled
        starts = find_started(jobs, started, starting)
        if starts == 0:
            continue
        blocked = first_waiting(jobs, score, started)
        if blocked >= 0:
            stopped = None if sources is None else stops.stopped
            mark_backfilled(jobs, score, blocked, starting, starts, backfilled, stopped)
        if len(jobs) < queued:
            for k in range(starts):
                starting[k] = within[starting[k]]
        # start: processors, ends as they will be, ends as requested
        for k in range(starts):
            job = queue[starting[k]]
            started[job] = False
            start[job] = now
            end[job] = now + run[job]
            number = job
            if sources is not None:
                end[job] = now + events.start_job(
                    others, stops, rows, downtime, job, size[job], request[job], now
                )
                number = numbers[job]
            free -= size[job]
            add_ending(ends, ending, running, end[job], number)
            expected = now + request[job]
            add_release(release_end, release_job, held, expected, job)
            held += 1
            running += 1
        # the queue closes up behind those that started
        close_up(queue, queued, starting, starts)
        close_up(scores, queued, starting, starts)
        queued -= starts
        if restarts is not None and sources is not None:
            # the killed jobs come back into the queue, with their cause and price
            counts[QUEUED] = queued
            for k in range(moves.counts[KILLS]):
                job = moves.kill[k]
                rows.cause[stops.row[job]] = moves.cause[k]
                rows.value_lost[stops.row[job]] = moves.loss[k]
                interval = restarts.interval[job]
                why: Any = np.int64(PREEMPTED)
                events.put_back(sources, known, progress, job, why, interval, now)
            queued = counts[QUEUED]
    # leave the state as the next call expects it
    counts[ARRIVED], counts[QUEUED], counts[RUNNING] = arrived, queued, running
    counts[FREE] = free
    progress.wake_up[0] = wake_up
    return done
