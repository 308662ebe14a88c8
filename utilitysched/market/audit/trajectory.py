"""Trajectories from one state on, whatever is reported."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from utilitysched.counterfactual.branch import NOBODY, Change, Trail, branch
from utilitysched.counterfactual.holding_times import HoldingTimes
from utilitysched.engine.segments_log import SegmentEntry
from utilitysched.engine.simulation import Simulation
from utilitysched.market.audit.reported import Bools, ReportedJobs
from utilitysched.market.audit.scenario import AuditScenario
from utilitysched.model.scheduler import scheduler_of
from utilitysched.model.state import Floats, Integers


class AuditTrajectory(NamedTuple):
    """What came of it.

    Attributes
    ----------
    told : ReportedJobs
        m jobs.
    start, end : (m,) float64
        When each started first, and ended (s); NaN if it has not.
    charge : (m,) float64
        What each start since the branching costs other users by plans (SU); 0 where that is not
        charged.
    entries : tuple of SegmentEntry or None
        The stretches in which each ran, where jobs can be stopped: what has not ended goes on
        undisturbed.
    """

    told: ReportedJobs
    start: Floats
    end: Floats
    charge: Floats
    entries: tuple[SegmentEntry, ...] | None = None


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
    jobs : (n,) bool, optional
        True jobs whose starts are charged; all by default.
    """

    def __init__(
        self,
        scenario: AuditScenario,
        baseline: Simulation,
        told: ReportedJobs,
        seed: int | None,
        withdrawn: Integers = NOBODY,
        jobs: Bools | None = None,
    ) -> None:
        arrivals, terms = scenario.conditions(told.workload)
        self.reported = told
        self.simulation = branch(
            baseline, Change(seed, arrivals=arrivals, terms=terms, withdrawn=withdrawn)
        )
        self._recorder = scenario.recorder_of(self.simulation)
        if self._recorder:
            self._recorder.run = arrivals.run
            self._recorder.players = scenario.players(told.workload)
            self._recorder.only = charged(told, jobs)

    def follow(self, until: float, trail: Trail | None = None) -> AuditTrajectory:
        """Process the events before `until` (s), and mark every state."""
        self._foresee(until)
        while self.simulation.next_time() < until:
            self.simulation.step()
            if trail:
                trail.mark(self.simulation)
        return self._trajectory(until)

    def follow_to(
        self, until: float, known: tuple[AuditTrajectory, Trail], jobs: Integers
    ) -> AuditTrajectory:
        """Process the events before `until` (s), or until all goes on as it is known to.

        Parameters
        ----------
        until : float
            When to stop (s).
        known : (AuditTrajectory, Trail)
            How things go under the truth; not beyond `until`.
        jobs : (k,) int64
            Those told otherwise, by their places, which are the same in both.
        """
        course, trail = known
        simulation = self.simulation
        queued_only = scheduler_of(simulation.scheduler).reads_queued_only
        begun = queued_only and simulation.restarts is None
        self._foresee(until)
        while simulation.next_time() < until:
            simulation.step()
            times = (simulation.start, course.start) if begun else (simulation.end, course.end)
            over = all((time[jobs] < simulation.now).all() for time in times)
            if over and trail.meets(simulation):
                return self._joined(course)
        return self._trajectory(until)

    def _foresee(self, until: float) -> None:
        """Find out how long each start lasts, before plans at it are compared."""
        if self._recorder and self.simulation.restarts is not None:
            plain = self.simulation.fork(scheduler_of(self._recorder.scheduler).fork())
            plain.advance(until)
            self._recorder.holding_times = HoldingTimes.of_simulation(plain)

    def _trajectory(self, until: float) -> AuditTrajectory:
        """Return what has come of it, if nobody is stopped from `until` on (s)."""
        simulation = self.simulation
        start, entries = simulation.start, None
        if simulation.restarts is not None:
            _let_end(simulation, until)
            start = simulation.restarts.first_starts(start)
            entries = tuple(simulation.restarts.entries)
        return AuditTrajectory(self.reported, start, simulation.end, self._charge(), entries)

    def _joined(self, known: AuditTrajectory) -> AuditTrajectory:
        """Return what comes of it if it goes on as is known from now on."""
        simulation, restarts = self.simulation, self.simulation.restarts
        start, entries = simulation.start, known.entries
        goes_on = np.isnan(start)
        if restarts is not None:
            start, goes_on = restarts.first_starts(start), ~(simulation.end <= simulation.now)
            later = (entry for entry in entries or () if entry.end > simulation.now)
            entries = (*restarts.entries, *later)
        return AuditTrajectory(
            self.reported,
            np.where(np.isnan(start), known.start, start),
            np.where(goes_on, known.end, simulation.end),
            np.where(goes_on, known.charge, self._charge()),
            entries,
        )

    def _charge(self) -> Floats:
        jobs = np.arange(len(self.simulation.start))
        return self._recorder.pivots(jobs).charge if self._recorder else np.zeros(len(jobs))


def charged(told: ReportedJobs, jobs: Bools | None) -> frozenset[int] | None:
    """Return whose starts are compared, by their places: those of some true jobs; None for all."""
    return None if jobs is None else frozenset(np.flatnonzero(jobs[told.owner]).tolist())


def _let_end(simulation: Simulation, until: float) -> None:
    """Have all jobs that are there run to their end, those that wait from `until` on (s)."""
    restarts = simulation.restarts
    assert restarts is not None
    for job in simulation.queue:
        simulation.start[job], simulation.end[job] = until, until + restarts.begin(job, until)
    for job in simulation.present():
        restarts.conclude(job, simulation.start.item(job), simulation.end.item(job), "")
