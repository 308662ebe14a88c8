"""Processors taken back: jobs that start softly in holes, and kills for jobs that are worth it."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from utilitysched.kernels.compiling import inner, kernel, leaf, leaf_kernel
from utilitysched.kernels.curves import curve_value
from utilitysched.kernels.history import fill, learn_runtime, outlast, outlook
from utilitysched.kernels.policy import Policy, place, scores, within_depth
from utilitysched.kernels.releases import shadow
from utilitysched.kernels.selection import copy, first_waiting, in_order, smallest, stable_order
from utilitysched.kernels.stops import StopColumns, kept_of
from utilitysched.model.forecast import Forecast, RuntimeHistory
from utilitysched.model.restarts import RestartMemory, RestartTerms
from utilitysched.model.scheduling_pass import Plan, Queue, Releases, SchedulingPass
from utilitysched.model.state import Floats, Integers, JobTable

EVERYBODY_WAITS = 60 * 86400.0
"""Turnaround at which a job is worth nothing where no utility functions are read (s)."""

LEARNING = 20
"""Completed jobs before anybody is killed for another: until then nobody knows what time earns."""

MOST_TRIED = 30
"""Waiting jobs for which victims are looked for in one pass."""

SHORTEST_WAIT = 600.0
"""Wait over which a displacing job's gain is taken at least (s)."""

RUNS_LATER = 4.0
"""A victim's loss of value is over so many times its lost run and the run of who displaces it."""

SOFT_COST = 0.5
"""Share of what a kill costs that counts for a job in a hole."""

STARTS, KILLS, FREE = range(3)
WAITS, BEGINS, SOFT, FIRM, KILLED = range(5)


class RunningJobs(NamedTuple):
    """Columns of the running jobs, and of outages, that the pass of a scheduler sees.

    Attributes
    ----------
    job : (m,) int64
        Jobs by expected end; numbers from the length of `stopped` on are outages.
    end : (m,) float64
        Expected ends (s).
    start : (n,) float64
        When each job last started (s).
    interval, overhead, paid : (n,) float64
        See `utilitysched.model.state.Preemption`.
    stopped : (n,) bool
        The job was stopped before.
    number : (n,) int64
        Place of each job among those that have come, for ties.
    """

    job: Integers
    end: Floats
    start: Floats
    interval: Floats
    overhead: Floats
    paid: Floats
    stopped: NDArray[np.bool_]
    number: Integers


@inner
def running_jobs(
    releases: Releases, start: Floats, interval: Floats, stops: StopColumns, number: Integers
) -> RunningJobs:
    """Return the columns of the running jobs, from those of the compiled loop."""
    overhead, paid, stopped = stops.overhead, stops.paid, stops.stopped
    return RunningJobs(releases.job, releases.end, start, interval, overhead, paid, stopped, number)


class Moves(NamedTuple):
    """Starts and kills of a pass.

    Attributes
    ----------
    role : (k,) int64
        What becomes of each queued or soft job.
    start : (c,) int64
        Queued jobs that start, in the order in which they take processors.
    kill, cause : (c,) int64
        Running jobs that are killed, and the job each is killed for.
    loss : (c,) float64
        What each kill is taken to cost its job (SU); 0 in a hole that a firm start needs, and where
        no utility functions are read.
    counts : (3,) int64
        Starts, kills, free processors.
    """

    role: Integers
    start: Integers
    kill: Integers
    cause: Integers
    loss: Floats
    counts: Integers


@kernel
def blank_moves(jobs: int, running: int, free: int) -> Moves:
    """Return room for so many queued or soft jobs and running ones, on so many free processors."""
    return Moves(
        np.full(jobs, WAITS),
        np.empty(jobs, np.int64),
        np.empty(running, np.int64),
        np.empty(running, np.int64),
        np.empty(running),
        np.array([0, 0, free]),
    )


class RestartPass(NamedTuple):
    """One pass of a scheduler that takes processors back.

    Attributes
    ----------
    now : float
        Its time (s).
    jobs : (k,) int64
        Queued and soft jobs, by number.
    known : JobTable
        What is known of all jobs.
    running : RunningJobs
        The running ones.
    memory : RestartMemory
        What is remembered; changed.
    terms : RestartTerms
        On what terms.
    moves : Moves
        Blank; what is to be done.
    """

    now: float
    jobs: Integers
    known: JobTable
    running: RunningJobs
    memory: RestartMemory
    terms: RestartTerms
    moves: Moves


