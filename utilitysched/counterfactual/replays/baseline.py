"""Baselines of replays, and what happened beside the branches that go off from them."""

from bisect import bisect_left
from collections.abc import Sequence

import numpy as np

from utilitysched.counterfactual.branch import AnySimulation
from utilitysched.counterfactual.replays.question import Question
from utilitysched.engine.compiled_simulation import CompiledSimulation
from utilitysched.model.arrivals import Arrivals
from utilitysched.model.state import Floats, Integers


class Realised:
    """Realised schedule, and the memory of the scheduler after each pass.

    Parameters
    ----------
    start, end : (n,) float64
        When each job started, the last time if it was stopped, and ended (s).
    run : (n,) float64 or None
        How long each ran (s); None if that is not all of it, since jobs could be stopped.
    times : sequence of float
        When something was remembered (s), ascending.
    memories : sequence of object
        What; one that is always in force if there are no times.
    """

    def __init__(
        self,
        start: Floats,
        end: Floats,
        run: Floats | None,
        times: Sequence[float] = (),
        memories: Sequence[object] = (None,),
    ) -> None:
        self.start, self.end, self._run = start, end, run
        self._times, self._memories, self._now = times, memories, 0

    def advance(self, until: float) -> None:
        """Look at what was remembered before `until` (s)."""
        self._now = bisect_left(self._times, until) - 1

    def memory(self) -> object:
        """Return what of the past, but the queue and the running jobs, can still matter."""
        return self._memories[self._now]

    def ends_of(self, jobs: Integers, until: float) -> Floats:
        """Return the ends of some jobs (s), (k,), of waiting ones if they start at `until`.

        Where jobs could be stopped, all of them have ended.
        """
        if self._run is None:
            return self.end[jobs]
        ended: Floats = np.fmin(self.start[jobs], until) + self._run[jobs]
        return ended

    def give_back(self) -> None:
        """Do nothing: a simulation frees the memory of its arrays here."""


Baseline = AnySimulation
"""Simulation that made a schedule, played again up to one submission after the other."""

Trajectory = AnySimulation | Realised
"""Course of events from a baseline on; jobs by index in arrival order."""


def baseline_of(question: Question, arrivals: Arrivals) -> tuple[Baseline, Realised, bool]:
    """Return the simulation that made a schedule, before its first event, and what happened.

    And whether that is what comes with a job: all that can matter is known of it. Of a job that was
    stopped, what happened says only where it ran last, and of a compiled simulation nothing that it
    remembered. What failed fails again at the same time, with a job and without it.
    """
    scheduler, again = (question.prepared() for _ in range(2))
    if scheduler.compiled is not None and question.failures is None:
        start = question.start[arrivals.order]
        compiled = CompiledSimulation(arrivals, scheduler.compiled)
        realised = Realised(start, start + arrivals.run, arrivals.run)
        return compiled, realised, not compiled.remembers
    baseline, whole = (question.simulation(arrivals, each) for each in (scheduler, again))
    if whole.restarts is not None:
        whole.finish()
        return baseline, Realised(whole.start, whole.end, None), False
    times, memories = [], []
    while whole.step():
        times.append(whole.now)
        memories.append(whole.memory())
    return baseline, Realised(whole.start, whole.end, arrivals.run, times, memories), True


def standing(trajectory: Trajectory, jobs: Integers, now: float) -> Floats:
    """Return how each of these jobs stands before the events at `now`.

    Returns
    -------
    (k,) float64
        Infinite while it waits, its start while it runs, minus infinity once it has ended (s).
    """
    start, end = trajectory.start[jobs], trajectory.end[jobs]
    began, over = start < now, end < now
    return np.where(began, np.where(over, -np.inf, start), np.inf)
