"""Reasons for which jobs on a machine file's pools waited: limits, windows, resources, the order.

All but the order follows from when the jobs ran: what each pass left in use, and what it left
queued. Limits come first, then what is free, then windows, as in `utilitysched.Schedule.held`.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from swfx import InputError, Workload
from swfx.machine import Machine
from utilitysched.model.machine import RUNNING_JOBS, SUBMITTED_JOBS, MachineTable
from utilitysched.model.machine_table import limit_names, machine_table
from utilitysched.model.schedule import recorded_machine
from utilitysched.model.segments import Spans
from utilitysched.model.state import Integers
from utilitysched.runs.queue_order import queue_order
from utilitysched.runs.stored import StoredRun

LIMIT, WINDOW, RESOURCE, TURN = "limit", "window", "resource", "turn"
"""What a job can wait for; its turn is its place in the order, or a reservation of another."""

COUNTED = {RUNNING_JOBS: "jobs", SUBMITTED_JOBS: "submitted"}
"""What limits count that is no resource, as machine files call it."""


class Holder(NamedTuple):
    """Amount that a user, or a job, has in use."""

    name: str
    amount: int


class WaitReason(NamedTuple):
    """What a queued job waits for at an instant.

    Attributes
    ----------
    kind : str
        ``limit``, ``window``, ``resource`` or ``turn``.
    name : str
        The group that the limit is of; the window; the pool.
    resource : str
        What is limited, taken or lacking: a resource, ``jobs`` or ``submitted``; empty for a turn.
    needed, used, most : int
        Amount that the job needs, that others have, and that there may be; of a window, what it
        takes for `most`.
    holders : tuple of Holder
        Who has what is in use, the largest amounts first: users, or jobs of a single user.
    begin, end : float
        From when to when the window takes amounts away (s).
    """

    kind: str
    name: str
    resource: str = ""
    needed: int = 0
    used: int = 0
    most: int = 0
    holders: tuple[Holder, ...] = ()
    begin: float = np.nan
    end: float = np.nan

    @property
    def key(self) -> tuple[str, str, str]:
        """What is waited for, whatever the amounts."""
        return self.kind, self.name, self.resource


@dataclass(frozen=True)
class WaitingRun:
    """A run on the pools of a machine file.

    Attributes
    ----------
    run : StoredRun
        Jobs and when they ran.
    machine : Machine
        The machine.
    """

    run: StoredRun
    machine: Machine

    @classmethod
    def of(cls, run: StoredRun) -> "WaitingRun | None":
        """Return a run with its machine; None where it ran without a machine file."""
        machine = recorded_machine(run.record.get("simulation", {}))
        return None if machine is None else cls(run, machine)

    @property
    def workload(self) -> Workload:
        """Jobs of the run."""
        return self.run.workload

    @cached_property
    def table(self) -> MachineTable:
        """The machine in columns, jobs in workload order."""
        return machine_table(self.machine, self.workload, np.arange(len(self.workload)))

    @cached_property
    def limits(self) -> list[str]:
        """Group that each counter of the limits counts."""
        return limit_names(self.machine, self.workload, np.arange(len(self.workload)))

    @cached_property
    def windows(self) -> list[str]:
        """Name of each row of the table of windows."""
        pools = len(self.machine.pools)
        ordered = sorted(self.machine.windows, key=lambda window: window.begin)
        return [each.name for each in ordered for _ in range(1 if each.pool else pools)]

    @cached_property
    def spans(self) -> Spans:
        """Stretches in which jobs held their amounts."""
        pieces = self.run.segments
        if pieces is not None:
            return Spans(pieces.job, pieces.start, pieces.end)
        return Spans(np.arange(len(self.workload)), self.run.start, self.run.end)

    def at(self, instant: float) -> "PassResult":
        """Return what the pass at an instant (s), or the last one before it, left."""
        return PassResult(self, instant, self.spans)

    def hours(self, job: int) -> dict[tuple[str, str, str], float]:
        """Return for how many hours a job waited for what, the most first; see `WaitReason.key`.

        Parameters
        ----------
        job : int
            Position in the workload.
        """
        hours: dict[tuple[str, str, str], float] = {}
        for begin, end in self._waits(job):
            holders, start, stop = self.spans
            held = (start < end) & (stop > begin)
            there = Spans(holders[held], start[held], stop[held])
            instants = self._instants(begin, end)
            for instant, later in zip(instants, [*instants[1:], end], strict=True):
                key = PassResult(self, instant, there).reason(job).key
                hours[key] = hours.get(key, 0.0) + (later - instant) / 3600.0
        return dict(sorted(hours.items(), key=lambda item: -item[1]))

    def _waits(self, job: int) -> Iterator[tuple[float, float]]:
        """Yield from when to when (s) a job was in the queue."""
        entered = float(self.workload.submit[job])
        own = self.spans.job == job
        for start, end in zip(self.spans.start[own], self.spans.end[own], strict=True):
            if entered < start:
                yield entered, float(start)
            entered = float(end)

    def _instants(self, begin: float, end: float) -> list[float]:
        """Return the instants (s) of a stretch at which what a job waits for may change."""
        windows = self.table.windows
        times = [self.spans.start, self.spans.end, windows.known, windows.begin, windows.end]
        # at a later pass a job may run into a window that it would have ended before
        if len(windows.begin) or (self.table.limits.measure == SUBMITTED_JOBS).any():
            times.append(self.workload.submit)
        every = np.concatenate(times)
        between: list[float] = np.unique(every[(every > begin) & (every < end)]).tolist()
        return [begin, *between]


@dataclass(frozen=True)
class PassResult:
    """What runs after a pass, and what is queued.

    Attributes
    ----------
    on : WaitingRun
        The run.
    now : float
        Instant of the pass (s).
    spans : Spans
        Stretches that may hold amounts then.
    """

    on: WaitingRun
    now: float
    spans: Spans

    @cached_property
    def running(self) -> Integers:
        """Jobs that run."""
        return self.spans.job[self._holding]

    @cached_property
    def _holding(self) -> Integers:
        return np.flatnonzero((self.spans.start <= self.now) & (self.now < self.spans.end))

    @cached_property
    def queued(self) -> Integers:
        """Queued jobs by submission."""
        submit = self.on.workload.submit
        waits = (submit <= self.now) & (self.on.run.end > self.now)
        waits[self.running] = False
        jobs = np.flatnonzero(waits)
        return jobs[np.argsort(submit[jobs], kind="stable")]

    def reason(self, job: int) -> WaitReason:
        """Return what a queued job waits for.

        Parameters
        ----------
        job : int
            Position in the workload.
        """
        pool = self.on.table.pools.pool.item(job)
        held = self._limit(job) or self._lacking(job, pool) or self._window(job, pool)
        return held or WaitReason(TURN, self.on.machine.pools[pool].name)

    def ahead(self, job: int) -> int | None:
        """Return the first job in the queue order of a job's pool that waits for room.

        None where that is the job itself, or no job.
        """
        pool = self.on.table.pools.pool
        there = self._order[np.isin(self._order, self.queued)]
        for other in there[pool[there] == pool[job]].tolist():
            if other == job:
                return None
            if self._limit(other) is None:
                return int(other)
        return None

    @cached_property
    def _order(self) -> Integers:
        return queue_order(self.on.run, self.now)

    def _limit(self, job: int) -> WaitReason | None:
        """Return the first limit that the job would break, had it started as well."""
        limits, demand = self.on.table.limits, self.on.table.pools.demand
        for counter in limits.counter[job][limits.counter[job] >= 0].tolist():
            measure, most = limits.measure.item(counter), limits.most.item(counter)
            if measure == SUBMITTED_JOBS:
                if job in self._admitted:
                    continue
                jobs = np.array(sorted(self._admitted), np.int64)
            else:
                jobs = self.running
            jobs = jobs[(limits.counter[jobs] == counter).any(axis=1)]
            amounts = demand[jobs, measure] if measure >= 0 else np.ones(len(jobs), np.int64)
            needed, used = demand.item(job, measure) if measure >= 0 else 1, int(amounts.sum())
            if used + needed > most:
                what = COUNTED.get(measure) or self.on.machine.resources[measure]
                limited = self.on.limits[counter]
                holders = self._holders(jobs, amounts)
                return WaitReason(LIMIT, limited, what, needed, used, most, holders)
        return None

    @cached_property
    def _admitted(self) -> frozenset[int]:
        """Jobs that count against limits on submitted jobs: those that run, and the first queued.

        Earlier queued jobs are admitted before later ones, as far as there is room.
        """
        limits = self.on.table.limits
        free = np.append(limits.most, 0)  # of counter -1, which stands for none
        submitted = np.append(limits.measure == SUBMITTED_JOBS, [False])
        admitted = []
        for place, job in enumerate([*self.running.tolist(), *self.queued.tolist()]):
            counters = limits.counter[job][submitted[limits.counter[job]]]
            if place < len(self.running) or (free[counters] > 0).all():
                free[counters] -= 1
                admitted.append(job)
        return frozenset(admitted)

    def _lacking(self, job: int, pool: int) -> WaitReason | None:
        """Return the first resource of which too little is free."""
        pools = self.on.table.pools
        jobs = self.running[pools.pool[self.running] == pool]
        used = pools.demand[jobs].sum(axis=0)
        lacking = np.flatnonzero(pools.demand[job] > pools.capacity[pool] - used)
        if not len(lacking):
            return None
        place = lacking.item(0)
        return WaitReason(
            RESOURCE,
            self.on.machine.pools[pool].name,
            self.on.machine.resources[place],
            pools.demand.item(job, place),
            used.item(place),
            pools.capacity.item(pool, place),
            self._holders(jobs, pools.demand[jobs, place]),
        )

    def _window(self, job: int, pool: int) -> WaitReason | None:
        """Return the first window that bars the job from starting now."""
        windows, pools, request = (
            self.on.table.windows,
            self.on.table.pools,
            self.on.workload.request,
        )
        last = self.now + request.item(job)
        bars = (windows.pool == pool) & (windows.known <= self.now) & ~windows.exempt[job]
        # a job of no time is there at that instant
        bars &= ((windows.begin < last) | (windows.begin <= self.now)) & (self.now < windows.end)
        jobs = self.running
        limit = self.spans.start[self._holding] + request[jobs]
        for row in np.flatnonzero(bars).tolist():
            stays = (pools.pool[jobs] == pool) & ~windows.exempt[jobs, row]
            stays &= limit > max(self.now, windows.begin.item(row))
            left = pools.capacity[pool] - windows.taken[row] - pools.demand[jobs[stays]].sum(axis=0)
            lacking = np.flatnonzero((pools.demand[job] > left) & (pools.demand[job] > 0))
            if len(lacking):
                place = lacking.item(0)
                return WaitReason(
                    WINDOW,
                    self.on.windows[row],
                    self.on.machine.resources[place],
                    pools.demand.item(job, place),
                    pools.demand[jobs[stays], place].sum().item(),
                    windows.taken.item(row, place),
                    begin=windows.begin.item(row),
                    end=windows.end.item(row),
                )
        return None

    def _holders(self, jobs: Integers, amounts: Integers) -> tuple[Holder, ...]:
        """Return users, or jobs of a single user, with the amounts that they have."""
        workload = self.on.workload
        users, member = np.unique(workload.user[jobs], return_inverse=True)
        if len(users) > 1:
            labels = workload.labels.of("user")
            sums = np.bincount(member, amounts, len(users)).astype(np.int64).tolist()
            names = map(labels.title, users.tolist())
            found = [Holder(name, each) for name, each in zip(names, sums, strict=True)]
        else:
            pairs = zip(jobs.tolist(), amounts.tolist(), strict=True)
            found = [Holder(f"job {workload.job_name(job)}", each) for job, each in pairs]
        return tuple(sorted((each for each in found if each.amount), key=lambda each: -each.amount))


def queued_job(result: PassResult, name: str) -> int:
    """Return the position of a job, by number or name, that is queued after a pass.

    Raises
    ------
    InputError
        There is no such job, or it is not queued then.
    """
    job = result.on.workload.job_names.position(name)
    if job in result.queued:
        return int(job)
    submit, start = result.on.workload.submit.item(job), result.on.run.start.item(job)
    raise InputError(
        f"job {name} is not queued at {result.now:.15g} s",
        field="at",
        remedy=f"it was submitted at {submit:.15g} s and started at {start:.15g} s",
    )