@leaf
def worth(known: JobTable, valued: bool, job: int, age: float) -> float:
    """Return the value of a job at an age (s since submission, SU)."""
    if valued:
        return curve_value(known, job, age)
    return max(0.0, 1.0 - age / EVERYBODY_WAITS)


@leaf
def _worth_after(at: RestartPass, job: int, delay: float) -> float:
    """Return the value of a job after a delay from now (s, SU)."""
    return worth(at.known, at.terms.valued, job, at.now - at.known.submit[job] + delay)


@leaf_kernel
def note_end(
    known: JobTable, memory: RestartMemory, terms: RestartTerms, job: int, run: float, now: float
) -> None:
    """Learn from a job that ended now, after so much useful run time (s)."""
    memory.soft[job] = False
    learn_runtime(memory.histogram, run, memory.requested[job])
    memory.earned[0] += 1.0
    memory.earned[1] += worth(known, terms.valued, job, now - known.submit[job])
    memory.earned[2] += known.size[job] * run


@leaf
def _done(at: RestartPass, job: int) -> float:
    """Return how much of its work a running job has done, in this run and those before (s)."""
    paid = at.running.paid[job]
    kept = at.memory.requested[job] - (at.known.request[job] - paid)
    return kept + max(0.0, at.now - at.running.start[job] - paid)


@leaf
def _lost_run(at: RestartPass, job: int) -> float:
    """Return the time that a running job would need again if it were killed now (s)."""
    elapsed = at.now - at.running.start[job]
    kept = kept_of(max(0.0, elapsed - at.running.paid[job]), at.running.interval[job])
    return elapsed - kept + at.running.overhead[job]


@leaf
def _kill(at: RestartPass, job: int, cause: int, loss: float) -> None:
    """Note that a running job is killed for another."""
    moves, memory = at.moves, at.memory
    k = moves.counts[KILLS]
    moves.kill[k], moves.cause[k], moves.loss[k] = job, cause, loss
    moves.counts[KILLS] += 1
    moves.counts[FREE] += at.known.size[job]
    memory.outlasted[job] = max(memory.outlasted[job], _done(at, job))
    memory.kills[job] += 1
    memory.soft[job] = False


@leaf
def _begin(at: RestartPass, k: int) -> None:
    """Note that a queued job starts, by its place in `jobs`."""
    moves, job = at.moves, at.jobs[k]
    moves.start[moves.counts[STARTS]] = job
    moves.counts[STARTS] += 1
    moves.counts[FREE] -= at.known.size[job]


@leaf
def _settle(at: RestartPass, started: NDArray[np.bool_]) -> None:
    """Start what the placement marked; kill soft jobs for it, the youngest first, where needed."""
    jobs, soft, size, role = at.jobs, at.memory.soft, at.known.size, at.moves.role
    # soft jobs that were marked are firm from now on, others stay soft
    for i in range(len(jobs)):
        if soft[jobs[i]]:
            role[i] = FIRM if started[jobs[i]] else SOFT
            soft[jobs[i]] = not started[jobs[i]]
        elif started[jobs[i]]:
            role[i] = BEGINS
    # marked jobs start in their order; who is youngest in a hole has lost least
    for i in range(len(jobs)):
        if role[i] != BEGINS:
            continue
        while at.moves.counts[FREE] < size[jobs[i]]:
            last = -1
            for k in range(len(jobs)):
                begun = at.running.start[jobs[k]]
                if role[k] == SOFT and (last < 0 or begun >= at.running.start[jobs[last]]):
                    last = k
            role[last] = KILLED
            _kill(at, jobs[last], jobs[i], 0.0)
        _begin(at, i)


@leaf
def _place_of(job: int, jobs: Integers, count: int) -> int:
    """Return the place of a job among the first `count`, `count` if it is not there."""
    k = 0
    while k < count and jobs[k] != job:
        k += 1
    return k


@leaf
def _is_killed(moves: Moves, job: int) -> bool:
    return _place_of(job, moves.kill, moves.counts[KILLS]) < moves.counts[KILLS]


