"""Feasibility of a schedule on a machine: capacity, limits and calendar.

Written from the semantics, from the machine file, the workload and the schedule alone: no code of
the engine, of the kernels or of their tables is used, so that none of their mistakes is repeated.
"""

from collections import Counter, deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from heapq import heappop, heappush
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from swfx import InputError, Workload
from swfx.machine.machine import PROCESSORS, Limit, Machine, Pool, Window, trivial_machine
from utilitysched.model.schedule import Schedule, recorded_machine
from utilitysched.model.segments import ROUNDING, spans
from utilitysched.model.state import Floats, Integers

Bools = NDArray[np.bool_]

MEASURES = ("jobs", "submitted")
"""Measures of limits that are no resources."""

NO_POOL = -1

DECIMALS = 1e-6
"""Part of an amount that is rounding alone."""


class Violation(NamedTuple):
    """A rule that a schedule breaks, once.

    Attributes
    ----------
    rule : str
        Name of the rule in `RULES`.
    time : float
        When (s, the log's clock).
    job : int
        Position of the job in the workload.
    text : str
        What is wrong, in words.
    """

    rule: str
    time: float
    job: int
    text: str


class Occupancy(NamedTuple):
    """Stretches of time in which jobs occupy their amounts.

    Attributes
    ----------
    job : (m,) int64
        Position of the job in the workload.
    start, end : (m,) float64
        When (s).
    expected : (m,) float64
        End by the request (s). Of a job that was stopped before, the restart overhead is unknown
        here: its expected end is the earliest that it can be.
    """

    job: Integers
    start: Floats
    end: Floats
    expected: Floats

    @classmethod
    def of(cls, workload: Workload, schedule: Schedule) -> Self:
        """Return when the jobs of a schedule ran."""
        ran = spans(schedule)
        left = workload.request[ran.job]
        if schedule.segments is not None:
            left = left - _kept_before(ran.job, schedule.segments.kept)
        expected = np.maximum(ran.start + left, ran.end)
        return cls(ran.job, ran.start, ran.end, expected)

    def where(self, mask: Bools | Integers) -> Self:
        """Return some of the stretches: a mask of shape (m,), or their numbers."""
        return type(self)(self.job[mask], self.start[mask], self.end[mask], self.expected[mask])

    def during(self, begin: float, end: float) -> Self:
        """Return the stretches that reach into a time, each from the begin of that time on."""
        inside = self.where((self.start < end) & (self.end > begin))
        return inside._replace(start=np.maximum(inside.start, begin))


def _kept_before(job: Integers, kept: Floats) -> Floats:
    """Return the work that jobs had done before each of their segments (s)."""
    place = np.argsort(job, kind="stable")
    done = np.concatenate(([0.0], np.cumsum(kept[place])))
    first = np.flatnonzero(np.diff(job[place], prepend=-1))
    of_job = np.repeat(done[first], np.diff(first, append=len(job)))
    before = np.empty(len(job))
    before[place] = done[:-1] - of_job
    return before


class MachineSchedule(NamedTuple):
    """A schedule with the machine that it is checked against.

    Attributes
    ----------
    machine : Machine
        The machine.
    workload : Workload
        n jobs.
    schedule : Schedule
        When they ran.
    ran : Occupancy
        The stretches in which they did.
    pool : (n,) int64
        Number of each job's pool, `NO_POOL` for none.
    """

    machine: Machine
    workload: Workload
    schedule: Schedule
    ran: Occupancy
    pool: Integers

    def names(self, kind: str) -> NDArray[np.str_]:
        """Names of the jobs' groups of a kind, (n,), empty where unknown."""
        labels = self.workload.labels.of(kind)
        return np.where(labels.numbers >= 0, np.array(labels.of_jobs(), np.str_), "")

    def above(self, accounts: NDArray[np.str_]) -> NDArray[np.str_]:
        """Names of the accounts above accounts, (n,), empty where there is none."""
        shares = [each for each in self.machine.shares if each.account and not each.user]
        parents = {each.account: each.parent for each in shares}
        return np.array([parents.get(name, "") for name in accounts.tolist()], np.str_)

    def groups(self, kind: str) -> NDArray[np.str_]:
        """Names of all groups of a kind that jobs belong to, (n, g), filled up with empty ones.

        An account has the jobs of all accounts below it.
        """
        columns = [self.names(kind)]
        while kind == "account" and (columns[-1] != "").any():
            columns.append(self.above(columns[-1]))
        return np.stack(columns, axis=1)

    def belong(self, groups: Mapping[str, str]) -> Bools:
        """Whether jobs belong to all of some groups, named by kind, (n,)."""
        belong = np.ones(len(self.workload), np.bool_)
        for kind, name in groups.items():
            belong &= (self.groups(kind) == name).any(axis=1)
        return belong


