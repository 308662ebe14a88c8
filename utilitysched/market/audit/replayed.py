"""Trajectories of list schedulers, served as a whole by the compiled event loop.

Where nothing but the queue, the running jobs and those that have ended decides, only the passes in
which a liar's jobs start are made again, to compare plans in them.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any, NamedTuple, cast

import numpy as np

from utilitysched.counterfactual.pivots import PivotRecorder, state_after
from utilitysched.engine.compiled import run_compiled
from utilitysched.market.audit.reported import Bools, ReportedJobs
from utilitysched.market.audit.scenario import AuditScenario
from utilitysched.market.audit.trajectory import AuditTrajectory
from utilitysched.model.arrivals import Arrivals
from utilitysched.model.schedule import SimulationOutcome
from utilitysched.model.state import Decision, Floats, Integers, QueueState
from utilitysched.schedulers.registry import make_scheduler


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
        """Return it, given when each job starts (s)."""
        arrived = int(np.searchsorted(scenario.workload.submit, now))
        return cls(np.flatnonzero(start[:arrived] >= now).tolist(), arrived)


def can_replay(scenario: AuditScenario) -> bool:
    """Whether `replayed` serves the jobs as a simulation would, and charges them the same."""
    scheduler, pivots = make_scheduler(scenario.scheduler), scenario.pivots
    plain = scenario.rules is None and not any(each.replays for each in scenario.priced)
    if scheduler.compiled is None or not plain:
        return False
    if pivots is None:
        return True
    return not (scheduler.compiled.keeps_reservations or pivots.reservations)


def replayed(
    scenario: AuditScenario,
    told: ReportedJobs,
    jobs: Bools | None = None,
    since: float = -math.inf,
    until: float = math.inf,
) -> AuditTrajectory:
    """Return how things go if something is told.

    Parameters
    ----------
    scenario : AuditScenario
        Who serves the jobs; see `can_replay`.
    told : ReportedJobs
        What is told.
    jobs : (n,) bool, optional
        True jobs whose starts are charged; all by default.
    since, until : float
        Starts from the one until before the other are (s).
    """
    arrivals, _ = scenario.conditions(told.workload)
    scheduler = make_scheduler(scenario.scheduler)
    scheduler.prepare(scenario.setting)
    assert scheduler.compiled is not None
    outcome = run_compiled(arrivals, scheduler.compiled, None)
    charge = np.zeros(len(told.owner))
    if scenario.pivots:
        charged = (since <= outcome.start) & (outcome.start < until)
        if jobs is not None:
            charged &= jobs[told.owner]
        recorder = cast("PivotRecorder", scenario.prepared())
        recorder.run, recorder.players = arrivals.run, scenario.players(told.workload)
        recorder.only = frozenset(np.flatnonzero(charged).tolist())
        passes = _Passes(arrivals, outcome)
        for now in np.unique(outcome.start[charged]).tolist():
            passes.make_again(recorder, now)
        charge = recorder.pivots(np.arange(len(charge))).charge
    return AuditTrajectory(told, outcome.start, outcome.end, charge)


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
