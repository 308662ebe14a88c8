"""Memory of the genetic scheduler from one decision to the next."""

from dataclasses import dataclass, field

import numpy as np

from utilitysched.model.state import Floats, Integers

_NO_JOBS = np.empty(0, dtype=np.int64)
_NO_STARTS = np.empty(0)


@dataclass(frozen=True)
class Memory:
    """The plan last decided on.

    Attributes
    ----------
    order : (k,) int64
        Its jobs in queue order, by index in arrival order.
    job : (k,) int64
        The same jobs, ascending.
    start : (k,) float64
        Planned start of each of `job` (s).
    preempted : (b,) int64
        Jobs that were preempted and have not started again, in the order in which they were.
    """

    order: Integers = field(default_factory=lambda: _NO_JOBS)
    job: Integers = field(default_factory=lambda: _NO_JOBS)
    start: Floats = field(default_factory=lambda: _NO_STARTS)
    preempted: Integers = field(default_factory=lambda: _NO_JOBS)

    def reserved(self, queued: Integers) -> Floats:
        """Return the planned start of each queued job, infinity if it had none (s)."""
        starts = np.full(len(queued), np.inf)
        if len(self.job):
            place = np.searchsorted(self.job, queued).clip(max=len(self.job) - 1)
            known = self.job[place] == queued
            starts[known] = self.start[place[known]]
        return starts

    def in_order_of_preemption(self, jobs: Integers) -> Integers:
        """Return jobs in the order in which they were preempted, those of unknown turn behind."""
        known = self.preempted[np.isin(self.preempted, jobs)]
        return np.concatenate([known, jobs[~np.isin(jobs, known)]])

    def remembered(self, jobs: Integers) -> Integers:
        """Return the numbers in `jobs` of those that the plan had, in the plan's order."""
        by_arrival = np.argsort(jobs)
        place = np.searchsorted(jobs, self.order, sorter=by_arrival).clip(max=len(jobs) - 1)
        numbers = by_arrival[place]
        remembered: Integers = numbers[jobs[numbers] == self.order]
        return remembered
