"""The event loop of a machine with pools, several resources, limits and a calendar."""

import math
from collections.abc import Callable, Iterator, Sequence
from copy import copy
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from checkpoint.failures import Outages
from swfx.dependencies import Dependencies
from utilitysched.engine.conditions import Failures, PoolFailures, StopTerms
from utilitysched.engine.machine import calendar
from utilitysched.engine.machine.limits import LimitUse, refuse_for_ever
from utilitysched.engine.machine.pool import PoolSimulation, PoolTables, Shared
from utilitysched.engine.machine.usage import MachineUsage
from utilitysched.engine.outages import DrawnOutages
from utilitysched.engine.segments_log import NOBODY, SegmentEntry, segments
from utilitysched.engine.simulation import EVENTS_PER_REPORT
from utilitysched.engine.sources import DependentArrivals
from utilitysched.engine.tables import Moment
from utilitysched.model.arrivals import Arrivals
from utilitysched.model.machine import HeldBack, MachineTable
from utilitysched.model.schedule import SimulationOutcome
from utilitysched.model.scheduler import Decider, Scheduler, Setting, scheduler_of
from utilitysched.model.state import Floats, Integers, Preemption


class MachineSimulation:
    """Jobs of a workload on the pools of a machine, from event to event.

    At one instant, in all pools: jobs end, processors are repaired, then processors fail, jobs are
    submitted, jobs that run into a window that stops them go back to the queue. Then, one pool
    after the other, the pool's scheduler is asked if any of its jobs wait.

    The given scheduler decides for the first pool, forks of it for the others. To what asks the
    machine, jobs are numbered by their place in arrival order; to a scheduler, within its pool.

    Parameters
    ----------
    arrivals : Arrivals
        The n jobs.
    scheduler : Decider
        Any object with ``decide(state)``; it is prepared here for each pool.
    machine : MachineTable
        The machine.
    dependencies : Dependencies, optional
        Which jobs are submitted only once others have ended.
    terms : StopTerms, optional
        What stopping means for each job; needed where windows stop jobs.
    failures : Failures, optional
        What fails, by the processors of one pool after the other; needs terms.
    seed : int
        Seed of the first pool's draws; each further pool has the next one.

    Attributes
    ----------
    machine : MachineTable
        The machine.
    now : float
        Time of the latest event (s).
    pools : list of PoolSimulation
        The pools.
    passes : int
        Event times so far.

    Raises
    ------
    InfeasibleDecision, InputError
        See `Simulation`; besides, a job that a limit or a window bars for ever.
    """

    def __init__(  # noqa: PLR0913 - those of `Simulation`, and what pools share
        self,
        arrivals: Arrivals,
        scheduler: Decider,
        machine: MachineTable,
        *,
        dependencies: Dependencies | None = None,
        terms: StopTerms | None = None,
        failures: Failures | None = None,
        seed: int = 0,
    ) -> None:
        assert terms is not None or not machine.windows.requeue.any(), "windows stop jobs"
        decider = scheduler_of(scheduler)
        machine = machine._replace(shares=decider.shares(machine.shares))
        self.arrivals, self.machine, self.failures = arrivals, machine, failures
        self.now, self.passes = -math.inf, 0
        usage = MachineUsage(machine) if decider.reads_usage else None
        self.shared = Shared(LimitUse(machine.limits, machine.pools.demand), usage)
        self._instants = calendar.instants(machine.windows)
        parts = _failures_of_pools(failures, arrivals, machine.pools.capacity[:, 0])
        schedulers = _schedulers(decider, arrivals, machine, seed)
        self.pools: list[PoolSimulation] = []
        for number, (own, fails) in enumerate(zip(schedulers, parts, strict=True)):
            tables = PoolTables(number, arrivals, machine)
            self.pools.append(
                PoolSimulation(
                    tables,
                    own,
                    self.shared,
                    dependencies=dependencies,
                    terms=terms and terms.only(tables.jobs),
                    failures=fails,
                )
            )

    # Playing

    def finish(self, on_progress: Callable[[float], None] | None = None) -> None:
        """Process all events."""
        jobs = len(self.arrivals.run)
        while self.step():
            if on_progress and self.passes % EVENTS_PER_REPORT == 0:
                on_progress(self.arrived / jobs)

    def advance(self, until: float) -> None:
        """Process the events before `until` (s)."""
        while self.next_time() < until:
            self.step()

    def next_time(self) -> float:
        """Return when the next event is (s), infinite if there is none."""
        present = any(pool.queue or pool.running for pool in self.pools)
        time = min(pool.next_event() for pool in self.pools)
        if present:
            time = min(time, calendar.next_instant(self._instants, self.now))
        if self.failures is None:
            return time
        # outages go on for ever: they are events as long as there is anybody to come or to go
        coming = any(pool.source.next_time() < math.inf for pool in self.pools)
        if not (present or coming):
            return math.inf
        down = [pool.downtime for pool in self.pools if pool.downtime is not None]
        time = min(time, *(each.next_repair for each in down))
        return min(each.next_time(time) for each in down) if time < math.inf else time

    def step(self) -> bool:
        """Process the next event time; return False when there is none."""
        now = self.next_time()
        if now == math.inf:
            self._refuse_for_ever()
            return False
        for pool in self.pools:
            pool.wait_until(now)
        self.now = now
        # in this order: who ends makes room for who comes, and windows stop only who still runs
        for pool in self.pools:
            self._end_and_fail(pool)
        self._arrive()
        for pool in self.pools:
            pool.requeue(now)
        self.passes += 1
        # one pass of each pool for all that happened at this instant
        for pool in self.pools:
            if pool.queue:
                pool.make_pass()
        for pool in self.pools:
            pool.note_waiting()
        return True

    def outcome(self) -> SimulationOutcome:
        """Return the result in the log's arrival order, the first start of each job."""
        outcomes = [pool.outcome() for pool in self.pools]
        start, end, backfilled = (
            self._whole([getattr(outcome, name) for outcome in outcomes])
            for name in ("start", "end", "backfilled")
        )
        release = None
        if outcomes[0].release is not None:
            release = self._whole([outcome.release for outcome in outcomes])
        held = None
        if self.shared.limits or self._instants:
            columns = ([pool.placed(pool.held[row]) for pool in self.pools] for row in range(2))
            held = HeldBack(*map(self._whole, columns))
        return SimulationOutcome(
            start,
            end,
            backfilled == 1,
            self.passes,
            release,
            segments(self.entries, self.arrivals.order) if self.stops else None,
            self._outages(float(end.max(initial=-math.inf))),
            np.concatenate([outcome.deciding for outcome in outcomes]),
            held,
        )

    # Going on otherwise

    def fork(self, *, seed: int | None = None) -> Self:
        """Return a simulation that goes on from here, with schedulers that do likewise.

        They draw as for `seed` from now on, each pool after the first as for the next one.
        """
        other = copy(self)
        other.shared = self.shared.fork()
        other.pools = []
        for number, pool in enumerate(self.pools):
            fork = pool.fork(seed=None if seed is None else seed + number)
            fork.shared = other.shared
            other.pools.append(fork)
        return other

    def go_on_from(self, moment: Moment) -> None:
        """Come to a moment, before the first event; see `Simulation.go_on_from`."""
        for pool in self.pools:
            pool.go_on_from(_of_pool(moment, pool))
        # who had been admitted is not known: the first to come are
        for job in self.queue:
            self.shared.limits.submit(job)
        for _, job in self.running:
            self.shared.limits.enter(job)
        self.now = moment.now

    def give_back(self) -> None:
        """Do nothing: every fork has columns of its own."""

    def leave_out(self, job: int) -> None:
        """Let a job that is still to come never come."""
        pool = self.pools[self.machine.pools.pool.item(job)]
        assert not pool.source.renumbers, "those that depend on it may be in other pools"
        pool.leave_out(int(np.searchsorted(pool.tables.jobs, job)))

    def end_arrivals(self, count: int) -> None:
        """Let no jobs come but the first `count`; those that have come stay."""
        for pool in self.pools:
            pool.end_arrivals(int(np.searchsorted(pool.tables.jobs, count)))

    def expect(self, arrivals: Arrivals, terms: StopTerms | None = None) -> None:
        """Let other jobs come from now on; those that have come must be the same, and the first.

        What the machine means for them, if that is not what it meant before, is set beforehand.
        """
        self.arrivals = arrivals
        before, limits = self.shared, LimitUse(self.machine.limits, self.machine.pools.demand)
        self.shared = Shared(limits, before.usage)
        if self.shared.usage is not None:
            self.shared.usage.expect(self.machine)
        for number, pool in enumerate(self.pools):
            tables = PoolTables(number, arrivals, self.machine)
            pool.go_on_with(tables, self.shared, terms and terms.only(tables.jobs))
        queued, running = self.queue, [job for _, job in self.running]
        limits.go_on_from(before.limits, queued, running)

    def withdraw(self, jobs: Integers) -> None:
        """Take queued jobs back."""
        for pool in self.pools:
            mine = np.searchsorted(pool.tables.jobs, np.intersect1d(jobs, pool.tables.jobs))
            pool.withdraw(mine)
            for job in mine.tolist():
                self.shared.limits.leave(pool.place(job))

    # What there is, jobs by place in arrival order

    @property
    def start(self) -> Floats:
        """When each job last started (s), not a number while it is in the queue."""
        return self._whole([pool.placed(pool.start) for pool in self.pools])

    @property
    def first_start(self) -> Floats:
        """When each job started first (s), not a number if it has not."""
        return self._whole([pool.placed(pool.first_start) for pool in self.pools])

    @property
    def end(self) -> Floats:
        """When each job ends or will end (s), not a number while it is in the queue."""
        return self._whole([pool.placed(pool.end) for pool in self.pools])

    @property
    def arrived(self) -> int:
        """How many jobs have come."""
        return sum(pool.arrived for pool in self.pools)

    @property
    def queue(self) -> list[int]:
        """Jobs that wait, ascending."""
        return sorted(pool.place(job) for pool in self.pools for job in pool.queue)

    @property
    def running(self) -> list[tuple[float, int]]:
        """Jobs that run by expected end (s)."""
        return self._by_time("running")

    @property
    def completions(self) -> list[tuple[float, int]]:
        """Jobs that run by end, if nobody stops them (s)."""
        return self._by_time("completions")

    @property
    def stops(self) -> bool:
        """Whether jobs can be stopped."""
        return any(pool.restarts is not None for pool in self.pools)

    @property
    def entries(self) -> list[SegmentEntry]:
        """Stretches in which jobs that could be stopped ran, in the order in which they ended."""
        found = (
            entry._replace(
                job=pool.place(entry.job),
                cause=NOBODY if entry.cause == NOBODY else pool.place(entry.cause),
            )
            for pool in self.pools
            for entry in pool.entries
        )
        return sorted(found, key=lambda entry: entry.end)

    def present(self) -> list[int]:
        """Return the jobs in the queue, and those that run."""
        return [*self.queue, *(job for _, job in self.running)]

    def ends_of(self, jobs: Integers, until: float) -> Floats:
        """Return the end of each job (s); waiting jobs count as started at `until`."""
        ended = np.empty(len(jobs))
        for pool in self.pools:
            mine = np.flatnonzero(self.machine.pools.pool[jobs] == pool.tables.number)
            ended[mine] = pool.ends_of(np.searchsorted(pool.tables.jobs, jobs[mine]), until)
        return ended

    def visible(self) -> object:
        """Return what of the state is not in `memory`; see `Simulation`."""
        return tuple(pool.visible() for pool in self.pools)

    def memory(self) -> object:
        """Return what of the past, but the queue and the running jobs, can still matter."""
        usage = self.shared.usage
        used = None if usage is None else usage.memory(self.now)
        return tuple(pool.memory() for pool in self.pools), self.shared.limits.memory(), used

    def progress(self) -> object:
        """Return what of jobs that wait or run their starts do not tell; see `Simulation`."""
        return tuple(pool.progress() for pool in self.pools)

    # Events

    def _end_and_fail(self, pool: PoolSimulation) -> None:
        told = len(pool.finished)
        pool.end_and_fail(self.now)
        for place in map(pool.place, pool.finished[told:]):
            self.shared.limits.leave(place)
            # the pool itself has let come who depends on the job
            position = self.arrivals.order.item(place)
            for other in self.pools:
                if other is not pool and isinstance(other.source, DependentArrivals):
                    other.source.follow(position, self.now)

    def _arrive(self) -> None:
        came = []
        for pool in self.pools:
            before = len(pool.queue)
            pool.arrive(self.now)
            came += [pool.place(job) for job in pool.queue[before:]]
        for place in sorted(came):
            self.shared.limits.submit(place)
        self.shared.limits.admit()

    def _refuse_for_ever(self) -> None:
        """Refuse jobs that still wait and that nothing will ever let start."""
        for pool in self.pools:
            for job, what in pool.barred():
                refuse_for_ever(self.arrivals.job_id[pool.place(job)], what)

    def _outages(self, last: float) -> Outages | None:
        """Return the outages of the machine that begin before a time (s)."""
        if self.failures is None:
            return None
        drawn = DrawnOutages(self.failures, self.arrivals.known.submit)
        while drawn.horizon <= last:
            drawn.draw_on()
        return drawn.outages.before(last)

    # Jobs of pools

    def _whole(self, columns: Sequence[NDArray[Any] | None]) -> NDArray[Any]:
        """Return columns of the pools, in arrival order, as one."""
        whole = np.full(len(self.arrivals.run), np.nan)
        for pool, column in zip(self.pools, columns, strict=True):
            whole[pool.tables.jobs] = column
        return whole

    def _by_time(self, name: str) -> list[tuple[float, int]]:
        pairs = (
            (time, pool.place(job)) for pool in self.pools for time, job in getattr(pool, name)
        )
        return sorted(pairs)


