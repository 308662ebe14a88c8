"""One pool of a machine: a simulation with several resources, limits and windows."""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from swfx.dependencies import Dependencies
from utilitysched.engine.conditions import Failures, StopTerms
from utilitysched.engine.decisions import checked_preempted, checked_starts
from utilitysched.engine.machine import calendar
from utilitysched.engine.machine.calendar import Rooms
from utilitysched.engine.machine.limits import LimitUse, within_a_pass
from utilitysched.engine.machine.usage import MachineUsage
from utilitysched.engine.segments_log import NOBODY
from utilitysched.engine.simulation import Simulation
from utilitysched.model.arrivals import Arrivals
from utilitysched.model.machine import MachineTable, PoolView
from utilitysched.model.scheduler import Decider, scheduler_of
from utilitysched.model.segments import Stop
from utilitysched.model.state import Decision, Integers, QueueState

_NO_JOBS = np.empty(0, dtype=np.int64)


@dataclass
class Shared:
    """Whatever the pools of a machine share.

    Attributes
    ----------
    limits : LimitUse
        Use of limits.
    usage : MachineUsage or None
        Usage, where the scheduler reads shares.
    """

    limits: LimitUse
    usage: MachineUsage | None

    def fork(self) -> "Shared":
        """Return the same, to go on separately."""
        return Shared(self.limits.fork(), self.usage and self.usage.fork())

    def begin(self, job: int, now: float) -> None:
        """Count a job that starts (s), by place in arrival order."""
        self.limits.begin(job)
        if self.usage is not None:
            self.usage.begin(job, now)

    def stop(self, job: int, now: float) -> None:
        """Count a job no longer that ends or is stopped (s), by place in arrival order."""
        self.limits.stop(job)
        if self.usage is not None:
            self.usage.end(job, now)


class PoolTables:
    """Jobs of one pool, and tables of a machine for them, by their place in it.

    Parameters
    ----------
    number : int
        Number of the pool.
    arrivals : Arrivals
        Jobs of all pools.
    machine : MachineTable
        The machine, for them.

    Attributes
    ----------
    arrivals : Arrivals
        Jobs of the pool.
    jobs : (m,) int64
        Place in the machine's arrival order of each.
    demand : (m, r) int64
        Amounts of each.
    capacity : (r,) int64
        Amounts of the pool.
    """

    def __init__(self, number: int, arrivals: Arrivals, machine: MachineTable) -> None:
        self.number, self.limits, self.shares = number, machine.limits, machine.shares
        self.jobs: Integers = np.flatnonzero(machine.pools.pool == number)
        self.demand: Integers = machine.pools.demand[self.jobs]
        self.capacity: Integers = machine.pools.capacity[number]
        self.windows = calendar.of_pool(machine.windows, number, self.jobs)
        size = self.demand[:, 0].copy()
        self.arrivals = arrivals.of_pool(self.jobs, size, self.capacity.item(0))


