"""Baselines of replays, and the trajectories that branch off from them with and without a job."""

from bisect import bisect_left
from collections.abc import Sequence
from typing import Protocol

import numpy as np

from utilitysched.counterfactual.branch import Change, branch, memory_of
from utilitysched.engine.simulation import Simulation
from utilitysched.model.scheduler import scheduler_of
from utilitysched.model.state import Floats, Integers


class Trajectory(Protocol):
    """A simulation that goes on from a baseline; jobs by index in arrival order."""

    @property
    def start(self) -> Floats:
        """Start of each job (s), (n,); NaN, or later than now, if it has not started."""
        ...

    @property
    def end(self) -> Floats:
        """Completion of each job (s), (n,), like `start`."""
        ...

    def advance(self, until: float) -> None:
        """Process the events before `until` (s)."""
        ...

    def memory(self) -> object:
        """Return what of the past, but the queue and the running jobs, can still matter."""
        ...

    def completions(self, jobs: Integers, run: Floats, until: float) -> Floats:
        """Return when each of some jobs ends (s), (k,).

        Parameters
        ----------
        jobs : (k,) int64
            Which.
        run : (n,) float64
            Run times of all jobs (s).
        until : float
            One that has not started before this time counts as if it started then (s).
        """
        ...


class Baseline(Protocol):
    """A simulation played again, which stops before the submission of one job after the other."""

    @property
    def realised(self) -> Trajectory:
        """What happened."""
        ...

    def advance(self, until: float) -> None:
        """Process the events before `until` (s)."""
        ...

    def present(self) -> Integers:
        """Return the jobs in the queue or running, ascending."""
        ...

    def with_job(self, seed: int | None) -> Trajectory:
        """Return what comes with the next job, its draws those of `seed`, None for the same."""
        ...

    def without_job(self, job: int, seed: int | None, last: int) -> Trajectory:
        """Return what comes without `job`, the next one, if `last` is the last to arrive."""
        ...


class PlayedBaseline:
    """The simulation of a scheduler that decides in Python, played again from event to event.

    What failed fails again at the same time, with a job and without it.

    Parameters
    ----------
    baseline, again : Simulation
        Twice the same, before the first event: one goes on to the end at once.
    """

    def __init__(self, baseline: Simulation, again: Simulation) -> None:
        self.baseline = baseline
        # of a job that was stopped, what happened says only where it ran last
        self._stops = baseline.restarts is not None
        times, memories = [], []
        while again.step():
            if not self._stops:
                times.append(again.now)
                memories.append(_remembered(again))
        kind = Ended if self._stops else Realised
        self.realised: Trajectory = kind(again.start, again.end, times, memories)

    def advance(self, until: float) -> None:
        """Process the events before `until` (s)."""
        self.baseline.advance(until)

    def present(self) -> Integers:
        """Return the jobs in the queue or running, ascending."""
        return np.array(sorted(self.baseline.present()), dtype=np.int64)

    def with_job(self, seed: int | None) -> Trajectory:
        """Return what comes with the next job; what happened, if that tells it."""
        if seed is None and not self._stops:
            return self.realised
        return _Played(branch(self.baseline, Change(seed)))

    def without_job(self, job: int, seed: int | None, last: int) -> Trajectory:
        """Return what comes without `job`, the next one, if `last` is the last to arrive."""
        return _Played(branch(self.baseline, Change(seed, job, last)))


class Realised:
    """What happened, and what the scheduler remembered when, if anything."""

    def __init__(
        self,
        start: Floats,
        end: Floats,
        times: Sequence[float] = (),
        memories: Sequence[object] = (None,),
    ) -> None:
        self.start, self.end = start, end
        self._times, self._memories, self._now = times, memories, 0

    def advance(self, until: float) -> None:
        """Look at what was remembered before `until` (s)."""
        self._now = bisect_left(self._times, until) - 1

    def memory(self) -> object:
        """See `Trajectory`."""
        return self._memories[self._now]

    def completions(self, jobs: Integers, run: Floats, until: float) -> Floats:
        """See `Trajectory`."""
        return unbroken(self.start[jobs], run[jobs], until)


class Ended(Realised):
    """What happened to jobs that could be stopped, once all of it has."""

    def completions(self, jobs: Integers, run: Floats, until: float) -> Floats:  # noqa: ARG002
        """See `Trajectory`."""
        return self.end[jobs]


class _Played:
    """See `Trajectory`."""

    def __init__(self, simulation: Simulation) -> None:
        self.simulation = simulation
        self.start, self.end = simulation.start, simulation.end

    def advance(self, until: float) -> None:
        self.simulation.advance(until)

    def memory(self) -> object:
        return _remembered(self.simulation)

    def completions(self, jobs: Integers, run: Floats, until: float) -> Floats:
        restarts = self.simulation.restarts
        if restarts is None:
            return unbroken(self.start[jobs], run[jobs], until)
        ended = self.end[jobs]
        waits = np.isnan(ended)
        ended[waits] = [until + restarts.needs(job) for job in jobs[waits].tolist()]
        return ended


def unbroken(start: Floats, run: Floats, until: float) -> Floats:
    """Return when jobs end that run from their start, or `until`, to their end (s)."""
    ended: Floats = np.fmin(start, until) + run
    return ended


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


def _remembered(simulation: Simulation) -> object:
    """Return what the scheduler remembers, has yet to be told, and has asked for."""
    remembers = scheduler_of(simulation.scheduler).remembers
    untold = tuple(simulation.finished) if remembers else ()
    return memory_of(simulation), untold, simulation.wake_up, simulation.progress()
