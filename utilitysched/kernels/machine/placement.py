"""Placements on a pool of several resources, with limits and windows.

As the placements of `utilitysched.schedulers.placements`, for amounts of several resources. A job
that a limit bars is skipped as it comes up; the starts of the pass itself count.
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from utilitysched.kernels.compiling import inlined, inner, kernel, leaf
from utilitysched.kernels.machine.profile import (
    build,
    find_gap,
    fits,
    forget_before,
    occupy,
    write_need,
)
from utilitysched.kernels.releases import add_release
from utilitysched.kernels.selection import copy, put_in_order
from utilitysched.model.machine import RUNNING_JOBS, SUBMITTED_JOBS, LimitTable, WindowTable
from utilitysched.model.scheduling_pass import Limits, Queue, Releases
from utilitysched.model.state import Floats, Integers

VECTOR_PLACEMENTS = ("none", "easy", "reservations", "conservative")
"""Placements that know several resources, by their codes."""

NONE, EASY, RESERVATIONS, CONSERVATIVE = range(4)
KEEP, REBUILD, ANEW = range(3)


class PoolPass(NamedTuple):
    """The instant of a pass of one pool.

    Attributes
    ----------
    now : float
        Time on the log's clock (s).
    free : (r,) int64
        Amounts in use by nobody; changed as jobs are marked.
    ended : (e,) int64
        Jobs of the pool that ended since its last pass.
    dropped : (d,) int64
        Queued jobs that lose what was reserved for them.
    replan : int
        `KEEP` reservations; `REBUILD` the profile around them, as a window is over; or make them
        `ANEW`.
    releases : Releases
        Expected ends of the pool's running jobs.
    """

    now: float
    free: Integers
    ended: Integers
    dropped: Integers
    replan: int
    releases: Releases


class PoolTerms(NamedTuple):
    """Demand of the jobs, capacity, limits and windows of a pool.

    Attributes
    ----------
    request : (n,) float64
        Requested times (s).
    demand : (n, r) int64
        Amount of each resource that each job needs.
    capacity : (r,) int64
        Amounts of the pool.
    limits : LimitTable
        Limits, with as many rows of jobs.
    used : (k,) int64
        What counts against each limit now; changed as jobs are marked.
    windows : WindowTable
        Windows, with as many rows of jobs.
    shown : (w,) int64
        Those of the pool that are known now and not over.
    """

    request: Floats
    demand: Integers
    capacity: Integers
    limits: LimitTable
    used: Integers
    windows: WindowTable
    shown: Integers


class PoolPlan(NamedTuple):
    """What a placement that keeps reservations remembers from pass to pass.

    Attributes
    ----------
    reserved : (n,) float64
        Start reserved for each job (s), infinite where there is none.
    time, room, steps
        See `utilitysched.kernels.machine.profile`.
    """

    reserved: Floats
    time: Floats
    room: Integers
    steps: Integers


class PoolScratch(NamedTuple):
    """Room for a pass, which makes no array of its own: counting references costs more than it.

    Attributes
    ----------
    ranked, chosen, order, sorting, job : (c,) int64
        For all queued jobs, or all queued and running ones in `job`.
    score, end : (c,) float64
        Likewise.
    extra : (r,) int64
        Amounts.
    need : (r (1 + w),) int64
        What a job needs of each column of the profile.
    """

    ranked: Integers
    chosen: Integers
    order: Integers
    sorting: Integers
    job: Integers
    score: Floats
    end: Floats
    extra: Integers
    need: Integers


@inner
def pool_scratch(jobs: int, resources: int, windows: int) -> PoolScratch:
    """Return scratch for so many jobs, resources and windows."""
    return PoolScratch(
        np.empty(jobs, np.int64),
        np.empty(jobs, np.int64),
        np.empty(jobs, np.int64),
        np.empty(jobs, np.int64),
        np.empty(jobs, np.int64),
        np.empty(jobs),
        np.empty(jobs),
        np.empty(resources, np.int64),
        np.empty(resources * (1 + windows), np.int64),
    )


@leaf
def is_limited(job: int, demand: Integers, limits: LimitTable, used: Integers) -> bool:
    """Return whether a start of the job would break a limit."""
    for i in range(limits.counter.shape[1]):
        counter = limits.counter[job, i]
        if counter < 0:
            break
        measure = limits.measure[counter]
        if measure == SUBMITTED_JOBS:
            continue
        more = 1 if measure == RUNNING_JOBS else demand[job, measure]
        if used[counter] + more > limits.most[counter]:
            return True
    return False


@leaf
def count_running(job: int, demand: Integers, limits: LimitTable, used: Integers, by: int) -> None:
    """Count a job that starts, or with `by` -1 one that no longer runs."""
    for i in range(limits.counter.shape[1]):
        counter = limits.counter[job, i]
        if counter < 0:
            break
        measure = limits.measure[counter]
        if measure == RUNNING_JOBS:
            used[counter] += by
        elif measure != SUBMITTED_JOBS:
            used[counter] += by * demand[job, measure]


@leaf
def _begin(job: int, moment: PoolPass, terms: PoolTerms, started: NDArray[np.bool_]) -> None:
    """Mark a job, and take what it needs."""
    started[job] = True
    for k in range(len(moment.free)):
        moment.free[k] -= terms.demand[job, k]
    count_running(job, terms.demand, terms.limits, terms.used, 1)


@kernel
def place_on_pool(
    code: int,
    moment: PoolPass,
    queue: Queue,
    terms: PoolTerms,
    limits: Limits,
    plan: PoolPlan,
    started: NDArray[np.bool_],
) -> float:
    """Set ``started[job]`` for the jobs to start now, and return when to be called again (s).

    Parameters
    ----------
    code : int
        Which of `VECTOR_PLACEMENTS`.
    moment : PoolPass
        The instant.
    queue : Queue
        Queued jobs that no limit barred before the pass.
    terms : PoolTerms
        What they need, and what bounds them.
    limits : Limits
        How far to look.
    plan : PoolPlan
        Reservations; what `CONSERVATIVE` remembers.
    started : (n,) bool
        Marks, false before.
    """
    most = len(queue.job) + len(moment.releases.job)
    scratch = pool_scratch(most, len(moment.free), len(terms.shown))
    return place_with(code, moment, queue, terms, limits, plan, started, scratch)


@inlined
def place_with(
    code: int,
    moment: PoolPass,
    queue: Queue,
    terms: PoolTerms,
    limits: Limits,
    plan: PoolPlan,
    started: NDArray[np.bool_],
    scratch: PoolScratch,
) -> float:
    """Place as `place_on_pool` does, with scratch for the jobs of the pool."""
    ranked = scratch.ranked[: len(queue.job)]
    put_in_order(queue.job, queue.score, ranked, scratch.order, scratch.sorting)
    if code == CONSERVATIVE:
        return _conservative(moment, queue.job, ranked, terms, plan, started, scratch)
    for job in moment.dropped:
        plan.reserved[job] = math.inf
    # without windows the running jobs need no profile
    if code == NONE and len(terms.shown) == 0:
        for job in ranked:
            if not is_limited(job, terms.demand, terms.limits, terms.used):
                if not fits(terms.demand[job], moment.free):
                    break
                _begin(job, moment, terms, started)
    elif code == EASY and len(terms.shown) == 0:
        _easy(moment, queue, ranked, terms, started, scratch)
    else:
        # one reservation is EASY
        if code != RESERVATIONS:
            limits = Limits(1, math.inf)
        _reservations(code, moment, queue, ranked, terms, limits, plan, started, scratch)
    return math.inf


@leaf
def _add(total: Integers, demand: Integers, by: int) -> None:
    for k in range(len(total)):
        total[k] += by * demand[k]


@leaf
def _is_short(amounts: Integers) -> bool:
    """Return whether any amount is below zero."""
    short = False
    for k in range(len(amounts)):
        short = short or amounts[k] < 0
    return short


@inlined
def _shadow(
    moment: PoolPass, head: int, begun: Integers, terms: PoolTerms, scratch: PoolScratch
) -> float:
    """Return when all that the head needs is free (s); write what it leaves over then."""
    end, job = moment.releases
    extra = scratch.extra
    if len(begun) > 0:
        count = len(end)
        end, job = scratch.end[: count + len(begun)], scratch.job[: count + len(begun)]
        copy(moment.releases.end, end)
        copy(moment.releases.job, job)
        for k in range(len(begun)):
            expected = moment.now + terms.request[begun[k]]
            add_release(end, job, count + k, expected, begun[k])
    for k in range(len(extra)):
        extra[k] = moment.free[k] - terms.demand[head, k]
    shadow, i = -math.inf, 0
    while i < len(end) and (_is_short(extra) or end[i] == shadow):
        shadow = end[i]
        _add(extra, terms.demand[job[i]], 1)
        i += 1
    return shadow


@inlined
def _easy(
    moment: PoolPass,
    queue: Queue,
    ranked: Integers,
    terms: PoolTerms,
    started: NDArray[np.bool_],
    scratch: PoolScratch,
) -> None:
    """Start around the reservation of the first job that does not fit, the head."""
    now, demand = moment.now, terms.demand
    chosen, score, extra = scratch.chosen, scratch.score, scratch.extra
    count, head = 0, -1
    for job in ranked:
        if is_limited(job, demand, terms.limits, terms.used):
            continue
        if not fits(demand[job], moment.free):
            head = job
            break
        _begin(job, moment, terms, started)
        chosen[count] = job
        count += 1
    if head < 0 or moment.free[0] == 0:
        return
    shadow = _shadow(moment, head, chosen[:count], terms, scratch)
    # candidates: jobs that end before the reservation or fit beside it
    count = 0
    for i, job in enumerate(queue.job):
        if started[job] or not fits(demand[job], moment.free):
            continue
        if now + terms.request[job] <= shadow or fits(demand[job], extra):
            chosen[count], score[count] = job, queue.backfill[i]
            count += 1
    # backfill: every start takes from what the next candidates may use
    put_in_order(chosen[:count], score[:count], ranked, scratch.order, scratch.sorting)
    for job in ranked[:count]:
        before = now + terms.request[job] <= shadow
        if not fits(demand[job], moment.free) or not (before or fits(demand[job], extra)):
            continue
        if is_limited(job, demand, terms.limits, terms.used):
            continue
        _begin(job, moment, terms, started)
        if not before:
            _add(extra, demand[job], -1)


@inner
def _reservations(
    code: int,
    moment: PoolPass,
    queue: Queue,
    ranked: Integers,
    terms: PoolTerms,
    limits: Limits,
    plan: PoolPlan,
    started: NDArray[np.bool_],
    scratch: PoolScratch,
) -> None:
    """Start around reservations of the first blocked jobs, planned from scratch."""
    # a profile with room for every reservation
    rows = 3 + len(moment.releases.end) + 2 * len(terms.shown) + 2 * len(ranked)
    columns = len(moment.free) * (1 + len(terms.shown))
    time, room = np.empty(rows), np.empty((rows, columns), np.int64)
    plan = PoolPlan(plan.reserved, time, room, np.ones(1, np.int64))
    _around_reservations(code, moment, queue, ranked, terms, limits, plan, started, scratch)


@leaf
def _around_reservations(
    code: int,
    moment: PoolPass,
    queue: Queue,
    ranked: Integers,
    terms: PoolTerms,
    limits: Limits,
    plan: PoolPlan,
    started: NDArray[np.bool_],
    scratch: PoolScratch,
) -> None:
    """Start around reservations in a blank profile.

    For `NONE`, nobody starts behind the first blocked job.
    """
    now, demand = moment.now, terms.demand
    reserved, time, room, steps = plan
    resources = demand.shape[1]
    need = scratch.need[: resources * (1 + len(terms.shown))]
    _build(now, moment, terms, plan, need)
    for job in ranked:
        reserved[job] = math.inf
    rest, i, held, primary = ranked, 0, 0, True
    # down the queue order until all reservations are held, then the backfill order
    while i < len(rest):
        job = rest[i]
        i += 1
        if started[job] or reserved[job] < math.inf:
            continue
        if is_limited(job, demand, terms.limits, terms.used):
            continue
        request = terms.request[job]
        write_need(job, demand, terms.windows, terms.shown, need)
        gap = find_gap(time, room, steps[0], need, request, math.inf)
        begin = time[gap] if gap < steps[0] else math.inf
        # a job of zero seconds touches no reservation, not even one that begins now
        instant = now + request <= now and fits(need[resources:], room[0, resources:])
        if fits(demand[job], moment.free) and (instant or begin == now):
            _begin(job, moment, terms, started)
            occupy(time, room, steps, now, now + request, need)
        elif primary:
            if code == NONE:
                break
            # a blocked job: one more reservation, unless it lies beyond the window
            if held < limits.reservations and begin <= now + limits.window:
                reserved[job] = begin
                # the head of EASY keeps what it needs even if only for an instant
                until = begin + request
                if code == EASY:
                    until = max(until, np.nextafter(begin, math.inf))
                if begin < math.inf:
                    occupy(time, room, steps, begin, until, need)
                held += 1
            if held >= limits.reservations:
                primary = False
                put_in_order(queue.job, queue.backfill, rest, scratch.order, scratch.sorting)
                i = 0


@leaf
def _conservative(
    moment: PoolPass,
    jobs: Integers,
    ranked: Integers,
    terms: PoolTerms,
    plan: PoolPlan,
    started: NDArray[np.bool_],
    scratch: PoolScratch,
) -> float:
    """Start the jobs whose reserved start has come, and return the next one (s)."""
    now, request, demand = moment.now, terms.request, terms.demand
    reserved, time, room, steps = plan
    need = scratch.need[: demand.shape[1] * (1 + len(terms.shown))]
    # release what ended and dropped jobs had reserved beyond now
    freed = False
    if moment.replan == KEEP:
        forget_before(time, room, steps, now)
    for gone in (moment.ended, moment.dropped):
        for job in gone:
            until = reserved[job] + request[job]
            freed = freed or now < until < math.inf
            if moment.replan == KEEP and until < math.inf:
                write_need(job, demand, terms.windows, terms.shown, need)
                occupy(time, room, steps, max(now, reserved[job]), until, need, -1)
            reserved[job] = math.inf
    if moment.replan != KEEP:
        _build_anew(moment, jobs, terms, plan, need)
    if moment.replan == ANEW:
        _reserve(ranked, terms, plan, need)
    elif freed:
        _compress(ranked, terms, plan, need)
    _reserve(jobs, terms, plan, need)
    # who meets a limit now loses the reservation, which may let others start
    while _start_due(moment, ranked, terms, plan, started, need):
        _compress(ranked, terms, plan, need)
        _reserve(jobs, terms, plan, need)
    return _next_start(now, jobs, plan.reserved)


@leaf
def _build(
    soonest: float, moment: PoolPass, terms: PoolTerms, plan: PoolPlan, need: Integers
) -> None:
    """Make the profile of a pass; see `build`."""
    build(
        moment.now,
        soonest,
        moment.free,
        moment.releases,
        terms.demand,
        terms.capacity,
        terms.windows,
        terms.shown,
        plan.time,
        plan.room,
        plan.steps,
        need,
    )


@leaf
def _build_anew(
    moment: PoolPass, jobs: Integers, terms: PoolTerms, plan: PoolPlan, need: Integers
) -> None:
    """Make the profile of running jobs, windows, and reservations that stay."""
    now = moment.now
    reserved, time, room, steps = plan
    _build(np.nextafter(now, np.inf), moment, terms, plan, need)
    for job in jobs:
        if moment.replan == ANEW:
            reserved[job] = math.inf
        elif reserved[job] < math.inf:
            write_need(job, terms.demand, terms.windows, terms.shown, need)
            until = reserved[job] + terms.request[job]
            occupy(time, room, steps, max(now, reserved[job]), until, need)


@leaf
def _next_start(now: float, jobs: Integers, reserved: Floats) -> float:
    """Return the first reserved start after now (s)."""
    first = math.inf
    for job in jobs:
        if reserved[job] > now:
            first = min(first, reserved[job])
    return first


@leaf
def _reserve(jobs: Integers, terms: PoolTerms, plan: PoolPlan, need: Integers) -> None:
    """Reserve the earliest start for each job that has none."""
    reserved, time, room, steps = plan
    for job in jobs:
        if reserved[job] < math.inf or is_limited(job, terms.demand, terms.limits, terms.used):
            continue
        write_need(job, terms.demand, terms.windows, terms.shown, need)
        gap = find_gap(time, room, steps[0], need, terms.request[job], math.inf)
        # there is none where a window lasts for ever
        if gap < steps[0]:
            reserved[job] = time[gap]
            occupy(time, room, steps, time[gap], time[gap] + terms.request[job], need)


@leaf
def _compress(ranked: Integers, terms: PoolTerms, plan: PoolPlan, need: Integers) -> None:
    """Put each reservation at its earliest feasible start, one job at a time, in this order."""
    reserved, time, room, steps = plan
    for job in ranked:
        old, request = reserved[job], terms.request[job]
        if not time[0] < old < math.inf:
            continue
        write_need(job, terms.demand, terms.windows, terms.shown, need)
        gap = find_gap(time, room, steps[0], need, request, old)
        if gap < steps[0]:
            reserved[job] = time[gap]
            occupy(time, room, steps, old, old + request, need, -1)
            occupy(time, room, steps, reserved[job], reserved[job] + request, need)


@leaf
def _start_due(
    moment: PoolPass,
    ranked: Integers,
    terms: PoolTerms,
    plan: PoolPlan,
    started: NDArray[np.bool_],
    need: Integers,
) -> bool:
    """Mark the jobs whose reserved start has come; return whether any has lost it."""
    reserved, time, room, steps = plan
    resources, lost = terms.demand.shape[1], False
    for job in ranked:
        if started[job] or reserved[job] > moment.now:
            continue
        write_need(job, terms.demand, terms.windows, terms.shown, need)
        until = reserved[job] + terms.request[job]
        # a job of zero seconds holds nothing, so its start may have passed, and a window have begun
        missed = until <= moment.now and not fits(need[resources:], room[0, resources:])
        if missed or is_limited(job, terms.demand, terms.limits, terms.used):
            occupy(time, room, steps, moment.now, until, need, -1)
            reserved[job] = math.inf
            lost = True
        # a job without run time may hold its amounts until the next pass of this instant
        elif fits(terms.demand[job], moment.free):
            _begin(job, moment, terms, started)
    return lost
