"""Whose jobs are whose, for charges of those who share a player."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from utilitysched.model.state import Integers


class Players(NamedTuple):
    """Players of the jobs that a scheduler sees.

    Attributes
    ----------
    player : (n,) int64 or None
        Of each job in arrival order, -1 for a job that is one by itself; None: all are.
    places : sequence of int or None
        Place in arrival order of each job that the scheduler sees, if it is not its number.
    """

    player: Integers | None = None
    places: Sequence[int] | None = None

    def of(self, jobs: Iterable[int]) -> Integers:
        """Return the player of each of some jobs."""
        jobs = list(jobs) if self.places is None else [self.places[job] for job in jobs]
        return np.full(len(jobs), -1) if self.player is None else self.player[jobs]

    def together(self, starts: Sequence[int]) -> list[list[int]]:
        """Return jobs that start in one decision, those of one player together."""
        found: dict[int, list[int]] = {}
        for job, player in zip(starts, self.of(starts).tolist(), strict=True):
            found.setdefault(player if player >= 0 else -1 - job, []).append(job)
        return list(found.values())

    def others(self, beside: Integers, jobs: Sequence[int]) -> NDArray[np.bool_]:
        """Return which of the jobs beside some of one player are those of others."""
        player = self.of(jobs[:1]).item()
        if player < 0:
            return ~np.isin(beside, jobs)
        others: NDArray[np.bool_] = self.of(beside.tolist()) != player
        return others
