"""Distributions over the jobs: which share of them is at or below a value."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from swfx import Workload
from utilitysched import metrics
from utilitysched.analysis.metrics.jobs import TAU
from utilitysched.model.schedule import Schedule
from utilitysched.model.state import Floats

LEVELS = 1000
"""Rows of pixels of a tall picture."""


@dataclass(frozen=True, eq=False)
class Distribution:
    """Empirical distribution function.

    Attributes
    ----------
    value : (k,) float64
        Distinct values, ascending.
    share : (k,) float64
        Share of the jobs with at most that value; the last is 1.
    count : int
        Jobs for which the metric is defined.

    Examples
    --------
    >>> found = Distribution.of(np.array([4.0, 0.0, 0.0, np.nan, 2.0]))
    >>> found.value.tolist(), found.share.tolist(), found.count
    ([0.0, 2.0, 4.0], [0.5, 0.75, 1.0], 4)
    """

    value: Floats
    share: Floats
    count: int

    def __post_init__(self) -> None:
        self.value.setflags(write=False)
        self.share.setflags(write=False)

    def __len__(self) -> int:
        return len(self.value)

    @classmethod
    def of(cls, values: Floats) -> Distribution:
        """Distribution of values, NaN left out, of any order."""
        value, jobs = np.unique(values[~np.isnan(values)], return_counts=True)
        count = int(jobs.sum())
        return cls(value, np.cumsum(jobs) / max(count, 1), count)

    def at(self, values: Floats) -> Floats:
        """Return the share of the jobs with at most each value."""
        return np.concatenate([[0.0], self.share])[np.searchsorted(self.value, values, "right")]

    def scaled(self, factor: float) -> Distribution:
        """Return the distribution of the values times a factor above 0."""
        return Distribution(self.value * factor, self.share, self.count)

    def thinned(self, levels: int = LEVELS) -> Distribution:
        """Keep the first and the last point of each row of pixels, whatever the other scale.

        Nowhere is the share off by more than 1 / `levels`.
        """
        if len(self) <= 2 * levels:
            return self
        row = np.minimum((self.share * levels).astype(np.int64), levels - 1)
        turns = np.diff(row) > 0
        kept = np.concatenate([[True], turns]) | np.concatenate([turns, [True]])
        return Distribution(self.value[kept], self.share[kept], self.count)


def wait_distribution(workload: Workload, schedule: Schedule) -> Distribution:
    """Of the waits (s)."""
    return Distribution.of(metrics.wait(workload, schedule))


def bounded_slowdown_distribution(
    workload: Workload, schedule: Schedule, tau: float = TAU
) -> Distribution:
    """Of the bounded slowdowns, run times below `tau` (s) counted as that."""
    return Distribution.of(metrics.bounded_slowdown(workload, schedule, tau))


def start_value_share_distribution(workload: Workload, schedule: Schedule) -> Distribution:
    """Of the share of its start value that a job earned; jobs without such a value left out."""
    return Distribution.of(metrics.start_value_share(workload, schedule))