@inner
def _shadow_time(at: RestartPass, need: int) -> float:
    """Return when so many processors are free by the requested times, those of soft jobs now (s).

    Soft jobs that were killed are free already.
    """
    running, known, moves = at.running, at.known, at.moves
    free = moves.counts[FREE]
    firm = np.empty(len(running.job), np.int64)
    count = 0
    for i in range(len(running.job)):
        job = running.job[i]
        if job < len(running.stopped) and at.memory.soft[job]:
            free += known.size[job]
        elif not _is_killed(moves, job):
            firm[count] = i
            count += 1
    if free >= need:
        return at.now
    left = firm[:count]
    begun = moves.start[: moves.counts[STARTS]]
    time, _ = shadow(
        at.now, free, running.end[left], running.job[left], known.request, known.size, begun, need
    )
    return time


@leaf
def _forecast(at: RestartPass, job: int, within: float) -> tuple[float, float]:
    """Return the chance that a job that waits ends within a time, and its mean time till then (s).

    With `within` infinite, that is for how long it is expected to hold its processors.
    """
    running, memory = at.running, at.memory
    overhead = running.overhead[job] if running.stopped[job] else 0.0
    # the overhead of its restart, less the work that it has kept
    beside = overhead - (memory.requested[job] - (at.known.request[job] - overhead))
    outlasted = max(memory.outlasted[job], -beside)
    chance, mean = outlook(memory.histogram, memory.requested[job], outlasted, within - beside)
    return chance, mean + beside


@leaf
def _may_be_killed(at: RestartPass, job: int) -> bool:
    return bool(at.running.interval[job] >= 0.0 and at.memory.kills[job] < at.terms.kills)


@inner
def _fill_holes(at: RestartPass, head: int) -> None:
    """Start waiting jobs softly that may end before the first one in the queue, `head`, starts."""
    jobs, terms, moves, size = at.jobs, at.terms, at.moves, at.known.size
    if moves.counts[FREE] == 0:
        return
    # the hole lasts until the first blocked job can start
    hole = _shadow_time(at, size[jobs[head]]) - at.now
    if hole <= 0.0:
        return
    # whoever fits, by value that the hole may bring for each processor-second
    fillers, score = np.empty(len(jobs), np.int64), np.empty(len(jobs))
    count = 0
    for i in range(len(jobs)):
        job = jobs[i]
        fits = moves.role[i] == WAITS and size[job] <= moves.counts[FREE]
        if not fits or not _may_be_killed(at, job):
            continue
        value, mean = _forecast(at, job, hole)
        if value <= 0.0:
            continue
        if terms.valued:
            now = _worth_after(at, job, 0.0)
            lost = now - _worth_after(at, job, terms.tau)
            value *= (1.0 - terms.alpha) * now + terms.alpha * lost
        fillers[count] = i
        score[count] = -value / (size[job] * max(mean, 1.0))
        count += 1
    # the best first, as long as processors are left
    for i in in_order(fillers[:count], score[:count]):
        if size[jobs[i]] <= moves.counts[FREE]:
            at.memory.soft[jobs[i]] = True
            moves.role[i] = SOFT
            _begin(at, i)


@inner
def _expected_ends(at: RestartPass) -> tuple[Floats, Integers]:
    """Return when processors are expected to come free, and how many each time."""
    running, memory, moves = at.running, at.memory, at.moves
    begun = moves.start[: moves.counts[STARTS]]
    time = np.empty(len(running.job) + len(begun))
    size = np.empty(len(time), np.int64)
    count = 0
    # running jobs end as forecast, given how long they have run; outages at their repair
    for i in range(len(running.job)):
        job = running.job[i]
        if _is_killed(moves, job):
            continue
        time[count], size[count] = running.end[i], at.known.size[job]
        if job < len(running.stopped):
            done = _done(at, job)
            outlasted = max(memory.outlasted[job], done)
            _, mean = outlook(memory.histogram, memory.requested[job], outlasted, np.inf)
            waits = max(0.0, running.start[job] + running.paid[job] - at.now)
            time[count] = at.now + waits + max(mean - done, 0.0)
        count += 1
    # who starts in this pass holds processors, too
    for job in begun:
        _, needs = _forecast(at, job, np.inf)
        time[count], size[count] = at.now + needs, at.known.size[job]
        count += 1
    order = stable_order(time[:count])
    return time[order], size[order]


