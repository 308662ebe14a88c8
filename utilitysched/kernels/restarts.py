"""Processors taken back: jobs that start softly in holes, and kills for jobs that are worth it."""

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from utilitysched.kernels.curves import curve_value
from utilitysched.kernels.history import fill, outlast
from utilitysched.kernels.leaf import leaf
from utilitysched.kernels.policy import Policy, place, within_depth
from utilitysched.kernels.ranking import scores
from utilitysched.kernels.runtimes import learn_runtime, outlook
from utilitysched.kernels.selection import first_waiting, in_order
from utilitysched.kernels.shadow import shadow
from utilitysched.kernels.stops import StopColumns
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


class Moves(NamedTuple):
    """Starts and kills of a pass.

    Attributes
    ----------
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

    start: Integers
    kill: Integers
    cause: Integers
    loss: Floats
    counts: Integers


@njit(cache=True)
def blank_moves(jobs: int, running: int) -> Moves:
    """Return room for so many waiting and running jobs."""
    return Moves(
        np.empty(jobs, np.int64),
        np.empty(running, np.int64),
        np.empty(running, np.int64),
        np.empty(running),
        np.zeros(3, np.int64),
    )


@njit(cache=True)
def worth(known: JobTable, valued: bool, job: int, age: float) -> float:
    """Return what a job is worth so long after its submission (SU)."""
    if valued:
        return curve_value(known, job, age)
    return max(0.0, 1.0 - age / EVERYBODY_WAITS)


@njit(cache=True)
def _lost_by(known: JobTable, valued: bool, job: int, now: float, delay: float) -> float:
    """Return what a job loses by a delay from now on (SU)."""
    age = now - known.submit[job]
    return worth(known, valued, job, age) - worth(known, valued, job, age + delay)


@njit(cache=True)
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
def _done(
    requested: Floats, request: Floats, paid: Floats, start: Floats, job: int, now: float
) -> float:
    """Return how much of its work a running job has done, in this run and those before (s)."""
    kept = requested[job] - (request[job] - paid[job])
    return kept + max(0.0, now - start[job] - paid[job])


@njit(cache=True)
def _lost_run(running: RunningJobs, job: int, now: float) -> float:
    """Return the time that a running job would need again if it were killed now (s)."""
    elapsed = now - running.start[job]
    work = max(0.0, elapsed - running.paid[job])
    interval = running.interval[job]
    kept = 0.0
    if interval == 0.0:
        kept = work
    elif interval < np.inf:
        kept = work - np.fmod(work, interval)
    return elapsed - kept + running.overhead[job]


@njit(cache=True)
def _kill(
    known: JobTable,
    running: RunningJobs,
    memory: RestartMemory,
    moves: Moves,
    job: int,
    cause: int,
    loss: float,
    now: float,
) -> None:
    """Note that a running job is killed for another."""
    at = moves.counts[KILLS]
    moves.kill[at], moves.cause[at], moves.loss[at] = job, cause, loss
    moves.counts[KILLS] += 1
    moves.counts[FREE] += known.size[job]
    done = _done(memory.requested, known.request, running.paid, running.start, job, now)
    memory.outlasted[job] = max(memory.outlasted[job], done)
    memory.kills[job] += 1
    memory.soft[job] = False


@njit(cache=True)
def _begin(known: JobTable, moves: Moves, job: int) -> None:
    """Note that a queued job starts."""
    moves.start[moves.counts[STARTS]] = job
    moves.counts[STARTS] += 1
    moves.counts[FREE] -= known.size[job]


@njit(cache=True)
def _settle(
    now: float,
    jobs: Integers,
    started: NDArray[np.bool_],
    roles: Integers,
    known: JobTable,
    running: RunningJobs,
    memory: RestartMemory,
    moves: Moves,
) -> None:
    """Start what the placement marked; kill soft jobs for it, the youngest first, where needed."""
    for i in range(len(jobs)):
        if memory.soft[jobs[i]]:
            roles[i] = FIRM if started[jobs[i]] else SOFT
            memory.soft[jobs[i]] = not started[jobs[i]]
        else:
            roles[i] = BEGINS if started[jobs[i]] else WAITS
    for i in range(len(jobs)):
        if roles[i] != BEGINS:
            continue
        while moves.counts[FREE] < known.size[jobs[i]]:
            last = -1
            for k in range(len(jobs)):
                begun = running.start[jobs[k]]
                if roles[k] == SOFT and (last < 0 or begun >= running.start[jobs[last]]):
                    last = k
            roles[last] = KILLED
            _kill(known, running, memory, moves, jobs[last], jobs[i], 0.0, now)
        _begin(known, moves, jobs[i])


@njit(cache=True)
def _shadow_time(
    now: float,
    need: int,
    known: JobTable,
    running: RunningJobs,
    memory: RestartMemory,
    moves: Moves,
) -> float:
    """Return when so many processors are free by the requested times, those of soft jobs now (s).

    Soft jobs that were killed are free already.
    """
    free = moves.counts[FREE]
    firm = np.empty(len(running.job), np.int64)
    count = 0
    for i in range(len(running.job)):
        job = running.job[i]
        if job < len(running.stopped) and memory.soft[job]:
            free += known.size[job]
        elif not _is_killed(moves, job):
            firm[count] = i
            count += 1
    if free >= need:
        return now
    left = firm[:count]
    begun = moves.start[: moves.counts[STARTS]]
    time, _ = shadow(
        now, free, running.end[left], running.job[left], known.request, known.size, begun, need
    )
    return time


@njit(cache=True)
def _is_killed(moves: Moves, job: int) -> bool:
    return bool((moves.kill[: moves.counts[KILLS]] == job).any())


@njit(cache=True)
def _left_over(running: RunningJobs, memory: RestartMemory, known: JobTable, job: int) -> float:
    """Return the restart overhead of a job that waits, less the work that it has kept (s)."""
    overhead = running.overhead[job] if running.stopped[job] else 0.0
    return overhead - (memory.requested[job] - (known.request[job] - overhead))


@njit(cache=True)
def _fill_holes(
    now: float,
    head: int,
    jobs: Integers,
    roles: Integers,
    known: JobTable,
    running: RunningJobs,
    memory: RestartMemory,
    terms: RestartTerms,
    moves: Moves,
) -> None:
    """Start waiting jobs softly that may end before the first one in the queue, `head`, starts."""
    hole = _shadow_time(now, known.size[jobs[head]], known, running, memory, moves) - now
    if hole <= 0.0:
        return
    found, score = np.empty(len(jobs), np.int64), np.empty(len(jobs))
    count = 0
    for i in range(len(jobs)):
        job = jobs[i]
        may = running.interval[job] >= 0.0 and memory.kills[job] < terms.kills
        if roles[i] != WAITS or not may or known.size[job] > moves.counts[FREE]:
            continue
        beside = _left_over(running, memory, known, job)
        outlasted = max(memory.outlasted[job], -beside)
        weight, requested = memory.histogram.weight, memory.requested[job]
        chance, mean = outlook(weight, requested, outlasted, hole - beside)
        if chance <= 0.0:
            continue
        value = chance
        if terms.valued:
            age = now - known.submit[job]
            lost = _lost_by(known, True, job, now, terms.tau)
            value *= (1.0 - terms.alpha) * curve_value(known, job, age) + terms.alpha * lost
        found[count] = i
        score[count] = -value / (known.size[job] * max(mean + beside, 1.0))
        count += 1
    for i in in_order(found[:count], score[:count]):
        if known.size[jobs[i]] <= moves.counts[FREE]:
            roles[i] = SOFT
            memory.soft[jobs[i]] = True
            _begin(known, moves, jobs[i])


@njit(cache=True)
def _expected_ends(
    now: float,
    known: JobTable,
    running: RunningJobs,
    memory: RestartMemory,
    moves: Moves,
) -> tuple[Floats, Integers]:
    """Return when processors are expected to come free, and how many each time."""
    begun, weight = moves.start[: moves.counts[STARTS]], memory.histogram.weight
    time = np.empty(len(running.job) + len(begun))
    size = np.empty(len(time), np.int64)
    count = 0
    for i in range(len(running.job)):
        job = running.job[i]
        if _is_killed(moves, job):
            continue
        time[count], size[count] = running.end[i], known.size[job]
        if job < len(running.stopped):
            done = _done(memory.requested, known.request, running.paid, running.start, job, now)
            outlasted = max(memory.outlasted[job], done)
            _, mean = outlook(weight, memory.requested[job], outlasted, np.inf)
            waits = max(0.0, running.start[job] + running.paid[job] - now)
            time[count] = now + waits + max(mean - done, 0.0)
        count += 1
    for job in begun:
        time[count], size[count] = now + _needs(known, running, memory, job), known.size[job]
        count += 1
    order = np.argsort(time[:count], kind="mergesort")
    return time[order], size[order]


@njit(cache=True)
def _needs(known: JobTable, running: RunningJobs, memory: RestartMemory, job: int) -> float:
    """Return for how long a job that waits is expected to hold its processors (s)."""
    beside = _left_over(running, memory, known, job)
    outlasted = max(memory.outlasted[job], -beside)
    _, mean = outlook(memory.histogram.weight, memory.requested[job], outlasted, np.inf)
    return mean + beside


@njit(cache=True)
def _wait_for(need: int, free: int, now: float, time: Floats, size: Integers) -> float:
    """Return how long it takes until so many processors are free (s)."""
    i = 0
    wait = 0.0
    while free < need and i < len(time):
        free += size[i]
        wait = time[i] - now
        i += 1
    return wait


@njit(cache=True)
def _victims(
    now: float,
    displacing: float,
    price: float,
    known: JobTable,
    running: RunningJobs,
    memory: RestartMemory,
    terms: RestartTerms,
    moves: Moves,
) -> tuple[Integers, Floats]:
    """Return who may be killed now, and what that costs (SU), the cheapest processors first.

    Jobs that start softly in this very pass are among them: they do not start then.

    Parameters
    ----------
    displacing : float
        For how long the job that wants the processors is expected to hold them (s).
    price : float
        Of lost work (SU per processor-second).
    """
    room = len(running.job) + moves.counts[STARTS]
    found, cost = np.empty(room, np.int64), np.empty(room)
    count = 0
    for job in running.job:
        if job >= len(running.stopped) or running.interval[job] < 0.0 or _is_killed(moves, job):
            continue
        if memory.kills[job] >= terms.kills or memory.protected[job] > now:
            continue
        lost = _lost_run(running, job, now)
        endless = running.interval[job] == np.inf and now - running.start[job] > terms.age
        if endless or known.size[job] * lost > terms.area:
            continue
        found[count] = job
        cost[count] = price * known.size[job] * lost
        cost[count] += _lost_by(known, terms.valued, job, now, RUNS_LATER * (lost + displacing))
        if memory.soft[job]:
            cost[count] *= SOFT_COST
        count += 1
    for job in moves.start[: moves.counts[STARTS]]:
        if memory.soft[job]:
            found[count] = job
            lost_value = _lost_by(known, terms.valued, job, now, RUNS_LATER * displacing)
            cost[count] = SOFT_COST * lost_value
            count += 1
    found, cost = found[:count], cost[:count]
    by_number = np.argsort(running.number[found])
    found, cost = found[by_number], cost[by_number]
    order = np.argsort(cost / known.size[found], kind="mergesort")
    return found[order], cost[order]


@njit(cache=True)
def _withdraw(known: JobTable, memory: RestartMemory, moves: Moves, job: int) -> bool:
    """Let a job not start after all; return whether it was among those that start."""
    for k in range(moves.counts[STARTS]):
        if moves.start[k] == job:
            moves.counts[STARTS] -= 1
            moves.start[k : moves.counts[STARTS]] = moves.start[k + 1 : moves.counts[STARTS] + 1]
            moves.counts[FREE] += known.size[job]
            memory.soft[job] = False
            return True
    return False


@njit(cache=True)
def _worth_it(
    now: float,
    jobs: Integers,
    roles: Integers,
    price: float,
    known: JobTable,
    running: RunningJobs,
    memory: RestartMemory,
    terms: RestartTerms,
    moves: Moves,
) -> tuple[Integers, Floats, Floats]:
    """Return whom it would pay to start at once, the most urgent first.

    Returns
    -------
    at : (k,) int64
        Places in `jobs`.
    gain : (k,) float64
        What each would gain over waiting, less the price of its own run (SU).
    needs : (k,) float64
        For how long it is expected to hold its processors (s).
    """
    found = np.empty(len(jobs), np.int64)
    gain, needs, urgency = np.empty(len(jobs)), np.empty(len(jobs)), np.empty(len(jobs))
    count = 0
    time, size = np.empty(0), np.empty(0, np.int64)
    for i in range(len(jobs)):
        job = jobs[i]
        if roles[i] != WAITS or memory.tried[job]:
            continue
        value = worth(known, terms.valued, job, now - known.submit[job])
        if value <= 0.0:
            continue
        needs[count] = _needs(known, running, memory, job)
        charge = price * known.size[job] * needs[count]
        if value <= charge:
            continue
        if len(time) == 0:
            time, size = _expected_ends(now, known, running, memory, moves)
        wait = _wait_for(known.size[job], moves.counts[FREE], now, time, size)
        delay = terms.horizon * wait + SHORTEST_WAIT
        lost = _lost_by(known, terms.valued, job, now, delay)
        gain[count] = lost - charge
        if gain[count] <= 0.0:
            continue
        found[count] = i
        urgency[count] = -lost / (known.size[job] * max(needs[count], 1.0))
        count += 1
    order = np.argsort(urgency[:count], kind="mergesort")[:MOST_TRIED]
    return found[order], gain[order], needs[order]


@njit(cache=True)
def _displace(
    now: float,
    jobs: Integers,
    roles: Integers,
    known: JobTable,
    running: RunningJobs,
    memory: RestartMemory,
    terms: RestartTerms,
    moves: Moves,
) -> None:
    """Start waiting jobs for which it pays, on processors of others that lose less by it."""
    done, value, area = memory.earned
    if done < LEARNING or area <= 0.0:
        return
    price = terms.theta * (value / area)
    places, gains, needs = _worth_it(now, jobs, roles, price, known, running, memory, terms, moves)
    for k in range(len(places)):
        job = jobs[places[k]]
        lacking = known.size[job] - moves.counts[FREE]
        if lacking > 0:
            victims, cost = _victims(now, needs[k], price, known, running, memory, terms, moves)
            taken, total = 0, 0.0
            while taken < len(victims) and lacking > 0:
                lacking -= known.size[victims[taken]]
                total += cost[taken]
                taken += 1
            if lacking > 0 or total >= gains[k]:
                continue
            for v in range(taken - 1, -1, -1):
                if known.size[victims[v]] <= -lacking:
                    lacking += known.size[victims[v]]
                    victims[v] = -1
            for v in range(taken):
                if victims[v] >= 0 and not _withdraw(known, memory, moves, victims[v]):
                    loss = cost[v] if terms.valued else 0.0  # no SU without utility functions
                    _kill(known, running, memory, moves, victims[v], job, loss, now)
        _begin(known, moves, job)
        roles[places[k]] = BEGINS
        memory.protected[job] = now + terms.protection
        memory.tried[job] = True


@njit(cache=True)
def _next_end_of_protection(
    now: float, running: RunningJobs, memory: RestartMemory, moves: Moves
) -> float:
    """Return when a job that runs may first be killed again (s), infinite if all may be now."""
    first = np.inf
    for job in running.job:
        if job < len(running.stopped) and memory.protected[job] > now:
            first = min(first, memory.protected[job])
    for job in moves.start[: moves.counts[STARTS]]:
        if memory.protected[job] > now:
            first = min(first, memory.protected[job])
    return first


@njit(cache=True)
def take_back(
    now: float,
    free: int,
    jobs: Integers,
    score: Floats,
    started: NDArray[np.bool_],
    known: JobTable,
    running: RunningJobs,
    memory: RestartMemory,
    terms: RestartTerms,
    moves: Moves,
) -> float:
    """Carry out what a placement marked over free processors and those of soft jobs; then go on.

    The rest of a pass (semantics of restarts, section 1, steps 3 to 5): soft jobs give way, others
    start softly in what is left, and jobs that are worth it displace others.

    Parameters
    ----------
    now : float
        Time of the pass (s).
    free : int
        Processors in use by nobody.
    jobs : (k,) int64
        Queued and soft jobs, by number.
    score : (k,) float64
        Their place in the queue order.
    started : (n,) bool
        What the placement marked.
    moves : Moves
        Blank; what is to be done.

    Returns
    -------
    wake_up : float
        When a pass is wanted even without an event (s).
    """
    moves.counts[STARTS], moves.counts[KILLS], moves.counts[FREE] = 0, 0, free
    roles = np.empty(len(jobs), np.int64)
    head = first_waiting(jobs, score, started)
    _settle(now, jobs, started, roles, known, running, memory, moves)
    if head < 0:
        return np.inf
    if terms.holes:
        _fill_holes(now, head, jobs, roles, known, running, memory, terms, moves)
    if terms.restarts:
        _displace(now, jobs, roles, known, running, memory, terms, moves)
    return _next_end_of_protection(now, running, memory, moves)


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


@njit(cache=True)
def decide_taking_back(
    now: float,
    free: int,
    queued: Integers,
    releases: Releases,
    known: JobTable,
    forecast: Forecast,
    history: RuntimeHistory,
    policy: Policy,
    plan: Plan,
    restarts: TakingBack,
    stops: StopColumns,
    start: Floats,
    number: Integers,
    started: NDArray[np.bool_],
    scores_of_queued: Floats,
    moves: Moves,
) -> float:
    """Make the pass of a list scheduler that takes processors back; return when to wake it up.

    The list scheduler decides as if jobs in holes were queued, with what is left of their requests,
    and their processors free. Marks in `started` the queued jobs that start.
    """
    memory, request, size = restarts.memory, known.request, known.size
    for job in queued:
        memory.soft[job] = False
    firm = np.ones(len(releases.job), np.bool_)
    for i in range(len(firm)):
        job = releases.job[i]
        firm[i] = job >= len(memory.soft) or not memory.soft[job]
    soft = releases.job[~firm]
    jobs = np.concatenate((queued, soft))
    jobs = jobs[np.argsort(number[jobs])]
    asked = request[soft]
    request[soft] = np.maximum(asked - (now - start[soft]), 0.0)
    if policy.learns:
        fill(jobs, known, history, policy.rule, forecast)
        outlast(jobs, known, memory.outlasted, forecast)
    score = scores(jobs, now, known, forecast, policy.primary, policy.threshold)
    backfill = score
    if not policy.same_order:
        backfill = scores(jobs, now, known, forecast, policy.secondary, policy.threshold)
    seen = Queue(jobs, score, backfill)
    if policy.depth < len(jobs):
        within = within_depth(score, policy.depth)
        seen = Queue(jobs[within], score[within], backfill[within])
        # who is not looked at comes behind, by arrival
        score = np.full(len(jobs), np.inf)
        score[within] = seen.score
    place(
        policy,
        SchedulingPass(now, free + size[soft].sum(), queued[:0]),
        seen,
        Releases(releases.end[firm], releases.job[firm]),
        known,
        plan,
        started,
    )
    request[soft] = asked
    k = 0
    for i in range(len(jobs)):
        if not memory.soft[jobs[i]]:
            scores_of_queued[k] = score[i]
            k += 1
    running = RunningJobs(
        releases.job,
        releases.end,
        start,
        restarts.interval,
        stops.overhead,
        stops.paid,
        stops.stopped,
        number,
    )
    wake_up = take_back(
        now, free, jobs, score, started, known, running, memory, restarts.terms, moves
    )
    started[jobs] = False
    started[moves.start[: moves.counts[STARTS]]] = True
    return wake_up
