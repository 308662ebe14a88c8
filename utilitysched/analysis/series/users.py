"""Distributions of metrics over jobs and users, fairness among users, and sums of charges."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from swfx import MISSING, Workload
from utilitysched import metrics
from utilitysched.analysis.metrics.jobs import TAU
from utilitysched.model.schedule import Schedule
from utilitysched.model.state import Floats, Integers

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


def start_value_share_distribution(workload: Workload, schedule: Schedule) -> Distribution:
    """Of the share of its start value that a job earned; jobs without such a value left out."""
    return Distribution.of(metrics.start_value_share(workload, schedule))


SECONDS_PER_HOUR = 3600.0


class Users(NamedTuple):
    """Metrics of each known user, ascending by number.

    Attributes
    ----------
    user : (u,) int64
        Number in the log.
    jobs : (u,) int64
        Their jobs.
    processor_hours : (u,) float64
        That these used.
    wait, bounded_slowdown : (u,) float64
        Means over their jobs (s; no unit).
    start_value_share : (u,) float64
        Mean share of the start value earned, 0 to 1; NaN without a job that has a start value.
    utility : (u,) float64
        Realised (SU).
    charge : (u,) float64
        Billed (SU); NaN without a bill.
    """

    user: NDArray[np.int64]
    jobs: NDArray[np.int64]
    processor_hours: Floats
    wait: Floats
    bounded_slowdown: Floats
    start_value_share: Floats
    utility: Floats
    charge: Floats


class Fairness(NamedTuple):
    """Gini coefficient, 0 = all equal, and Jain's index, 1 = all equal, of one metric of users."""

    gini: float | None
    jain: float | None


def users(
    workload: Workload, schedule: Schedule, tau: float = TAU, charge: Floats | None = None
) -> Users:
    """Sum up the jobs of each user; those of unknown users are left out.

    Parameters
    ----------
    workload, schedule
        n jobs and when they ran.
    tau : float
        Bound of the bounded slowdown (s).
    charge : (n,) float64, optional
        What each job pays (SU); NaN for one that pays nothing.
    """
    known = workload.user != MISSING
    user, member = np.unique(workload.user[known], return_inverse=True)
    held = schedule.running_time / SECONDS_PER_HOUR

    def total(metric: Floats) -> Floats:
        return np.bincount(member, weights=metric[known], minlength=len(user)).astype(np.float64)

    def mean(metric: Floats) -> Floats:
        defined = ~np.isnan(metric)
        count = total(defined.astype(np.float64))
        sums = total(np.where(defined, metric, 0.0))
        means: Floats = np.full(len(user), np.nan)
        np.divide(sums, count, out=means, where=count > 0)
        return means

    return Users(
        user,
        np.bincount(member, minlength=len(user)),
        total(workload.size * held),
        mean(metrics.wait(workload, schedule)),
        mean(metrics.bounded_slowdown(workload, schedule, tau)),
        mean(metrics.start_value_share(workload, schedule)),
        total(metrics.realised_utility(workload, schedule)),
        np.full(len(user), np.nan) if charge is None else total(np.nan_to_num(charge)),
    )


def fairness(metric: Floats) -> Fairness:
    """Gini coefficient and Jain's index of one metric per user, NaN left out."""
    defined = metric[~np.isnan(metric)]
    return Fairness(metrics.gini(defined), metrics.jain(defined))


class Lorenz(NamedTuple):
    """Lorenz curve: what the users with least have together.

    Attributes
    ----------
    users : (u + 1,) float64
        Share of the users, from those with least up; from 0 to 1.
    metric : (u + 1,) float64
        Their share of the whole; from 0 to 1, the diagonal if all are equal.
    """

    users: Floats
    metric: Floats


def lorenz(metric: Floats) -> Lorenz:
    """Lorenz curve of one metric per user, NaN left out; the diagonal if all have nothing.

    Its area below the diagonal is half the Gini coefficient, for many users.

    References
    ----------
    Lorenz 1905: Methods of measuring the concentration of wealth.
    """
    ascending = np.sort(metric[~np.isnan(metric)])
    share = np.linspace(0, 1, len(ascending) + 1)
    total = float(ascending.sum())
    if total == 0:
        return Lorenz(share, share)
    return Lorenz(share, np.concatenate([[0.0], np.cumsum(ascending) / total]))


class Bill(NamedTuple):
    """What each job of a workload pays.

    Attributes
    ----------
    mechanism : str
        Label of the price mechanism.
    charge : (n,) float64
        SU, in workload order; NaN for a job that does not pay.
    decimals : int
        To which charges are rounded.
    """

    mechanism: str
    charge: Floats
    decimals: int = 2

    def text(self, charge: float) -> str:
        """Return a charge, or a sum of such, as the bill has it (SU).

        >>> Bill("first-price", np.array([0.1, 0.2]), 1).text(0.1 + 0.2)
        '0.3'
        """
        return f"{charge:,.{self.decimals}f}"


class Totals(NamedTuple):
    """Sums over the jobs that pay, one row per key, the largest charge first.

    Attributes
    ----------
    key : (k,) int64
        User, queue, group or priority class.
    jobs : (k,) int64
        Jobs that pay.
    charge : (k,) float64
        SU.
    utility : (k,) float64
        Realised by them (SU).
    """

    key: Integers
    jobs: Integers
    charge: Floats
    utility: Floats


def charges_by(bill: Bill, keys: NDArray[np.int64], utility: Floats) -> Totals:
    """Sum the charges up by a key of each job.

    Parameters
    ----------
    bill : Bill
        Of n jobs.
    keys : (n,) int64
        For instance `Workload.user`, or `swfx.priority_classes` of the workload.
    utility : (n,) float64
        Realised utility (SU).
    """
    pays = ~np.isnan(bill.charge)
    key, member = np.unique(keys[pays], return_inverse=True)
    charge, utilities = (
        np.bincount(member, weights=amounts[pays], minlength=len(key)).astype(np.float64)
        for amounts in (bill.charge, utility)
    )
    order = np.argsort(-charge, kind="stable")
    jobs = np.bincount(member, minlength=len(key))
    return Totals(key[order], jobs[order], charge[order], utilities[order])
