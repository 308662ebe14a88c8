"""List schedulers on a pool of a machine: sizes, and what a placement remembers of it."""

import math
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from swfx import InputError
from utilitysched.kernels.machine.placement import (
    ANEW,
    CONSERVATIVE,
    KEEP,
    REBUILD,
    VECTOR_PLACEMENTS,
    PoolPass,
    PoolPlan,
    PoolTerms,
    place_on_pool,
)
from utilitysched.kernels.selection import in_order
from utilitysched.model.machine import LimitTable, PoolTable, PoolView, WindowTable
from utilitysched.model.scheduling_pass import Limits, Queue, Releases
from utilitysched.model.state import Decision, Integers, JobTable, QueueState

if TYPE_CHECKING:
    from utilitysched.schedulers.list_scheduler import ListScheduler

_NO_LIMIT = np.empty(0, dtype=np.int64)
_NOBODY = np.empty(0, dtype=np.int64)


def dominant_sizes(demand: Integers, capacity: Integers) -> Integers:
    """Return the dominant share of each job, in processors, rounded up.

    That is the largest share of what there is of any resource.

    Parameters
    ----------
    demand : (n, r) int64
        Amounts that jobs need.
    capacity : (r,) or (n, r) int64
        Amounts there are, for all or for each.
    """
    there = np.maximum(capacity, 1)
    # whole numbers throughout: no share is a matter of rounding
    sizes: Integers = (-(-demand * there[..., :1] // there)).max(axis=1, initial=0)
    return sizes


def ranked_by_share(known: JobTable, pools: PoolTable) -> JobTable:
    """Return all jobs as orderings see them: their sizes are dominant shares of their pools."""
    return known._replace(size=dominant_sizes(pools.demand, pools.capacity[pools.pool]))


def seen_on_pool(known: JobTable, queued: Integers, pool: PoolView) -> JobTable:
    """Return jobs as orderings see them, the queued ones of a pool."""
    size = known.size.copy()
    size[queued] = dominant_sizes(pool.demand[queued], pool.capacity)
    return known._replace(size=size)


def check_placement(name: str, resources: int, windows: int) -> None:
    """Refuse a placement that knows nothing but processors where there is more.

    Parameters
    ----------
    name : str
        The placement.
    resources, windows : int
        How many there are.

    Raises
    ------
    InputError
        There are several resources, or windows.
    """
    if name not in VECTOR_PLACEMENTS and (resources > 1 or windows):
        more = "several resources" if resources > 1 else "windows"
        raise InputError(
            f"placement {name!r} knows processors only, and the machine has {more}",
            field="placement",
            remedy=f"choose one of {', '.join(VECTOR_PLACEMENTS)}",
        )


class Placed(NamedTuple):
    """What a placement answers.

    Attributes
    ----------
    starts : (s,) int64
        Jobs to start now, in arrival order.
    wake_up : float
        When it wants to be called again (s).
    """

    starts: Integers
    wake_up: float


@dataclass
class PoolMemory:
    """What a placement remembers of a pool.

    Attributes
    ----------
    plan : PoolPlan
        Reservations.
    queue : (k,) int64
        Jobs that it last placed.
    windows : list of tuple
        Windows that it last saw.
    withdrawn : (w,) int64
        Jobs that have lost their reservations since then.
    """

    plan: PoolPlan = field(
        default_factory=lambda: PoolPlan(
            np.empty(0), np.empty(0), np.empty((0, 0), np.int64), np.ones(1, np.int64)
        )
    )
    queue: Integers = field(default_factory=lambda: _NOBODY)
    windows: list[tuple[object, ...]] = field(default_factory=list)
    withdrawn: Integers = field(default_factory=lambda: _NOBODY)

    def withdraw(self, jobs: Integers) -> None:
        """Let jobs lose their reservations at the next pass."""
        self.withdrawn = np.union1d(self.withdrawn, jobs)

    def place(self, name: str, state: QueueState, queue: Queue, limits: Limits) -> Placed:
        """Have a placement of `VECTOR_PLACEMENTS` decide on a pool.

        Parameters
        ----------
        name : str
            The placement.
        state : QueueState
            Its state, with a pool.
        queue : Queue
            The jobs that it may look at.
        limits : Limits
            How far it looks.
        """
        pool, code = state.pool, VECTOR_PLACEMENTS.index(name)
        assert pool is not None
        replan, gone = KEEP, _NOBODY
        if code == CONSERVATIVE:
            present = np.concatenate([state.queued, state.running, state.finished])
            gone = np.union1d(self.withdrawn, self.queue[~np.isin(self.queue, present)])
            self.withdrawn = _NOBODY
            replan = self._replan(state, pool.windows)
        self._make_room(state, pool, len(gone))
        started = np.zeros(len(state.known.submit), np.bool_)
        moment = PoolPass(
            state.now,
            pool.free.copy(),
            state.finished,
            gone,
            replan,
            Releases(state.expected_end, state.running),
        )
        terms = _terms(state, pool)
        wake_up = place_on_pool(code, moment, queue, terms, limits, self.plan, started)
        self.queue = queue.job
        return Placed(queue.job[started[queue.job]], wake_up)

    def _replan(self, state: QueueState, windows: WindowTable) -> int:
        """Return what becomes of reservations, and remember the windows."""
        columns = (windows.known, windows.begin, windows.end, map(tuple, windows.taken.tolist()))
        before, self.windows = self.windows, list(zip(*columns, strict=True))
        if state.disrupted or set(self.windows) - set(before):
            return ANEW
        return KEEP if self.windows == before else REBUILD

    def _make_room(self, state: QueueState, pool: PoolView, gone: int) -> None:
        """Have a profile with room for all there is, and an entry for each job."""
        jobs, resources = len(state.known.submit), len(pool.capacity)
        columns = resources * (1 + len(pool.windows.begin))
        steps = len(state.queued) + len(state.running) + len(state.finished) + gone
        rows = 2 * (steps + len(pool.windows.begin)) + 8
        old = self.plan
        if jobs > len(old.reserved):
            reserved = np.full(2 * jobs, math.inf)
            reserved[: len(old.reserved)] = old.reserved
            self.plan = self.plan._replace(reserved=reserved)
        if rows > len(old.time) or columns != old.room.shape[1]:
            time = np.full(2 * rows, -math.inf)
            room = np.zeros((2 * rows, columns), np.int64)
            # of other columns the profile is made anew
            kept = min(columns, old.room.shape[1])
            time[: len(old.time)] = old.time[: len(time)]
            room[: len(old.room), :kept] = old.room[: len(room), :kept]
            if not len(old.time):
                room[0, :resources] = pool.capacity
            self.plan = self.plan._replace(time=time, room=room)


def decide_on_pool(scheduler: "ListScheduler", state: QueueState, memory: PoolMemory) -> Decision:
    """Return the jobs that a list scheduler starts now on a pool of a machine."""
    assert state.pool is not None
    seen = replace(state, known=seen_on_pool(state.known, state.queued, state.pool))
    policy = scheduler.policy_at(seen)
    queue = scheduler.ranked(seen, policy)
    placed = memory.place(scheduler.placement.name, state, queue, policy.limits)
    order = in_order(queue.job, queue.score)
    return Decision(placed.starts, None if placed.wake_up == math.inf else placed.wake_up, order)


def _terms(state: QueueState, pool: PoolView) -> PoolTerms:
    limits, used = pool.limits, pool.used
    if limits is None or used is None:
        nothing = np.empty((len(state.known.submit), 0), np.int64)
        limits, used = LimitTable(nothing, _NO_LIMIT, _NO_LIMIT), _NO_LIMIT
    shown = np.arange(len(pool.windows.begin))
    return PoolTerms(
        state.known.request,
        pool.demand,
        pool.capacity,
        limits,
        used.copy(),
        pool.windows,
        shown,
    )
