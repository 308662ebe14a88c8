"""Trials: what misreports of one job bring its user, branch by branch from its submission."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import cache
from typing import NamedTuple

import numpy as np

from utilitysched.counterfactual.branch import ReadableSimulation, Trail
from utilitysched.counterfactual.replays.question import other_seed
from utilitysched.market.audit.design import Design
from utilitysched.market.audit.misreport import Misreport
from utilitysched.market.audit.payoff import AuditWindow, Books, Payoff
from utilitysched.market.audit.reported import Bools, ReportedJobs, tell, truth
from utilitysched.market.audit.scenario import AuditScenario
from utilitysched.market.audit.trajectory import (
    AuditTrajectory,
    Before,
    Branch,
    can_replay,
    replayed,
)
from utilitysched.model.state import Floats, Integers

_Truth = tuple[AuditTrajectory, Trail]
_BySeed = Mapping[int | None, AuditTrajectory]


class Case:
    """Trajectories of one job and its user under the truth and under misreports.

    Parameters
    ----------
    scenario : AuditScenario
        Jobs, scheduler and mechanisms.
    baseline : Simulation, MachineSimulation or Before
        Stopped before the job's submission; what there is then suffices where things are replayed.
    job : int
        By its place in the order of arrival.
    closes : float
        When accounts are closed (s).
    everybody : bool
        Whether other users are charged, too, to see what happens to them.
    """

    def __init__(
        self,
        scenario: AuditScenario,
        baseline: ReadableSimulation | Before,
        job: int,
        closes: float,
        *,
        everybody: bool = False,
    ) -> None:
        self.scenario = scenario
        self.everybody = everybody
        self.baseline = baseline
        self._opens = scenario.workload.submit.item(job)
        last = int(np.searchsorted(scenario.workload.submit, closes))
        workload = scenario.workload[:last]
        self.honest = truth(workload)
        there = baseline.queue
        if not isinstance(baseline, Before) and scenario.rules is not None:
            there = sorted(baseline.present())
        present = np.array(there, dtype=np.int64)
        self.window = AuditWindow(workload, present, baseline.arrived, closes)
        self.jobs: Bools = (scenario.owners == scenario.owners[job])[:last]
        self.told_otherwise: Integers = np.array([job])
        self._without = cache(self._utility_without)

    def told(self, misreport: Misreport) -> ReportedJobs:
        """Return what the centre is told by a liar."""
        return tell(
            self.window.workload,
            dict.fromkeys(self.told_otherwise.tolist(), misreport),
            self.scenario.queues,
            self.scenario.processors_for(self.told_otherwise.item(0)),
        )

    def truth(self, seed: int | None) -> _Truth:
        """Return how things go under the truth."""
        trail = Trail()
        if isinstance(self.baseline, Before):
            return self._replayed(self.honest), trail
        honest = self._branch(self.baseline, self.honest, seed)
        return honest.follow(self.window.closes, trail), trail

    def lied(self, reported: ReportedJobs, seed: int | None, known: _Truth) -> AuditTrajectory:
        """Return how things go if something else is told, given how they go under the truth."""
        if isinstance(self.baseline, Before):
            return self._replayed(reported)
        lied = self._branch(self.baseline, reported, seed)
        if reported.keeps_places and self.scenario.settles_at_starts:
            return lied.follow_to(self.window.closes, known, self.told_otherwise)
        return lied.follow(self.window.closes)

    def _branch(
        self, baseline: ReadableSimulation, reported: ReportedJobs, seed: int | None
    ) -> Branch:
        jobs = self._charged if self.scenario.rules is None else None
        return Branch(self.scenario, baseline, reported, seed, jobs=jobs)

    def _replayed(self, reported: ReportedJobs) -> AuditTrajectory:
        return replayed(self.scenario, reported, self._charged, self._opens, self.window.closes)

    @property
    def _charged(self) -> Bools | None:
        return None if self.everybody else self.jobs

    def value(self, trajectory: AuditTrajectory) -> float:
        """Return what the jobs themselves turned out to be worth under the truth (SU)."""
        alone = np.isin(np.arange(len(self.jobs)), self.told_otherwise)
        return Books(trajectory, self.window).account(alone).value

    def account(self, trajectory: AuditTrajectory, seed: int | None) -> Payoff:
        """Draw up the user's account."""
        payoff = Books(trajectory, self.window, self.scenario).account(self.jobs)
        for place, mechanism in enumerate(self.scenario.priced):
            if mechanism.replays:
                payoff.charge[place] += self._without(seed)
        return payoff

    def others(self, trajectory: AuditTrajectory) -> Floats:
        """Return the value and charges of the jobs of other users.

        Parameters
        ----------
        trajectory : AuditTrajectory
            How things go.

        Returns
        -------
        (1 + k,) float64
            Their true value, then what they pay by each of k mechanisms (SU); NaN by one that
            replays, and where other users are not charged.
        """
        if not self.everybody:
            return np.full(1 + len(self.scenario.priced), np.nan)
        value, charge = Books(trajectory, self.window, self.scenario).account(~self.jobs)
        replays = [mechanism.replays is not None for mechanism in self.scenario.priced]
        return np.concatenate([[value], np.where(replays, np.nan, charge)])

    def _utility_without(self, seed: int | None) -> float:
        """Return the utility of others if the user's jobs that do not run yet never came (SU)."""
        assert not isinstance(self.baseline, Before)
        gone = self.jobs.copy()
        gone[: self.window.first] = False
        waits = np.array(self.baseline.queue, dtype=np.int64)
        withdrawn, present = waits[self.jobs[waits]], self.window.present
        reported = self.honest.taken(~gone)
        rest = Branch(self.scenario, self.baseline, reported, seed, withdrawn)
        window = self.window._replace(present=present[~np.isin(present, withdrawn)])
        books = Books(rest.follow(self.window.closes), window)
        return books.utility_of_others(self.jobs)


