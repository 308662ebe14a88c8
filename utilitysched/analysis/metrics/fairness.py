"""Fairness between users: indices of one metric per user."""

import numpy as np

from swfx import MISSING, Workload
from utilitysched.model.state import Floats


def user_means(workload: Workload, values: Floats) -> Floats:
    """Mean of a per-job metric for each user, ascending by user number.

    Parameters
    ----------
    workload : Workload
        n jobs; those without a user are left out.
    values : (n,) float64
        Metric of each job; NaN = not defined, left out.

    Returns
    -------
    (users,) float64
    """
    counted = (workload.user != MISSING) & ~np.isnan(values)
    _, member = np.unique(workload.user[counted], return_inverse=True)
    jobs = np.bincount(member)
    return np.bincount(member, weights=values[counted]) / jobs


def jain(shares: Floats) -> float | None:
    """Jain's index (sum x)^2 / (n sum x^2): 1 = all equal, 1/n = one has everything.

    None without users; 1 if all have nothing.

    References
    ----------
    Jain, Chiu, Hawe 1984.

    Examples
    --------
    >>> jain(np.array([1.0, 1.0, 4.0]))
    0.6666666666666666
    """
    if len(shares) == 0:
        return None
    squares = float(np.sum(shares**2))
    return 1.0 if squares == 0 else float(np.sum(shares) ** 2 / (len(shares) * squares))


def gini(shares: Floats) -> float | None:
    """Gini coefficient, mean absolute difference over twice the mean: 0 = all equal.

    None without users; 0 if all have nothing.

    Examples
    --------
    >>> gini(np.array([1.0, 1.0, 4.0]))
    0.3333333333333333
    """
    users = len(shares)
    if users == 0:
        return None
    total = float(np.sum(shares))
    if total == 0:
        return 0.0
    ranks = 2 * np.arange(1, users + 1) - users - 1
    return float(np.sum(ranks * np.sort(shares)) / (users * total))
