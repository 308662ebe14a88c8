"""Judged jobs as columns, and LEE's measure of how wrong a time is."""

from dataclasses import dataclass, fields
from functools import cached_property

import numpy as np

from swfx import Workload
from swfx.base.columns import Bools, Floats, Ints
from utilitysched.analysis.estimates.results import Group
from utilitysched.analysis.estimates.sample import Sample


@dataclass(frozen=True, eq=False)
class Judged:
    """Jobs whose requests are judged, one entry per job.

    Attributes
    ----------
    requested, estimate, run : ndarray of float64, shape (m,)
        Requested time, soft estimate (-1: none) and run time (s).
    confidence : ndarray of float64, shape (m,)
        In the soft estimate, 0 to 1; -1: unknown.
    user : ndarray of int64, shape (m,)
        Number of the user.
    answered : ndarray of bool, shape (m,)
        Whether the soft estimate is judged, too.
    """

    requested: Floats
    estimate: Floats
    run: Floats
    confidence: Floats
    user: Ints
    answered: Bools

    @classmethod
    def of(cls, workload: Workload, sample: Sample) -> "Judged":
        """Return the judged ones of a workload's jobs."""
        everything = cls(
            workload.requested_time,
            workload.soft_estimate,
            workload.effective_run,
            workload.confidence,
            workload.user,
            sample.answers,
        )
        return everything[sample.requests]

    def __getitem__(self, rows: Bools | Ints) -> "Judged":
        """Return the jobs of a mask or of positions."""
        return Judged(*(getattr(self, field.name)[rows] for field in fields(self)))

    def __len__(self) -> int:
        """Return how many they are."""
        return len(self.requested)

    @cached_property
    def revised(self) -> Bools:
        """Whether the answer is below the request, (m,)."""
        return self.answered & (self.estimate < self.requested)

    @cached_property
    def unchanged(self) -> Bools:
        """Whether the answer repeats the request, (m,)."""
        return self.answered & ~self.revised

    @cached_property
    def request_error(self) -> Floats:
        """Inaccuracy of the request, (m,)."""
        return inaccuracy(self.requested, self.run)

    @cached_property
    def estimate_error(self) -> Floats:
        """Inaccuracy of the soft estimate, (m,); NaN without an answer."""
        return inaccuracy(np.where(self.answered, self.estimate, np.nan), self.run)

    def group(self) -> Group:
        """Count the jobs, and average their inaccuracies; estimates over those that have one."""
        return Group(len(self), mean(self.request_error), mean(self.estimate_error[self.answered]))


def inaccuracy(expected: Floats, actual: Floats) -> Floats:
    """Error of an expected run time as a share of it, |expected - actual| / expected.

    Parameters
    ----------
    expected : ndarray of float64, shape (n,)
        Requested or estimated run time (s), positive.
    actual : ndarray of float64, shape (n,)
        Run time (s).

    Returns
    -------
    ndarray of float64, shape (n,)
        At most 1 where the job ended in time.

    Examples
    --------
    The user of LEE 5.3.1 who requested two hours and guessed one; the job ran for 50 s:

    >>> inaccuracy(np.array([7200.0, 3600.0]), np.array([50.0, 50.0])).round(2)
    array([0.99, 0.99])

    References
    ----------
    LEE, section 5.3.1, formulas 5.1 and 5.2.
    """
    return np.abs(expected - actual) / expected


def mean(values: Floats | Bools) -> float | None:
    """Average the values, None if there are none."""
    return float(np.mean(values)) if len(values) else None
