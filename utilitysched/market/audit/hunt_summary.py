"""Summary of a hunt: what the lies found bring users who had no part in finding them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from utilitysched.analysis.statistics import (
    LEAST,
    RESAMPLES,
    bootstrap_interval,
    corrected,
    ratio_of_means,
)
from utilitysched.market.audit.hunt import PLACEBO, Hunt
from utilitysched.model.state import Floats

Ratio = tuple[float | None, float | None, float | None]


class HuntRow(NamedTuple):
    """What the best lie of a family brings.

    Shares are of what the jobs turned out to be worth under the truth. Intervals are 95% bootstrap
    intervals, users being drawn anew; None for fewer than three of them.

    Attributes
    ----------
    told_of : {"jobs", "users"}
        What it is told of.
    mechanism : str
        Text of the price mechanism.
    family, lie : str
        Name of the lie, and its text.
    best : bool
        Whether it brought most of all in training.
    trained : float
        Gain in training, as a share.
    jobs, users : int
        Holdout jobs, or users that lie of all theirs; and whose they are.
    gain : float or None
        Mean gain on the holdout (SU), None without any.
    low, high : float or None
        Its interval.
    share, share_low, share_high : float or None
        The gain as a share, and its interval.
    p : float or None
        How often users drawn anew gain nothing, corrected by Holm for the families that are
        reported of this mechanism.
    placebo, placebo_low, placebo_high : float or None
        Share that `PLACEBO` brings the same jobs, and its interval.
    """

    told_of: str
    mechanism: str
    family: str
    lie: str
    best: bool
    trained: float
    jobs: int
    users: int
    gain: float | None
    low: float | None
    high: float | None
    share: float | None
    share_low: float | None
    share_high: float | None
    p: float | None
    placebo: float | None
    placebo_low: float | None
    placebo_high: float | None


def hunt_rows(found: Hunt) -> tuple[HuntRow, ...]:
    """Return what the best lie of each family brings by each mechanism, the best first."""
    return tuple(row for place in range(len(found.mechanisms)) for row in _rows_of(found, place))


class _Users:
    """Holdout jobs by user: what is drawn anew."""

    def __init__(self, found: Hunt) -> None:
        users, self.user = np.unique(found.holdout.person, return_inverse=True)
        self.count = len(users)
        self.jobs = self._sums(np.ones(len(self.user)))
        self.value = self._sums(found.holdout.value)
        self._seed = found.seed % 2**63

    def ratio(self, gain: Floats, over: Floats) -> Ratio:
        """Return a gain over a column by user, with its interval; None where that is nothing."""
        sums = self._sums(gain)
        if not over.sum() > 0:
            return None, None, None
        interval = bootstrap_interval(ratio_of_means, sums, over, seed=self._seed)
        return float(sums.sum() / over.sum()), *(interval or (None, None))

    def chance(self, gain: Floats) -> float | None:
        """Return how often users drawn anew gain nothing, None for too few."""
        if self.count < LEAST:
            return None
        drawn = np.random.default_rng([self._seed, 4]).integers(
            self.count, size=(RESAMPLES, self.count)
        )
        nothing = self._sums(gain)[drawn].sum(axis=1) <= 0
        return (1 + int(nothing.sum())) / (1 + RESAMPLES)

    def _sums(self, column: Floats) -> Floats:
        return np.bincount(self.user, column, self.count).astype(np.float64)


def _rows_of(found: Hunt, place: int) -> list[HuntRow]:
    users = _Users(found)
    lies = found.best[place]
    gains = [found.gains(place, lie) for lie in lies.values()]
    placebo = users.ratio(found.gains(place, PLACEBO), users.value)
    chances = corrected([users.chance(gain) for gain in gains])
    return [
        HuntRow(
            found.told_of,
            found.mechanisms[place],
            family,
            lie,
            number == 0,
            float(found.training[lie][place]),
            len(gain),
            users.count,
            *users.ratio(gain, users.jobs),
            *users.ratio(gain, users.value),
            chance,
            *placebo,
        )
        for number, ((family, lie), gain, chance) in enumerate(
            zip(lies.items(), gains, chances, strict=True)
        )
    ]
