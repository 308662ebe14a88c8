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
    duration, setter_duration : ndarray of float64, shape (n, K)
        For how long the scheduler took the job to run, and that whose bid is its price (s), in K
        samples, where their bids are what it read; K is 0 where they are not.
    """

    others: Ints
    bid: Floats
    setter: Ints
    duration: Floats
    setter_duration: Floats

    @classmethod
    def blank(cls, jobs: int, samples: int = 0) -> Rounds:
        """Return rounds that nobody has taken part in yet, of bids with so many samples."""
        nobody, durations = np.full(jobs, NOBODY, dtype=np.int64), np.full((jobs, samples), np.nan)
        others = np.zeros(jobs, dtype=np.int64)
        return cls(others, np.zeros(jobs), nobody, durations, durations.copy())
