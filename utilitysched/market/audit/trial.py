"""Trials: what misreports of one job bring its user, branch by branch from its submission."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

import numpy as np

from utilitysched.counterfactual.branch import Trail
from utilitysched.counterfactual.replays.question import other_seed
from utilitysched.engine.simulation import Simulation
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


class Case:
    """Trajectories of one job and its user under the truth and under misreports.

    Parameters
    ----------
    scenario : AuditScenario
        Jobs, scheduler and mechanisms.
    baseline : Simulation or Before
        Stopped before the job's submission; what there is then suffices where things are replayed.
    job : int
        By its place in the order of arrival.
    closes : float
        When accounts are closed (s).
    """

    def __init__(
        self,
        scenario: AuditScenario,
        baseline: Simulation | Before,
        job: int,
        closes: float,
    ) -> None:
        self.scenario = scenario
        self.baseline = baseline
        self._opens = scenario.workload.submit.item(job)
        last = int(np.searchsorted(scenario.workload.submit, closes))
        workload = scenario.workload[:last]
        self.honest = truth(workload)
        there = baseline.queue
        if isinstance(baseline, Simulation) and scenario.rules is not None:
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

    def _branch(self, baseline: Simulation, reported: ReportedJobs, seed: int | None) -> Branch:
        jobs = self.jobs if self.scenario.rules is None else None
        return Branch(self.scenario, baseline, reported, seed, jobs=jobs)

    def _replayed(self, reported: ReportedJobs) -> AuditTrajectory:
        return replayed(self.scenario, reported, self.jobs, self._opens, self.window.closes)

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

    def _utility_without(self, seed: int | None) -> float:
        """Return the utility of others if the user's jobs that do not run yet never came (SU)."""
        assert isinstance(self.baseline, Simulation)
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
    """

    job: int
    value: float
    chosen: Floats
    scored: Floats
    placebo: Floats


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
        self._baseline: Simulation | None = None
        self._now = -math.inf
        honest = truth(scenario.workload)
        uncharged = np.zeros(len(honest.owner), np.bool_)
        self._starts = replayed(scenario, honest, uncharged).start if can_replay(scenario) else None

    def trial(self, job: int) -> Trial:
        """Return what lies about a job bring its user, by its place in the order of arrival."""
        submit = self.scenario.workload.submit.item(job)
        closes = submit + self.design.seconds
        case = Case(self.scenario, self._before(submit), job, closes)
        known = {seed: case.truth(seed) for seed in self.seeds.distinct}
        honest = self._payoffs(
            {s: case.account(trajectory, s) for s, (trajectory, _) in known.items()}
        )
        misreports = [
            self._payoffs(
                {s: case.account(case.lied(reported, s, truth), s) for s, truth in known.items()}
            )
            for reported in map(case.told, self.design.told)
        ]
        chosen, scored = np.transpose([payoffs - honest for payoffs in misreports], (1, 2, 0))
        value = np.mean([case.value(known[seed][0]) for seed in self.seeds.scoring])
        return Trial(job, float(value), chosen, scored, honest[0] - honest[1])

    def _before(self, now: float) -> Simulation | Before:
        """Return how things are just before the events of an instant (s)."""
        if self._starts is not None:
            return Before.of(self.scenario, self._starts, now)
        if self._baseline is None or now < self._now:
            self._baseline = self.scenario.beginning()
        self._now = now
        self._baseline.advance(now)
        return self._baseline

    def _payoffs(self, accounts: dict[int | None, Payoff]) -> Floats:
        """Return what a user is left with by each mechanism on both sets of seeds, (2, k) (SU)."""
        least = self.scenario.least_charges
        return np.array([payoff([accounts[s] for s in seeds], least) for seeds in self.seeds])


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
