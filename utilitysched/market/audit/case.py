"""A job, and how things go on from its submission under the truth and under lies about it."""

from __future__ import annotations

from functools import cache

import numpy as np

from utilitysched.engine.simulation import Simulation
from utilitysched.market.audit.account import Account, Books, Window
from utilitysched.market.audit.course import (
    Course,
    Trail,
    branch,
    course_of,
    follow,
    follow_to,
    withdraw,
)
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
        simulation = branch(self.world, self.stem, self.honest, seed)
        return follow(simulation, self.honest, self.window.closes)

    def lied(self, told: Told, seed: int | None, known: _Truth) -> Course:
        """Return how things go if something else is told, given how they go under the truth."""
        simulation = branch(self.world, self.stem, told, seed)
        if told.keeps_places and not self.world.reserves:
            return follow_to(simulation, told, self.window.closes, known, self.job)
        simulation.advance(self.window.closes)
        return course_of(simulation, told)

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
        told = self.honest.taken(~gone)
        simulation = branch(self.world, self.stem, told, seed)
        present = self.window.present
        withdraw(simulation, present[self.jobs[present]])
        simulation.advance(self.window.closes)
        books = Books(course_of(simulation, told), self.window, ())
        return books.utility_of_others(self.jobs)
