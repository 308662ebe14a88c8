"""Windows: from when to when a job's replays go on, and who is in them."""

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from utilitysched.model.state import Floats, Integers

_LOOKS = 4
"""Jobs submitted between two looks whether the replays are the same again, at first; each look
comes a quarter later than the one before, so that looking takes little of the time."""


@dataclass(frozen=True, eq=False)
class ReplayWindow:
    """The time after the submission of a job.

    Attributes
    ----------
    job : int
        Index in arrival order.
    submit : (n,) float64
        Submit times of all jobs (s).
    present : (k,) int64
        Jobs in the queue or running just before the job's submission.
    closes : float
        When it closes at the latest (s), infinite if it need not.
    """

    job: int
    submit: Floats
    present: Integers
    closes: float

    @property
    def opens(self) -> float:
        """When it opens: the job's submission (s)."""
        return self.submit.item(self.job)

    def others(self, now: float) -> Integers:
        """Return the other jobs in it that are submitted before `now` (s), ascending."""
        first, last = np.searchsorted(self.submit, [self.opens, now])
        return np.concatenate(
            [self.present, np.arange(first, self.job), np.arange(self.job + 1, last)]
        )

    def looks(self, ended: float) -> Iterator[float]:
        """Yield when to look whether the replays are the same again (s).

        Parameters
        ----------
        ended : float
            When the job ended (s): earlier looks are of no use.
        """
        jobs, gap = len(self.submit), float(_LOOKS)
        look = int(np.searchsorted(self.submit, ended, side="right"))
        now = -math.inf
        while now < self.closes:
            now = min(self.submit.item(look) if look < jobs else math.inf, self.closes)
            yield now
            later = int(np.searchsorted(self.submit, now, side="right"))
            look = max(look + int(gap), later)
            gap *= 1.25
