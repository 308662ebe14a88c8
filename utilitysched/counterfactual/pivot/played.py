"""The event loop with bumps, played on from a state."""

import math
from heapq import heapify

import numpy as np

from utilitysched.counterfactual.pivot.present import known_of
from utilitysched.engine.preemptive import PreemptiveSimulation, Terms
from utilitysched.engine.preemptive.log import NOBODY
from utilitysched.model.arrivals import Arrivals
from utilitysched.model.scheduler import Decider
from utilitysched.model.segments import Stop
from utilitysched.model.state import Decision, Floats, Integers, QueueState


class PlayedOn(PreemptiveSimulation):
    """What happens from a pass on if nobody else comes and all run as requested.

    Parameters
    ----------
    state : QueueState
        What is seen at the pass; jobs can be bumped.
    scheduler : Decider
        What decides after it.
    """

    def __init__(self, state: QueueState, scheduler: Decider) -> None:
        rules = state.preemption
        assert rules is not None
        present = np.sort(np.concatenate([state.queued, state.running]))
        known = known_of(state.known, present)
        interval, overhead, bumps, last_start, paid = (column[present] for column in rules)
        queued, running = (np.searchsorted(present, jobs) for jobs in (state.queued, state.running))
        first_overhead = np.where(np.isnan(last_start), 0.0, overhead)
        first_overhead[running] = paid[running]
        asked = known.request - first_overhead
        # who is past its limit goes on running, as it does where limits do not kill
        terms = Terms(interval, overhead, interval, actual=1.0, kills=False)
        super().__init__(Arrivals(present, known, asked, present), scheduler, terms)
        self.asked, self.work = asked.tolist(), asked.tolist()
        self.preemption.bumps[:], self.preemption.last_start[:] = bumps, last_start
        self.preemption.paid[:] = paid
        self.first_start[:] = last_start
        self.now, self.arrived, self.free = state.now, len(present), state.free
        self.queue = queued.tolist()
        self.since, self.begun, self.passing = state.now, last_start, NOBODY
        self._let_run(running)

    def hold(self, job: int, duration: float | None) -> None:
        """Let a queued job, once it starts, hold its processors for so long (s) and not come again.

        If None, for as long as it requested, unless it is bumped before.
        """
        self.passing = int(np.searchsorted(self.order, job))
        if duration is not None:
            self.known.request[self.passing] = self.request[self.passing] = duration

    def play(self, decision: Decision) -> None:
        """Do what is decided at the pass, and go on until all have ended."""
        starts, preempts = (
            np.searchsorted(self.order, jobs) for jobs in (decision.starts, decision.preempts)
        )
        self._carry_out(self._state(self.now), Decision(starts, preempts=preempts))
        self.finish(None)

    def starts(self, jobs: Integers, left: Floats) -> Floats:
        """Return when each of some jobs would have to start to end when it did in the end (s).

        Parameters
        ----------
        jobs : (k,) int64
            By index in arrival order.
        left : (k,) float64
            Requested time that was left of each at the pass (s).
        """
        place = np.searchsorted(self.order, jobs)
        started, asked = self.start[place], np.array(self.request)[place]
        went_on = started == self.begun[place]
        return np.where(went_on, self.since, started + (asked - left))

    def _let_run(self, running: Integers) -> None:
        """Have jobs run that started before."""
        soon = math.nextafter(self.now, math.inf)
        for job in running.tolist():
            expected = self.begun.item(job) + self.request[job]
            self.start[job], self.end[job] = self.begun[job], max(expected, soon)
            self.running.append((expected, job))
            self.completions.append((self.end.item(job), job))
        self.running.sort()
        heapify(self.completions)

    def _lasts(self, job: int) -> float:
        length: float = self.request[job]
        return length

    def _put_back(self, job: int, now: float, stop: Stop, cause: int = NOBODY) -> None:
        super()._put_back(job, now, stop, cause)
        if job == self.passing:
            self.queue.remove(job)
