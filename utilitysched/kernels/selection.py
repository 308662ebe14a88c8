"""Taking jobs in order, where possible without sorting them all."""

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from utilitysched.kernels.compiling import leaf
from utilitysched.model.state import Floats, Integers


@leaf
def find_started(jobs: Integers, started: NDArray[np.bool_], positions: Integers) -> int:
    """Set `positions` to those in `jobs` of the jobs that start; return how many do."""
    count = 0
    for i in range(np.uintp(len(jobs))):
        if started[np.uintp(jobs[i])]:
            positions[count] = i
            count += 1
    return count


@leaf
def close_up(column: Any, length: int, positions: Integers, count: int) -> None:
    """Remove what is at the first `count` of `positions` from a column of this length."""
    for k in range(count):
        until = positions[k + 1] if k + 1 < count else length
        back = np.uintp(k + 1)
        for i in range(np.uintp(positions[k] + 1), np.uintp(until)):
            column[i - back] = column[i]


@leaf
def first_waiting(jobs: Integers, score: Floats, started: NDArray[np.bool_]) -> int:
    """Return the position in `jobs` of the first by score not started, -1 if all are."""
    first = -1
    least = np.inf
    for i in range(len(jobs)):
        if not started[jobs[i]] and (score[i] < least or first < 0):
            first = i
            least = score[i]
    return first


@njit(cache=True)
def in_order(jobs: Integers, score: Floats) -> Integers:
    """Return `jobs`, given in arrival order, by score, ties in arrival order."""
    # no early end: several at once
    falls = 0
    for i in range(1, len(score)):
        falls += score[i] < score[i - 1]
    return jobs if falls == 0 else jobs[np.argsort(score, kind="mergesort")]


@leaf
def smallest(jobs: Integers, size: Integers) -> int:
    """Return the fewest processors that a job in the queue needs."""
    smallest = size[jobs[0]]
    for i in range(1, len(jobs)):
        smallest = min(smallest, size[jobs[i]])
    return smallest


@leaf
def mark_backfilled(
    jobs: Integers,
    score: Floats,
    blocked: int,
    positions: Integers,
    count: int,
    backfilled: NDArray[np.bool_],
    stopped: NDArray[np.bool_] | None,
) -> None:
    """Mark jobs that start for the first time behind the one that stays in the queue, `blocked`.

    Those that start are at the first `count` of `positions` in `jobs`.
    """
    for k in range(count):
        i = positions[k]
        if stopped is not None and stopped[jobs[i]]:
            continue
        behind = score[i] > score[blocked] or (score[i] == score[blocked] and i > blocked)
        backfilled[jobs[i]] = behind