@leaf
def _wait_for(need: int, free: int, now: float, time: Floats, size: Integers) -> float:
    """Return how long it takes until so many processors are free (s)."""
    i = 0
    wait = 0.0
    while free < need and i < len(time):
        free += size[i]
        wait = time[i] - now
        i += 1
    return wait


@inner
def _victims(at: RestartPass) -> tuple[Integers, Floats]:
    """Return who may be killed now, by number, and what each would lose of its run (s).

    Jobs that start in this very pass are among them, but for those that displace others: they do
    not start then, and lose nothing of a run.
    """
    running, memory, terms = at.running, at.memory, at.terms
    begun = at.moves.start[: at.moves.counts[STARTS]]
    victims = np.empty(len(running.job) + len(begun), np.int64)
    lost = np.zeros(len(victims))
    count = 0
    for job in running.job:
        if job >= len(running.stopped) or _is_killed(at.moves, job):
            continue
        if not _may_be_killed(at, job) or memory.protected[job] > at.now:
            continue
        run = _lost_run(at, job)
        endless = running.interval[job] == np.inf and at.now - running.start[job] > terms.age
        if endless or at.known.size[job] * run > terms.area:
            continue
        victims[count], lost[count] = job, run
        count += 1
    for job in begun:
        # the protection of who displaces ends later, or now where there is none
        if _may_be_killed(at, job) and memory.protected[job] < at.now:
            victims[count] = job
            count += 1
    order = stable_order(running.number[victims[:count]])
    return victims[order], lost[order]


@inner
def _cheapest(
    at: RestartPass,
    victims: tuple[Integers, Floats],
    lacking: int,
    price: float,
    displacing: float,
    gain: float,
) -> tuple[Integers, Floats]:
    """Return whose processors a gain (SU) pays for, and what each loses (SU); nobody if too few.

    Parameters
    ----------
    victims : tuple
        See `_victims`.
    lacking : int
        Processors wanted.
    price : float
        Of lost work (SU per processor-second).
    displacing : float
        For how long the job that wants them is expected to hold them (s).
    """
    job, lost = victims
    size = at.known.size[job]
    cost = np.empty(len(job))
    # each victim's cost: work lost, and value lost by the delay; half of it in a hole
    for v in range(len(job)):
        delay = RUNS_LATER * (lost[v] + displacing)
        cost[v] = price * size[v] * lost[v]
        cost[v] += _worth_after(at, job[v], 0.0) - _worth_after(at, job[v], delay)
        if at.memory.soft[job[v]]:
            cost[v] *= SOFT_COST
    # the cheapest a processor, until there are enough
    order = stable_order(cost / size)
    total, taken = 0.0, 0
    while lacking > 0:
        if taken == len(order) or total + cost[order[taken]] >= gain:
            return job[:0], cost[:0]
        total += cost[order[taken]]
        lacking -= size[order[taken]]
        taken += 1
    # who turns out not to be needed is spared, the most expensive first
    order = order[:taken]
    needed = np.ones(taken, np.bool_)
    for v in range(taken - 1, -1, -1):
        if size[order[v]] <= -lacking:
            lacking += size[order[v]]
            needed[v] = False
    return job[order[needed]], cost[order[needed]]


@leaf
def _withdraw(at: RestartPass, job: int, cause: int) -> bool:
    """Let a job not start after all; return whether it was among those that start.

    Whom it displaced gave way to the job for whose sake it does not start.
    """
    start, counts = at.moves.start, at.moves.counts
    k = _place_of(job, start, counts[STARTS])
    if k == counts[STARTS]:
        return False
    counts[STARTS] -= 1
    for i in range(k, counts[STARTS]):
        start[i] = start[i + 1]
    for i in range(counts[KILLS]):
        if at.moves.cause[i] == job:
            at.moves.cause[i] = cause
    counts[FREE] += at.known.size[job]
    at.memory.soft[job] = False
    return True


