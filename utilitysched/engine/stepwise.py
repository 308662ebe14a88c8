"""The event loop for schedulers that decide in Python."""

import heapq
import math
from bisect import bisect_left, insort
from collections.abc import Callable
from copy import copy
from typing import Self

import numpy as np

from utilitysched.model.arrivals import Arrivals
from utilitysched.model.errors import InfeasibleDecision
from utilitysched.model.outcome import Outcome
from utilitysched.model.scheduler import Decider
from utilitysched.model.state import Decision, Integers, QueueState

EVENTS_PER_REPORT = 100


def run_stepwise(
    arrivals: Arrivals, scheduler: Decider, on_progress: Callable[[float], None] | None
) -> Outcome:
    """Simulate all jobs, asking the scheduler at every pass with jobs in the queue.

    Parameters
    ----------
    arrivals : Arrivals
        The jobs.
    scheduler : Decider
        Any object with ``decide(state)``, prepared.
    on_progress : callable, optional
        Called now and then with the share of jobs submitted so far.

    Raises
    ------
    InfeasibleDecision
        A decision that starts a job not in the queue, twice, or beyond the free processors, or
        asks to be woken in the past.
    """
    simulation = Simulation(arrivals, scheduler)
    simulation.finish(on_progress)
    return Outcome(simulation.start, simulation.end, simulation.backfilled, simulation.passes)


