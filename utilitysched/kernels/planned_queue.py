"""Queues to be planned, and the jobs of a queue lined up in the order in which they are placed."""

from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from utilitysched.kernels.compiling import leaf
from utilitysched.model.state import Floats, Integers

GONE = np.iinfo(np.int64).max
"""Processors of no job: more than any machine has."""


class PlannedAmounts(NamedTuple):
    """Several resources, and windows, of a queue to be planned; without rows for one resource.

    Attributes
    ----------
    demand : (n + m, r) int64
        Amounts of the n jobs of the queue, then of m running ones; the first column is processors.
    exempt : (n + m, w) bool
        Jobs that a window leaves alone.
    released : (m,) int64
        Rows of the running jobs, by release.
    free : (r,) int64
        Free amounts.
    begin, end : (w,) float64
        From when to when each window takes amounts away (s).
    left : (w, r) int64
        Amounts that it leaves to all other jobs together.
    work : (3 + w, r) int64
        Working memory of plans.
    """

    demand: Integers
    exempt: NDArray[np.bool_]
    released: Integers
    free: Integers
    begin: Floats
    end: Floats
    left: Integers
    work: Integers

    def occupied(self, whole: Self, begun: Integers, places: Integers) -> Self:
        """Return the amounts with further jobs running, that hold what was free.

        Parameters
        ----------
        whole : PlannedAmounts
            Of the queue with these jobs.
        begun : (b,) int64
            Their numbers in it.
        places : (m + b,) int64
            The order of release, of the running jobs and of those behind them.
        """
        if not len(self.free):
            return self
        demand, exempt = whole.demand[begun], whole.exempt[begun]
        rows = np.arange(len(self.demand), len(self.demand) + len(begun))
        return self._replace(
            demand=np.concatenate([self.demand, demand]),
            exempt=np.concatenate([self.exempt, exempt]),
            released=np.concatenate([self.released, rows])[places],
            free=self.free - demand.sum(axis=0),
            work=np.empty_like(self.work),
        )


_NUMBERS, _TIMES = np.empty((2, 0), np.int64), np.empty(0)

ONE_RESOURCE = PlannedAmounts(
    _NUMBERS[:0],
    np.empty((0, 0), np.bool_),
    _NUMBERS[0],
    _NUMBERS[0],
    _TIMES,
    _TIMES,
    _NUMBERS[:0],
    _NUMBERS[:0],
)
"""Amounts where processors are all there is."""


class PlannedQueue(NamedTuple):
    """The jobs and the machine at the instant a plan starts.

    Attributes
    ----------
    now : float
        Instant (s).
    free : int
        Free processors.
    pinned : int
        So many of the jobs stay in front of every order, in the order given (starved jobs). Only
        running jobs can come before them: those with which an order begins.
    size : (n,) int64
        Processors of the queued jobs; none is larger than the machine.
    request : (n,) float64
        Their requested times (s).
    later : (b,) float64
        The last b jobs are running and may be preempted. What each takes if it does not start in
        the first pass (s), at least its `request`.
    release_time : (m,) float64
        Expected ends of the running jobs (s), non-decreasing, none before now.
    release_size : (m,) int64
        Their processors.
    amounts : PlannedAmounts
        Several resources and windows, where there are any.
    """

    now: float
    free: int
    pinned: int
    size: Integers
    request: Floats
    later: Floats
    release_time: Floats
    release_size: Integers
    amounts: PlannedAmounts = ONE_RESOURCE


class Scratch(NamedTuple):
    """Working memory of `place` for up to n queued and m running jobs.

    `placed` is left holding the jobs in the order in which they were started. The first six have
    one entry per queued job in the order being placed; `smallest` and `shortest` (least over
    this and all later ones) one more; the releases n + m.
    """

    size: Integers
    request: Floats
    job: Integers
    candidate: Integers
    demand: Integers
    placed: Integers
    smallest: Integers
    shortest: Floats
    release_time: Floats
    release_size: Integers

    @classmethod
    def empty(cls, queued: int, running: int) -> "Scratch":
        """Return working memory for so many jobs."""
        whole = np.empty((6, queued + 1), dtype=np.int64)
        part = np.empty((2, queued + 1))
        return cls(
            size=whole[0],
            request=part[0],
            job=whole[1],
            candidate=whole[2],
            demand=whole[3],
            placed=whole[4],
            smallest=whole[5],
            shortest=part[1],
            release_time=np.empty(queued + running),
            release_size=np.empty(queued + running, dtype=np.int64),
        )


@leaf
def line_up(order: Integers, queue: PlannedQueue, scratch: Scratch) -> None:
    """Copy the jobs into `scratch` in the order in which they are to be placed."""
    # plain locals: each access to an array in a tuple counts references up and down
    sizes, requests, pinned = queue.size, queue.request, queue.pinned
    jobs, demands, lengths = scratch.job, scratch.size, scratch.request
    smallest, shortest = scratch.smallest, scratch.shortest
    count = pinned + len(order)
    running = len(sizes) - len(queue.later) - pinned
    # running jobs at the head of the order come before those that are pinned
    ahead = 0
    while ahead < len(order) and order[ahead] >= running:
        ahead += 1
    # from the back, so that the least of all later ones is at hand
    least, briefest = GONE, np.inf
    smallest[count] = least
    shortest[count] = briefest
    for i in range(count - 1, -1, -1):
        if i >= ahead + pinned:
            job = order[i - pinned] + pinned
        else:
            job = i - ahead if i >= ahead else order[i] + pinned
        jobs[i] = job
        demands[i] = sizes[job]
        lengths[i] = requests[job]
        least = min(least, sizes[job])
        briefest = min(briefest, requests[job])
        smallest[i] = least
        shortest[i] = briefest


@leaf
def preempt(head: int, queue: PlannedQueue, scratch: Scratch) -> None:
    """Have running jobs from position `head` on that were not started take their later time.

    `shortest` is left alone: what is least of shorter times is at most the least.
    """
    running = len(queue.size) - len(queue.later)
    for i in range(head, len(queue.size)):
        if scratch.job[i] >= running:
            scratch.request[i] = queue.later[scratch.job[i] - running]