@inner
def _worth_it(at: RestartPass, price: float) -> tuple[Integers, Floats, Floats]:
    """Return whom it would pay to start at once, the most urgent first.

    Returns
    -------
    place : (k,) int64
        Places in `jobs`.
    gain : (k,) float64
        What each would gain over waiting, less the price of its own run (SU).
    needs : (k,) float64
        For how long it is expected to hold its processors (s).
    """
    jobs, tried, free = at.jobs, at.memory.tried, at.moves.counts[FREE]
    worthwhile = np.empty(len(jobs), np.int64)
    gain, needs, urgency = np.empty(len(jobs)), np.empty(len(jobs)), np.empty(len(jobs))
    count = 0
    time, size = np.empty(0), np.empty(0, np.int64)
    for i in range(len(jobs)):
        job = jobs[i]
        if tried[job] or at.moves.role[i] != WAITS:
            continue
        value = _worth_after(at, job, 0.0)
        if value <= 0.0:
            tried[job] = True
            continue
        # expected ends are worked out once, for the first job that needs them
        if len(time) == 0:
            time, size = _expected_ends(at)
        wait = _wait_for(at.known.size[job], free, at.now, time, size)
        lost = value - _worth_after(at, job, at.terms.horizon * wait + SHORTEST_WAIT)
        if lost <= 0.0:
            continue
        # its own run is charged at what processors earn
        _, needs[count] = _forecast(at, job, np.inf)
        gain[count] = lost - price * at.known.size[job] * needs[count]
        if gain[count] <= 0.0:
            continue
        worthwhile[count] = i
        urgency[count] = -lost / (at.known.size[job] * max(needs[count], 1.0))
        count += 1
    order = stable_order(urgency[:count])[:MOST_TRIED]
    return worthwhile[order], gain[order], needs[order]


@inner
def _displace(at: RestartPass) -> None:
    """Start waiting jobs on processors of running jobs that lose less than the starts gain."""
    memory, counts = at.memory, at.moves.counts
    # what a processor-second earns, once enough jobs have shown it
    done, value, area = memory.earned
    if done < LEARNING or area <= 0.0:
        return
    price = at.terms.theta * (value / area)
    places, gains, needs = _worth_it(at, price)
    if len(places) == 0:
        return
    victims = _victims(at)
    # the most urgent first: on free processors, or on those of victims that lose less
    for k in range(len(places)):
        job = at.jobs[places[k]]
        lacking = at.known.size[job] - counts[FREE]
        if lacking > 0:
            taken, cost = _cheapest(at, victims, lacking, price, needs[k], gains[k])
            if len(taken) == 0:
                continue
            for v in range(len(taken)):
                if not _withdraw(at, taken[v], job):
                    # no SU without utility functions
                    _kill(at, taken[v], job, cost[v] if at.terms.valued else 0.0)
            victims = _victims(at)
        at.moves.role[places[k]] = BEGINS
        _begin(at, places[k])
        memory.protected[job] = at.now + at.terms.protection
        memory.tried[job] = True


@leaf
def _next_end_of_protection(at: RestartPass) -> float:
    """Return when a job that runs may first be killed again (s), infinite if all may be now."""
    running, protected, moves = at.running, at.memory.protected, at.moves
    first = np.inf
    for job in running.job:
        if job < len(running.stopped) and protected[job] > at.now:
            first = min(first, protected[job])
    for k in range(moves.counts[STARTS]):
        if protected[moves.start[k]] > at.now:
            first = min(first, protected[moves.start[k]])
    return first


@kernel
def take_back(at: RestartPass, head: int, started: NDArray[np.bool_]) -> float:
    """Carry out what a placement marked over free processors and those of soft jobs; then go on.

    The rest of a pass (semantics of restarts, section 1, steps 3 to 5): soft jobs give way, others
    start softly in what is left, and jobs that are worth it displace others.

    Parameters
    ----------
    head : int
        Place in the jobs of the pass of the first in the queue that the placement did not mark, -1
        for none.
    started : (n,) bool
        What the placement marked.

    Returns
    -------
    wake_up : float
        When a pass is wanted even without an event (s).
    """
    _settle(at, started)
    if head < 0:
        return np.inf
    if at.terms.holes:
        _fill_holes(at, head)
    if at.terms.restarts:
        _displace(at)
    return _next_end_of_protection(at)


