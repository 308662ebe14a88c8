"""What the genetic scheduler remembers from one decision to the next."""

from dataclasses import dataclass, field

import numpy as np

from utilitysched.state import Floats, Integers

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
    """

    order: Integers = field(default_factory=lambda: _NO_JOBS)
    job: Integers = field(default_factory=lambda: _NO_JOBS)
    start: Floats = field(default_factory=lambda: _NO_STARTS)

    def promised(self, queued: Integers) -> Floats:
        """Return the planned start of each queued job, infinity if it had none (s)."""
        starts = np.full(len(queued), np.inf)
        if len(self.job):
            place = np.searchsorted(self.job, queued).clip(max=len(self.job) - 1)
            known = self.job[place] == queued
            starts[known] = self.start[place[known]]
        return starts

    def remembered(self, queued: Integers) -> Integers:
        """Return the numbers in `queued` of its jobs that the plan had, in the plan's order."""
        place = np.searchsorted(queued, self.order).clip(max=len(queued) - 1)
        numbers: Integers = place[queued[place] == self.order]
        return numbers
