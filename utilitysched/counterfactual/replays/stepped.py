"""Replays of schedulers that decide in Python."""

from bisect import bisect_left

import numpy as np

from utilitysched.counterfactual.replays.course import Course, Unbroken
from utilitysched.engine.simulation import Simulation
from utilitysched.model.scheduler import scheduler_of
from utilitysched.model.state import Integers


class SteppedTrunk:
    """The simulation of a scheduler that decides in Python, played again from event to event.

    Parameters
    ----------
    stem, whole : Simulation
        Twice the same, before the first event: one goes on to the end at once and says what the
        scheduler remembered when.
    """

    def __init__(self, stem: Simulation, whole: Simulation) -> None:
        self.stem = stem
        self.realised: Course = _Remembered(whole)

    def advance(self, until: float) -> None:
        """Process the events before `until` (s)."""
        self.stem.advance(until)

    def present(self) -> Integers:
        """Return the jobs in the queue or running, ascending."""
        return present(self.stem)

    def having(self, seed: int | None) -> Course:
        """Return the course with the next job; what happened, unless other draws are wanted."""
        if seed is None:
            return self.realised
        return _SteppedCourse(self.stem.fork(scheduler_of(self.stem.scheduler).fork(seed)))

    def lacking(self, job: int, seed: int | None, last: int) -> Course:
        """Return the course without `job`, the next one, in which `last` is the last to arrive."""
        simulation = self.stem.fork(scheduler_of(self.stem.scheduler).fork(seed))
        simulation.leave_out(job)
        simulation.end_arrivals(last + 1)
        return _SteppedCourse(simulation)


def present(simulation: Simulation) -> Integers:
    """Return who is in the queue or runs, ascending."""
    return np.array(sorted(simulation.present()), dtype=np.int64)


def remembered(simulation: Simulation) -> object:
    """Return what the scheduler remembers, has yet to be told, and has asked for."""
    queued = np.array(simulation.queue, dtype=np.int64)
    scheduler = scheduler_of(simulation.scheduler)
    memory = scheduler.memory_of(queued)
    untold = tuple(simulation.finished) if scheduler.remembers else ()
    return memory, untold, simulation.wake_up, simulation.progress()


class _SteppedCourse(Unbroken):
    """See `Course`."""

    def __init__(self, simulation: Simulation) -> None:
        self.simulation = simulation
        self.start = simulation.start
        self.end = simulation.end

    def advance(self, until: float) -> None:
        self.simulation.advance(until)

    def memory(self) -> object:
        return remembered(self.simulation)


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
            self._memories.append(remembered(simulation))

    def advance(self, until: float) -> None:
        self._now = bisect_left(self._at, until) - 1

    def memory(self) -> object:
        return self._memories[self._now]
