"""The event loop in which running jobs may be bumped."""

import math
from bisect import bisect_left, insort
from dataclasses import replace
from heapq import heapify
from typing import Self

import numpy as np

from checkpoint import saved
from utilitysched.engine.preemptive.causes import causes
from utilitysched.engine.preemptive.log import NOBODY, Entry, segments
from utilitysched.engine.preemptive.terms import Terms
from utilitysched.engine.stepwise import Simulation
from utilitysched.model.arrivals import Arrivals
from utilitysched.model.errors import InfeasibleDecision
from utilitysched.model.outcome import Outcome
from utilitysched.model.scheduler import Decider
from utilitysched.model.segments import Stop
from utilitysched.model.state import Decision, Preemption, QueueState


class PreemptiveSimulation(Simulation):
    """An event loop in which the scheduler may bump jobs that run.

    A bumped job is in the queue again from the next pass on, at its place in arrival order. It
    keeps the work of its checkpoints. When it starts again, a restart overhead comes first.

    `start` and `end` are those of a job's last segment, not numbers while it is in the queue.

    Besides what `Simulation` refuses, `InfeasibleDecision` is raised if a job is bumped twice, that
    does not run, that must not be bumped, or that is started in the same pass.

    Parameters
    ----------
    arrivals : Arrivals
        The jobs.
    scheduler : Decider
        Any object with ``decide(state)``, prepared.
    terms : Terms
        What bumping means for each job.

    Attributes
    ----------
    rows : (n,) int64
        Where each job in arrival order is in the columns.
    work : list of float
        Work that was left of each job at its last start, or since it was stopped (s).
    asked : list of float
        Requested time that was left then, without overhead (s).
    run : list of float
        Work of each job in all (s); once it has ended, what was done of it.

    References
    ----------
    Lee (2009), section 6.7.1.
    """

    _CHANGING = (
        *Simulation._CHANGING,
        *("first_start", "request", "run", "work", "asked", "entries"),
    )

    def __init__(self, arrivals: Arrivals, scheduler: Decider, terms: Terms) -> None:
        super().__init__(arrivals, scheduler)
        self.order = arrivals.order
        self.rows = np.arange(len(arrivals.run))
        self.terms = terms
        self.known = self.known._replace(request=self.known.request.copy())
        self.preemption = terms.at_first()
        self.first_start = self.start.copy()
        self.requested = self.request
        self.request = self.request.copy()
        self.asked = self.request.copy()
        self.work = self.run.copy()
        self.entries: list[Entry] = []

    def fork(self, scheduler: Decider) -> Self:
        """Return a simulation that goes on from here, with a scheduler that does likewise."""
        other = super().fork(scheduler)
        other.known = self.known._replace(request=self.known.request.copy())
        other.preemption = Preemption._make(column.copy() for column in self.preemption)
        return other

    def outcome(self) -> Outcome:
        """Return the result: the first start and the last end of each job, and all segments."""
        found = segments(self.entries, self.order)
        return Outcome(self.first_start, self.end, self.backfilled, self.passes, segments=found)

    def progress(self) -> object:
        """Return what has been done of jobs that wait or run, if they were stopped before."""
        present = [*self.queue, *(job for _, job in self.running)]
        known = self.preemption
        return sorted(
            (job, self.work[job], self.asked[job], known.bumps.item(job), known.paid.item(job))
            for job in present
            if known.last_start[job] != self.first_start[job]
            or known.bumps[job] > 0
            or math.isnan(self.start[job])
            if not math.isnan(self.first_start[job])
        )

    def needs(self, job: int) -> float:
        """Return for how long a job that waits would run if it started (s)."""
        begun = not math.isnan(self.first_start.item(job))
        overhead = self.terms.actual * self.preemption.overhead.item(job) if begun else 0.0
        return self._within_limit(job, overhead)

    def _state(self, now: float) -> QueueState:
        state = super()._state(now)
        end = state.expected_end
        if not self.terms.kills:  # who is past its limit may end at any moment
            end = np.maximum(end, math.nextafter(now, math.inf))
        return replace(state, expected_end=end, preemption=self.preemption.first(self.arrived))

    def _carry_out(self, state: QueueState, decision: Decision) -> None:
        bumped = self._checked_bumps(state, decision)
        free = self.free
        for job in bumped:
            self._take_off(job)
        self._start(state, decision)
        cause = causes(bumped, decision.starts.tolist(), self.size, free)
        for job in bumped:
            self.preemption.bumps[job] += 1
            self._put_back(job, state.now, Stop.BUMPED, cause[job])

    def _checked_bumps(self, state: QueueState, decision: Decision) -> list[int]:
        bumped: list[int] = decision.preempts.tolist()
        running = {job for _, job in self.running} if bumped else set()
        starts = decision.starts.tolist()
        for at, job in enumerate(bumped):
            if job not in running:
                why = "it is not running"
            elif job in bumped[:at]:
                why = "it is bumped already"
            elif self.preemption.interval[job] < 0:
                why = "it takes no checkpoints (scratch=true lets it start from scratch)"
            elif job in starts:
                why = "it is to be started in the same pass"
            else:
                continue
            raise InfeasibleDecision(
                f"at {state.now:g} s: {self._name(job)} cannot be bumped: {why}"
            )
        return bumped

    def _begin(self, job: int, now: float) -> None:
        restarted = not math.isnan(self.first_start.item(job))
        self.preemption.paid[job] = self.preemption.overhead[job] if restarted else 0.0
        self.preemption.last_start[job] = now
        if not restarted:
            self.first_start[job] = now
        super()._begin(job, now)

    def _lasts(self, job: int) -> float:
        return self._within_limit(job, self._overhead(job))

    def _within_limit(self, job: int, overhead: float) -> float:
        """Return how long a start with this overhead takes, cut at the limit if that kills (s)."""
        needed = overhead + self.work[job]
        return min(needed, self.request[job]) if self.terms.kills else needed

    def _overhead(self, job: int) -> float:
        """Return what the present start of a job really costs (s)."""
        expected: float = self.preemption.paid.item(job)
        return self.terms.actual * expected

    def _mark_backfilled(
        self, state: QueueState, decision: Decision, starts: dict[int, None]
    ) -> None:
        """Mark first starts only."""
        marked = {
            job: self.backfilled.item(job)
            for job in starts
            if not math.isnan(self.first_start.item(job))
        }
        super()._mark_backfilled(state, decision, starts)
        for job, backfilled in marked.items():
            self.backfilled[job] = backfilled

    def _complete(self, now: float) -> None:
        before = len(self.finished)
        super()._complete(now)
        for job in self.finished[before:]:
            self._conclude(job, now)

    def _conclude(self, job: int, now: float) -> None:
        """Note how a job ended that has given its processors back."""
        lasted = self._lasts(job)
        overhead = min(self._overhead(job), lasted)
        done = min(self.work[job], lasted - overhead)
        self._log(job, now, (overhead, done, 0.0), Stop.COMPLETED)
        self.run[job] -= self.work[job] - done
        self.known.request[job] = self.requested[job]  # that is what can be learnt from

    def _take_off(self, job: int) -> None:
        """Give the processors of a running job back."""
        expected = (self.start.item(job) + self.request[job], job)
        del self.running[bisect_left(self.running, expected)]
        self.completions.remove((self.end.item(job), job))
        heapify(self.completions)
        self.free += self.size[job]

    def _put_back(self, job: int, now: float, stop: Stop, cause: int = NOBODY) -> None:
        """Put a job that was taken off into the queue, with what is left of it."""
        elapsed = now - self.start.item(job)
        overhead = min(self._overhead(job), elapsed)
        done = elapsed - overhead
        interval = (self.terms.periodic if stop == Stop.FAILED else self.preemption.interval)[job]
        kept = min(saved(done, float(interval)), self.work[job])
        self._log(job, now, (overhead, kept, done - kept), stop, cause)
        self.work[job] -= kept
        self.asked[job] -= kept
        self.request[job] = self.asked[job] + self.preemption.overhead.item(job)
        self.known.request[job] = self.request[job]
        self.start[job] = self.end[job] = math.nan
        insort(self.queue, job)

    def _log(
        self,
        job: int,
        now: float,
        times: tuple[float, float, float],
        stop: Stop,
        cause: int = NOBODY,
    ) -> None:
        """Note a segment that ends now: its overhead, work kept and work lost (s)."""
        entry = Entry(job, self.start.item(job), now, *times, stop, cause)
        self.entries.append(self._complete_entry(entry))

    def _complete_entry(self, entry: Entry) -> Entry:
        """Add what only some simulations know."""
        return entry
