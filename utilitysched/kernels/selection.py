"""Taking jobs in order, where possible without sorting them all."""

import numpy as np
from numba import njit
from numpy.typing import NDArray

from utilitysched.model.state import Floats, Integers


@njit(cache=True)
def waiting_and_started(
    jobs: Integers, score: Floats, started: NDArray[np.bool_]
) -> tuple[int, bool]:
    """Return the position of the first by score not started, -1 without one; and if any did."""
    first = -1
    least = np.inf
    any_started = False
    for i in range(len(jobs)):
        if started[jobs[i]]:
            any_started = True
        elif score[i] < least or first < 0:
            first = i
            least = score[i]
    return first, any_started


@njit(cache=True)
def first_waiting(jobs: Integers, score: Floats, started: NDArray[np.bool_]) -> int:
    """Return the position in `jobs` of the first by score not started, -1 if all are."""
    return waiting_and_started(jobs, score, started)[0]


@njit(cache=True)
def in_order(jobs: Integers, score: Floats) -> Integers:
    """Return `jobs`, given in arrival order, by score, ties in arrival order."""
    for i in range(1, len(jobs)):
        if score[i] < score[i - 1]:
            return jobs[np.argsort(score, kind="mergesort")]
    return jobs


@njit(cache=True)
def smallest(jobs: Integers, size: Integers) -> int:
    """Return the fewest processors that a job in the queue needs."""
    smallest = size[jobs[0]]
    for i in range(1, len(jobs)):
        smallest = min(smallest, size[jobs[i]])
    return smallest


@njit(cache=True)
def mark_backfilled(
    jobs: Integers,
    score: Floats,
    blocked: int,
    started: NDArray[np.bool_],
    backfilled: NDArray[np.bool_],
    stopped: NDArray[np.bool_] | None,
) -> None:
    """Mark jobs that start for the first time behind the one that stays in the queue, `blocked`."""
    for i in range(len(jobs)):
        if not started[jobs[i]]:
            continue
        if stopped is not None and stopped[jobs[i]]:
            continue
        behind = score[i] > score[blocked] or (score[i] == score[blocked] and i > blocked)
        backfilled[jobs[i]] = behind
