"""Scoring the queue."""

from typing import Any, NamedTuple

import numpy as np
from numba import njit

from utilitysched.model.forecast import Forecast
from utilitysched.model.scheduling_pass import SchedulingPass
from utilitysched.model.state import Floats, Integers, JobTable


class Ranking(NamedTuple):
    """An ordering as the kernels take it.

    Attributes
    ----------
    fixed : (n,) float64
        The score of every job if it does not change with time, otherwise empty.
    score : first-class function
        See `utilitysched.schedulers.orderings.Ordering`.
    parameters : (p,) float64
        The ordering's numbers.
    """

    fixed: Floats
    score: Any
    parameters: Floats


@njit(cache=True)
def starved_first(
    jobs: Integers, submit: Floats, now: float, threshold: float, score: Floats
) -> None:
    """Put jobs that have waited longer than `threshold` (s) before all others, by arrival."""
    for i in range(len(jobs)):
        if now - submit[jobs[i]] > threshold:
            score[i] = -np.inf


@njit(cache=True)
def scores(
    jobs: Integers,
    moment: SchedulingPass,
    known: JobTable,
    forecast: Forecast,
    ranking: Ranking,
    threshold: float,
) -> Floats:
    """Return the score of each job.

    Parameters
    ----------
    jobs : (k,) int64
        Queued jobs in arrival order.
    moment : SchedulingPass
        The pass.
    threshold : float
        See `starved_first`.
    """
    out = np.empty(len(jobs))
    ranking.score(moment, jobs, known, forecast, ranking.parameters, out)
    starved_first(jobs, known.submit, moment.now, threshold, out)
    return out
