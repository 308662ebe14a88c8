"""Putting the queue in order."""

from typing import Any, NamedTuple

import numpy as np
from numba import njit

from utilitysched.forecast import Forecast
from utilitysched.state import Floats, Integers, Known


class Ranking(NamedTuple):
    """An ordering as the kernels take it.

    Attributes
    ----------
    dynamic : bool
        Scores are computed at every pass; otherwise `rank` says it all.
    rank : (n,) int64
        Place of each job among all jobs by (score, arrival); its index if dynamic.
    score : first-class function
        See `utilitysched.orderings.registry.Ordering`.
    parameters : (p,) float64
        The ordering's numbers.
    """

    dynamic: bool
    rank: Integers
    score: Any
    parameters: Floats


@njit(cache=True)
def scores(
    now: float, queue: Integers, known: Known, forecast: Forecast, ranking: Ranking
) -> Floats:
    """Return the score of each job in `queue`."""
    out = np.empty(len(queue))
    ranking.score(now, queue, known, forecast, ranking.parameters, out)
    return out


@njit(cache=True)
def ranked(
    queue: Integers,
    now: float,
    known: Known,
    forecast: Forecast,
    ranking: Ranking,
    threshold: float,
) -> Integers:
    """Return the queue in order: starved jobs by arrival, then the rest by score.

    Parameters
    ----------
    queue : (k,) int64
        Queued jobs, in any order.
    now : float
        Time of the pass (s).
    threshold : float
        Jobs that have waited longer than this (s) go ahead of all others.
    """
    if ranking.dynamic:
        arrivals = np.sort(queue)
        score = scores(now, arrivals, known, forecast, ranking)
        order = arrivals[np.argsort(score, kind="mergesort")]
    else:
        order = queue[np.argsort(ranking.rank[queue], kind="mergesort")]
    if threshold == np.inf:
        return order
    return _starved_first(order, now, known, threshold)


@njit(cache=True)
def _starved_first(order: Integers, now: float, known: Known, threshold: float) -> Integers:
    starved = np.empty(len(order), np.bool_)
    for i in range(len(order)):
        starved[i] = now - known.submit[order[i]] > threshold
    ahead = np.sort(order[starved])
    return np.concatenate((ahead, order[~starved]))
