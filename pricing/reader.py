"""Questions about how a scheduler read utility functions, for whoever knows it."""

from __future__ import annotations

from typing import NamedTuple, Protocol

from swfx.base.columns import Floats, Ints


class WorkStarts(NamedTuple):
    """Starts of some jobs, those of a job in the order in which they were.

    Attributes
    ----------
    job : ndarray of int64, shape (s,)
        Which, by position in the schedule's workload.
    at : ndarray of float64, shape (s,)
        When (s).
    kept : ndarray of float64, shape (s,)
        For how long it then did work that was not lost (s).
    """

    job: Ints
    at: Floats
    kept: Floats


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
        """Return for how long the scheduler took jobs to run when it read their curves.

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
