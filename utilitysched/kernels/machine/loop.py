"""The event loop of a machine of pools, for orderings that are compiled."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from utilitysched.kernels.compiling import inlined, inner, kernel, leaf
from utilitysched.kernels.history import fill, learn
from utilitysched.kernels.machine.placement import (
    ANEW,
    CONSERVATIVE,
    KEEP,
    REBUILD,
    PoolPass,
    PoolPlan,
    PoolScratch,
    PoolTerms,
    count_running,
    is_limited,
    place_with,
    pool_scratch,
)
from utilitysched.kernels.machine.priority import refresh
from utilitysched.kernels.machine.profile import fits
from utilitysched.kernels.machine.usage import UsageState, begin, end
from utilitysched.kernels.policy import Policy, looked_at, starved_first
from utilitysched.kernels.releases import add_ending, add_release, remove_release
from utilitysched.kernels.selection import (
    close_up,
    copy,
    find_started,
    first_waiting,
    mark_backfilled,
)
from utilitysched.model.forecast import Forecast, RuntimeHistory
from utilitysched.model.machine import (
    SUBMITTED_JOBS,
    HeldBack,
    LimitTable,
    MachineTable,
    WindowTable,
)
from utilitysched.model.scheduling_pass import Limits, Queue, Releases, SchedulingPass
from utilitysched.model.state import Floats, Integers, JobTable

ARRIVED, PASSES, WAITING, FULL = range(4)
QUEUED, RUNNING = range(2)
NOTHING, LIMIT, WINDOW = range(3)


class MachineProgress(NamedTuple):
    """Mutable state of the loop, enough to stop and resume.

    Of the columns by pool, a pool has the entries from its `first` on.

    Attributes
    ----------
    start, end : (n,) float64
        Start and completion of each job (s).
    backfilled : (n,) bool
        See `utilitysched.Schedule`.
    held : HeldBack
        For how long jobs waited for limits and windows (s).
    waits_for : (n,) int64
        What each queued job waits for since the last instant: `NOTHING` of the kind, a `LIMIT`, or
        a `WINDOW`.
    admitted : (n,) bool
        No limit on submitted jobs keeps the job out.
    waiting : (n,) int64
        Jobs that are not admitted yet, in arrival order; `counts[WAITING]` of them.
    used : (k,) int64
        What counts against each limit.
    usage : UsageState
        Decayed usage, of no entity where nobody reads it.
    started : (n,) bool
        Scratch of a pass.
    first : (p,) int64
        Where a pool's entries begin.
    queue : (n,) int64
        Queued jobs by pool, in arrival order.
    ends, ending : (n,)
        Actual ends (s) and the jobs by pool, the next one last.
    release_end, release_job : (n,)
        Expected ends (s) and the jobs by pool, the next one first.
    ended : (n,) int64
        Jobs by pool that ended since its last pass.
    ended_count : (p,) int64
        How many.
    lengths : (p, 2) int64
        Jobs in the queue and running.
    free : (p, r) int64
        Amounts in use by nobody.
    wake_up : (p,) float64
        When the placement wants a pass even without an event (s).
    shows : (p, w) bool
        Which of them each pool saw at its last pass.
    reserved : (n,) float64
        See `PoolPlan`.
    time, room, steps : (p, ...)
        Profiles by pool.
    last : (1,) float64
        The latest instant (s).
    counts : (4,) int64
        Jobs submitted so far; passes; jobs in `waiting`; 1 where a profile needs more room.
    """

    start: Floats
    end: Floats
    backfilled: NDArray[np.bool_]
    held: HeldBack
    waits_for: Integers
    admitted: NDArray[np.bool_]
    waiting: Integers
    used: Integers
    usage: UsageState
    started: NDArray[np.bool_]
    first: Integers
    queue: Integers
    ends: Floats
    ending: Integers
    release_end: Floats
    release_job: Integers
    ended: Integers
    ended_count: Integers
    lengths: Integers
    free: Integers
    wake_up: Floats
    shows: NDArray[np.bool_]
    reserved: Floats
    time: Floats
    room: Integers
    steps: Integers
    last: Floats
    counts: Integers


class MachineRules(NamedTuple):
    """What does not change while the loop runs.

    Attributes
    ----------
    run : (n,) float64
        Actual run times (s), at most the requests.
    known : JobTable
        The jobs as orderings see them: `size` is the dominant share of the pool in processors.
    table : MachineTable
        The machine.
    alarms : (a,) float64
        Instants at which windows become known, begin, and end (s), ascending.
    fixed : (n,) float64
        Scores that never change, otherwise empty.
    code : int
        The placement, by its place in `VECTOR_PLACEMENTS`.
    own_events_only : bool
        A pool without an event of its own needs no pass.
    reads_usage : (2,) bool
        Whether the queue order and the backfill order read usage.
    """

    run: Floats
    known: JobTable
    table: MachineTable
    alarms: Floats
    fixed: Floats
    code: int
    own_events_only: bool
    reads_usage: NDArray[np.bool_]


class MachineScratch(NamedTuple):
    """Room for the passes, as that of placements.

    Attributes
    ----------
    jobs, within : (n,) int64
        The queued jobs that a pass looks at, and their places in the queue, if not all.
    looked, dropped, starting : (n,) int64
        See `_write_looked_at`, `PoolPass`, and `_start`.
    score, backfill : (n,) float64
        See `Queue`.
    events : (p,) int64
        Arrivals and ends in each pool.
    shown : (w,) int64
        Windows of a pool that are known and not over.
    left : (w, r) int64
        Amounts that they leave.
    pool : PoolScratch
        For the placement.
    """

    jobs: Integers
    within: Integers
    looked: Integers
    dropped: Integers
    starting: Integers
    score: Floats
    backfill: Floats
    events: Integers
    shown: Integers
    left: Integers
    pool: PoolScratch


@inner
def _machine_scratch(rules: MachineRules) -> MachineScratch:
    """Return scratch for a machine."""
    jobs, windows = len(rules.run), len(rules.table.windows.begin)
    pools, resources = rules.table.pools.capacity.shape
    return MachineScratch(
        np.empty(jobs, np.int64),
        np.empty(jobs, np.int64),
        np.empty(jobs, np.int64),
        np.empty(jobs, np.int64),
        np.empty(jobs, np.int64),
        np.empty(jobs),
        np.empty(jobs),
        np.empty(pools, np.int64),
        np.empty(windows, np.int64),
        np.empty((windows, resources), np.int64),
        pool_scratch(jobs, resources, windows),
    )


@inlined
def _next_instant(rules: MachineRules, progress: MachineProgress) -> float:
    """Return when something happens next (s), infinite if nothing does."""
    now, submit = np.inf, rules.known.submit
    arrived, present = progress.counts[ARRIVED], 0
    if arrived < len(submit):
        now = submit[arrived]
    for pool in range(len(progress.first)):
        running = progress.lengths[pool, RUNNING]
        present += progress.lengths[pool, QUEUED] + running
        if running > 0:
            now = min(now, progress.ends[progress.first[pool] + running - 1])
        now = min(now, progress.wake_up[pool])
    if present > 0:
        after = np.searchsorted(rules.alarms, progress.last[0], side="right")
        if after < len(rules.alarms):
            now = min(now, rules.alarms[after])
    return now


@inlined
def _has_room(rules: MachineRules, progress: MachineProgress, now: float) -> bool:
    """Return whether the kept profiles have room for all that can happen at an instant."""
    if rules.code != CONSERVATIVE:
        return True
    coming = progress.counts[ARRIVED]
    while coming < len(rules.known.submit) and rules.known.submit[coming] == now:
        coming += 1
    most, lengths = 0, progress.lengths
    for pool in range(len(progress.first)):
        jobs = lengths[pool, QUEUED] + lengths[pool, RUNNING] + progress.ended_count[pool]
        most = max(most, jobs)
    most += coming - progress.counts[ARRIVED] + len(rules.table.windows.begin)
    return 2 * most + 8 <= progress.time.shape[1]


@inlined
def _wait(progress: MachineProgress, since: float) -> None:
    """Add the time since the last instant (s) to what jobs waited for limits and windows."""
    for pool in range(len(progress.first)):
        first = progress.first[pool]
        for i in range(first, first + progress.lengths[pool, QUEUED]):
            job = progress.queue[i]
            if progress.waits_for[job] == LIMIT:
                progress.held.limit[job] += since
            elif progress.waits_for[job] == WINDOW:
                progress.held.window[job] += since


@inlined
def _history_of(histories: Any, pool: int) -> Any:
    """Return what has been learnt in one pool."""
    return RuntimeHistory(
        histories.runs[pool],
        histories.ratios[pool],
        histories.completed[pool],
        histories.log_ratios[pool],
        histories.log_count[pool],
    )


@inlined
def _complete(
    rules: MachineRules,
    progress: MachineProgress,
    pool: int,
    now: float,
    histories: Any,
    learns: bool,
) -> None:
    """Take off the jobs of a pool that end."""
    known, table = rules.known, rules.table
    demand, first = table.pools.demand, progress.first[pool]
    running = progress.lengths[pool, RUNNING]
    while running > 0 and progress.ends[first + running - 1] == now:
        job = progress.ending[first + running - 1]
        expected = progress.start[job] + known.request[job]
        release_end, release_job = progress.release_end[first:], progress.release_job[first:]
        remove_release(release_end, release_job, running, expected, job)
        running -= 1
        progress.ended[first + progress.ended_count[pool]] = job
        progress.ended_count[pool] += 1
        for k in range(demand.shape[1]):
            progress.free[pool, k] += demand[job, k]
        count_running(job, demand, table.limits, progress.used, -1)
        _count_submitted(job, table.limits, progress.used, -1)
        if len(progress.usage.usage) > 0:
            end(progress.usage, table.shares, job, float(known.size[job]), now)
        if learns:
            history = _history_of(histories, pool)
            learn(history, known.user[job], rules.run[job], known.request[job])
    progress.lengths[pool, RUNNING] = running


@inlined
def _count_submitted(job: int, limits: LimitTable, used: Integers, by: int) -> None:
    """Count an admitted job, or with `by` -1 one that has ended."""
    for i in range(limits.counter.shape[1]):
        counter = limits.counter[job, i]
        if counter < 0:
            break
        if limits.measure[counter] == SUBMITTED_JOBS:
            used[counter] += by


@inlined
def _arrive(rules: MachineRules, progress: MachineProgress, now: float) -> None:
    """Put the jobs that are submitted into the queues of their pools."""
    submit, counts = rules.known.submit, progress.counts
    while counts[ARRIVED] < len(submit) and submit[counts[ARRIVED]] == now:
        job = counts[ARRIVED]
        pool = rules.table.pools.pool[job]
        progress.queue[progress.first[pool] + progress.lengths[pool, QUEUED]] = job
        progress.lengths[pool, QUEUED] += 1
        if not progress.admitted[job]:
            progress.waiting[counts[WAITING]] = job
            counts[WAITING] += 1
        counts[ARRIVED] += 1


@inlined
def _admit(limits: LimitTable, progress: MachineProgress) -> None:
    """Admit, in order of arrival, the jobs that limits on submitted jobs have room for."""
    kept = 0
    for i in range(progress.counts[WAITING]):
        job = progress.waiting[i]
        admitted = True
        for k in range(limits.counter.shape[1]):
            counter = limits.counter[job, k]
            if counter >= 0 and limits.measure[counter] == SUBMITTED_JOBS:
                admitted = admitted and progress.used[counter] < limits.most[counter]
        progress.admitted[job] = admitted
        if admitted:
            _count_submitted(job, limits, progress.used, 1)
        else:
            progress.waiting[kept] = job
            kept += 1
    progress.counts[WAITING] = kept


@inlined
def _is_barred(job: int, table: MachineTable, progress: MachineProgress) -> bool:
    """Return whether a limit keeps a queued job from starting."""
    limited = is_limited(job, table.pools.demand, table.limits, progress.used)
    return limited or not progress.admitted[job]


@inlined
def _show(windows: WindowTable, pool: int, now: float, shown: Integers) -> int:
    """Write the windows of a pool that are known and not over; return how many there are."""
    count = 0
    for i in range(len(windows.begin)):
        if windows.pool[i] == pool and windows.known[i] <= now < windows.end[i]:
            shown[count] = i
            count += 1
    return count


@inlined
def _replan(shown: Integers, shows: NDArray[np.bool_]) -> int:
    """Return what becomes of reservations, and note in `shows` what a pool sees."""
    seen, new = 0, False
    for i in range(len(shows)):
        seen += shows[i]
    for window in shown:
        new = new or not shows[window]
    shows[:] = False
    for window in shown:
        shows[window] = True
    if new:
        return ANEW
    return REBUILD if len(shown) < seen else KEEP


@inlined
def _write_allowed(
    queue: Integers, table: MachineTable, progress: MachineProgress, scratch: MachineScratch
) -> int:
    """Write the queued jobs that no limit bars, and their positions; return how many there are."""
    count = 0
    for i in range(len(queue)):
        if not _is_barred(queue[i], table, progress):
            scratch.jobs[count], scratch.within[count] = queue[i], i
            count += 1
    return count


@inlined
def _write_dropped(
    queue: Integers, table: MachineTable, progress: MachineProgress, lost: Integers
) -> int:
    """Write the jobs with a reserved start that a limit bars, or has since the last instant."""
    count = 0
    for job in queue:
        barred = progress.waits_for[job] == LIMIT or _is_barred(job, table, progress)
        if progress.reserved[job] < np.inf and barred:
            lost[count] = job
            count += 1
    return count


@inlined
def _known_to(known: JobTable, processors: int) -> JobTable:
    """Return the jobs as they are known on a pool with these processors."""
    return JobTable(
        processors,
        known.submit,
        known.arrival,
        known.size,
        known.request,
        known.priority,
        known.user,
        known.offsets,
        known.times,
        known.values,
    )


@inlined
def _any_fits(jobs: Integers, rules: MachineRules, processors: int) -> bool:
    """Return whether a job needs no more than the free processors."""
    demand, least = rules.table.pools.demand, processors + 1
    for job in jobs:
        least = min(least, demand[job, 0])
    return least <= processors


@inner
def _look(
    policy: Policy,
    jobs: Integers,
    score: Floats,
    now: float,
    free: int,
    known: JobTable,
    looked: Integers,
) -> int:
    """Write the positions of the jobs that a pass looks at into `looked`; return how many."""
    positions = looked_at(policy, jobs, score, now, free, known)
    copy(positions, looked)
    return len(positions)


@inlined
def _write_looked_at(
    policy: Policy,
    jobs: Integers,
    moment: SchedulingPass,
    known: JobTable,
    filtered: bool,
    scratch: MachineScratch,
) -> int:
    """Write the jobs that a pass looks at; their scores and places in the queue move along."""
    score, looked = scratch.score, scratch.looked
    count = _look(policy, jobs, score[: len(jobs)], moment.now, moment.free, known, looked)
    for k in range(count):
        i = looked[k]
        scratch.jobs[k], score[k] = jobs[i], score[i]
        scratch.within[k] = scratch.within[i] if filtered else i
    return count


@inlined
def _make_pass(
    rules: MachineRules,
    policy: Policy,
    forecast: Forecast,
    histories: Any,
    progress: MachineProgress,
    scratch: MachineScratch,
    pool: int,
    now: float,
) -> None:
    """Have the placement decide on a pool, and start the jobs that it marks."""
    table, first = rules.table, progress.first[pool]
    queue = progress.queue[first : first + progress.lengths[pool, QUEUED]]
    free = progress.free[pool]
    # the jobs that no limit bars
    jobs, filtered = queue, len(table.limits.most) > 0
    dropped = scratch.dropped[:0]
    if filtered:
        jobs = scratch.jobs[: _write_allowed(queue, table, progress, scratch)]
        if rules.code == CONSERVATIVE:
            dropped = scratch.dropped
            dropped = dropped[: _write_dropped(queue, table, progress, dropped)]
    progress.wake_up[pool] = np.inf
    if len(jobs) == 0 or (rules.code != CONSERVATIVE and not _any_fits(jobs, rules, free[0])):
        return
    # put in order
    known = _known_to(rules.known, table.pools.capacity[pool, 0])
    ended = progress.ended[first : first + progress.ended_count[pool]]
    moment = SchedulingPass(now, free[0], ended)
    if policy.learns:
        fill(jobs, known, _history_of(histories, pool), policy.rule, forecast)
    _score(rules, policy, moment, jobs, known, forecast, progress, scratch.score)
    if policy.depth < len(jobs) or policy.reserve.price > 0.0:
        jobs = scratch.jobs[: _write_looked_at(policy, jobs, moment, known, filtered, scratch)]
        filtered = True
    score = scratch.score[: len(jobs)]
    backfill = score
    if not policy.same_order:
        backfill = scratch.backfill[: len(jobs)]
        parameters = policy.secondary.parameters
        if rules.reads_usage[1]:
            refresh(progress.usage, table.shares, now, jobs, parameters)
        policy.secondary.score(moment, jobs, known, forecast, parameters, backfill)
        starved_first(jobs, known.submit, now, policy.threshold, backfill)
    # place
    ordered = Queue(jobs, score, backfill)
    _place(rules, policy.limits, progress, scratch, pool, moment, dropped, ordered)
    progress.ended_count[pool] = 0
    # collect the marks, and note who was backfilled
    starting = scratch.starting
    starts = find_started(jobs, progress.started, starting)
    if starts > 0:
        blocked = first_waiting(jobs, score, progress.started)
        if blocked >= 0:
            mark_backfilled(jobs, score, blocked, starting, starts, progress.backfilled, None)
        if filtered:
            for k in range(starts):
                starting[k] = scratch.within[starting[k]]
        _start(rules, progress, pool, now, starting, starts)


@inlined
def _place(
    rules: MachineRules,
    limits: Limits,
    progress: MachineProgress,
    scratch: MachineScratch,
    pool: int,
    moment: SchedulingPass,
    dropped: Integers,
    ordered: Queue,
) -> None:
    """Mark the jobs of a pool that start now."""
    table, now, first = rules.table, moment.now, progress.first[pool]
    shown, replan = scratch.shown[: _show(table.windows, pool, now, scratch.shown)], KEEP
    if len(rules.alarms) > 0:
        replan = _replan(shown, progress.shows[pool])
    until = first + progress.lengths[pool, RUNNING]
    releases = Releases(progress.release_end[first:until], progress.release_job[first:until])
    progress.wake_up[pool] = place_with(
        rules.code,
        PoolPass(now, progress.free[pool], moment.ended, dropped, replan, releases),
        ordered,
        PoolTerms(
            rules.known.request,
            table.pools.demand,
            table.pools.capacity[pool],
            table.limits,
            progress.used,
            table.windows,
            shown,
        ),
        limits,
        PoolPlan(progress.reserved, progress.time[pool], progress.room[pool], progress.steps[pool]),
        progress.started,
        scratch.pool,
    )


@inlined
def _start(
    rules: MachineRules,
    progress: MachineProgress,
    pool: int,
    now: float,
    starting: Integers,
    starts: int,
) -> None:
    """Start the jobs at some places in the queue of a pool, which closes up behind them."""
    known, first = rules.known, progress.first[pool]
    queued, running = progress.lengths[pool, QUEUED], progress.lengths[pool, RUNNING]
    queue = progress.queue[first : first + queued]
    ends, ending = progress.ends[first:], progress.ending[first:]
    release_end, release_job = progress.release_end[first:], progress.release_job[first:]
    for k in range(starts):
        job = queue[starting[k]]
        progress.started[job] = False
        progress.start[job], progress.end[job] = now, now + rules.run[job]
        if len(progress.usage.usage) > 0:
            begin(progress.usage, rules.table.shares, job, float(known.size[job]), now)
        # ends as they will be, ends as requested
        add_ending(ends, ending, running, progress.end[job], job)
        add_release(release_end, release_job, running, now + known.request[job], job)
        running += 1
    close_up(queue, queued, starting, starts)
    progress.lengths[pool, QUEUED], progress.lengths[pool, RUNNING] = queued - starts, running


@inlined
def _score(
    rules: MachineRules,
    policy: Policy,
    moment: SchedulingPass,
    jobs: Integers,
    known: JobTable,
    forecast: Forecast,
    progress: MachineProgress,
    room: Floats,
) -> None:
    """Write the score of each queued job of a pool into `room`; who has starved goes first."""
    score, parameters = room[: len(jobs)], policy.primary.parameters
    if rules.reads_usage[0]:
        refresh(progress.usage, rules.table.shares, moment.now, jobs, parameters)
    if len(rules.fixed) > 0:
        for i in range(len(jobs)):
            score[i] = rules.fixed[jobs[i]]
    else:
        policy.primary.score(moment, jobs, known, forecast, parameters, score)
    if policy.threshold < np.inf:
        starved_first(jobs, known.submit, moment.now, policy.threshold, score)


@inlined
def _note_waits(
    rules: MachineRules, progress: MachineProgress, scratch: MachineScratch, now: float
) -> None:
    """Note what each queued job waits for until the next instant."""
    table = rules.table
    for pool in range(len(progress.first)):
        first = progress.first[pool]
        shown = scratch.shown[: _show(table.windows, pool, now, scratch.shown)]
        left = scratch.left
        _write_left(shown, rules, progress, pool, now, left)
        for i in range(first, first + progress.lengths[pool, QUEUED]):
            job = progress.queue[i]
            progress.waits_for[job] = NOTHING
            if _is_barred(job, table, progress):
                progress.waits_for[job] = LIMIT
            elif fits(table.pools.demand[job], progress.free[pool]):
                for k in range(len(shown)):
                    until, begin = now + rules.known.request[job], table.windows.begin[shown[k]]
                    # a job of no time is there at that instant
                    concerned = until > begin or begin <= now
                    concerned = concerned and not table.windows.exempt[job, shown[k]]
                    if concerned and not fits(table.pools.demand[job], left[k]):
                        progress.waits_for[job] = WINDOW


@inlined
def _write_left(
    shown: Integers,
    rules: MachineRules,
    progress: MachineProgress,
    pool: int,
    now: float,
    left: Integers,
) -> None:
    """Write the amounts that windows and the running jobs they concern leave, window by window."""
    table, first = rules.table, progress.first[pool]
    demand, windows = table.pools.demand, table.windows
    for i in range(len(shown)):
        window = shown[i]
        since = max(now, windows.begin[window])
        for k in range(demand.shape[1]):
            left[i, k] = table.pools.capacity[pool, k] - windows.taken[window, k]
        for r in range(first, first + progress.lengths[pool, RUNNING]):
            job = progress.release_job[r]
            if progress.release_end[r] > since and not windows.exempt[job, window]:
                for k in range(demand.shape[1]):
                    left[i, k] -= demand[job, k]


@inlined
def _needs_pass(
    rules: MachineRules, progress: MachineProgress, events: Integers, pool: int, now: float
) -> bool:
    """Return whether anything happened to a pool that matters to those who wait there."""
    queued = progress.lengths[pool, QUEUED]
    happened = events[pool] + queued + progress.ended_count[pool] > 0
    own = happened or progress.wake_up[pool] <= now
    if queued == 0:
        progress.wake_up[pool] = np.inf
    return queued > 0 and (own or not rules.own_events_only)


@leaf
def _advance(
    rules: MachineRules,
    policy: Policy,
    forecast: Forecast,
    histories: Any,
    progress: MachineProgress,
    scratch: MachineScratch,
    passes: int,
) -> bool:
    """Process events as `advance_machine` does, counting no references to arrays."""
    counts = progress.counts
    bounded = len(rules.table.limits.most) > 0 or len(rules.alarms) > 0
    for _ in range(passes):
        now = _next_instant(rules, progress)
        if now == np.inf:
            return True
        counts[FULL] = not _has_room(rules, progress, now)
        if counts[FULL]:
            break
        counts[PASSES] += 1
        if bounded:
            _wait(progress, now - progress.last[0])
        progress.last[0] = now
        # completions, then arrivals, then one pass for each pool to which anything happened
        for pool in range(len(progress.first)):
            count = progress.lengths[pool, QUEUED] + progress.ended_count[pool]
            scratch.events[pool] = -count
            _complete(rules, progress, pool, now, histories, policy.learns)
        _arrive(rules, progress, now)
        _admit(rules.table.limits, progress)
        for pool in range(len(progress.first)):
            if _needs_pass(rules, progress, scratch.events, pool, now):
                _make_pass(rules, policy, forecast, histories, progress, scratch, pool, now)
        if bounded:
            _note_waits(rules, progress, scratch, now)
    return False


@kernel
def advance_machine(
    rules: MachineRules,
    policy: Policy,
    forecast: Forecast,
    histories: Any,
    progress: MachineProgress,
    passes: int,
) -> bool:
    """Process events until all jobs have ended or `passes` more instants have come.

    At each instant: all completions, then arrivals, then one pass for each pool, in order.

    Parameters
    ----------
    rules : MachineRules
        Jobs, machine and placement.
    policy : Policy
        Orderings, and how far the placement looks.
    forecast : Forecast
        What is expected of the jobs' runs.
    histories : RuntimeHistory
        What is learnt of completed jobs, by pool: arrays with one dimension more, the first.
    progress : MachineProgress
        What has happened so far.
    passes : int
        Instants after which to return, so that the caller can report.

    Returns
    -------
    done : bool
        Whether all jobs have ended.
    """
    scratch = _machine_scratch(rules)
    return _advance(rules, policy, forecast, histories, progress, scratch, passes)
