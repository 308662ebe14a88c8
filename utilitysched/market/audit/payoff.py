"""Payoffs: what trajectories leave users."""

from __future__ import annotations

import math
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple, cast

import numpy as np

from pricing.outcome import Outcome
from pricing.registry import Prices
from pricing.shares import shares_of
from pricing.waste import WasteRule
from swfx import Workload
from utilitysched.counterfactual.readings import ScheduleReadings
from utilitysched.engine.segments_log import segments, waste_of
from utilitysched.market.audit.reported import Bools
from utilitysched.market.audit.scenario import AuditScenario
from utilitysched.market.audit.trajectory import AuditTrajectory
from utilitysched.model.segments import Stop
from utilitysched.model.state import Floats, Integers

if TYPE_CHECKING:
    from pricing import Counterfactual


class AuditWindow(NamedTuple):
    """Over what accounts are drawn up.

    Attributes
    ----------
    workload : Workload
        The true jobs in the order of their arrival.
    present : (p,) int64
        Jobs in the queue when it opens; where jobs can be stopped, those that run, too.
    first : int
        The first job to arrive from then on.
    closes : float
        When it closes (s); who has not started counts as if it started then.
    """

    workload: Workload
    present: Integers
    first: int
    closes: float


class Payoff(NamedTuple):
    """Value and charges of the jobs of one user.

    Attributes
    ----------
    value : float
        What its jobs turned out to be worth, truly (SU).
    charge : (k,) float64
        What it pays by each of k mechanisms (SU); by one that replays, the utility of the others
        with a minus.
    """

    value: float
    charge: Floats


class Books:
    """What each job in a window has and pays.

    Charges go by what was told, to whoever is charged.

    Parameters
    ----------
    trajectory : AuditTrajectory
        How things went.
    window : AuditWindow
        Over what.
    scenario : AuditScenario, optional
        Who makes charges; nobody if it is not given.
    """

    def __init__(
        self,
        trajectory: AuditTrajectory,
        window: AuditWindow,
        scenario: AuditScenario | None = None,
    ) -> None:
        reported = trajectory.told
        rows = np.concatenate([window.present, np.arange(window.first, len(trajectory.start))])
        self.workload = window.workload
        self.mechanisms = () if scenario is None else scenario.priced
        self.owner = reported.owner[rows]
        self.decoy = reported.decoy[rows]
        self.complete = reported.complete[rows] & ~_lost_for_good(trajectory, window.workload)[rows]
        self.outcome = _outcome(trajectory, rows, window.closes, scenario)
        self.complete &= ~self.outcome.cut_short
        self._trajectory, self._rows = trajectory, rows

    def account(self, jobs: Bools) -> Payoff:
        """Draw up the account of a user.

        A job is worth what its true curve says of the time from its true submission to the end of
        its last part; nothing, if a part does not run to its end, was killed before its work was
        done, or was killed for another though it cannot be run again.

        Parameters
        ----------
        jobs : (n,) bool
            Which of the true jobs are the user's.
        """
        mine = jobs[self.owner]
        charge = [
            -self.utility_of_others(jobs)
            if mechanism.replays
            else math.fsum(self.charges(place, jobs)[mine])
            for place, mechanism in enumerate(self.mechanisms)
        ]
        return Payoff(self._value(mine), np.array(charge))

    def charges(self, place: int, jobs: Bools) -> Floats:
        """Return what each job in the window is charged by one of the mechanisms (SU).

        By plans only what some of the true jobs, (n,), are charged is right: see
        `AuditTrajectory.charge`.
        """
        mechanism = self.mechanisms[place]
        prices = self._prices[place]
        if mechanism.pivots:
            planned = self._trajectory.charge(jobs, mechanism.pivots.fair)[self._rows]
            prices = prices._replace(charge=planned + prices.charge)
        rule = WasteRule.of(mechanism)
        shares = shares_of(self.outcome, rule, prices.charge, prices.rate, prices.per)
        return prices.charge if shares is None else shares.charge

    def utility_of_others(self, jobs: Bools) -> float:
        """Return the reported utility of the jobs of other users (SU)."""
        return math.fsum(self.outcome.utility[~jobs[self.owner]])

    @cached_property
    def _prices(self) -> list[Prices]:
        """What each mechanism charges, without charges by plans; nothing by replays."""
        useful, unrated = self.outcome.useful, np.full(len(self.outcome), np.nan)
        return [
            Prices(mechanism.for_later(useful), unrated)
            if mechanism.pivots or mechanism.replays
            else mechanism.price(useful)
            for mechanism in self.mechanisms
        ]

    def _value(self, mine: Bools) -> float:
        parts = mine & ~self.decoy
        jobs, place = np.unique(self.owner[parts], return_inverse=True)
        last = np.full(len(jobs), -np.inf)
        np.maximum.at(last, place, self.outcome.end[parts])
        whole = np.ones(len(jobs), np.bool_)
        np.logical_and.at(whole, place, self.complete[parts])
        worth = self.workload.utility.take(jobs).evaluate(last - self.workload.submit[jobs])
        return math.fsum(worth[whole])


def _lost_for_good(trajectory: AuditTrajectory, truth: Workload) -> Bools:
    """Return the mask of killed jobs that only their report calls re-runnable."""
    reported, lost = trajectory.told, np.zeros(len(trajectory.start), np.bool_)
    says_so = reported.workload.rerunnable & ~truth.rerunnable[reported.owner]
    for entry in trajectory.entries or () if says_so.any() else ():
        lost[entry.job] |= entry.stop == Stop.PREEMPTED and says_so[entry.job]
    return lost


def _outcome(
    trajectory: AuditTrajectory, rows: Integers, closes: float, scenario: AuditScenario | None
) -> Outcome:
    reported = trajectory.told.workload
    waits = np.isnan(trajectory.start) | (trajectory.start >= closes)
    start = np.where(waits, np.maximum(closes, reported.submit), trajectory.start)
    end = np.where(waits, start + reported.effective_run, trajectory.end)
    ran, used, waste, cut = None, None, None, np.zeros(len(reported), np.bool_)
    if trajectory.entries is not None:
        ran = segments(trajectory.entries, np.arange(len(reported)))
        used = np.where(waits, reported.effective_run, ran.per_job(ran.elapsed, len(reported)))[
            rows
        ]
        lost = waste_of(ran)
        assert lost is not None
        jobs = np.arange(len(reported))
        waste = lost.of_those(np.isin(jobs, rows))
        ended = np.isin(jobs, ran.job[ran.stop == Stop.COMPLETED]) & ~waits
        cut = ended & ran.cut_short(reported.effective_run)
    recorder = None
    if scenario is not None and scenario.reading is not None:
        rules, machine = scenario.rules, scenario.machine_size
        overhead = None if rules is None else rules.overheads(reported)
        recorder = ScheduleReadings(reported, scenario.reading, start, end, machine, ran, overhead)
    everybody, asks = (
        reported.job_id,
        cast("Counterfactual | None", recorder),
    )  # plans are priced apart
    more = used, waste
    return Outcome(
        reported[rows], start[rows], end[rows], rows, asks, everybody, *more, cut_short=cut[rows]
    )
