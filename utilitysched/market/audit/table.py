"""Payoffs of users for every set of lies that they tell."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from utilitysched.market.audit.design import Design
from utilitysched.market.audit.misreport import Misreport
from utilitysched.market.audit.payoff import AuditWindow, Books, Payoff
from utilitysched.market.audit.replayed import can_replay, replayed
from utilitysched.market.audit.reported import Bools, ReportedJobs, tell
from utilitysched.market.audit.scenario import AuditScenario
from utilitysched.market.audit.summary import REMAINDER, TRUTH
from utilitysched.market.audit.trajectory import Branch
from utilitysched.market.audit.trial import AuditSeeds, payoff
from utilitysched.model.state import Floats, Integers


class Score(NamedTuple):
    """What is left in the end.

    Attributes
    ----------
    welfare : float
        What all jobs are truly worth (SU).
    left : (u,) float64
        What each user is left with (SU).
    """

    welfare: float
    left: Floats


class StrategyTable:
    """Where users play: the jobs served once for every set of lies.

    Parameters
    ----------
    scenario : AuditScenario
        The jobs; one whose user is not known stands for itself.
    design : Design
        Lies, and draws.
    """

    def __init__(self, scenario: AuditScenario, design: Design) -> None:
        self.scenario = scenario
        self.design = design
        self.seeds = AuditSeeds.of(scenario, design.draws)
        self.users: list[int] = np.unique(scenario.owners).tolist()

    def busiest(self, count: int) -> Integers:
        """Return so many of the users with most jobs, those whose numbers are known."""
        users, jobs = np.unique(self.scenario.workload.user, return_counts=True)
        known = users >= 0
        most: Integers = users[known][np.argsort(-jobs[known], kind="stable")][:count]
        return most

    def best(self, user: int, lies: Mapping[int, int], budget: float) -> int:
        """Return the lie that leaves a user most, given those of the others; `TRUTH` for none.

        What it leaves, and what it costs, is the mean over the seeds of choosing.

        Parameters
        ----------
        user : int
            Who chooses.
        lies : mapping of int to int
            The present lies by user.
        budget : float
            What the user can spend, as a share of what its jobs are worth if they complete at once.
        """
        worth = self.scenario.workload.utility.start_values[self._jobs(user)]
        spendable = budget * math.fsum(worth)
        chosen, most = lies[user], -math.inf
        for lie in dict.fromkeys((chosen, TRUTH, *range(len(self.design.told)))):
            told = {**lies, user: lie}
            found = [self._accounts(told, seed, [user])[0] for seed in self.seeds.choosing]
            cost = np.mean([account.charge.item() for account in found])
            left = payoff(found, self.scenario.least_charges).item()
            if (lie == TRUTH or cost <= spendable) and left > most + REMAINDER:
                chosen, most = lie, left
        return chosen

    def scored(self, lies: Mapping[int, int]) -> Score:
        """Return what is left by given lies, mean over the seeds of scoring."""
        found = [self._accounts(lies, seed, self.users) for seed in self.seeds.scoring]
        least = self.scenario.least_charges
        left = [payoff(each, least).item() for each in zip(*found, strict=True)]
        welfare = [math.fsum(each.value for each in accounts) for accounts in found]
        return Score(float(np.mean(welfare)), np.array(left))

    def _accounts(
        self, lies: Mapping[int, int], seed: int | None, users: Sequence[int]
    ) -> list[Payoff]:
        """Return the accounts of some users if these lies are told."""
        told = tell(self.scenario.workload, self._lies(lies), self.scenario.queues)
        books = self._books(told, seed)
        accounts = [books.account(self._jobs(user)) for user in users]
        if self.scenario.priced[0].replays:
            for user, found in zip(users, accounts, strict=True):
                own = self._jobs(user)
                rest = self._books(told.taken(~own[told.owner]), seed)
                found.charge[0] += rest.utility_of_others(own)
        return accounts

    def _lies(self, lies: Mapping[int, int]) -> dict[int, Misreport]:
        """Return the lies by job."""
        return {
            job: self.design.told[lie]
            for user, lie in lies.items()
            if lie != TRUTH
            for job in np.flatnonzero(self._jobs(user)).tolist()
        }

    def _books(self, told: ReportedJobs, seed: int | None) -> Books:
        """Serve the jobs as they are told, and draw up the books."""
        scenario = self.scenario
        if seed is not None:
            scenario = replace(scenario, seed=seed)
        if can_replay(scenario):
            course = replayed(scenario, told)
        else:
            course = Branch(scenario, scenario.beginning(), told, None).follow(math.inf)
        window = AuditWindow(scenario.workload, np.empty(0, dtype=np.int64), 0, math.inf)
        return Books(course, window, scenario)

    def _jobs(self, user: int) -> Bools:
        return np.asarray(self.scenario.owners == user)