class Simulation:
    """An event loop in which every job is submitted when the log says."""

    _CHANGING: tuple[str, ...] = (
        *("start", "end", "backfilled"),
        *("queue", "running", "completions", "finished"),
    )
    """Columns and lists that a fork has copies of."""

    def __init__(self, arrivals: Arrivals, scheduler: Decider) -> None:
        jobs = len(arrivals.run)
        self.known = arrivals.known
        self.job_id = arrivals.job_id
        self.scheduler = scheduler
        self.start = np.full(jobs, np.nan)
        self.end = np.full(jobs, np.nan)
        self.backfilled = np.zeros(jobs, dtype=np.bool_)
        self.passes = 0
        self.arrived = 0
        self.free = self.known.machine_size
        self.queue: list[int] = []
        self.running: list[tuple[float, int]] = []
        self.completions: list[tuple[float, int]] = []
        self.finished: list[int] = []
        self.wake_up = math.inf
        self.now = -math.inf
        self._take(arrivals)

    def finish(self, on_progress: Callable[[float], None] | None) -> None:
        """Process all events."""
        while self.step():
            if on_progress and self.passes % EVENTS_PER_REPORT == 0:
                on_progress(self.arrived / len(self.start))

    def advance(self, until: float) -> None:
        """Process the events before `until` (s)."""
        while self.next_time() < until:
            self.step()

    def fork(self, scheduler: Decider) -> Self:
        """Return a simulation that goes on from here, with a scheduler that does likewise."""
        other = copy(self)
        other.scheduler = scheduler
        for name in self._CHANGING:
            setattr(other, name, getattr(self, name).copy())
        return other

    def expect(self, arrivals: Arrivals) -> None:
        """Let other jobs come from now on; those that have come must be the same, and the first."""
        blank = Simulation(arrivals, self.scheduler)
        for name in ("start", "end", "backfilled"):
            column = getattr(blank, name)
            column[: self.arrived] = getattr(self, name)[: self.arrived]
            setattr(self, name, column)
        self.known, self.job_id = arrivals.known, arrivals.job_id
        self._take(arrivals)

    def _take(self, arrivals: Arrivals) -> None:
        # Plain lists: reading one number from an array costs ten times as much.
        self.submit = arrivals.known.submit.tolist()
        self.request = arrivals.known.request.tolist()
        self.size = arrivals.known.size.tolist()
        self.run: list[float] = arrivals.run.tolist()

    def leave_out(self, job: int) -> None:
        """Let a job, one of those that come at the next instant, never come."""
        before = range(self.arrived, job)
        if before:  # those of the same instant make an event, which the job alone does not
            self.wake_up = min(self.wake_up, self.submit[job])
        self.queue.extend(before)
        self.arrived = job + 1

    def end_arrivals(self, count: int) -> None:
        """Let no jobs come but the first `count`, which those that have come are among."""
        self.submit = self.submit[:count]

    def progress(self) -> object:
        """Return what has been done of jobs that wait or run; here, what their starts tell."""
        return None

    def step(self) -> bool:
        """Process the next event time; return False when there is none."""
        now = self.next_time()
        if now == math.inf:
            return False
        self.now, self.wake_up = now, math.inf
        self._complete(now)
        self._arrive(now)
        self.passes += 1
        if self.queue:
            state = self._state(now)
            self._carry_out(state, self.scheduler.decide(state))
            self.finished.clear()
        return True

    def next_time(self) -> float:
        """Return when the next event is (s), infinite if there is none."""
        end = self.completions[0][0] if self.completions else math.inf
        return min(self._next_submit(), end, self.wake_up)

    def _next_submit(self) -> float:
        return self.submit[self.arrived] if self.arrived < len(self.submit) else math.inf

    def _complete(self, now: float) -> None:
        while self.completions and self.completions[0][0] == now:
            _, job = heapq.heappop(self.completions)
            expected = (self.start.item(job) + self.request[job], job)
            del self.running[bisect_left(self.running, expected)]
            self.free += self.size[job]
            self.finished.append(job)

    def _arrive(self, now: float) -> None:
        while self.arrived < len(self.submit) and self.submit[self.arrived] == now:
            self.queue.append(self.arrived)
            self.arrived += 1

    def _state(self, now: float) -> QueueState:
        finished = np.array(self.finished, dtype=np.int64)
        return QueueState(
            now,
            self.free,
            np.array(self.queue, dtype=np.int64),
            np.array([job for _, job in self.running], dtype=np.int64),
            np.array([end for end, _ in self.running], dtype=np.float64),
            finished,
            np.array([self.run[job] for job in self.finished], dtype=np.float64),
            self.known.first(self.arrived),
        )

    def _carry_out(self, state: QueueState, decision: Decision) -> None:
        if len(decision.preempts):
            name = self._name(decision.preempts.item(0))
            raise InfeasibleDecision(
                f"at {state.now:g} s: {name} cannot be bumped: this simulation has no preemption;"
                " give the scheduler preempts = True"
            )
        self._start(state, decision)

    def _start(self, state: QueueState, decision: Decision) -> None:
        """Start jobs, and note when to wake up."""
        starts = self._checked(state, decision)
        if starts:
            self._mark_backfilled(state, decision, starts)
            for job in starts:
                self._begin(job, state.now)
            self.queue = [job for job in self.queue if job not in starts]
        if decision.wake_up is not None:
            if not decision.wake_up > state.now:
                raise InfeasibleDecision(
                    f"at {state.now:g} s: wake-up at {decision.wake_up:g} s is not in the future"
                )
            self.wake_up = decision.wake_up

    def _checked(self, state: QueueState, decision: Decision) -> dict[int, None]:
        given = decision.starts.tolist()
        starts = dict.fromkeys(given)
        queued = set(self.queue)
        for job in starts:
            if job not in queued:
                raise InfeasibleDecision(
                    f"at {state.now:g} s: {self._name(job)} is not in the queue"
                )
        if len(starts) < len(given):
            twice = next(job for job in starts if given.count(job) > 1)
            raise InfeasibleDecision(f"at {state.now:g} s: {self._name(twice)} is started twice")
        need = sum(self.size[job] for job in starts)
        if need > self.free:
            raise InfeasibleDecision(
                f"at {state.now:g} s: the starts need {need} processors, {self.free} are free"
            )
        return starts

    def _name(self, job: int) -> str:
        """Name a job in a message: schedulers know its index, people its number in the log."""
        if not 0 <= job < self.arrived:
            return f"index {job}, of no job that was submitted,"
        return f"job {self.job_id[self._place(job)]} (index {job})"

    def _place(self, job: int) -> int:
        """Return the place of a job in the log's arrival order."""
        return job

    def _mark_backfilled(
        self, state: QueueState, decision: Decision, starts: dict[int, None]
    ) -> None:
        order: Integers = state.queued if decision.order is None else decision.order
        blocked = False
        for job in order.tolist():
            if job in starts:
                self.backfilled[job] = blocked
            else:
                blocked = True

    def _begin(self, job: int, now: float) -> None:
        self.start[job] = now
        self.end[job] = end = now + self._lasts(job)
        self.free -= self.size[job]
        insort(self.running, (now + self.request[job], job))
        heapq.heappush(self.completions, (end, job))

    def _lasts(self, job: int) -> float:
        """Return how long a job runs that starts now (s)."""
        return self.run[job]
