"""Amounts of the jobs of a pool, as plans take them."""

from typing import TYPE_CHECKING

import numpy as np

from utilitysched.kernels.plan import place
from utilitysched.kernels.planned_queue import (
    ONE_RESOURCE,
    PlannedAmounts,
    PlannedQueue,
    Scratch,
)
from utilitysched.model.state import Floats, Integers, QueueState

if TYPE_CHECKING:
    from utilitysched.model.machine import PoolView


def has_amounts(pool: "PoolView | None") -> bool:
    """Return whether a pool has more than one resource, or a window is known."""
    return pool is not None and (len(pool.capacity) > 1 or len(pool.windows.begin) > 0)


def amounts_of(state: QueueState, jobs: Integers, running: Integers) -> PlannedAmounts:
    """Return the amounts of a plan, without rows where processors are all there is.

    Parameters
    ----------
    state : QueueState
        What is known.
    jobs : (n,) int64
        The jobs that are planned.
    running : (m,) int64
        Those that run beside them, by expected end.
    """
    pool = state.pool
    if pool is None or not has_amounts(pool):
        return ONE_RESOURCE
    rows, windows = np.concatenate([jobs, running]), pool.windows
    left = pool.capacity - windows.taken
    return PlannedAmounts(
        pool.demand[rows],
        windows.exempt[rows],
        np.arange(len(jobs), len(rows)),
        pool.free.copy(),
        windows.begin,
        windows.end,
        left,
        np.empty((3 + len(left), len(pool.capacity)), np.int64),
    )


def easy_starts(state: QueueState, jobs: Integers, request: Floats, order: Integers) -> Floats:
    """Return when each job starts by EASY backfilling on amounts (s).

    Parameters
    ----------
    state : QueueState
        What is known, of a pool with several resources or windows.
    jobs : (k,) int64
        Queued jobs.
    request : (k,) float64
        Their requested times (s).
    order : (k,) int64
        A permutation of 0..k-1: their queue order.
    """
    known, running = state.known, state.running
    queue = PlannedQueue(
        float(state.now),
        int(state.free),
        0,
        known.size[jobs],
        request,
        np.empty(0),
        state.expected_end,
        known.size[running],
        amounts_of(state, jobs, running),
    )
    start = np.empty(len(jobs))
    place(order, queue, Scratch.empty(len(jobs), len(running)), start, now_only=False)
    return start


def demand_of(queue: PlannedQueue) -> tuple[Integers, Integers]:
    """Return the amounts of the jobs of a queue (n, r), and those that are free (r,)."""
    amounts, jobs = queue.amounts, len(queue.size)
    if len(amounts.free):
        return amounts.demand[:jobs], amounts.free
    return queue.size[:, np.newaxis], np.array([queue.free])


def all_fit(state: QueueState) -> bool:
    """Return whether all queued jobs fit in what else is free than processors, beside no window."""
    pool = state.pool
    if pool is None or not has_amounts(pool):
        return True
    enough = pool.demand[state.queued].sum(axis=0) <= pool.free
    return bool(enough.all()) and len(pool.windows.begin) == 0
