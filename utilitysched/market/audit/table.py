"""What users are left with, for every set of lies that they tell."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from utilitysched.engine.compiled import run_compiled
from utilitysched.engine.simulation import Simulation
from utilitysched.market.audit.account import Account, Books, Window
from utilitysched.market.audit.course import Course, course_of
from utilitysched.market.audit.design import Design
from utilitysched.market.audit.lie import Lie
from utilitysched.market.audit.summary import REMAINDER, TRUTH
from utilitysched.market.audit.telling import Bools, Told, tell
from utilitysched.market.audit.trial import Seeds, payoff
from utilitysched.market.audit.world import World
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


class Table:
    """Where users play: the jobs served once for every set of lies.

    Parameters
    ----------
    world : World
        The jobs; one whose user is not known stands for itself.
    design : Design
        Lies, and draws.
    """

    def __init__(self, world: World, design: Design) -> None:
        self.world = world
        self.design = design
        self.seeds = Seeds.of(world, design.draws)
        self.users: list[int] = np.unique(world.owners).tolist()

    def busiest(self, count: int) -> Integers:
        """Return so many of the users with most jobs, those whose numbers are known."""
        users, jobs = np.unique(self.world.workload.user, return_counts=True)
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
        worth = self.world.workload.utility.start_values[self._jobs(user)]
        spendable = budget * math.fsum(worth)
        chosen, most = lies[user], -math.inf
        for lie in dict.fromkeys((chosen, TRUTH, *range(len(self.design.told)))):
            told = {**lies, user: lie}
            found = [self._accounts(told, seed, [user])[0] for seed in self.seeds.choosing]
            cost = np.mean([account.charge.item() for account in found])
            left = payoff(found).item()
            if (lie == TRUTH or cost <= spendable) and left > most + REMAINDER:
                chosen, most = lie, left
        return chosen

    def scored(self, lies: Mapping[int, int]) -> Score:
        """Return what is left by given lies, mean over the seeds of scoring."""
        found = [self._accounts(lies, seed, self.users) for seed in self.seeds.scoring]
        left = [payoff(each).item() for each in zip(*found, strict=True)]
        welfare = [math.fsum(each.value for each in accounts) for accounts in found]
        return Score(float(np.mean(welfare)), np.array(left))

    def _accounts(
        self, lies: Mapping[int, int], seed: int | None, users: Sequence[int]
    ) -> list[Account]:
        """Return the accounts of some users if these lies are told."""
        told = tell(self.world.workload, self._lies(lies), self.world.queues)
        books = self._books(told, seed)
        accounts = [books.account(self._jobs(user)) for user in users]
        if self.world.priced[0].replays:
            for user, found in zip(users, accounts, strict=True):
                own = self._jobs(user)
                rest = self._books(told.taken(~own[told.owner]), seed)
                found.charge[0] += rest.utility_of_others(own)
        return accounts

    def _lies(self, lies: Mapping[int, int]) -> dict[int, Lie]:
        """Return the lies by job."""
        return {
            job: self.design.told[lie]
            for user, lie in lies.items()
            if lie != TRUTH
            for job in np.flatnonzero(self._jobs(user)).tolist()
        }

    def _books(self, told: Told, seed: int | None) -> Books:
        """Serve the jobs as they are told, and draw up the books."""
        world = self.world
        arrivals = world.arrivals(told.workload)
        chosen = world.seed if seed is None else seed
        scheduler = world.prepared(chosen, arrivals.run)
        if scheduler.compiled is not None:
            start = run_compiled(arrivals, scheduler.compiled, None).start
            course = Course(told, start, np.zeros(len(start)))
        else:
            simulation = Simulation(arrivals, scheduler)
            simulation.finish(None)
            course = course_of(simulation, told, world.recorder_of(simulation))
        window = Window(world.workload, np.empty(0, dtype=np.int64), 0, math.inf)
        return Books(course, window, world.priced)

    def _jobs(self, user: int) -> Bools:
        return np.asarray(self.world.owners == user)
