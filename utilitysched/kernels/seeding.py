"""Compiled first guesses: the informed queue orders that every first generation holds."""

import numpy as np

from utilitysched.kernels.compiling import inner, kernel
from utilitysched.kernels.curves import mean_value
from utilitysched.kernels.selection import stable_order
from utilitysched.model.forecast import Forecast
from utilitysched.model.state import Floats, Integers, JobTable

GUESSES = 4
DENSEST, WORTHIEST = 2, 3
"""Rows of `informed_orders`: by current utility per processor-second, and by current utility."""


@inner
def _sorted_by(score: Floats, order: Integers) -> None:
    by_score = stable_order(score)
    for i in range(len(score)):
        order[i] = by_score[i]


@kernel
def dead_last(
    now: float, jobs: Integers, known: JobTable, forecast: Forecast, score: Floats
) -> Integers:
    """Return the order of jobs by score, those that are worth nothing any more behind all others.

    Parameters
    ----------
    now, jobs, known, forecast
        As `informed_orders`.
    score : (n,) float64
        By a rule, lowest first; ties in the order of `jobs`.

    Returns
    -------
    (n,) int64
        A permutation of 0..n-1.
    """
    for i in range(len(jobs)):
        if mean_value(known, forecast, jobs[i], now - known.submit[jobs[i]]) <= 0.0:
            score[i] = np.inf
    return stable_order(score)


@kernel
def informed_orders(
    now: float, jobs: Integers, known: JobTable, forecast: Forecast, orders: Integers
) -> None:
    """Fill `orders` with guesses at a good order of `jobs` (LEE 3.2.1), ties by arrival.

    By arrival; by priority class; by current utility per processor-second, most first; by current
    utility, most first. The current utility is that of a start now.

    Parameters
    ----------
    now : float
        Time of the decision (s).
    jobs : (n,) int64
        Jobs in arrival order.
    known : JobTable
        All jobs.
    forecast : Forecast
        How long they may run, and occupy their processors.
    orders : (GUESSES, n) int64
        Filled with permutations of 0..n-1.
    """
    count = len(jobs)
    priority = np.empty(count)
    density = np.empty(count)
    value = np.empty(count)
    for i in range(count):
        job = jobs[i]
        orders[0, i] = i
        priority[i] = known.priority[job]
        value[i] = -mean_value(known, forecast, job, now - known.submit[job])
        density[i] = value[i] / (known.size[job] * max(forecast.occupancy[job], 1.0))
    _sorted_by(priority, orders[1])
    _sorted_by(density, orders[2])
    _sorted_by(value, orders[3])
