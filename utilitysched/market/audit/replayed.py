"""Trajectories of list schedulers, served as a whole by the compiled event loop.

Where nothing but the queue, the running jobs and those that have ended decides, only the passes in
which a liar's jobs start are made again, to compare plans in them.
"""

from __future__ import annotations

import math
from itertools import pairwise
from typing import NamedTuple, cast

import numpy as np

from utilitysched.counterfactual.pivot import PivotRecorder
from utilitysched.engine.compiled import run_compiled
from utilitysched.market.audit.reported import Bools, ReportedJobs
from utilitysched.market.audit.scenario import AuditScenario
from utilitysched.market.audit.trajectory import AuditTrajectory
from utilitysched.model.arrivals import Arrivals
from utilitysched.model.outcome import SimulationOutcome
from utilitysched.model.state import Floats, QueueState
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
    looks_back = scheduler.compiled.keeps_reservations or pivots.reservations
    # a job that ends at once has a second pass made at its instant
    return not looks_back and bool((scenario.workload.effective_run > 0).all())


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
        passes = np.unique(outcome.start[charged]).tolist()
        for last, now in pairwise([-math.inf, *passes]):
            recorder.decide(_state(arrivals, outcome, last, now))
        charge = recorder.pivots(np.arange(len(charge))).charge
    return AuditTrajectory(told, outcome.start, outcome.end, charge)


def _state(arrivals: Arrivals, outcome: SimulationOutcome, last: float, now: float) -> QueueState:
    """Return what the scheduler saw at an instant, and who has ended since the last one (s)."""
    known = arrivals.known.first(int(np.searchsorted(arrivals.known.submit, now, side="right")))
    start, end = outcome.start[: len(known.submit)], outcome.end[: len(known.submit)]
    running = np.flatnonzero((start < now) & (end > now))
    expected = start[running] + known.request[running]
    by_end = np.lexsort((running, expected))
    ended = np.flatnonzero((last < end) & (end <= now))
    ended = ended[np.argsort(end[ended], kind="stable")]
    return QueueState(
        now,
        int(known.machine_size - known.size[running].sum()),
        np.flatnonzero(start >= now),
        running[by_end],
        expected[by_end],
        ended,
        arrivals.run[ended],
        known,
        finished_end=end[ended],
    )
