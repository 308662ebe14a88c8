"""Choosing a share of the jobs that has a share of the node-hours."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from swfx.base.columns import Floats, Ints
from swfx.base.errors import InputError

__all__ = ["Quota", "select"]

STEEPEST = 2.0**10
"""Bound of the exponent: jobs whose areas differ by 1% then differ by e^10 in weight."""

HALVINGS = 64


@dataclass(frozen=True)
class Quota:
    """What the chosen jobs must be together.

    Attributes
    ----------
    count : int
        How many.
    share : float
        Of all processor-seconds.
    total : float
        All processor-seconds, those of jobs that cannot be chosen included.
    tolerance : float
        How far from `share` they may be.
    """

    count: int
    share: float
    total: float
    tolerance: float

    @property
    def slack(self) -> float:
        """How far off they may be (processor-seconds)."""
        return self.tolerance * self.total

    def missing(self, area: Floats) -> float:
        """Return how much more area jobs of these areas should have (processor-seconds)."""
        return self.share * self.total - float(area.sum())


def select(area: Floats, taste: Floats, quota: Quota) -> Ints:
    """Choose exactly so many jobs of nearly so much area.

    Job j has the score ``a log(area_j) + taste_j`` and the highest scores are chosen. When a grows,
    a larger job may overtake a smaller one but never the other way round, so the area of the chosen
    jobs grows with a, from that of the smallest jobs to that of the largest: bisection finds the a
    that meets the quota, but for one overtaking: where that is too much, jobs are exchanged.

    With ``taste_j = log(w_j) - log(E_j)``, E_j independent and exponential, the choice is random,
    without replacement and with probabilities proportional to ``w_j area_j^a``.

    Parameters
    ----------
    area : ndarray of float64, shape (n,)
        Processor-seconds of each job, positive.
    taste : ndarray of float64, shape (n,)
        What the choice depends on beside the area.
    quota : Quota
        What to meet.

    Returns
    -------
    ndarray of int64, shape (count,)
        Positions, ascending.

    Raises
    ------
    InputError
        No choice of so many jobs has so much area; the message has the range there is. Or none was
        found that comes as near as the tolerance.
    """
    _refuse_impossible(area, quota)
    size = np.log(area)
    low, high = -STEEPEST, STEEPEST
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        chosen = _best(middle * size + taste, quota.count)
        missing = quota.missing(area[chosen])
        if abs(missing) <= quota.slack:
            break
        low, high = (middle, high) if missing > 0 else (low, middle)
    return np.sort(_exchanged(area, np.sort(chosen), quota))


def _best(score: Floats, count: int) -> Ints:
    return np.argpartition(-score, count - 1)[:count]


def _exchanged(area: Floats, chosen: Ints, quota: Quota) -> Ints:
    """Exchange jobs, one at a time for the one that helps most, until the quota is met."""
    missing = quota.missing(area[chosen])
    while abs(missing) > quota.slack:
        others = np.setdiff1d(np.arange(len(area)), chosen)
        others = others[np.argsort(area[others], kind="stable")]
        leaving, entering = _best_exchange(area[chosen], area[others], missing)
        chosen[leaving] = others[entering]
        before, missing = missing, quota.missing(area[chosen])
        if abs(missing) >= abs(before):
            raise InputError(
                f"the nearest choice found has {quota.share - before / quota.total:.4g}",
                field="node_hours",
                remedy=f"give this share, or a tolerance above {quota.tolerance:g}",
            )
    return chosen


def _best_exchange(inside: Floats, outside: Floats, missing: float) -> tuple[int, int]:
    """Positions of the pair whose exchange adds most nearly `missing`; `outside` is ascending."""
    place = np.searchsorted(outside, inside + missing)
    candidates = np.stack([np.maximum(place - 1, 0), np.minimum(place, len(outside) - 1)])
    off = np.abs(outside[candidates] - inside - missing)
    side, leaving = np.unravel_index(np.argmin(off), off.shape)
    return int(leaving), int(candidates[side, leaving])


def _refuse_impossible(area: Floats, quota: Quota) -> None:
    ascending = np.sort(area)
    least = ascending[: quota.count].sum() / quota.total
    most = ascending[len(area) - quota.count :].sum() / quota.total
    if not least - quota.tolerance <= quota.share <= most + quota.tolerance:
        raise InputError(
            f"{quota.count} jobs cannot have {quota.share:.4g} of the node-hours: "
            f"the smallest have {least:.4g}, the largest {most:.4g}",
            field="node_hours",
            remedy="give a share in between, or another share of jobs",
        )
