"""Trajectories from one state on, whatever is reported."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from utilitysched.counterfactual.branch import NOBODY, Change, Trail, branch
from utilitysched.counterfactual.pivot import PivotRecorder
from utilitysched.engine.simulation import Simulation
from utilitysched.market.audit.reported import ReportedJobs
from utilitysched.market.audit.scenario import AuditScenario
from utilitysched.model.scheduler import scheduler_of
from utilitysched.model.state import Floats, Integers


class AuditTrajectory(NamedTuple):
    """What came of it.

    Attributes
    ----------
    told : ReportedJobs
        m jobs.
    start : (m,) float64
        When each started (s); NaN if it has not.
    charge : (m,) float64
        What each start since the branching costs other users by plans (SU); 0 where that is not
        charged.
    """

    told: ReportedJobs
    start: Floats
    charge: Floats


class Branch:
    """A simulation that goes on from where another is, with what is told to come.

    Parameters
    ----------
    scenario : AuditScenario
        Who serves the jobs.
    baseline : Simulation
        Stopped before the first job that is told otherwise.
    told : ReportedJobs
        Jobs that `baseline` has seen, as it has seen them, and others.
    seed : int or None
        Draw as for this one from now on; as before if None.
    withdrawn : (k,) int64
        Queued jobs that are taken back.
    """

    def __init__(
        self,
        scenario: AuditScenario,
        baseline: Simulation,
        told: ReportedJobs,
        seed: int | None,
        withdrawn: Integers = NOBODY,
    ) -> None:
        arrivals = scenario.arrivals(told.workload)
        change = Change(seed, arrivals=arrivals, withdrawn=withdrawn)
        self.reported = told
        self.simulation = branch(baseline, change)
        self._recorder = scenario.recorder_of(self.simulation)
        if self._recorder:
            self._recorder.run = arrivals.run

    def course(self) -> AuditTrajectory:
        """Return what has come of it so far."""
        return trajectory_of(self.simulation, self.reported, self._recorder)

    def follow(self, until: float, trail: Trail | None = None) -> AuditTrajectory:
        """Process the events before `until` (s), and mark every state."""
        while self.simulation.next_time() < until:
            self.simulation.step()
            if trail:
                trail.mark(self.simulation)
        return self.course()

    def follow_to(
        self, until: float, known: tuple[AuditTrajectory, Trail], job: int
    ) -> AuditTrajectory:
        """Process the events before `until` (s), or until all goes on as it is known to.

        Parameters
        ----------
        until : float
            When to stop (s).
        known : (AuditTrajectory, Trail)
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


def trajectory_of(
    simulation: Simulation, told: ReportedJobs, recorder: PivotRecorder | None
) -> AuditTrajectory:
    """Return what has come of a simulation so far."""
    charge = np.zeros(len(simulation.start))
    if recorder:
        charge = recorder.pivots(np.arange(len(charge))).charge
    return AuditTrajectory(told, simulation.start, charge)


def _joined(course: AuditTrajectory, known: AuditTrajectory) -> AuditTrajectory:
    """Return a course that goes on as a known one does."""
    later = np.isnan(course.start)
    return course._replace(
        start=np.where(later, known.start, course.start),
        charge=np.where(later, known.charge, course.charge),
    )
