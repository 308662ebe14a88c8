"""Metrics of users, one row per user."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from swfx import MISSING, Workload
from utilitysched import metrics
from utilitysched.analysis.metrics.times import TAU
from utilitysched.model.schedule import Schedule
from utilitysched.model.state import Floats

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
