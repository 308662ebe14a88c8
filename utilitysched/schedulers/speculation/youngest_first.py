"""Preemption of the youngest jobs for the head of the queue, as production schedulers do it."""

from dataclasses import replace

import numpy as np

from utilitysched.model.state import Decision, Integers, QueueState
from utilitysched.schedulers.speculation.around import AroundScheduler
from utilitysched.schedulers.speculation.options import SpeculationOptions


class YoungestFirst(AroundScheduler[SpeculationOptions]):
    """A scheduler for the head of whose queue the youngest running jobs are stopped.

    Where the first queued job that the scheduler does not start lacks processors, jobs that may be
    stopped and were submitted later give theirs, the last started first, if that is enough; then so
    for the next. That nobody is stopped for a job that was submitted later means that this ends.

    References
    ----------
    Altair, PBS Professional administrator's guide, preemption: of the jobs of least
    priority those that started last, and none if they are not enough.
    """

    def decide(self, state: QueueState) -> Decision:
        """Return the jobs to stop and to start now."""
        decision = self.scheduler.decide(self.undisturbed(state))
        size, free = state.known.size, state.free - int(state.known.size[decision.starts].sum())
        starts, stopped = decision.starts.tolist(), list[int]()
        order = state.queued if decision.order is None else decision.order
        for job in order[~np.isin(order, decision.starts)].tolist():
            victims = self._victims(state, job, stopped, size.item(job) - free)
            if victims is None:
                break
            stopped += victims
            starts.append(job)
            free += int(size[victims].sum()) - size.item(job)
        return replace(
            decision,
            starts=np.array(starts, dtype=np.int64),
            preempts=np.array(stopped, dtype=np.int64),
        )

    def _stoppable(self, state: QueueState) -> Integers:
        """Return the running jobs that may be stopped."""
        rules, running = state.stops, state.running
        may = (rules.interval[running] >= 0) & (rules.preemptions[running] < self.settings.stops)
        jobs: Integers = running[may]
        return jobs

    def _victims(
        self, state: QueueState, head: int, stopped: list[int], lacking: int
    ) -> list[int] | None:
        """Return who is stopped for the head, None if that is not enough."""
        later = self._stoppable(state)
        later = later[(later > head) & ~np.isin(later, stopped)]
        youngest = later[np.argsort(-state.stops.last_start[later], kind="stable")]
        gained = np.append(0, np.cumsum(state.known.size[youngest]))
        if gained[-1] < lacking:
            return None
        needed: Integers = youngest[: np.searchsorted(gained, lacking)]
        victims: list[int] = needed.tolist()
        return victims
