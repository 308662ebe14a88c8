"""The prior: how far an order is from the one that a good rule has.

A plan knows no future arrivals and no real run times, so orders that look better by little may be
no better. A learned order has seen what came of such differences.
"""

from typing import NamedTuple

import numpy as np
from numba import njit

from utilitysched.model.state import Integers


class Prior(NamedTuple):
    """Preferred order of a search, and the charge for deviating.

    Attributes
    ----------
    place : (n,) int64
        Place of each job in that order.
    weight : float
        What is charged for its reverse (SU); with 0 there is no prior.
    """

    place: Integers
    weight: float


@njit(cache=True)
def prior_of(order: Integers, weight: float) -> Prior:
    """Return the prior of an order."""
    place = np.empty(len(order), np.int64)
    for i in range(len(order)):
        place[order[i]] = i
    return Prior(place, weight)


@njit(cache=True)
def distance(order: Integers, prior: Prior) -> float:
    """Return what an order is charged for being another than that of the prior (SU).

    The weight times the share of pairs of jobs that are the other way round. A pair counts with
    1 / (place in the prior of its earlier job), counted from 1: who is in front decides what starts
    now.
    """
    if prior.weight == 0.0:
        return 0.0
    jobs, place = len(order), prior.place
    inverted = most = 0.0
    # later[k]: jobs met so far whose places end with k in a binary indexed tree, from the back
    later = np.zeros(jobs + 1, np.int64)
    for i in range(jobs):
        mine = place[order[i]]
        behind, k = 0, jobs - mine
        while k > 0:
            behind += later[k]
            k -= k & -k
        inverted += behind / (mine + 1.0)
        most += (jobs - 1 - mine) / (mine + 1.0)
        k = jobs - mine
        while k <= jobs:
            later[k] += 1
            k += k & -k
    return prior.weight * inverted / most if most > 0.0 else 0.0
