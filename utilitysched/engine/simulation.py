"""The event loop for schedulers that decide in Python."""

import math
from bisect import bisect_left, insort
from collections.abc import Callable
from copy import copy
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray

from utilitysched.engine.conditions import Failures, StopTerms
from utilitysched.engine.decisions import (
    checked_preempted,
    checked_starts,
    checked_wake_up,
)
from utilitysched.engine.outages import Downtime
from utilitysched.engine.restarts import Restarts
from utilitysched.engine.segments_log import NOBODY, SegmentEntry, causes, segments
from utilitysched.engine.sources import DependentArrivals, LogArrivals
from utilitysched.engine.tables import LogTable, Moment, OwnTable
from utilitysched.kernels.compiling import working_time
from utilitysched.model.arrivals import Arrivals
from utilitysched.model.schedule import SimulationOutcome
from utilitysched.model.scheduler import Decider, scheduler_of
from utilitysched.model.segments import Stop
from utilitysched.model.state import Decision, Floats, Integers, JobTable, QueueState

if TYPE_CHECKING:
    from swfx.dependencies import Dependencies

EVENTS_PER_REPORT = 100


class Simulation:
    """Jobs of a workload under a scheduler, from event to event.

    At one instant jobs end, processors are repaired, then processors fail, jobs are submitted, and
    the scheduler is asked once if any wait. A job without run time ends in a second pass at its
    own start.

    Jobs are numbered by their place in the log's arrival order or, with dependencies, as they are
    released, ties in that order: to schedulers, the release is the submit time, and the job was
    not there before.

    A job that the scheduler preempts, or whose processors fail, is in the queue again, at its place
    by number: from the next pass on in the first case, at the same instant in the second. An outage
    takes its processors by force: whatever job has one of them loses all of its processors.

    Parameters
    ----------
    arrivals : Arrivals
        The jobs.
    scheduler : Decider
        Any object with ``decide(state)``, prepared.
    dependencies : Dependencies, optional
        Which jobs are submitted only once others have ended.
    terms : StopTerms, optional
        What stopping means for each job; without them, none can be stopped.
    failures : Failures, optional
        What fails; needs terms.

    Attributes
    ----------
    now : float
        Time of the latest event (s).
    start, end : (n,) float64
        When each job last started, and ends or will end (s), not numbers while it is in the queue.
    backfilled : (n,) bool
        Whether it first started in a pass in which a job ahead of it stayed blocked.
    queue : list of int
        Jobs that wait, ascending.
    running : list of (float, int)
        Jobs that run by expected end (s).
    free : int
        Processors in use by nobody.
    finished : list of int
        Jobs that ended since the scheduler was last asked.
    wake_up : float
        When the scheduler wants to be asked at the latest (s), infinite if only at events.
    passes : int
        Event times so far.
    deciding : list of float
        Wall-clock time that each decision took (s), by those that played it.
    passing : frozenset of int
        Jobs that do not come again once they are stopped.

    Raises
    ------
    InfeasibleDecision
        A decision that starts a job not in the queue, twice, or beyond the free processors; that
        preempts one that does not run or must not be, twice, or starts it; or wakes in the past.
    InputError
        A job fails again and again, longer than it is worth to wait for its end.
    """

    _CHANGING: tuple[str, ...] = (
        *("start", "end", "backfilled", "deciding"),
        *("queue", "running", "completions", "finished", "useful_run", "finished_end"),
    )
    """Columns and lists that a fork has copies of."""

    def __init__(
        self,
        arrivals: Arrivals,
        scheduler: Decider,
        *,
        dependencies: "Dependencies | None" = None,
        terms: StopTerms | None = None,
        failures: Failures | None = None,
    ) -> None:
        jobs, submit = len(arrivals.run), arrivals.known.submit.tolist()
        self.order, self.job_id, self.facts = arrivals.order, arrivals.job_id, arrivals.facts
        self.scheduler = scheduler
        self.start = np.full(jobs, np.nan)
        self.end = np.full(jobs, np.nan)
        self.backfilled = np.zeros(jobs, dtype=np.bool_)
        self.passes = 0
        self.deciding: list[float] = []
        self.passing: frozenset[int] = frozenset()
        self.free = arrivals.known.machine_size
        self.queue: list[int] = []
        self.running: list[tuple[float, int]] = []
        self.completions: list[tuple[float, int]] = []
        self.finished: list[int] = []
        self.useful_run: list[float] = []
        self.finished_end: list[float] = []
        self.disrupted = False
        self.wake_up = math.inf
        self.now = -math.inf
        self.source: LogArrivals | DependentArrivals = LogArrivals(submit)
        if dependencies is not None:
            self.source = DependentArrivals(arrivals, dependencies)
        self.table: LogTable = LogTable(arrivals)
        if dependencies is not None or terms is not None:
            self.table = OwnTable(arrivals, terms, renumbered=dependencies is not None)
        self.restarts = None if terms is None else Restarts(self.table, terms)
        self.downtime = None if failures is None else Downtime(failures, self.free, submit)

    @property
    def known(self) -> JobTable:
        """What schedulers may know of all jobs; rows of jobs to come may hold nothing of use."""
        return self.table.known

    @property
    def stops(self) -> bool:
        """Whether jobs can be stopped."""
        return self.restarts is not None

    @property
    def arrived(self) -> int:
        """How many jobs have come."""
        return self.source.arrived

    @property
    def first_start(self) -> Floats:
        """When each job started first (s), not a number if it has not."""
        return self.start if self.restarts is None else self.restarts.first_starts(self.start)

    @property
    def entries(self) -> list[SegmentEntry]:
        """Stretches in which jobs that could be stopped ran, in the order in which they ended."""
        return [] if self.restarts is None else self.restarts.entries

    # Playing

    def finish(self, on_progress: Callable[[float], None] | None = None) -> None:
        """Process all events."""
        while self.step():
            if on_progress and self.passes % EVENTS_PER_REPORT == 0:
                on_progress(self.arrived / len(self.start))

    def advance(self, until: float) -> None:
        """Process the events before `until` (s)."""
        while self.next_time() < until:
            self.step()

    def next_time(self) -> float:
        """Return when the next event is (s), infinite if there is none."""
        time = self.next_event()
        if self.downtime is None:
            return time
        if not (self.queue or self.running) and self.source.next_time() == math.inf:
            return math.inf
        if time == math.inf and self.downtime.next_repair == math.inf:
            return math.inf
        return self.downtime.next_time(time)

    def next_event(self) -> float:
        """Return when the next event but an outage or a repair is (s), infinite without one."""
        end = self.completions[0][0] if self.completions else math.inf
        return min(self.source.next_time(), end, self.wake_up)

    def step(self) -> bool:
        """Process the next event time; return False when there is none."""
        now = self.next_time()
        if now == math.inf:
            return False
        # in this order: who ends makes room for who comes, and outages hit only who still runs
        self.end_and_fail(now)
        self.arrive(now)
        self.passes += 1
        # one pass for all that happened at this instant
        if self.queue:
            self.make_pass()
        return True

    def outcome(self) -> SimulationOutcome:
        """Return the result in the log's arrival order, the first start of each job."""
        # a job that was stopped has several starts: the first one counts, segments have the rest
        stops, outages = None, None
        if self.restarts is not None:
            stops = segments(self.restarts.entries, self.order[self.source.places])
        columns = (
            self.placed(self.first_start),
            self.placed(self.end),
            self.placed(self.backfilled) == 1,
        )
        # what broke after the last job is not part of the schedule
        if self.downtime is not None:
            last = float(self.end.max(initial=-math.inf))
            outages = self.downtime.outages.before(last)
        release = self.placed(self.known.submit) if self.source.renumbers else None
        took = np.array(self.deciding, dtype=np.float64)
        return SimulationOutcome(*columns, self.passes, release, stops, outages, took)

    # Going on otherwise

    def fork(self, scheduler: Decider | None = None, *, seed: int | None = None) -> Self:
        """Return a simulation that goes on from here, with a scheduler that does likewise.

        Unless one is given, that is a fork of its own, which draws as for `seed` from now on.
        """
        other = copy(self)
        other.scheduler = scheduler or scheduler_of(self.scheduler).fork(seed)
        for name in self._CHANGING:
            setattr(other, name, getattr(self, name).copy())
        other.source, other.table = self.source.fork(), self.table.fork()
        if self.restarts is not None:
            other.restarts = self.restarts.fork(other.table)
        if self.downtime is not None:
            other.downtime = self.downtime.fork()
        return other

    def go_on_from(self, moment: Moment) -> None:
        """Come to a moment, before the first event; the next one is a pass at it.

        Where jobs can be stopped, it says what came of that before.

        Jobs are numbered by their place in arrival order.
        """
        assert isinstance(self.source, LogArrivals), "releases are not known of a moment"
        # who has come, who waits, and what was done before
        self.source.come_until(moment.arrived)
        self.table.enter(self.source)
        self.queue = moment.queued.tolist()
        if self.restarts is not None:
            self.restarts.go_on_from(moment.left, moment.stops)
        # who runs, since when and until when
        columns = moment.running.tolist(), moment.start.tolist(), moment.end.tolist()
        for job, start, end in zip(*columns, strict=True):
            self._occupy(job, start, end)
        # outages under way take their processors before jobs name theirs
        if self.downtime is not None:
            self.free -= self.downtime.go_on_from(moment.now)
            for job, held in zip(columns[0], moment.held, strict=True):
                self.downtime.processors.take(job, self.table.size[job], held)
        # the next event is a pass here
        self.wake_up, self.disrupted = moment.now, moment.disrupted

    def give_back(self) -> None:
        """Do nothing: every fork has columns of its own."""

    def leave_out(self, job: int) -> None:
        """Let a job that is still to come, by its place in arrival order, never come."""
        self.source.leave_out(job)

    def end_arrivals(self, count: int) -> None:
        """Let no jobs come but the first `count` in arrival order; those that have come stay."""
        self.source.end_arrivals(count)

    def expect(self, arrivals: Arrivals, terms: StopTerms | None = None) -> None:
        """Let other jobs come from now on; those that have come must be the same, and the first."""
        # columns of another length keep what has been decided
        for name in ("start", "end", "backfilled"):
            mine = getattr(self, name)
            column = np.full(len(arrivals.run), 0 if mine.dtype == np.bool_ else np.nan, mine.dtype)
            column[: self.arrived] = mine[: self.arrived]
            setattr(self, name, column)
        # the jobs to come, and what may be known of them
        self.order, self.job_id, self.facts = arrivals.order, arrivals.job_id, arrivals.facts
        self.table = self.table.expecting(arrivals, terms)
        assert isinstance(self.source, LogArrivals), "releases follow from those that have come"
        self.source.expect(arrivals.known.submit.tolist())
        if self.restarts is not None and terms is not None:
            self.restarts.table, self.restarts.terms = self.table, terms

    def withdraw(self, jobs: Integers) -> None:
        """Take queued jobs back."""
        scheduler_of(self.scheduler).withdraw(jobs, self.known)
        gone = set(jobs.tolist())
        self.queue = [job for job in self.queue if job not in gone]

    # What there is

    def visible(self) -> object:
        """Return what of the state is not in `memory`: who waits and runs, and has ended."""
        running = tuple((end, job, self.start.item(job)) for end, job in self.running)
        return tuple(self.queue), running, tuple(self.finished), tuple(self.useful_run)

    def memory(self) -> object:
        """Return what of the past, but the queue and the running jobs, can still matter.

        What the scheduler remembers, has yet to be told, and has asked for.
        """
        scheduler = scheduler_of(self.scheduler)
        remembered = scheduler.memory_of(np.array(self.queue, dtype=np.int64))
        untold = tuple(self.finished) if scheduler.remembers else ()
        return remembered, untold, self.wake_up, self.progress()

    def ends_of(self, jobs: Integers, until: float) -> Floats:
        """Return the end of each job (s); waiting jobs count as started at `until`."""
        ended = self.end[jobs]
        waits = np.isnan(ended)
        if self.restarts is None:
            needs = [self.table.run[job] for job in jobs[waits].tolist()]
        else:
            needs = [self.restarts.needs(job) for job in jobs[waits].tolist()]
        ended[waits] = until + np.array(needs)
        return ended

    def placed(self, column: NDArray[Any]) -> NDArray[Any]:
        """Return a column by number in the log's arrival order."""
        if not self.source.renumbers:
            return column
        placed = np.full(len(self.start), np.nan)
        placed[self.source.places] = column[: self.arrived]
        return placed

    def present(self) -> list[int]:
        """Return the jobs in the queue, and those that run."""
        return [*self.queue, *(job for _, job in self.running)]

    def progress(self) -> object:
        """Return what of jobs that wait or run their starts do not tell.

        What was done of those that were stopped, and whom outages to come can hit.
        """
        if self.restarts is None:
            return None
        done = self.restarts.progress(self.present())
        if self.downtime is None:
            return done
        running = [job for _, job in self.running]
        return done, self.downtime.whereabouts(running, self.now)

    def state(self) -> QueueState:
        """Return what the scheduler sees."""
        now, arrived = self.now, self.arrived
        # outages under way are shown as jobs that run until the repair
        down = self.downtime.down() if self.downtime is not None else None
        running = self.running
        if down is not None:
            rows = range(arrived, arrived + len(down.end))
            running = sorted([*running, *zip(down.end.tolist(), rows, strict=True)])
        end = np.array([end for end, _ in running], dtype=np.float64)
        late = bool(running) and running[0][0] <= now
        if late and self.restarts is not None and not self.restarts.terms.kills:
            # who is past its limit may end at any moment
            end = np.maximum(end, math.nextafter(now, math.inf))
        known, preemption = self.table.seen(arrived, down)
        facts = self.facts
        if facts is not None:
            facts = facts._replace(places=self.source.places, arrived=arrived)
        return QueueState(
            now,
            self.free,
            np.array(self.queue, dtype=np.int64),
            np.array([job for _, job in running], dtype=np.int64),
            end,
            np.array(self.finished, dtype=np.int64),
            np.array(self.useful_run, dtype=np.float64),
            known,
            preemption,
            disrupted=self.disrupted or late,
            finished_end=np.array(self.finished_end, dtype=np.float64),
            facts=facts,
        )

    # Events

    def end_and_fail(self, now: float) -> None:
        """Have jobs end, processors be repaired, and processors fail."""
        self.now, self.wake_up = now, math.inf
        self._complete(now)
        if self.downtime is not None:
            self._repair_and_fail(self.downtime, now)

    def arrive(self, now: float) -> None:
        """Have jobs come."""
        self.queue += self.source.come(now)
        self.table.enter(self.source)

    def _complete(self, now: float) -> None:
        while self.completions and self.completions[0][0] == now:
            # the processors are free, and what was done is known
            job = self.completions[0][1]
            processors = self._take_off(job)
            useful = self.table.run[job]
            if self.restarts is not None:
                self.disrupted |= job in self.restarts.left
                useful = self.restarts.conclude(job, self.start.item(job), now, processors)
            # the scheduler is told at the next pass, dependent jobs come in due time
            self.finished.append(job)
            self.useful_run.append(useful)
            self.finished_end.append(now)
            self.source.end(job, now)

    def _repair_and_fail(self, downtime: Downtime, now: float) -> None:
        self.free += downtime.repair(now)
        for low, high, _ in downtime.failing(now):
            # outages that leave no job a chance would go on for ever
            waiting = None
            if self.queue and not self.running:
                waiting = self._name(self.queue[0]), self.table.size[self.queue[0]]
            downtime.count_outage(waiting, now)
            # a job with one broken processor loses all, and is in the queue at once
            for job in downtime.processors.holders(low, high):
                downtime.count_failure(job, self._name(job), now)
                self._put_back(job, now, Stop.FAILED, (NOBODY, self._take_off(job), math.nan))
            downtime.processors.fail(low, high)
            self.free -= high - low
            self.disrupted = True

    # The pass

    def make_pass(self) -> None:
        """Ask the scheduler, and do what it decides."""
        state = self.state()
        self.carry_out(state, self._ask(state))

    def _ask(self, state: QueueState) -> Decision:
        # only the decision is timed, compilation left out
        begun = working_time()
        decision = self.scheduler.decide(state)
        self.deciding.append(working_time() - begun)
        # what the scheduler has been told is not told again
        self.finished.clear()
        self.useful_run.clear()
        self.finished_end.clear()
        self.disrupted = False
        return decision

    def carry_out(self, state: QueueState, decision: Decision) -> None:
        """Preempt, start, and put the preempted jobs into the queue."""
        # preempted jobs give their processors back before the starts are checked against them
        preempted = checked_preempted(state, decision, self._name)
        free = self.free
        held = [self._take_off(job) for job in preempted]
        starts = checked_starts(state, decision, self.free, self._name)
        # starts, in the order of the decision: it says who gets which processors
        if starts:
            self._mark_backfilled(state, decision, starts)
            for job in starts:
                self._begin(job, state.now)
            self.queue = [job for job in self.queue if job not in starts]
        self.wake_up = checked_wake_up(state, decision, self.wake_up)
        # preempted jobs come back only now: they could not start in this pass
        blame = causes(preempted, list(starts), self.table.size, free, decision)
        for job, processors in zip(preempted, held, strict=True):
            cause, value_lost = blame[job]
            self._put_back(job, state.now, Stop.PREEMPTED, (cause, processors, value_lost))

    def _mark_backfilled(
        self, state: QueueState, decision: Decision, starts: dict[int, None]
    ) -> None:
        """Mark first starts behind a job that stays in the queue."""
        order: Integers = state.queued if decision.order is None else decision.order
        blocked = False
        for job in order.tolist():
            if job not in starts:
                blocked = True
            elif self.restarts is None or job not in self.restarts.left:
                self.backfilled[job] = blocked

    # Starts and stops

    def _begin(self, job: int, now: float) -> None:
        lasts = self.table.run[job] if self.restarts is None else self.restarts.begin(job, now)
        self._occupy(job, now, now + lasts)
        if self.downtime is not None:
            self.downtime.processors.take(job, self.table.size[job])

    def _occupy(self, job: int, start: float, end: float) -> None:
        """Have a job run from its start to its end."""
        self.start[job], self.end[job] = start, end
        self.free -= self.table.size[job]
        insort(self.running, (start + self._limit(job), job))
        insort(self.completions, (end, job))

    def _limit(self, job: int) -> float:
        """Return the requested time of the present or next start of a job (s)."""
        return self.table.request[job] if self.restarts is None else self.restarts.limit(job)

    def _take_off(self, job: int) -> str:
        """Give the processors of a running job back; return which, where that matters."""
        expected = self.start.item(job) + self._limit(job)
        del self.running[bisect_left(self.running, (expected, job))]
        del self.completions[bisect_left(self.completions, (self.end.item(job), job))]
        self.free += self.table.size[job]
        return "" if self.downtime is None else self.downtime.processors.give_back(job)

    def _put_back(self, job: int, now: float, why: Stop, cause: tuple[int, str, float]) -> None:
        """Put a job that was taken off into the queue; see `Restarts.stop`."""
        assert self.restarts is not None
        span = self.start.item(job), now
        self.restarts.stop(job, self.source.places[job], span, why, cause)
        self.start[job] = self.end[job] = math.nan
        if job not in self.passing:
            insort(self.queue, job)
        self.disrupted = True

    def _name(self, job: int) -> str:
        """Name a job in a message: schedulers know its index, people its number in the log."""
        if not 0 <= job < self.arrived:
            return f"index {job}, of no job that was submitted,"
        return f"job {self.job_id[self.source.places[job]]} (index {job})"
