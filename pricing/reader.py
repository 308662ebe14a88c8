"""Readings of utility functions by a scheduler, and rounds of bids: the basis of prices."""

from __future__ import annotations

from typing import NamedTuple, Protocol

import numpy as np

from swfx.base.columns import Floats, Ints

NOBODY = -1


class WorkStarts(NamedTuple):
    """Starts of jobs, in order of time for each job.

    Attributes
    ----------
    job : ndarray of int64, shape (s,)
        Which, by position in the schedule's workload.
    at : ndarray of float64, shape (s,)
        When (s).
    """

    job: Ints
    at: Floats


class Readings(NamedTuple):
    """What some starts were taken to be worth.

    Attributes
    ----------
    starts : WorkStarts
        The s starts.
    duration : ndarray of float64, shape (s, K)
        For how long each job was taken to run (s), in each of K samples.
    worth : ndarray of float64, shape (s,)
        Its utility function, read so (SU).
    """

    starts: WorkStarts
    duration: Floats
    worth: Floats


class CurveReader(Protocol):
    """Tells how a scheduler read utility functions, by position in its workload."""

    def starts(self, jobs: Ints) -> WorkStarts:
        """Return the starts of these jobs."""
        ...

    def forecasts(self, jobs: Ints, at: Floats) -> Floats:
        """Return the run times that the scheduler expected when it read the curves.

        Parameters
        ----------
        jobs : (m,) int64
            Which.
        at : (m,) float64
            When (s): at starts, or while they waited.

        Returns
        -------
        (m, K) float64
            Samples (s): a reading is the mean of the utility function over them.
        """
        ...


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
