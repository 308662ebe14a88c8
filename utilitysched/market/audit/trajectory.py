"""Trajectories from one state on, whatever is reported.

Where nothing but the queue, the running jobs and those that have ended decides, list schedulers
serve jobs in the compiled event loop, and only the passes in which a user's jobs start are made
again, to compare plans in them.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any, NamedTuple, cast

import numpy as np

from pricing.counterfactual import players_of
from pricing.pivots import Losses, run_shares
from utilitysched.counterfactual.branch import (
    NOBODY,
    Change,
    ReadableSimulation,
    Trail,
    branch,
)
from utilitysched.counterfactual.pivots import PivotRecorder, PoolRecorders
from utilitysched.engine.compiled import run_compiled
from utilitysched.engine.segments_log import SegmentEntry
from utilitysched.engine.simulation import Simulation
from utilitysched.market.audit.reported import Bools, ReportedJobs
from utilitysched.market.audit.scenario import AuditScenario
from utilitysched.model.arrivals import Arrivals
from utilitysched.model.plans import state_after
from utilitysched.model.schedule import SimulationOutcome
from utilitysched.model.state import Decision, Floats, Integers, QueueState
from utilitysched.schedulers.registry import make_scheduler


class AuditTrajectory(NamedTuple):
    """Starts, ends and charges of the reported jobs from the branching on.

    Attributes
    ----------
    told : ReportedJobs
        m jobs.
    start, end : (m,) float64
        When each started first, and ended (s); NaN if it has not.
    losses : Losses
        What starts since the branching cost other users by plans; none where that is not charged.
    entries : tuple of SegmentEntry or None
        The stretches in which each ran, where jobs can be stopped: what has not ended goes on
        undisturbed.
    """

    told: ReportedJobs
    start: Floats
    end: Floats
    losses: Losses
    entries: tuple[SegmentEntry, ...] | None = None

    def charge(self, jobs: Bools, fair: float) -> Floats:
        """Return what each reported job is charged by plans (SU), shape (m,).

        What a victim lost is added up over the starts of these jobs alone, not over those of other
        users, as it is in a bill.

        Parameters
        ----------
        jobs : (n,) bool
            Which of the true jobs are those of the user.
        fair : float
            See `pricing.counterfactual.PivotRule`.
        """
        workload = self.told.workload
        everybody_ended = np.zeros(len(workload))
        brief = np.flatnonzero(run_shares(workload, everybody_ended) < fair)
        settled = self.losses.settled(np.flatnonzero(jobs[self.told.owner]), brief)
        charge: Floats = np.maximum(settled.by_cause(len(workload)), 0.0)
        return charge


class Branch:
    """A simulation that goes on from where another is, with what is told to come.

    Parameters
    ----------
    scenario : AuditScenario
        Who serves the jobs.
    baseline : Simulation or MachineSimulation
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
        baseline: ReadableSimulation,
        reported: ReportedJobs,
        seed: int | None,
        withdrawn: Integers = NOBODY,
        jobs: Bools | None = None,
    ) -> None:
        told = scenario.conditions(reported.workload)._asdict()
        self.reported, self.scenario = reported, scenario
        self.simulation = branch(baseline, Change(seed, withdrawn=withdrawn, **told))
        self._recorders = PoolRecorders.of(self.simulation) if scenario.pivots else None
        self._charged = charged(reported, jobs)

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
        trajectory, trail = known
        simulation = self.simulation
        queued_only = make_scheduler(self.scenario.scheduler).reads_queued_only
        begun = queued_only and not simulation.stops
        self._foresee(until)
        while simulation.next_time() < until:
            simulation.step()
            times = (
                (simulation.start, trajectory.start) if begun else (simulation.end, trajectory.end)
            )
            over = all((time[jobs] < simulation.now).all() for time in times)
            if over and trail.meets(simulation):
                return self._joined(trajectory)
        return self._trajectory(until)

    def _foresee(self, until: float) -> None:
        """Find out how long each start lasts, before plans at it are compared."""
        if self._recorders is None:
            return
        assert self.scenario.pivots is not None
        player, first = players_of(self.reported.workload, self.scenario.pivots.players), None
        if self.simulation.stops:
            first = self.simulation.fork()
            PoolRecorders.of(first).begin(player, only=())
            first.advance(until)
        self._recorders.begin(player, first, self._charged)

    def _trajectory(self, until: float) -> AuditTrajectory:
        """Return what has come of it, if nobody is stopped from `until` on (s)."""
        simulation, entries = self.simulation, None
        if simulation.stops:
            for part in PoolRecorders.of(simulation).parts:
                _let_end(part, until)
            entries = tuple(simulation.entries)
        times = simulation.first_start, simulation.end
        return AuditTrajectory(self.reported, *times, self._losses(), entries)

    def _joined(self, known: AuditTrajectory) -> AuditTrajectory:
        """Return the trajectory that is equal to the known one from now on."""
        simulation = self.simulation
        start, entries = simulation.first_start, known.entries
        later_losses = known.losses.of(known.losses.time > simulation.now)
        goes_on = np.isnan(start)
        if simulation.stops:
            goes_on = ~(simulation.end <= simulation.now)
            later = (entry for entry in entries or () if entry.end > simulation.now)
            entries = (*simulation.entries, *later)
        return AuditTrajectory(
            self.reported,
            np.where(np.isnan(start), known.start, start),
            np.where(goes_on, known.end, simulation.end),
            _together(self._losses(), later_losses),
            entries,
        )

    def _losses(self) -> Losses:
        if self._recorders is None:
            return Losses.nothing()
        return self._recorders.pivots(np.arange(len(self.simulation.start))).losses


