"""Plans with jobs in the way of the others beside plans without them."""

import math
from collections.abc import Sequence
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from utilitysched.model.plans import Plans
from utilitysched.model.state import Floats, Integers


class PlanComparison(NamedTuple):
    """What jobs cost the others in the queue, and running ones that may be preempted.

    Attributes
    ----------
    others : (k,) int64
        These jobs, by index in arrival order.
    with_job : float
        Their utility in the best plan with the jobs, mean over the searches (SU).
    without_job : float
        That in the best plan without them (SU).
    loss : (k,) float64
        Difference by job, mean over the searches (SU); its exact sum is the charge.
    delay : (k,) float64
        How much later each starts in the plan with the jobs, mean over the searches (s); NaN where
        a plan does not say.
    error : float
        Standard error of the charge over the searches (SU), NaN with fewer than two.
    own : float
        What other jobs of the same player have less in the same plans, mean over the searches (SU);
        below 0 where they have more. It is not charged.
    """

    others: Integers
    with_job: float
    without_job: float
    loss: Floats
    delay: Floats
    error: float
    own: float = 0.0

    def part(self, share: float) -> Self:
        """Return what one of the jobs costs, if that is such a share of it."""
        without = self.with_job + share * (self.without_job - self.with_job)
        return self._replace(
            without_job=self.without_job if share == 1.0 else without,
            loss=share * self.loss,
            error=share * self.error,
            own=share * self.own,
        )


def unhindered(others: Integers) -> PlanComparison:
    """Return that nobody loses anything: the whole queue starts, with the jobs as without."""
    nothing = np.zeros(len(others))
    return PlanComparison(others, math.nan, math.nan, nothing, nothing, math.nan)


def compare(found: Sequence[Plans], counted: NDArray[np.bool_]) -> PlanComparison:
    """Compare the plans with jobs in the way with those without them, search by search.

    A plan with the jobs and their places left empty is a plan without them as well, so the best
    without is never worse.

    Parameters
    ----------
    found : sequence of Plans
        Of each search, of the same k jobs.
    counted : (k,) bool
        Which of these are others; the rest are of the same player.
    """
    others = found[0].job[counted]
    with_job, own = np.zeros((2, len(found)))
    loss, delay = np.zeros((2, len(found), len(others)))
    for search, plans in enumerate(found):
        sums = [math.fsum(value[counted]) for value in plans.value_with]
        best = sums.index(max(sums))
        with_job[search] = sums[best]
        if math.fsum(plans.value_without[counted]) > with_job[search]:
            lost = plans.value_without - plans.value_with[best]
            loss[search], own[search] = lost[counted], math.fsum(lost[~counted])
            delay[search] = _later(plans.with_job[best], plans.without_job)[counted]
    charge = loss.sum(axis=1)
    error = float(charge.std(ddof=1)) / math.sqrt(len(found)) if len(found) > 1 else math.nan
    mean = float(with_job.mean())
    without = mean + float(charge.mean())
    lost, later = loss.mean(axis=0), delay.mean(axis=0)
    return PlanComparison(others, mean, without, lost, later, error, float(own.mean()))


def shares(weight: Floats) -> list[float]:
    """Return what part of a sum each weight is, equal parts of nothing."""
    total = weight.sum()
    parts: list[float] = (
        weight / total if total else np.full(len(weight), 1 / len(weight))
    ).tolist()
    return parts


def _later(start: Floats, without: Floats) -> Floats:
    """Return by how much starts are later (s), NaN where there is none in one of the plans."""
    later = np.full(len(start), np.nan)
    known = np.isfinite(start) & np.isfinite(without)
    later[known] = start[known] - without[known]
    return later
