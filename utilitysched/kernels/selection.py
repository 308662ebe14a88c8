"""Taking jobs in order, where possible without sorting them all."""

import numpy as np
from numba import njit
from numpy.typing import NDArray

from utilitysched.model.state import Floats, Integers


@njit(cache=True)
def first_waiting(jobs: Integers, score: Floats, started: NDArray[np.bool_]) -> int:
    """Return the position in `jobs` of the first by score not started, -1 if all are."""
    first = -1
    for i in range(len(jobs)):
        if not started[jobs[i]] and (first < 0 or score[i] < score[first]):
            first = i
    return first


@njit(cache=True)
def in_order(jobs: Integers, score: Floats) -> Integers:
    """Return `jobs`, given in arrival order, by score, ties in arrival order."""
    for i in range(1, len(jobs)):
        if score[i] < score[i - 1]:
            return jobs[np.argsort(score, kind="mergesort")]
    return jobs
