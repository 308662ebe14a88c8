"""Convergence of many searches: mean fitness by generation."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from utilitysched.kernels.evolution import RECORD
from utilitysched.model.state import Floats, Integers

_KEPT = RECORD[1:]  # of a generation: different plans, and their fitness
_BEST = _KEPT.index("best")


class Convergence(NamedTuple):
    """Sums over searches by generation, to which `add` adds in place.

    The best, median and worst fitness of a generation count as what they exceed the best of the
    first generation by, as a share of its absolute value. Searches that begin with a best of 0 have
    no such share, and are left out.

    Attributes
    ----------
    reached : (G,) int64
        Searches that had this generation.
    total : (G, 4) float64
        Sums over them: different plans; best, median and worst.
    ended : (G, 4) float64
        Sums of the same over those of which it was the last.
    """

    reached: Integers
    total: Floats
    ended: Floats

    @classmethod
    def none(cls, generations: int) -> Convergence:
        """Return the sums of no search, of the first one and so many generations bred at most."""
        rows = generations + 1
        sums = rows, len(_KEPT)
        return cls(np.zeros(rows, np.int64), np.zeros(sums), np.zeros(sums))

    def add(self, trace: Floats) -> None:
        """Add a search, by the `RECORD` of each of its generations."""
        generations = trace[:, 1:].copy()
        first = generations.item(0, _BEST)
        if first == 0.0:
            return
        fitness = generations[:, _BEST:]
        fitness -= first
        fitness /= abs(first)
        bred = len(generations)
        self.reached[:bred] += 1
        self.total[:bred] += generations
        self.ended[bred - 1] += generations[-1]

    def copy(self) -> Convergence:
        """Return sums that go on by themselves."""
        return Convergence(self.reached.copy(), self.total.copy(), self.ended.copy())

    def means(self) -> dict[str, list[float]]:
        """Return means by generation, as far as any search went.

        Means are over all searches: one that ended earlier, as no plan can be better, goes on
        with what its last generation was like.

        Returns
        -------
        dict of str to list
            ``decisions`` that had the generation; different ``plans``; ``best``, ``median`` and
            ``worst`` fitness as shares, see the class.
        """
        bred = int(np.count_nonzero(self.reached))
        if not bred:
            return {}
        over = np.cumsum(self.ended, axis=0) - self.ended  # of those that ended before
        mean = (self.total + over)[:bred] / self.reached[0]
        columns = zip(_KEPT, mean.T.tolist(), strict=True)
        return {"decisions": self.reached[:bred].tolist(), **dict(columns)}
