"""The event loop of a machine of pools, for orderings that are compiled."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from utilitysched.kernels.compiling import inner, kernel, leaf
from utilitysched.kernels.history import fill, learn
from utilitysched.kernels.machine.placement import (
    ANEW,
    CONSERVATIVE,
    KEEP,
    REBUILD,
    PoolPass,
    PoolPlan,
    PoolTerms,
    count_running,
    is_limited,
    place_on_pool,
)
from utilitysched.kernels.machine.priority import refresh
from utilitysched.kernels.machine.profile import fits
from utilitysched.kernels.machine.usage import UsageState, begin, end
from utilitysched.kernels.policy import Policy, looked_at, starved_first
from utilitysched.kernels.releases import add_ending, add_release, remove_release
from utilitysched.kernels.selection import close_up, find_started, first_waiting, mark_backfilled
from utilitysched.model.forecast import Forecast, RuntimeHistory
from utilitysched.model.machine import (
    SUBMITTED_JOBS,
    HeldBack,
    LimitTable,
    MachineTable,
    WindowTable,
)
from utilitysched.model.scheduling_pass import Queue, Releases, SchedulingPass
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
    shown : (w,) int64
        Scratch: the windows of a pool that are known and not over.
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


@leaf
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


@leaf
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


@leaf
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


@inner
def _history_of(histories: Any, pool: int) -> Any:
    """Return what has been learnt in one pool."""
    return RuntimeHistory(
        histories.runs[pool],
        histories.ratios[pool],
        histories.completed[pool],
        histories.log_ratios[pool],
        histories.log_count[pool],
    )


@inner
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


@leaf
def _count_submitted(job: int, limits: LimitTable, used: Integers, by: int) -> None:
    """Count an admitted job, or with `by` -1 one that has ended."""
    for i in range(limits.counter.shape[1]):
        counter = limits.counter[job, i]
        if counter < 0:
            break
        if limits.measure[counter] == SUBMITTED_JOBS:
            used[counter] += by


@leaf
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


@leaf
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


@leaf
def _is_barred(job: int, table: MachineTable, progress: MachineProgress) -> bool:
    """Return whether a limit keeps a queued job from starting."""
    limited = is_limited(job, table.pools.demand, table.limits, progress.used)
    return limited or not progress.admitted[job]


@inner
def _windows_of(windows: WindowTable, pool: int, now: float) -> Integers:
    """Return the windows of a pool that are known and not over."""
    shown, count = np.empty(len(windows.begin), np.int64), 0
    for i in range(len(windows.begin)):
        if windows.pool[i] == pool and windows.known[i] <= now < windows.end[i]:
            shown[count] = i
            count += 1
    return shown[:count]


@leaf
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


@inner
def _positions(jobs: Integers, table: MachineTable, progress: MachineProgress) -> Integers:
    """Return the positions of the queued jobs that no limit bars."""
    kept, count = np.empty(len(jobs), np.int64), 0
    for i in range(len(jobs)):
        if not _is_barred(jobs[i], table, progress):
            kept[count] = i
            count += 1
    return kept[:count]


@inner
def _with_reservation(jobs: Integers, table: MachineTable, progress: MachineProgress) -> Integers:
    """Return the jobs with a reserved start that a limit bars, or has since the last instant."""
    lost, count = np.empty(len(jobs), np.int64), 0
    for job in jobs:
        barred = progress.waits_for[job] == LIMIT or _is_barred(job, table, progress)
        if progress.reserved[job] < np.inf and barred:
            lost[count] = job
            count += 1
    return lost[:count]


@inner
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


@leaf
def _any_fits(jobs: Integers, rules: MachineRules, processors: int) -> bool:
    """Return whether a job needs no more than the free processors."""
    demand, least = rules.table.pools.demand, processors + 1
    for job in jobs:
        least = min(least, demand[job, 0])
    return least <= processors


@inner
def _make_pass(
    rules: MachineRules,
    policy: Policy,
    forecast: Forecast,
    histories: Any,
    progress: MachineProgress,
    pool: int,
    now: float,
) -> None:
    """Have the placement decide on a pool, and start the jobs that it marks."""
    table, started = rules.table, progress.started
    first, lengths = progress.first[pool], progress.lengths
    queued, free = lengths[pool, QUEUED], progress.free[pool]
    queue = progress.queue[first : first + queued]
    # the jobs that no limit bars
    jobs, filtered = queue, len(table.limits.most) > 0
    within, dropped = np.empty(0, np.int64), np.empty(0, np.int64)
    if filtered:
        within = _positions(queue, table, progress)
        jobs = queue[within]
        if rules.code == CONSERVATIVE:
            dropped = _with_reservation(queue, table, progress)
    progress.wake_up[pool] = np.inf
    if len(jobs) == 0 or (rules.code != CONSERVATIVE and not _any_fits(jobs, rules, free[0])):
        return
    # put in order
    known = _known_to(rules.known, table.pools.capacity[pool, 0])
    moment = SchedulingPass(
        now, free[0], progress.ended[first : first + progress.ended_count[pool]]
    )
    if policy.learns:
        fill(jobs, known, _history_of(histories, pool), policy.rule, forecast)
    if rules.reads_usage[0]:
        refresh(progress.usage, table.shares, now, jobs, policy.primary.parameters)
    score = _scores(rules, policy.primary, moment, jobs, known, forecast, policy.threshold)
    if policy.depth < len(jobs) or policy.reserve.price > 0.0:
        looked = looked_at(policy, jobs, score, now, free[0], known)
        jobs, score = jobs[looked], score[looked]
        within = within[looked] if filtered else looked
        filtered = True
    backfill = score
    if not policy.same_order:
        backfill = np.empty(len(jobs))
        parameters = policy.secondary.parameters
        if rules.reads_usage[1]:
            refresh(progress.usage, table.shares, now, jobs, parameters)
        policy.secondary.score(moment, jobs, known, forecast, parameters, backfill)
        starved_first(jobs, known.submit, now, policy.threshold, backfill)
    # place
    shown, replan = _windows_of(table.windows, pool, now), KEEP
    if len(rules.alarms) > 0:
        replan = _replan(shown, progress.shows[pool])
    running = lengths[pool, RUNNING]
    release_end, release_job = progress.release_end[first:], progress.release_job[first:]
    releases = Releases(release_end[:running], release_job[:running])
    capacity = table.pools.capacity[pool]
    progress.wake_up[pool] = place_on_pool(
        rules.code,
        PoolPass(now, free, moment.ended, dropped, replan, releases),
        Queue(jobs, score, backfill),
        PoolTerms(
            known.request,
            table.pools.demand,
            capacity,
            table.limits,
            progress.used,
            table.windows,
            shown,
        ),
        policy.limits,
        PoolPlan(progress.reserved, progress.time[pool], progress.room[pool], progress.steps[pool]),
        started,
    )
    progress.ended_count[pool] = 0
    # collect the marks, and note who was backfilled
    starting = np.empty(len(jobs), np.int64)
    starts = find_started(jobs, started, starting)
    blocked = first_waiting(jobs, score, started)
    if blocked >= 0:
        mark_backfilled(jobs, score, blocked, starting, starts, progress.backfilled, None)
    # start: ends as they will be, ends as requested
    for k in range(starts):
        job = jobs[starting[k]]
        started[job] = False
        progress.start[job], progress.end[job] = now, now + rules.run[job]
        if len(progress.usage.usage) > 0:
            begin(progress.usage, table.shares, job, float(known.size[job]), now)
        ends, ending = progress.ends[first:], progress.ending[first:]
        add_ending(ends, ending, running, progress.end[job], job)
        add_release(release_end, release_job, running, now + known.request[job], job)
        running += 1
        if filtered:
            starting[k] = within[starting[k]]
    close_up(queue, queued, starting, starts)
    lengths[pool, QUEUED], lengths[pool, RUNNING] = queued - starts, running


@inner
def _scores(
    rules: MachineRules,
    ranking: Any,
    moment: SchedulingPass,
    jobs: Integers,
    known: JobTable,
    forecast: Forecast,
    threshold: float,
) -> Floats:
    """Return the score of each queued job of a pool; those that have starved go first."""
    score = np.empty(len(jobs))
    if len(rules.fixed) > 0:
        for i in range(len(jobs)):
            score[i] = rules.fixed[jobs[i]]
    else:
        ranking.score(moment, jobs, known, forecast, ranking.parameters, score)
    if threshold < np.inf:
        starved_first(jobs, known.submit, moment.now, threshold, score)
    return score


@inner
def _note_waits(rules: MachineRules, progress: MachineProgress, now: float) -> None:
    """Note what each queued job waits for until the next instant."""
    table = rules.table
    for pool in range(len(progress.first)):
        first = progress.first[pool]
        shown = _windows_of(table.windows, pool, now)
        left = _left_by(shown, rules, progress, pool, now)
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


@inner
def _left_by(
    shown: Integers, rules: MachineRules, progress: MachineProgress, pool: int, now: float
) -> Integers:
    """Return the amounts that windows and the running jobs they concern leave, window by window."""
    table, first = rules.table, progress.first[pool]
    demand, windows = table.pools.demand, table.windows
    left = np.empty((len(shown), demand.shape[1]), np.int64)
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
    return left


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
    counts, pools = progress.counts, len(progress.first)
    bounded = len(rules.table.limits.most) > 0 or len(rules.alarms) > 0
    arrivals = np.empty(pools, np.int64)
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
        # completions, then arrivals
        for pool in range(pools):
            arrivals[pool] = -progress.lengths[pool, QUEUED] - progress.ended_count[pool]
            _complete(rules, progress, pool, now, histories, policy.learns)
        _arrive(rules, progress, now)
        _admit(rules.table.limits, progress)
        # one pass for each pool to which anything happened that matters
        for pool in range(pools):
            queued = progress.lengths[pool, QUEUED]
            events = arrivals[pool] + queued + progress.ended_count[pool]
            own = events > 0 or progress.wake_up[pool] <= now
            if queued == 0:
                progress.wake_up[pool] = np.inf
            if queued > 0 and (own or not rules.own_events_only):
                _make_pass(rules, policy, forecast, histories, progress, pool, now)
        if bounded:
            _note_waits(rules, progress, now)
    return False