def machine_of(schedule: Schedule) -> Machine:
    """Return the machine of a schedule: its machine file, else one pool of its processors."""
    return recorded_machine(schedule.provenance) or trivial_machine(schedule.machine_size)


def violations(machine: Machine, workload: Workload, schedule: Schedule) -> list[Violation]:
    """Return where a schedule breaks rules of a machine, by time; the list is empty if it is right.

    Rules that are checked: `RULES`. Failures of processors are no part of a schedule: processors
    that were down count as there. What order the scheduler should have taken is not checked.

    Parameters
    ----------
    machine : Machine
        The machine.
    workload : Workload
        The jobs.
    schedule : Schedule
        When they ran, in workload order.

    Raises
    ------
    InputError
        Jobs shared nodes: of such schedules nothing can be added up.
    """
    if schedule.shared:
        raise InputError("jobs shared nodes, where amounts of jobs do not add up")
    ran = Occupancy.of(workload, schedule)
    case = MachineSchedule(machine, workload, schedule, ran, pools_of(machine, workload))
    found = [each for name in RULES for each in RULES[name](case)]
    return sorted(found, key=lambda each: (each.time, each.job, each.rule))


def pools_of(machine: Machine, workload: Workload) -> Integers:
    """Return the number of each job's pool, `NO_POOL` for none, (n,).

    A machine's only pool has all jobs, unless it names partitions; patterns are taken for those.
    """
    if len(machine.pools) == 1 and not machine.pools[0].partitions:
        return np.zeros(len(workload), np.int64)
    names, place = np.unique(workload.labels.of("partition").of_jobs(), return_inverse=True)
    pool = np.full(len(names), NO_POOL)
    for number, each in reversed(list(enumerate(machine.pools))):
        for pattern in each.partitions or (each.name,):
            pool[[name == pattern or fnmatchcase(name, pattern) for name in names]] = number
    return pool[place]


