"""Taking jobs in order, where possible without sorting them all."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from utilitysched.kernels.compiling import kernel, leaf, leaf_kernel
from utilitysched.model.state import Floats, Integers


@leaf_kernel
def find_started(jobs: Integers, started: NDArray[np.bool_], positions: Integers) -> int:
    """Set `positions` to those in `jobs` of the jobs that start; return how many do."""
    count = 0
    for i in range(np.uintp(len(jobs))):
        if started[np.uintp(jobs[i])]:
            positions[count] = i
            count += 1
    return count


@leaf_kernel
def close_up(column: Any, length: int, positions: Integers, count: int) -> None:
    """Remove what is at the first `count` of `positions` from a column of this length."""
    for k in range(count):
        until = positions[k + 1] if k + 1 < count else length
        back = np.uintp(k + 1)
        for i in range(np.uintp(positions[k] + 1), np.uintp(until)):
            column[i - back] = column[i]


@leaf_kernel
def first_waiting(jobs: Integers, score: Floats, started: NDArray[np.bool_]) -> int:
    """Return the position in `jobs` of the first by score not started, -1 if all are."""
    first = -1
    least = np.inf
    for i in range(len(jobs)):
        if not started[jobs[i]] and (score[i] < least or first < 0):
            first = i
            least = score[i]
    return first


_RUN = 20
"""Values that are sorted by insertion before runs are merged."""


@leaf
def _precedes(one: Any, other: Any) -> bool:
    """Return whether a value is lower than another; NaN comes last."""
    return bool(one < other or (one == one and other != other))  # noqa: PLR0124 - NaN differs


@leaf
def _sort(values: Any, order: Integers, room: Integers) -> None:
    """Fill `order` with the positions of `values` in ascending order; `room` is as long."""
    # unsigned, so that no index is checked for being counted from the end
    count, one, two = np.uintp(len(values)), np.uintp(1), np.uintp(2)
    length: Any = count
    while length > np.uintp(_RUN):
        length = (length + one) // two
    # short runs by insertion
    for first in range(np.uintp(0), count, max(length, one)):
        for i in range(first, min(first + length, count)):
            value: Any = values[i]
            k: Any = i
            while k > first and _precedes(value, values[np.uintp(order[k - one])]):
                order[k] = order[k - one]
                k -= one
            order[k] = i
    # neighbours merge into runs of twice the length; the left one steps aside
    while length < count:
        for first in range(np.uintp(0), count - length, two * length):
            middle, last = first + length, min(first + two * length, count)
            if not _precedes(values[order[middle]], values[order[middle - one]]):
                continue
            for i in range(length):
                room[i] = order[first + i]
            left: Any = np.uintp(0)
            right, k = middle, first
            low, high = values[np.uintp(room[left])], values[np.uintp(order[right])]
            while True:
                if _precedes(high, low):
                    order[k] = order[right]
                    right += one
                    k += one
                    if right == last:
                        break
                    high = values[np.uintp(order[right])]
                else:
                    order[k] = room[left]
                    left += one
                    k += one
                    if left == length:
                        break
                    low = values[np.uintp(room[left])]
            for rest in range(left, length):
                order[k] = room[rest]
                k += one
        length *= two


@leaf
def copy(source: Any, target: Any) -> None:
    """Fill the front of `target` with `source`.

    Numba compiles an assignment to a slice for a second, most of it the message of an error.
    """
    for i in range(len(source)):
        target[i] = source[i]


@kernel
def stable_order(values: Any) -> Integers:
    """Return the positions of `values` in ascending order, ties by position, NaN last.

    As ``np.argsort(values, kind="stable")``, for which numba compiles three times as long.
    """
    order = np.empty(len(values), np.int64)
    _sort(values, order, np.empty(len(values), np.int64))
    return order


@leaf
def put_in_order(
    jobs: Integers, score: Floats, ranked: Integers, order: Integers, room: Integers
) -> None:
    """Write what `in_order` returns to the front of `ranked`; `order` and `room` are as long."""
    falls = 0
    for i in range(1, len(score)):
        falls += score[i] < score[i - 1]
    if falls == 0:
        copy(jobs, ranked)
        return
    _sort(score, order, room)
    for i in range(len(jobs)):
        ranked[i] = jobs[order[i]]


@kernel
def in_order(jobs: Integers, score: Floats) -> Integers:
    """Return `jobs`, given in arrival order, by score, ties in arrival order."""
    # no early end: several at once
    falls = 0
    for i in range(1, len(score)):
        falls += score[i] < score[i - 1]
    return jobs if falls == 0 else jobs[stable_order(score)]


@kernel
def first_in_order(jobs: Integers, score: Floats, count: int) -> Integers:
    """Return the first `count` of what `in_order` returns, without sorting the rest."""
    if count >= len(jobs):
        return in_order(jobs, score)
    # all with lower scores than the last of them, and the first of those that are even with it
    limit = np.partition(score, count - 1)[count - 1]
    even = count - np.count_nonzero(score < limit)
    chosen, taken = np.empty(count, np.int64), 0
    for i in range(len(score)):
        if score[i] < limit or (score[i] == limit and even > 0):
            even -= score[i] == limit
            chosen[taken] = i
            taken += 1
    return in_order(jobs[chosen], score[chosen])


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