def _together(*losses: Losses) -> Losses:
    return Losses._make(map(np.concatenate, zip(*losses, strict=True)))


def charged(reported: ReportedJobs, jobs: Bools | None) -> frozenset[int] | None:
    """Return the reported jobs whose starts are charged; None for all."""
    return None if jobs is None else frozenset(np.flatnonzero(jobs[reported.owner]).tolist())


def _let_end(simulation: Simulation, until: float) -> None:
    """End all present jobs undisturbed, queued ones from `until` on (s)."""
    restarts = simulation.restarts
    assert restarts is not None
    for job in simulation.queue:
        simulation.start[job], simulation.end[job] = until, until + restarts.begin(job, until)
    for job in simulation.present():
        restarts.conclude(job, simulation.start.item(job), simulation.end.item(job), "")


class Before(NamedTuple):
    """What there is before the events of an instant.

    Attributes
    ----------
    queue : list of int
        Jobs that wait.
    arrived : int
        How many jobs have come.
    """

    queue: list[int]
    arrived: int

    @classmethod
    def of(cls, scenario: AuditScenario, start: Floats, now: float) -> Before:
        """Return the queue at an instant, by the starts of all jobs (s)."""
        arrived = int(np.searchsorted(scenario.workload.submit, now))
        return cls(np.flatnonzero(start[:arrived] >= now).tolist(), arrived)


def can_replay(scenario: AuditScenario) -> bool:
    """Whether `replayed` serves the jobs as a simulation would, and charges them the same."""
    scheduler, pivots = make_scheduler(scenario.scheduler), scenario.pivots
    plain = scenario.rules is None and not any(each.replays for each in scenario.priced)
    if scheduler.compiled is None or not plain or scenario.site is not None:
        return False
    if pivots is None:
        return True
    return not (scheduler.compiled.keeps_reservations or pivots.reservations)


def replayed(
    scenario: AuditScenario,
    reported: ReportedJobs,
    jobs: Bools | None = None,
    since: float = -math.inf,
    until: float = math.inf,
) -> AuditTrajectory:
    """Return how things go if something is told.

    Parameters
    ----------
    scenario : AuditScenario
        Who serves the jobs; see `can_replay`.
    reported : ReportedJobs
        What is told.
    jobs : (n,) bool, optional
        True jobs whose starts are charged; all by default.
    since, until : float
        Starts from the one until before the other are (s).
    """
    arrivals = scenario.conditions(reported.workload).arrivals
    scheduler = make_scheduler(scenario.scheduler)
    scheduler.prepare(scenario.setting)
    assert scheduler.compiled is not None
    outcome = run_compiled(arrivals, scheduler.compiled, None)
    losses = Losses.nothing()
    if scenario.pivots:
        charged = (since <= outcome.start) & (outcome.start < until)
        if jobs is not None:
            charged &= jobs[reported.owner]
        recorder = cast("PivotRecorder", scenario.prepared())
        recorder.run, recorder.players = arrivals.run, scenario.players(reported.workload)
        recorder.only = frozenset(np.flatnonzero(charged).tolist())
        passes = _Passes(arrivals, outcome)
        for now in np.unique(outcome.start[charged]).tolist():
            passes.make_again(recorder, now)
        losses = recorder.pivots(np.arange(len(charged))).losses
    return AuditTrajectory(reported, outcome.start, outcome.end, losses)


class _Passes:
    """Passes of a schedule that is known, one instant after the other."""

    def __init__(self, arrivals: Arrivals, outcome: SimulationOutcome) -> None:
        self._arrivals, self._outcome = arrivals, outcome
        self._reported = np.zeros(len(outcome.end), np.bool_)
        # at the same instant, those that started at it end last
        self._by_end = np.lexsort((outcome.start == outcome.end, outcome.end))

    def make_again(self, recorder: PivotRecorder, now: float) -> None:
        """Have a recorder make all passes of an instant.

        A job without run time ends at its own start, which makes another pass.
        """
        state = self._first(now)
        while len(state.queued):
            self._reported[state.finished] = True
            starts = recorder.decide(state).starts
            ended = starts[self._arrivals.run[starts] == 0]
            if not len(ended):
                return
            after = state_after(state, Decision(starts))
            stays = ~np.isin(after.running, ended)
            state = replace(
                after,
                free=after.free + int(after.known.size[ended].sum()),
                running=after.running[stays],
                expected_end=after.expected_end[stays],
                **self._ended(np.sort(ended)),
            )

    def _first(self, now: float) -> QueueState:
        """Return what the scheduler saw at the first pass of an instant."""
        columns, outcome = self._arrivals.known, self._outcome
        known = columns.first(int(np.searchsorted(columns.submit, now, side="right")))
        start, end = outcome.start[: len(known.submit)], outcome.end[: len(known.submit)]
        running = np.flatnonzero((start < now) & (end > now))
        expected = start[running] + known.request[running]
        by_end = np.lexsort((running, expected))
        over = (outcome.start < now) & (outcome.end <= now) & ~self._reported
        return QueueState(
            now,
            int(known.machine_size - known.size[running].sum()),
            np.flatnonzero(start >= now),
            running[by_end],
            expected[by_end],
            known=known,
            **self._ended(self._by_end[over[self._by_end]]),
        )

    def _ended(self, jobs: Integers) -> dict[str, Any]:
        """Return what is said of jobs that have ended since the last pass."""
        run, end = self._arrivals.run[jobs], self._outcome.end[jobs]
        return {"finished": jobs, "finished_run": run, "finished_end": end}
