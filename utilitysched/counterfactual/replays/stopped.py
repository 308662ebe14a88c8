"""Replays of schedules in which jobs could be stopped and go on later."""

import numpy as np

from utilitysched.counterfactual.replays.course import Course, Realised
from utilitysched.counterfactual.replays.stepped import present, remembered
from utilitysched.engine.simulation import Simulation
from utilitysched.model.scheduler import scheduler_of
from utilitysched.model.state import Floats, Integers


class StoppedTrunk:
    """The simulation in which jobs were bumped or failed, played again from event to event.

    What fails, fails again at the same time, with a job and without it.

    Parameters
    ----------
    stem, whole : Simulation
        Twice the same, before the first event: one goes on to the end at once.
    """

    def __init__(self, stem: Simulation, whole: Simulation) -> None:
        self.stem = stem
        whole.finish(None)
        self.realised: Course = _Ended(whole.start, whole.end)

    def advance(self, until: float) -> None:
        """Process the events before `until` (s)."""
        self.stem.advance(until)

    def present(self) -> Integers:
        """Return the jobs in the queue or running, ascending."""
        return present(self.stem)

    def having(self, seed: int | None) -> Course:
        """Return the course with the next job."""
        # not what happened: of a job that was stopped, that is only where it ran last
        return _StoppedCourse(self._fork(seed))

    def lacking(self, job: int, seed: int | None, last: int) -> Course:
        """Return the course without `job`, the next one, in which `last` is the last to arrive."""
        simulation = self._fork(seed)
        simulation.leave_out(job)
        simulation.end_arrivals(last + 1)
        return _StoppedCourse(simulation)

    def _fork(self, seed: int | None) -> Simulation:
        return self.stem.fork(scheduler_of(self.stem.scheduler).fork(seed))


class _StoppedCourse:
    """Of a job in the queue, only some work may be left; see `Course`."""

    def __init__(self, simulation: Simulation) -> None:
        self.simulation = simulation
        self.start, self.end = simulation.start, simulation.end

    def advance(self, until: float) -> None:
        self.simulation.advance(until)

    def memory(self) -> object:
        return remembered(self.simulation)

    def completions(self, jobs: Integers, run: Floats, until: float) -> Floats:  # noqa: ARG002
        ended = self.end[jobs]
        waits = np.isnan(ended)
        restarts = self.simulation.restarts
        assert restarts is not None
        ended[waits] = [until + restarts.needs(job) for job in jobs[waits].tolist()]
        return ended


class _Ended(Realised):
    """What happened, once all of it has."""

    def completions(self, jobs: Integers, run: Floats, until: float) -> Floats:  # noqa: ARG002
        return self.end[jobs]
