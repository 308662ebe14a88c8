"""Forecasts of run times, as far as a scheduler can tell."""

from typing import NamedTuple

import numpy as np

from utilitysched.model.state import Floats, Integers

SAMPLES = 8
"""Run times kept per user, and samples of an ``expected`` duration."""

DURATIONS = ("requested", "zero", "fraction", "predicted", "expected")
OCCUPANCIES = ("requested", "predicted")


class Forecast(NamedTuple):
    """Columns of what is expected of every submitted job's run, in arrival order.

    Attributes
    ----------
    duration : (n, K) float64
        Samples of the time from a job's start to the moment at which its utility function is
        read (s). K is 1 except for ``expected``.
    occupancy : (n,) float64
        For how long the job is charged with its processors when value is put in proportion to
        what it uses (s).
    """

    duration: Floats
    occupancy: Floats


class RuntimeHistory(NamedTuple):
    """What has been learnt from completed jobs; changed in place as jobs end.

    Attributes
    ----------
    runs : (u, 2) float64
        The last two run times of each user (s), latest first.
    ratios : (u, 8) float64
        The user's latest run time / requested time, latest first.
    completed : (u,) int64
        Completed jobs of each user.
    log_ratios : (8,) float64
        The latest ratios of any user, latest first.
    log_count : (1,) int64
        Completed jobs.
    """

    runs: Floats
    ratios: Floats
    completed: Integers
    log_ratios: Floats
    log_count: Integers

    @classmethod
    def blank(cls, users: int) -> "RuntimeHistory":
        """Return the memory of `users` users of whom nothing is known."""
        return cls(
            np.zeros((users, 2)),
            np.zeros((users, SAMPLES)),
            np.zeros(users, dtype=np.int64),
            np.zeros(SAMPLES),
            np.zeros(1, dtype=np.int64),
        )


class ForecastRule(NamedTuple):
    """Which forecast a scheduler uses.

    Attributes
    ----------
    duration : str
        One of `DURATIONS`: ``requested`` p~; ``zero``; ``fraction`` of p~; ``predicted``, the
        mean of the user's last two run times, at most p~; ``expected``, samples from the
        user's latest ratios p/p~, topped up with the log's latest and then with 1.
    fraction : float
        Share of p~ for ``fraction``.
    occupancy : str
        One of `OCCUPANCIES`.
    """

    duration: str = "requested"
    fraction: float = 0.3
    occupancy: str = "requested"

    @property
    def samples(self) -> int:
        """Columns of the duration matrix."""
        return SAMPLES if self.duration == "expected" else 1

    @property
    def learns(self) -> bool:
        """Whether completed jobs change the forecast."""
        return self.duration in ("predicted", "expected") or self.occupancy == "predicted"

    @property
    def codes(self) -> tuple[int, float, int]:
        """Numbers of duration rule, fraction and occupancy rule, for kernels."""
        return (
            DURATIONS.index(self.duration),
            self.fraction,
            OCCUPANCIES.index(self.occupancy),
        )

    def blank(self, jobs: int) -> Forecast:
        """Return a forecast of `jobs` jobs still to be filled in."""
        return Forecast(np.zeros((jobs, self.samples)), np.zeros(jobs))