class Trial(NamedTuple):
    """Gains of a user by each misreport of one job.

    Attributes
    ----------
    job : int
        By its place in the order of arrival.
    value : float
        What the job turned out to be worth under the truth, mean over the seeds of scoring (SU).
    chosen, scored : (k, l) float64
        What each of l lies brings more than the truth by each of k mechanisms (SU), mean over the
        seeds of choosing, and of scoring.
    placebo : (k,) float64
        What the truth brings more on the seeds of choosing than on those of scoring (SU).
    others : (1 + k, 1 + l) float64
        True value of the jobs of other users, then what they pay by each mechanism (SU), under the
        truth and under each lie, mean over all seeds; NaN where it is not known.
    """

    job: int
    value: float
    chosen: Floats
    scored: Floats
    placebo: Floats
    others: Floats


class AuditSeeds(NamedTuple):
    """Seeds of the scheduler's draws; None are those in force.

    Attributes
    ----------
    choosing, scoring : tuple of int or None
        On which lies are chosen, and on which they are scored.
    """

    choosing: tuple[int | None, ...]
    scoring: tuple[int | None, ...]

    @classmethod
    def of(cls, scenario: AuditScenario, draws: int) -> AuditSeeds:
        """Return so many other seeds than the scenario's for either; one for both without draws.

        Parameters
        ----------
        scenario : AuditScenario
            Says whether the scheduler draws.
        draws : int
            At least 1.
        """
        if not scenario.draws:
            return cls((None,), (None,))
        both = [other_seed(scenario.seed, number) for number in range(1, 2 * draws + 1)]
        return cls(tuple(both[:draws]), tuple(both[draws:]))

    @property
    def distinct(self) -> tuple[int | None, ...]:
        """Seeds of both kinds without repetition."""
        return tuple(dict.fromkeys((*self.choosing, *self.scoring)))


class Auditor:
    """Tries every lie for one job after the other; fastest in the order of arrival.

    Parameters
    ----------
    scenario : AuditScenario
        Jobs, scheduler and mechanisms.
    design : Design
        What is tried.
    """

    def __init__(self, scenario: AuditScenario, design: Design) -> None:
        self.scenario = scenario
        self.design = design
        self.seeds = AuditSeeds.of(scenario, design.draws)
        self._baseline: ReadableSimulation | None = None
        self._now = -math.inf
        honest = truth(scenario.workload)
        uncharged = np.zeros(len(honest.owner), np.bool_)
        self._starts = replayed(scenario, honest, uncharged).start if can_replay(scenario) else None

    def trial(self, job: int) -> Trial:
        """Return what lies about a job bring its user, by its place in the order of arrival."""
        submit = self.scenario.workload.submit.item(job)
        closes = submit + self.design.seconds
        before = self._before(submit)
        case = Case(self.scenario, before, job, closes, everybody=self.design.adds_jobs)
        known = {seed: case.truth(seed) for seed in self.seeds.distinct}
        truth = {seed: trajectory for seed, (trajectory, _) in known.items()}
        honest, others = self._payoffs(case, truth), [self._others(case, truth)]
        gains = []
        for reported in map(case.told, self.design.told):
            lied = {seed: case.lied(reported, seed, known[seed]) for seed in known}
            gains.append(self._payoffs(case, lied) - honest)
            others.append(self._others(case, lied))
        chosen, scored = np.transpose(gains, (1, 2, 0))
        value = np.mean([case.value(truth[seed]) for seed in self.seeds.scoring])
        placebo = honest[0] - honest[1]
        return Trial(job, float(value), chosen, scored, placebo, np.transpose(others))

    def _before(self, now: float) -> ReadableSimulation | Before:
        """Return how things are just before the events of an instant (s)."""
        if self._starts is not None:
            return Before.of(self.scenario, self._starts, now)
        if self._baseline is None or now < self._now:
            self._baseline = self.scenario.beginning()
        self._now = now
        self._baseline.advance(now)
        return self._baseline

    def _payoffs(self, case: Case, trajectories: _BySeed) -> Floats:
        """Return what a user is left with by each mechanism on both sets of seeds, (2, k) (SU)."""
        accounts = {seed: case.account(each, seed) for seed, each in trajectories.items()}
        least = self.scenario.least_charges
        return np.array([payoff([accounts[s] for s in seeds], least) for seeds in self.seeds])

    def _others(self, case: Case, trajectories: _BySeed) -> Floats:
        """Return `Case.others`, mean over the seeds."""
        mean: Floats = np.mean([case.others(each) for each in trajectories.values()], axis=0)
        return mean


def payoff(accounts: Sequence[Payoff], least: Floats) -> Floats:
    """Return what a user is left with by each of k mechanisms, mean over seeds (SU).

    Parameters
    ----------
    accounts : sequence of Payoff
        For each seed.
    least : (k,) float64
        What is charged at least (SU): means are clipped at it, as they are in a bill.
    """
    value = np.mean([account.value for account in accounts])
    charge = np.mean([account.charge for account in accounts], axis=0)
    left: Floats = value - np.maximum(charge, least)
    return left