def _schedulers(
    scheduler: Scheduler, arrivals: Arrivals, machine: MachineTable, seed: int
) -> Iterator[Scheduler]:
    """Yield the scheduler of each pool, prepared."""
    sizes: list[int] = machine.pools.capacity[:, 0].tolist()
    for number, own in enumerate([scheduler, *(scheduler.fork() for _ in sizes[1:])]):
        own.prepare(Setting(sizes[number], arrivals.longest_request, seed + number))
        yield own


def _failures_of_pools(
    failures: Failures | None, arrivals: Arrivals, sizes: Integers
) -> list[Failures | None]:
    """Return what fails of each pool: processors are counted through all pools."""
    if failures is None or not len(arrivals.run):
        return [None] * len(sizes)
    since = arrivals.known.submit.item(0) if failures.since is None else failures.since
    high = np.cumsum(sizes)
    given = failures.source, failures.seed, failures.text, since
    return [
        PoolFailures(*given, low=last - size, high=last)
        for size, last in zip(sizes.tolist(), high.tolist(), strict=True)
    ]


def _of_pool(moment: Moment, pool: PoolSimulation) -> Moment:
    """Return the part of a moment that is about a pool, by its numbers."""
    jobs = pool.tables.jobs
    arrived = int(np.searchsorted(jobs, moment.arrived))
    queued, here = (np.flatnonzero(np.isin(each, jobs)) for each in (moment.queued, moment.running))
    held: list[Integers | None] = []
    if pool.downtime is not None:
        assert isinstance(pool.downtime.failures, PoolFailures)
        low, given = pool.downtime.failures.low, [moment.held[at] for at in here.tolist()]
        held = [None if processors is None else processors - low for processors in given]
    stops = moment.stops
    if pool.restarts is not None:
        stops = Preemption._make(column[jobs[:arrived]] for column in stops)
    own = {job: number for number, job in enumerate(jobs.tolist())}
    return Moment(
        moment.now,
        arrived,
        np.searchsorted(jobs, moment.queued[queued]),
        np.searchsorted(jobs, moment.running[here]),
        moment.start[here],
        moment.end[here],
        held,
        moment.disrupted,
        {own[job]: left for job, left in moment.left.items() if job in own},
        stops,
    )