class TakingBack(NamedTuple):
    """What the compiled loop needs of a scheduler that takes processors back.

    Attributes
    ----------
    terms : RestartTerms
        On what terms.
    memory : RestartMemory
        What it remembers.
    interval : (n,) float64
        What preempting means for each job; see `utilitysched.model.state.Preemption`.
    """

    terms: RestartTerms
    memory: RestartMemory
    interval: Floats


@inner
def _ranked(
    moment: SchedulingPass,
    jobs: Integers,
    known: JobTable,
    forecast: Forecast,
    history: RuntimeHistory,
    policy: Policy,
    outlasted: Floats,
) -> tuple[Queue, Floats]:
    """Return what the placement sees of the jobs, and the place of each in the queue order."""
    if policy.learns:
        fill(jobs, known, history, policy.rule, forecast)
        outlast(jobs, known, outlasted, forecast)
    score = scores(jobs, moment, known, forecast, policy.primary, policy.threshold)
    backfill = score
    if not policy.same_order:
        backfill = scores(jobs, moment, known, forecast, policy.secondary, policy.threshold)
    if policy.depth >= len(jobs):
        return Queue(jobs, score, backfill), score
    within = within_depth(score, policy.depth)
    # who is not looked at comes behind, by arrival
    place_of = np.full(len(jobs), np.inf)
    for i in within:
        place_of[i] = score[i]
    return Queue(jobs[within], score[within], backfill[within]), place_of


@inner
def decide_taking_back(
    now: float,
    free: int,
    queued: Integers,
    running: RunningJobs,
    known: JobTable,
    forecast: Forecast,
    history: RuntimeHistory,
    policy: Policy,
    plan: Plan,
    restarts: TakingBack,
    started: NDArray[np.bool_],
    scores_of_queued: Floats,
) -> tuple[Moves, float]:
    """Return the moves of a list scheduler that takes processors back, and when to wake it up.

    The list scheduler decides as if jobs in holes were queued, with what is left of their requests,
    and their processors free. Marks in `started` the queued jobs that start; then the first of
    `scores_of_queued` are the places of the queued jobs in the queue order.
    """
    # jobs in holes count as queued, their processors as free
    memory, request, size = restarts.memory, known.request, known.size
    for job in queued:
        memory.soft[job] = False
    firm = np.ones(len(running.job), np.bool_)
    for i in range(len(firm)):
        job = running.job[i]
        firm[i] = job >= len(memory.soft) or not memory.soft[job]
    soft = running.job[~firm]
    jobs = queued
    if len(soft) > 0:
        jobs = np.concatenate((queued, soft))
        jobs = jobs[stable_order(running.number[jobs])]
    head, k, planned = 0, 0, np.inf
    # where nobody fits, neither the placement nor a hole starts anything
    moment = SchedulingPass(now, free + size[soft].sum(), queued[:0])
    # the list scheduler decides on these, with what is left of their requests
    fits = smallest(jobs, size) <= moment.free
    if fits:
        requested = request[soft]
        request[soft] = np.maximum(requested - (now - running.start[soft]), 0.0)
        seen, score = _ranked(moment, jobs, known, forecast, history, policy, memory.outlasted)
        planned = place(
            policy,
            moment,
            seen,
            Releases(running.end[firm], running.job[firm]),
            known,
            plan,
            started,
        )
        request[soft] = requested
        head = first_waiting(jobs, score, started)
        for i in range(len(jobs)):
            if not memory.soft[jobs[i]]:
                scores_of_queued[k] = score[i]
                k += 1
    # its starts are carried out, holes filled, and victims killed
    moves = blank_moves(len(jobs), len(running.job), free)
    at = RestartPass(now, jobs, known, running, memory, restarts.terms, moves)
    wake_up = min(planned, take_back(at, head, started))
    # who displaced others needs a place in the queue order, to tell who was backfilled
    if moves.counts[STARTS] > 0 and not fits:
        _, score = _ranked(moment, jobs, known, forecast, history, policy, memory.outlasted)
        copy(score, scores_of_queued)
    started[jobs] = False
    started[moves.start[: moves.counts[STARTS]]] = True
    return moves, wake_up
