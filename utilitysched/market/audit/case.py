"""A job, and how things go on from its submission under the truth and under lies about it."""

from __future__ import annotations

from functools import cache

import numpy as np

from utilitysched.counterfactual.branch import Trail
from utilitysched.engine.simulation import Simulation
from utilitysched.market.audit.account import Account, Books, Window
from utilitysched.market.audit.course import Branch, Course
from utilitysched.market.audit.lie import Lie
from utilitysched.market.audit.telling import Bools, Told, tell, truth
from utilitysched.market.audit.world import World

_Truth = tuple[Course, Trail]


class Case:
    """What may come of one job.

    Parameters
    ----------
    world : World
        Jobs, scheduler and mechanisms.
    stem : Simulation
        Stopped before the job's submission.
    job : int
        By its place in the order of arrival.
    closes : float
        When accounts are closed (s).
    """

    def __init__(self, world: World, stem: Simulation, job: int, closes: float) -> None:
        self.world = world
        self.stem = stem
        self.job = job
        last = int(np.searchsorted(world.workload.submit, closes))
        workload = world.workload[:last]
        self.honest = truth(workload)
        present = np.array(stem.queue, dtype=np.int64)
        self.window = Window(workload, present, stem.arrived, closes)
        self.jobs: Bools = (world.owners == world.owners[job])[:last]
        self._without = cache(self._utility_without)

    def told(self, lie: Lie) -> Told:
        """Return what the centre is told by a liar."""
        return tell(self.window.workload, {self.job: lie}, self.world.queues)

    def truth(self, seed: int | None) -> _Truth:
        """Return how things go under the truth."""
        trail = Trail()
        honest = Branch(self.world, self.stem, self.honest, seed)
        return honest.follow(self.window.closes, trail), trail

    def lied(self, told: Told, seed: int | None, known: _Truth) -> Course:
        """Return how things go if something else is told, given how they go under the truth."""
        lied = Branch(self.world, self.stem, told, seed)
        if told.keeps_places and not self.world.reserves:
            return lied.follow_to(self.window.closes, known, self.job)
        return lied.follow(self.window.closes)

    def value(self, course: Course) -> float:
        """Return what the job itself turned out to be worth under the truth (SU)."""
        alone = np.arange(len(self.jobs)) == self.job
        return Books(course, self.window, ()).account(alone).value

    def account(self, course: Course, seed: int | None) -> Account:
        """Draw up the user's account."""
        found = Books(course, self.window, self.world.priced).account(self.jobs)
        for place, mechanism in enumerate(self.world.priced):
            if mechanism.replays:
                found.charge[place] += self._without(seed)
        return found

    def _utility_without(self, seed: int | None) -> float:
        """Return what the others have without the user's jobs, but those that run already (SU)."""
        gone = self.jobs.copy()
        gone[: self.window.first] = False
        present, own = self.window.present, self.jobs[self.window.present]
        told = self.honest.taken(~gone)
        rest = Branch(self.world, self.stem, told, seed, present[own])
        window = self.window._replace(present=present[~own])
        books = Books(rest.follow(self.window.closes), window, ())
        return books.utility_of_others(self.jobs)
