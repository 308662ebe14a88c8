"""The jobs that a plan is about, as the kernels number them."""

from typing import NamedTuple

import numpy as np

from utilitysched.model.state import Integers, QueueState
from utilitysched.schedulers.genetic.memory import Memory
from utilitysched.schedulers.genetic.preemptible import NOBODY, Preemptible


class GenomeMap(NamedTuple):
    """Queued jobs, then running jobs that may be preempted.

    Attributes
    ----------
    job : (n,) int64
        Index in arrival order: the pinned jobs, the other queued ones in order of arrival, the
        running ones in order of arrival.
    pinned : int
        So many go ahead of the other queued jobs.
    preemptible : Preemptible
        The running ones.
    """

    job: Integers
    pinned: int
    preemptible: Preemptible

    @classmethod
    def of(cls, state: QueueState, threshold: float, memory: Memory | None) -> "GenomeMap":
        """Return the queue: starved jobs first, then preempted ones, in that order.

        Parameters
        ----------
        state : QueueState
            What is known.
        threshold : float
            Jobs that have waited longer are starved (s). The queue is in arrival order, so they
            are the first of it.
        memory : Memory or None
            Who was preempted and when; None if preempted jobs do not go ahead.
        """
        queued = state.queued
        starved = int(np.count_nonzero(state.now - state.known.submit[queued] > threshold))
        if memory is None or state.preemption is None:
            return cls(queued, starved, NOBODY)
        others = queued[starved:]
        preempted = memory.in_order_of_preemption(others[state.preemption.preemptions[others] > 0])
        rest = others[~np.isin(others, preempted)]
        jobs = np.concatenate([queued[:starved], preempted, rest])
        return cls(jobs, starved + len(preempted), NOBODY)

    def beside(self, preemptible: Preemptible) -> "GenomeMap":
        """Return the line with running jobs at its end."""
        return GenomeMap(np.concatenate([self.job, preemptible.job]), self.pinned, preemptible)

    def only(self, numbers: Integers) -> "GenomeMap":
        """Return the line without the movable jobs that are not among these numbers, ascending."""
        job = np.concatenate([self.job[: self.pinned], self.movable[numbers]])
        return GenomeMap(job, self.pinned, self.preemptible)

    @property
    def movable(self) -> Integers:
        """The jobs that are put in order, by index in arrival order."""
        return self.job[self.pinned :]

    @property
    def waiting(self) -> int:
        """How many of the movable jobs are queued: the first so many."""
        return len(self.job) - self.pinned - len(self.preemptible.job)

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


def not_preempted_first(orders: Integers, waiting: int) -> Integers:
    """Return orders (P, n) with the running jobs, numbered from `waiting` on, moved to the front.

    In the plans of such orders all of them go on running.
    """
    places = np.argsort(orders < waiting, axis=1, kind="stable")
    return np.take_along_axis(orders, places, axis=1)
