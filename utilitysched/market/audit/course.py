"""Trajectories from one state on, whatever is reported."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from utilitysched.counterfactual.branch import NOBODY, Change, Trail, branch
from utilitysched.counterfactual.pivot import PivotRecorder
from utilitysched.engine.simulation import Simulation
from utilitysched.market.audit.telling import Told
from utilitysched.market.audit.world import World
from utilitysched.model.scheduler import scheduler_of
from utilitysched.model.state import Floats, Integers


class Course(NamedTuple):
    """What came of it.

    Attributes
    ----------
    told : Told
        m jobs.
    start : (m,) float64
        When each started (s); NaN if it has not.
    charge : (m,) float64
        What each start since the branching costs other users by plans (SU); 0 where that is not
        charged.
    """

    told: Told
    start: Floats
    charge: Floats


class Branch:
    """A simulation that goes on from where another is, with what is told to come.

    Parameters
    ----------
    world : World
        Who serves the jobs.
    stem : Simulation
        Stopped before the first job that is told otherwise.
    told : Told
        Jobs that `stem` has seen, as it has seen them, and others.
    seed : int or None
        Draw as for this one from now on; as before if None.
    withdrawn : (k,) int64
        Queued jobs that are taken back.
    """

    def __init__(
        self,
        world: World,
        stem: Simulation,
        told: Told,
        seed: int | None,
        withdrawn: Integers = NOBODY,
    ) -> None:
        arrivals = world.arrivals(told.workload)
        change = Change(seed, arrivals=arrivals, withdrawn=withdrawn)
        self.told = told
        self.simulation = branch(stem, change)
        self._recorder = world.recorder_of(self.simulation)
        if self._recorder:
            self._recorder.run = arrivals.run

    def course(self) -> Course:
        """Return what has come of it so far."""
        return course_of(self.simulation, self.told, self._recorder)

    def follow(self, until: float, trail: Trail | None = None) -> Course:
        """Process the events before `until` (s), and mark every state."""
        while self.simulation.next_time() < until:
            self.simulation.step()
            if trail:
                trail.mark(self.simulation)
        return self.course()

    def follow_to(self, until: float, known: tuple[Course, Trail], job: int) -> Course:
        """Process the events before `until` (s), or until all goes on as it is known to.

        Parameters
        ----------
        until : float
            When to stop (s).
        known : (Course, Trail)
            How things go under the truth; not beyond `until`.
        job : int
            The job that is told otherwise, by its place, which is the same in both.
        """
        course, trail = known
        simulation = self.simulation
        begun = scheduler_of(simulation.scheduler).reads_queued_only
        while simulation.next_time() < until:
            simulation.step()
            starts = np.array([simulation.start[job], course.start[job]])
            over = starts if begun else starts + simulation.table.run[job]
            if (over < simulation.now).all() and trail.meets(simulation):
                return _joined(self.course(), course)
        return self.course()


def course_of(simulation: Simulation, told: Told, recorder: PivotRecorder | None) -> Course:
    """Return what has come of a simulation so far."""
    charge = np.zeros(len(simulation.start))
    if recorder:
        charge = recorder.pivots(np.arange(len(charge))).charge
    return Course(told, simulation.start, charge)


def _joined(course: Course, known: Course) -> Course:
    """Return a course that goes on as a known one does."""
    later = np.isnan(course.start)
    return course._replace(
        start=np.where(later, known.start, course.start),
        charge=np.where(later, known.charge, course.charge),
    )