def amount_of(resource: str, machine: Machine, workload: Workload) -> Integers:
    """Return how much of a resource each job needs, (n,); whole nodes where nodes are rounded."""
    if resource == PROCESSORS:
        node = machine.nodes or 1
        return -(-workload.size // node) * node
    name = "mem" if resource == "memory" else resource
    amount = np.zeros(len(workload))
    for column in (f"tres/{name}", f"tres/gres/{name}", f"tres/license/{name}"):
        types = [workload.column(n) for n in workload.extra_columns if n.startswith(f"{column}:")]
        of_types = sum((np.maximum(each, 0.0) for each in types), np.zeros(len(workload)))
        for given in (workload.column(column), of_types):
            amount = np.where(amount > 0, amount, given)
    if resource == "memory":
        kilobytes = workload.requested_memory * workload.size
        amount = np.where(amount > 0, amount, kilobytes / 1024)
    return np.ceil(np.maximum(amount, 0.0) - DECIMALS).astype(np.int64)


class Overload(NamedTuple):
    """Beginnings of stretches at which jobs have more than there is.

    Attributes
    ----------
    row : (v,) int64
        Numbers of the stretches.
    total : (v,) int64
        Amount in use from then on.
    """

    row: Integers
    total: Integers


def overload(ran: Occupancy, group: Integers | int, amount: Integers, most: int) -> Overload:
    """Return the stretches that bring the amount in use above what there is.

    Jobs that end make room for those that start at the same time. A job without run time needs its
    amount beside those that run on, and makes room at its own start.

    Parameters
    ----------
    ran : Occupancy
        m stretches.
    group : (m,) int64 or int
        Groups of stretches that have an amount of their own; one number for all in one.
    amount : (m,) int64
        Amount that each takes.
    most : int
        Amount that each group has.
    """
    group = np.broadcast_to(group, ran.job.shape)
    lasts = ran.end > ran.start
    rows = np.concatenate((np.flatnonzero(lasts), np.flatnonzero(~lasts), np.flatnonzero(lasts)))
    kind = np.repeat([0, 1, 2], [lasts.sum(), (~lasts).sum(), lasts.sum()])
    time = np.where(kind == 0, ran.end[rows], ran.start[rows])
    order = np.lexsort((kind, time, group[rows]))
    rows, kind = rows[order], kind[order]
    # ends give back, jobs without run time leave all as it was
    total = np.cumsum(amount[rows] * (kind - 1)) + amount[rows] * (kind == 1)
    over = (kind > 0) & (amount[rows] > 0) & (total > most)
    return Overload(rows[over], total[over])


def _submission(case: MachineSchedule) -> Iterator[Violation]:
    """No job starts before it was submitted, or while it still runs."""
    submitted = case.schedule.submitted(case.workload)
    for row in np.flatnonzero(case.ran.start < submitted[case.ran.job]).tolist():
        yield _at(case.ran, "submission", row, "starts before it was submitted")
    place = np.lexsort((case.ran.start, case.ran.job))
    job, start, end = case.ran.job[place], case.ran.start[place], case.ran.end[place]
    again = (job[1:] == job[:-1]) & (start[1:] < end[:-1])
    for row in place[1:][again].tolist():
        yield _at(case.ran, "submission", row, "starts while it still runs")


def _run_time(case: MachineSchedule) -> Iterator[Violation]:
    """Every job runs for its run time; one that was stopped, for what was left of it."""
    work, segments = case.workload.effective_run, case.schedule.segments
    if segments is None:
        done, overhead = case.ran.end - case.ran.start, np.zeros(len(work))
    else:
        done, overhead = (
            segments.per_job(column, len(work)) for column in (segments.kept, segments.overhead)
        )
    # a time on the log's clock has fewer decimals than a run time
    rounding = ROUNDING * (work + np.abs(case.schedule.end))
    # restarts that take longer than expected use up the request
    cut_short = (done < work) & (overhead > 0)
    for job in np.flatnonzero((np.abs(done - work) > rounding) & ~cut_short):
        text = f"runs for {done[job]:g} s, and not for {work[job]:g} s"
        yield Violation("run time", float(case.schedule.end[job]), int(job), text)


def _pool(case: MachineSchedule) -> Iterator[Violation]:
    """Every job belongs to a pool."""
    for job in np.flatnonzero(case.pool == NO_POOL):
        name = case.workload.labels.of("partition").of_jobs()[job]
        text = f"is of no pool: its partition is {name}"
        yield Violation("pool", float(case.schedule.start[job]), int(job), text)


def _capacity(case: MachineSchedule) -> Iterator[Violation]:
    """Of no resource of a pool is more in use than it has."""
    for number, pool in enumerate(case.machine.pools):
        ran = case.ran.where(case.pool[case.ran.job] == number)
        for resource, capacity in pool.capacity.items():
            amount = amount_of(resource, case.machine, case.workload)[ran.job]
            over = overload(ran, number, amount, capacity)
            for row, total in zip(*over, strict=True):
                text = f"uses {total} {resource} of pool {pool.name}, which has {capacity}"
                yield _at(ran, "capacity", row, text)


def _limit(case: MachineSchedule) -> Iterator[Violation]:
    """No group has more running jobs, or more of a resource, than a limit allows."""
    for limit in case.machine.limits:
        of_rows = _groups(case, limit)[case.ran.job]
        row, level = np.nonzero(of_rows >= 0)
        ran, group = case.ran.where(row), of_rows[row, level]
        for measure, most in limit.most.items():
            if measure == "submitted":
                continue
            amount = np.ones(len(case.workload), np.int64)
            if measure not in MEASURES:
                amount = amount_of(measure, case.machine, case.workload)
            over = overload(ran, group, amount[ran.job], most)
            for place, total in zip(*over, strict=True):
                text = f"brings {_whose(limit)} to {total} {measure}, the limit is {most}"
                yield _at(ran, "limit", place, text)


def _groups(case: MachineSchedule, limit: Limit) -> Integers:
    """Return the numbers of the groups in which a limit counts each job, -1 for none, (n, g)."""
    counted = case.belong(limit.within)
    if limit.of == "all" or limit.name is not None:
        counted &= case.belong({} if limit.name is None else {limit.of: limit.name})
        return np.where(counted, 0, -1)[:, np.newaxis]
    names = case.groups(limit.of)
    number = np.unique(names, return_inverse=True)[1].reshape(names.shape)
    return np.where((names != "") & counted[:, np.newaxis], number, -1)


def _whose(limit: Limit) -> str:
    """Return the group of a limit in words."""
    kind = "all jobs" if limit.of == "all" else f"{limit.of} {limit.name or 'of the job'}"
    within = [f"{kind} {name}" for kind, name in limit.within.items()]
    return " in ".join([kind, *within])


def _submitted(case: MachineSchedule) -> Iterator[Violation]:
    """No job starts before a limit on submitted jobs admits it to the queue."""
    limits = [limit for limit in case.machine.limits if "submitted" in limit.most]
    if not limits:
        return
    most = [limit.most["submitted"] for limit in limits]
    counters: list[list[tuple[int, int]]] = [[] for _ in range(len(case.workload))]
    for number, limit in enumerate(limits):
        for own, groups in zip(counters, _groups(case, limit).tolist(), strict=True):
            own += [(number, group) for group in groups if group >= 0]
    submitted = case.schedule.submitted(case.workload)
    order = np.argsort(submitted, kind="stable")
    if case.schedule.release is not None:
        # which of those that came at an instant waited for another job that ended then is unknown
        order = np.lexsort((case.schedule.end, case.schedule.start, submitted))
    admitted = np.empty(len(order))
    admitted[order] = admissions(
        submitted[order], case.schedule.end[order], [counters[job] for job in order], most
    )
    late = (case.schedule.start < admitted) & (admitted > submitted)
    for job in np.flatnonzero(late):
        limit = limits[counters[job][0][0]]
        text = f"starts, and is admitted only at {admitted[job]:g} s by the limit of submitted"
        text = f"{text} jobs of {_whose(limit)}"
        yield Violation("submitted", float(case.schedule.start[job]), int(job), text)


def admissions(
    submitted: Floats,
    end: Floats,
    counters: Sequence[Sequence[tuple[int, int]]],
    most: Sequence[int],
) -> Floats:
    """Return when limits on submitted jobs admit each job to the queue (s), (n,).

    A job is admitted if fewer jobs than the limit that were admitted before it are queued or run.
    One that ends without that counts as never admitted, and has infinity.

    Parameters
    ----------
    submitted, end : (n,) float64
        When each job came, ascending, and ended (s).
    counters : sequence of sequence of (int, int)
        Limits of each job and its groups under them.
    most : sequence of int
        Largest number of jobs of a group under each limit.
    """
    admitted = np.full(len(end), np.inf)
    used: Counter[tuple[int, int]] = Counter()
    present: list[tuple[float, int]] = []
    waiting: list[int] = []
    coming = deque(range(len(submitted)))
    for now in np.unique(np.concatenate((submitted, end))).tolist():
        while coming and submitted[coming[0]] <= now:
            waiting.append(coming.popleft())
        changed = True
        # a job without run time makes room at the instant at which it is admitted
        while changed:
            while present and present[0][0] <= now:
                used.subtract(counters[heappop(present)[1]])
            for job in waiting:
                if all(used[each] < most[each[0]] for each in counters[job]):
                    used.update(counters[job])
                    heappush(present, (float(end[job]), job))
                    admitted[job] = now
            waiting = [job for job in waiting if admitted[job] == np.inf]
            changed = bool(present) and present[0][0] <= now
        waiting = [job for job in waiting if end[job] > now]
    return admitted


def _window(case: MachineSchedule) -> Iterator[Violation]:
    """No job starts that by its request would need what a known window takes from it."""
    for window, pool, resource, others in _taken(case):
        ran = others.where((others.expected > window.begin) & (others.start < window.end))
        amount = amount_of(resource, case.machine, case.workload)[ran.job]
        left = _left(window, case.machine.pools[pool], resource)
        over = overload(ran, 0, amount, left)
        for row, total in zip(*over, strict=True):
            if window.known is None or ran.start[row] >= window.known:
                text = f"starts into window {window.name}, which leaves {left} {resource}:"
                text = f"{text} {total} would be in use"
                yield _at(ran, "window", row, text)


def _requeue(case: MachineSchedule) -> Iterator[Violation]:
    """Nobody runs on in a window that requeues jobs on what it takes from them."""
    for window, pool, resource, others in _taken(case):
        if not window.requeue:
            continue
        known = -np.inf if window.known is None else window.known
        ran = others.during(max(window.begin, known), window.end)
        amount = amount_of(resource, case.machine, case.workload)[ran.job]
        left = _left(window, case.machine.pools[pool], resource)
        over = overload(ran, 0, amount, left)
        for row, total in zip(*over, strict=True):
            text = f"runs in window {window.name}, which leaves {left} {resource}:"
            yield _at(ran, "requeue", row, f"{text} {total} are in use")


def _taken(case: MachineSchedule) -> Iterator[tuple[Window, int, str, Occupancy]]:
    """Yield each resource that a window takes of a pool, and when jobs not exempt from it ran."""
    for window in case.machine.windows:
        exempt = case.belong(window.for_jobs_of) & bool(window.for_jobs_of)
        for number, pool in enumerate(case.machine.pools):
            if window.pool in (None, pool.name):
                others = case.ran.where((~exempt & (case.pool == number))[case.ran.job])
                for resource in window.taken or pool.capacity:
                    yield window, number, resource, others


def _left(window: Window, pool: Pool, resource: str) -> int:
    """Return what a window leaves of a resource."""
    capacity = pool.capacity.get(resource, 0)
    return max(capacity - window.taken.get(resource, 0), 0) if window.taken else 0


def _at(ran: Occupancy, rule: str, row: int, text: str) -> Violation:
    """Return a violation at the start of a stretch."""
    return Violation(rule, float(ran.start[row]), int(ran.job[row]), text)


RULES: dict[str, Callable[[MachineSchedule], Iterator[Violation]]] = {
    "submission": _submission,
    "run time": _run_time,
    "pool": _pool,
    "capacity": _capacity,
    "limit": _limit,
    "submitted": _submitted,
    "window": _window,
    "requeue": _requeue,
}
"""Rules that are checked, by name."""
