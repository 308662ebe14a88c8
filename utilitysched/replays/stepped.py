"""Replays of schedulers that decide in Python."""

from bisect import bisect_left

import numpy as np

from utilitysched.arrivals import Arrivals
from utilitysched.preemptive import PreemptiveSimulation, Terms
from utilitysched.replays.course import Course, Unbroken
from utilitysched.replays.forking import fork_of, memory_of
from utilitysched.scheduler import Scheduler
from utilitysched.state import Floats, Integers
from utilitysched.stepwise import Simulation


class SteppedTrunk:
    """The simulation of a scheduler that decides in Python, played again from event to event.

    Parameters
    ----------
    arrivals : Arrivals
        The jobs.
    scheduler, again : Scheduler
        Twice the same, prepared: one goes on to the end at once and says what it remembered when.
    terms : Terms, optional
        What bumping means for each job, where jobs can be bumped.
    """

    def __init__(
        self,
        arrivals: Arrivals,
        scheduler: Scheduler,
        again: Scheduler,
        terms: Terms | None = None,
    ) -> None:
        if terms is None:
            self.stem = Simulation(arrivals, scheduler)
            self.realised: _Remembered = _Remembered(Simulation(arrivals, again))
        else:
            self.stem = PreemptiveSimulation(arrivals, scheduler, terms)
            self.realised = _RememberedEnds(PreemptiveSimulation(arrivals, again, terms))

    def advance(self, until: float) -> None:
        """Process the events before `until` (s)."""
        self.stem.advance(until)

    def present(self) -> Integers:
        """Return the jobs in the queue or running, ascending."""
        running = [job for _, job in self.stem.running]
        return np.array(sorted(self.stem.queue + running), dtype=np.int64)

    def having(self, seed: int | None) -> Course:
        """Return the course with the next job; what happened, unless other draws are wanted."""
        if seed is None and not isinstance(self.stem, PreemptiveSimulation):
            return self.realised
        return _course(self.stem.fork(fork_of(self.stem.scheduler, seed)))

    def lacking(self, job: int, seed: int | None, last: int) -> Course:
        """Return the course without `job`, the next one, in which `last` is the last to arrive."""
        simulation = self.stem.fork(fork_of(self.stem.scheduler, seed))
        before = range(simulation.arrived, job)
        if before:  # those of the same instant make an event, which the job alone does not
            simulation.wake_up = min(simulation.wake_up, simulation.submit[job])
        simulation.queue.extend(before)
        simulation.arrived = job + 1
        simulation.submit = simulation.submit[: last + 1]
        return _course(simulation)


def _course(simulation: Simulation) -> "_SteppedCourse":
    if isinstance(simulation, PreemptiveSimulation):
        return _StoppedCourse(simulation)
    return _SteppedCourse(simulation)


class _SteppedCourse(Unbroken):
    """See `Course`."""

    def __init__(self, simulation: Simulation) -> None:
        self.simulation = simulation
        self.start = simulation.start
        self.end = simulation.end

    def advance(self, until: float) -> None:
        self.simulation.advance(until)

    def memory(self) -> object:
        return _memory(self.simulation)


class _StoppedCourse(_SteppedCourse):
    """Jobs may be bumped: of one in the queue, only some work may be left."""

    simulation: PreemptiveSimulation

    def completions(self, jobs: Integers, run: Floats, until: float) -> Floats:  # noqa: ARG002
        ended = self.end[jobs]
        waits = np.isnan(ended)
        ended[waits] = [until + self.simulation.needs(job) for job in jobs[waits].tolist()]
        return ended


class _Remembered(Unbroken):
    """What happened, and what the scheduler remembered when; see `Course`."""

    def __init__(self, simulation: Simulation) -> None:
        self.start = simulation.start
        self.end = simulation.end
        self._at: list[float] = []
        self._memories: list[object] = []
        self._now = 0
        while simulation.step():
            self._at.append(simulation.now)
            self._memories.append(_memory(simulation))

    def advance(self, until: float) -> None:
        self._now = bisect_left(self._at, until) - 1

    def memory(self) -> object:
        return self._memories[self._now]


class _RememberedEnds(_Remembered):
    """What happened where jobs were bumped, once all of it has."""

    def completions(self, jobs: Integers, run: Floats, until: float) -> Floats:  # noqa: ARG002
        return self.end[jobs]


def _memory(simulation: Simulation) -> object:
    """Return what the scheduler remembers, has yet to be told, and has asked for."""
    queued = np.array(simulation.queue, dtype=np.int64)
    remembered = memory_of(simulation.scheduler, queued)
    told = tuple(simulation.finished), simulation.wake_up, simulation.progress()
    return remembered, *told
