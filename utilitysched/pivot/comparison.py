"""The plan with a job beside plans without it."""

import math
from typing import NamedTuple

import numpy as np

from utilitysched.kernels.fitness import Worth, planned_values
from utilitysched.state import Floats, Integers


class Comparison(NamedTuple):
    """What the start of a job costs the others in the queue.

    Attributes
    ----------
    others : (k,) int64
        The other jobs, by index in arrival order.
    with_job : float
        Their utility in the plan with the job (SU).
    without_job : float
        That in the best plan without it, mean over the searches (SU).
    loss : (k,) float64
        Difference by job, mean over the searches (SU); its exact sum is the charge.
    error : float
        Standard error of the charge over the searches (SU), NaN with fewer than two.
    """

    others: Integers
    with_job: float
    without_job: float
    loss: Floats
    error: float

    @property
    def charge(self) -> float:
        """What the others lose in all (SU), never negative."""
        return max(0.0, math.fsum(self.loss))


def unhindered(others: Integers) -> Comparison:
    """Return that nobody loses anything: the whole queue starts, with the job as without it."""
    return Comparison(others, math.nan, math.nan, np.zeros(len(others)), math.nan)


def compare(others: Integers, worth: Worth, kept: list[Floats], rest: list[Floats]) -> Comparison:
    """Compare the best plan with the job with the best ones found without it.

    A plan with the job and the job's place left empty is a plan without it as well, so the best
    without is never worse.

    Parameters
    ----------
    others : (k,) int64
        The other jobs in the queue.
    worth : Worth
        What they are worth.
    kept : list of (k,) float64
        Their planned starts in the plans with the job (s).
    rest : list of (k,) float64
        Those in the plans without it, one per search (s).
    """
    with_job = max((_values(start, worth) for start in kept), key=math.fsum)
    floor = math.fsum(with_job)
    loss = np.zeros((len(rest), len(others)))
    for row, start in zip(loss, rest, strict=True):
        without = _values(start, worth)
        if math.fsum(without) > floor:
            row[:] = without - with_job
    found = loss.sum(axis=1)
    error = float(found.std(ddof=1)) / math.sqrt(len(found)) if len(found) > 1 else math.nan
    return Comparison(others, floor, floor + float(found.mean()), loss.mean(axis=0), error)


def _values(start: Floats, worth: Worth) -> Floats:
    value = np.empty(len(start))
    planned_values(start, worth, value)
    return value
