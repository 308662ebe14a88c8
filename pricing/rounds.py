"""Whose bid is the price of a job, where prices are made of bids."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from swfx.base.columns import Floats, Ints

NOBODY = -1


class Rounds(NamedTuple):
    """The round in which each of the n jobs that pay started.

    Attributes
    ----------
    others : ndarray of int64, shape (n,)
        Other jobs that took part.
    bid : ndarray of float64, shape (n,)
        The job's own bid in it (SU per processor-hour).
    setter : ndarray of int64, shape (n,)
        Whose bid is the job's price, by place among these jobs; `NOBODY` where it is 0 because
        there is no such bid.
    """

    others: Ints
    bid: Floats
    setter: Ints

    @classmethod
    def blank(cls, jobs: int) -> Rounds:
        """Return rounds that nobody has taken part in yet."""
        nobody = np.full(jobs, NOBODY, dtype=np.int64)
        return cls(np.zeros(jobs, dtype=np.int64), np.zeros(jobs), nobody)
