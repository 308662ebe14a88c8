"""Machines as the kernels take them: pools, amounts, limits, windows and shares as columns."""

from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from utilitysched.model.state import Floats, Integers

RUNNING_JOBS, SUBMITTED_JOBS = -1, -2
"""Measures of limits that are no resource."""

_NOBODY = np.empty(0, dtype=np.int64)

FACTORS = ("age", "fairshare", "size", "partition", "qos", "value")
"""Factors of multifactor priority, in the order of `ShareTable.weights`."""

CONSTANTS = ("max_age", "half_life", "favor_small", "recalc")
"""Constants of multifactor priority, in the order of `ShareTable.constants`."""


class PoolTable(NamedTuple):
    """Pools, and what jobs need of them.

    Attributes
    ----------
    pool : (n,) int64
        Pool of each job in arrival order.
    demand : (n, r) int64
        Amount of each resource of `Machine.resources`; the first column is processors, rounded up
        to whole nodes where the machine has them.
    capacity : (p, r) int64
        Amount of each resource in each pool; of one that the pool does not name, more than all
        jobs together need.
    """

    pool: Integers
    demand: Integers
    capacity: Integers


class LimitTable(NamedTuple):
    """Limits as counters: what a job has counts against some of them.

    Attributes
    ----------
    counter : (n, c) int64
        Counters of each job, -1 behind the last.
    measure : (k,) int64
        What each counts: a resource by number, `RUNNING_JOBS` or `SUBMITTED_JOBS`.
    most : (k,) int64
        Its limit.
    """

    counter: Integers
    measure: Integers
    most: Integers


class WindowTable(NamedTuple):
    """Windows by begin.

    Attributes
    ----------
    pool : (w,) int64
        Pool of each; a window of all pools has a row for each of them.
    known, begin, end : (w,) float64
        Since when it is known, and from when to when it takes amounts away (s, the log's clock).
    taken : (w, r) int64
        Amounts.
    requeue : (w,) bool
        Jobs that run into it are stopped.
    exempt : (n, w) bool
        Jobs that may have what it takes.
    """

    pool: Integers
    known: Floats
    begin: Floats
    end: Floats
    taken: Integers
    requeue: NDArray[np.bool_]
    exempt: NDArray[np.bool_]


class ShareTable(NamedTuple):
    """Entities of fair share as a tree, and the constants of multifactor priority.

    Attributes
    ----------
    entity : (n,) int64
        Leaf of each job: a user in an account.
    parent : (e,) int64
        Entity above each, -1 for the root; parents come before their children.
    share : (e,) float64
        Share among the siblings, in [0, 1].
    partition, qos : (n,) float64
        Factors of each job, in [0, 1].
    weights : (6,) float64
        Weights of age, fair share, size, partition, QOS and value.
    constants : (4,) float64
        Maximum age (s), half-life (s), 1 where small jobs are favoured, time between two
        computations (s).
    """

    entity: Integers
    parent: Integers
    share: Floats
    partition: Floats
    qos: Floats
    weights: Floats
    constants: Floats


class MachineTable(NamedTuple):
    """A machine and what it means for the jobs of a workload in arrival order.

    Attributes
    ----------
    pools, limits, windows, shares
        Its parts; without limits or windows, their tables have no rows.
    """

    pools: PoolTable
    limits: LimitTable
    windows: WindowTable
    shares: ShareTable


class HeldBack(NamedTuple):
    """Time for which each job waited for something else than room.

    Between a pass and the next, a job that is still queued waits for a limit, if with what the pass
    started it would break one; or else for a window, if its amounts are free and a window bars it.

    Attributes
    ----------
    limit, window : (n,) float64
        For a limit, and for a window (s).
    """

    limit: Floats
    window: Floats


class PoolView(NamedTuple):
    """What a scheduler sees of a pool at a pass, beside its `QueueState`.

    Attributes
    ----------
    number : int
        The pool's number in the machine.
    demand : (n, r) int64
        Amounts of each submitted job of the pool, by the numbers of the state.
    capacity, free : (r,) int64
        Amounts there are, and in use by nobody.
    windows : WindowTable
        Windows of the pool that are known now and not over; `exempt` by the state's numbers.
    limits : LimitTable or None
        Limits that starts of this pass can break, `counter` by the state's numbers; None without.
    used : (k,) int64 or None
        What is in use of each.
    shares : ShareTable or None
        Shares; `entity` and the factors by the state's numbers.
    fairshare : (n,) float64 or None
        Fair-share factor of each queued job, of others nothing of use.
    computed : float
        When these were computed (s): the time of the pass, unless priorities are computed now and
        then only.
    """

    number: int
    demand: Integers
    capacity: Integers
    free: Integers
    windows: WindowTable
    limits: LimitTable | None = None
    used: Integers | None = None
    shares: ShareTable | None = None
    fairshare: Floats | None = None
    computed: float = 0.0

    def after(self, starts: Integers, stops: Integers = _NOBODY) -> Self:
        """Return the pool once some jobs have started in it, and others were stopped."""
        gone, come = self.demand[starts].sum(axis=0), self.demand[stops].sum(axis=0)
        free = self.free - gone + come
        if self.limits is None or self.used is None:
            return self._replace(free=free)
        return self._replace(free=free, used=self.used + self._use(starts) - self._use(stops))

    def _use(self, jobs: Integers) -> Integers:
        """Return what some jobs use of each limit while they run, (k,)."""
        assert self.limits is not None
        counter, measure = self.limits.counter[jobs], self.limits.measure
        use = np.zeros(len(measure), dtype=np.int64)
        row, column = np.nonzero(counter >= 0)
        limit = counter[row, column]
        amount = self.demand[jobs[row], np.maximum(measure[limit], 0)]
        np.add.at(use, limit, np.where(measure[limit] >= 0, amount, 1))
        return use
