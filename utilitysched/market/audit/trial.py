"""One job after the other lied about."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from utilitysched.counterfactual.replays.question import other_seed
from utilitysched.engine.simulation import Simulation
from utilitysched.market.audit.case import Case
from utilitysched.market.audit.design import Design
from utilitysched.market.audit.payoff import Payoff
from utilitysched.market.audit.replayed import Before, can_replay, replayed
from utilitysched.market.audit.reported import truth
from utilitysched.market.audit.scenario import AuditScenario
from utilitysched.model.state import Floats


class Trial(NamedTuple):
    """What lies about a job bring its user.

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
        """All of them, once."""
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
        honest = self._payoffs({s: case.account(course, s) for s, (course, _) in known.items()})
        lies = [
            self._payoffs(
                {s: case.account(case.lied(told, s, truth), s) for s, truth in known.items()}
            )
            for told in map(case.told, self.design.told)
        ]
        chosen, scored = np.transpose([payoffs - honest for payoffs in lies], (1, 2, 0))
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
    value = np.mean([found.value for found in accounts])
    charge = np.mean([found.charge for found in accounts], axis=0)
    left: Floats = value - np.maximum(charge, least)
    return left