class PoolSimulation(Simulation):
    """Jobs of one pool, numbered within it; see `Simulation`.

    A job starts only if all its amounts are free, and no limit and no window bars it. What else a
    scheduler starts is skipped, and it is asked again without that.

    Parameters
    ----------
    tables : PoolTables
        Its jobs, and the machine.
    scheduler : Decider
        Prepared for the pool.
    shared : Shared
        What it shares with other pools.
    dependencies, terms, failures
        As `Simulation` takes them.

    Attributes
    ----------
    idle : (r,) int64
        Amounts in use by nobody; that of processors counts those that are down.
    held : (2, m) float64
        Time for which each waited for a limit, and for a window (s).
    """

    _CHANGING = (*Simulation._CHANGING, "idle", "held")

    def __init__(
        self,
        tables: PoolTables,
        scheduler: Decider,
        shared: Shared,
        *,
        dependencies: Dependencies | None = None,
        terms: StopTerms | None = None,
        failures: Failures | None = None,
    ) -> None:
        super().__init__(
            tables.arrivals, scheduler, dependencies=dependencies, terms=terms, failures=failures
        )
        self.tables, self.shared = tables, shared
        self.idle = tables.capacity.copy()
        self.held = np.zeros((2, len(tables.jobs)))
        # who waits since the last event for a limit, and for a window
        self._waiting: tuple[list[int], list[int]] = [], []

    # What there is

    def place(self, job: int) -> int:
        """Return the place of a job in the machine's arrival order."""
        return self.tables.jobs.item(self.source.places[job])

    def go_on_with(self, tables: PoolTables, shared: Shared, terms: StopTerms | None) -> None:
        """Let other jobs come from now on; those that have come are the same, and the first."""
        held = np.zeros((2, len(tables.jobs)))
        held[:, : self.arrived] = self.held[:, : self.arrived]
        self.tables, self.shared, self.held = tables, shared, held
        self.expect(tables.arrivals, terms)

    def by_number(self, column: NDArray[Any], rows: int) -> NDArray[Any]:
        """Return a column by place in the pool as one by number, with zeros for outages."""
        if self.source.renumbers:
            column = column[np.array(self.source.places, dtype=np.int64)]
        column = column[: self.arrived]
        if rows > self.arrived:
            column = np.concatenate(
                [column, np.zeros((rows - self.arrived, *column.shape[1:]), column.dtype)]
            )
        return column

    def state(self) -> QueueState:
        """Return what the scheduler sees: without jobs that a limit bars, with the pool."""
        state, limits = super().state(), self.shared.limits
        if limits:
            allowed = [job for job in self.queue if not limits.bars(self.place(job))]
            state = replace(state, queued=np.array(allowed, dtype=np.int64))
        return replace(state, pool=self._view(state))

    def _view(self, state: QueueState) -> PoolView:
        tables, rows = self.tables, len(state.known.submit)
        demand = self.by_number(tables.demand, rows)
        if rows > self.arrived:  # outages take processors
            demand[self.arrived :, 0] = state.known.size[self.arrived :]
        free = self.idle.copy()
        free[0] = self.free
        windows = calendar.known_at(tables.windows, self.now)
        windows = windows._replace(exempt=self.by_number(windows.exempt, rows))
        view = PoolView(tables.number, demand, tables.capacity, free, windows)
        if self.shared.limits:
            jobs = self.by_number(tables.jobs, rows)
            limits, used = within_a_pass(tables.limits, self.shared.limits.used, jobs)
            view = view._replace(limits=limits, used=used)
        if self.shared.usage is not None:
            view = self._with_shares(view, self.shared.usage, state)
        return view

    def _with_shares(self, view: PoolView, usage: MachineUsage, state: QueueState) -> PoolView:
        rows, shares, jobs = len(state.known.submit), self.tables.shares, self.tables.jobs
        columns = {
            name: self.by_number(getattr(shares, name)[jobs], rows)
            for name in ("entity", "partition", "qos")
        }
        fairshare = np.full(rows, np.nan)
        queued = self.by_number(jobs, rows)[state.queued]
        fairshare[state.queued], computed = usage.factors(self.now, queued)
        shares = shares._replace(**columns)
        return view._replace(shares=shares, fairshare=fairshare, computed=computed)

    def rooms(self, state: QueueState, without: Integers = _NO_JOBS) -> Rooms:
        """Return what windows leave, beside all running jobs but some that are stopped."""
        assert state.pool is not None
        pool = state.pool
        rooms = Rooms(pool.windows, state.now, pool.capacity, pool.demand)
        if len(pool.windows.pool):
            stay = ~np.isin(state.running, without)
            ends = state.expected_end[stay].tolist()
            for job, end in zip(state.running[stay].tolist(), ends, strict=True):
                rooms.take(job, end)
        return rooms

    # The pass

    def make_pass(self) -> None:
        """Ask the scheduler until all that it starts may start, and do that."""
        # whom a limit has barred holds no reservation
        for_limit, _ = self._waiting
        if for_limit:
            scheduler_of(self.scheduler).withdraw(np.array(for_limit), self.known)
        state, decision = self.state(), Decision()
        while len(state.queued):
            decision = self._ask(state)
            skipped = self._skipped(state, decision)
            if not skipped:
                break
            # what has been told is not told again
            rest = state.queued[~np.isin(state.queued, skipped)]
            state = replace(
                state,
                queued=rest,
                finished=_NO_JOBS,
                finished_run=np.empty(0),
                finished_end=np.empty(0),
            )
            decision = Decision()
        self.carry_out(state, decision)

    def _skipped(self, state: QueueState, decision: Decision) -> list[int]:
        """Return the jobs that a decision starts and that may not start, in its order."""
        assert state.pool is not None
        limits, demand, free = self.shared.limits, state.pool.demand, state.pool.free.copy()
        # preempted jobs give back what they have before the starts are looked at
        preempted = checked_preempted(state, decision, self._name)
        for job in preempted:
            free += demand[job]
            limits.stop(self.place(job))
        starts = checked_starts(state, decision, int(free[0]), self._name)
        rooms = self.rooms(state, decision.preempts)
        begun, skipped = [], []
        for job in starts:
            until = state.now + state.known.request.item(job)
            if (demand[job] > free).any() or limits.bars(self.place(job)) or rooms.bars(job, until):
                skipped.append(job)
                continue
            free -= demand[job]
            limits.begin(self.place(job))
            rooms.take(job, until)
            begun.append(job)
        # nothing has been done yet
        for job in begun:
            limits.stop(self.place(job))
        for job in preempted:
            limits.begin(self.place(job))
        return skipped

    # Events

    def requeue(self, now: float) -> None:
        """Stop the jobs that run into windows that stop them."""
        windows = self.tables.windows
        for window in calendar.stopping_at(windows, now):
            running = np.array([job for _, job in self.running], dtype=np.int64)
            demand, exempt = (
                self.by_number(column, self.arrived)[running]
                for column in (self.tables.demand, windows.exempt[:, window])
            )
            room = self.tables.capacity - windows.taken[window]
            start = self.start[running]
            for job in calendar.stopped_by(room, running, start, demand, exempt):
                self._put_back(job, now, Stop.REQUEUED, (NOBODY, self._take_off(job), math.nan))

    def note_waiting(self) -> None:
        """Note who waits for a limit or a window after the pass of all pools at an instant."""
        for_limit: list[int] = []
        for_window: list[int] = []
        self._waiting = for_limit, for_window
        limits, windows = self.shared.limits, calendar.known_at(self.tables.windows, self.now)
        if not self.queue or not (limits or len(windows.pool)):
            return
        state = self.state()
        assert state.pool is not None
        allowed, rooms = state.queued.tolist(), self.rooms(state)
        for_limit += sorted(set(self.queue).difference(allowed))
        for job in allowed:
            fits = (state.pool.demand[job] <= state.pool.free).all()
            if fits and rooms.bars(job, self.now + state.known.request.item(job)):
                for_window.append(job)

    def wait_until(self, time: float) -> None:
        """Add the time since the last event to that of the jobs that have waited since (s)."""
        for held, jobs in zip(self.held, self._waiting, strict=True):
            held[jobs] += time - self.now

    def barred(self) -> Iterator[tuple[int, str]]:
        """Yield the jobs that have waited for a limit or a window since the last event."""
        for jobs, what in zip(self._waiting, ("a limit", "a window to end"), strict=True):
            yield from ((job, what) for job in jobs)

    # Starts and stops

    def _occupy(self, job: int, start: float, end: float) -> None:
        super()._occupy(job, start, end)
        self.idle -= self.tables.demand[self.source.places[job]]
        self.shared.begin(self.place(job), start)

    def _take_off(self, job: int) -> str:
        self.idle += self.tables.demand[self.source.places[job]]
        self.shared.stop(self.place(job), self.now)
        return super()._take_off(job)
