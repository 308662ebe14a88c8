"""The jobs that a plan is about, as the kernels number them."""

from typing import NamedTuple

import numpy as np

from utilitysched.model.state import Integers, QueueState
from utilitysched.schedulers.genetic.bumpable import NOBODY, Bumpable
from utilitysched.schedulers.genetic.memory import Memory


class GenomeMap(NamedTuple):
    """Queued jobs, then running jobs that may be bumped.

    Attributes
    ----------
    job : (n,) int64
        Index in arrival order: the pinned jobs, the other queued ones in order of arrival, the
        running ones in order of arrival.
    pinned : int
        So many go ahead of the other queued jobs.
    bumpable : Bumpable
        The running ones.
    """

    job: Integers
    pinned: int
    bumpable: Bumpable

    @classmethod
    def of(cls, state: QueueState, threshold: float, memory: Memory | None) -> "GenomeMap":
        """Return the queue: starved jobs first, then bumped ones, in the order of their bumps.

        Parameters
        ----------
        state : QueueState
            What is known.
        threshold : float
            Jobs that have waited longer are starved (s). The queue is in arrival order, so they
            are the first of it.
        memory : Memory or None
            Who was bumped and when; None if bumped jobs do not go ahead.
        """
        queued = state.queued
        starved = int(np.count_nonzero(state.now - state.known.submit[queued] > threshold))
        if memory is None or state.preemption is None:
            return cls(queued, starved, NOBODY)
        others = queued[starved:]
        bumped = memory.in_order_of_bumps(others[state.preemption.bumps[others] > 0])
        rest = others[~np.isin(others, bumped)]
        jobs = np.concatenate([queued[:starved], bumped, rest])
        return cls(jobs, starved + len(bumped), NOBODY)

    def beside(self, bumpable: Bumpable) -> "GenomeMap":
        """Return the line with running jobs at its end."""
        return GenomeMap(np.concatenate([self.job, bumpable.job]), self.pinned, bumpable)

    @property
    def movable(self) -> Integers:
        """The jobs that are put in order, by index in arrival order."""
        return self.job[self.pinned :]

    @property
    def waiting(self) -> int:
        """How many of the movable jobs are queued: the first so many."""
        return len(self.job) - self.pinned - len(self.bumpable.job)

    def jobs_of(self, order: Integers) -> Integers:
        """Return the jobs as a plan takes them, by index in arrival order.

        Parameters
        ----------
        order : (n - pinned,) int64
            As `utilitysched.kernels.plan.place` takes it: running jobs with which it begins come
            before the pinned ones.
        """
        queued = np.flatnonzero(order < self.waiting)
        ahead = int(queued[0]) if len(queued) else len(order)
        movable = self.movable[order]
        return np.concatenate([movable[:ahead], self.job[: self.pinned], movable[ahead:]])


def staying_first(orders: Integers, waiting: int) -> Integers:
    """Return orders (P, n) with the running jobs, numbered from `waiting` on, moved to the front.

    In the plans of such orders all of them go on running.
    """
    places = np.argsort(orders < waiting, axis=1, kind="stable")
    return np.take_along_axis(orders, places, axis=1)
