"""The event loop for orderings and placements that are compiled."""

from typing import Any, NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from utilitysched.forecast import Forecast, Recollection
from utilitysched.kernels.heap import Heap, pop, push
from utilitysched.kernels.history import fill, learn
from utilitysched.kernels.ranking import Ranking, ranked
from utilitysched.placements.moment import Limits, Moment, Releases
from utilitysched.state import Floats, Integers, Known


class Progress(NamedTuple):
    """Everything the event loop changes, so that it can stop and go on.

    Attributes
    ----------
    start, end : (n,) float64
        Start and completion of each job (s).
    backfilled : (n,) bool
        See `utilitysched.Schedule`.
    queue : (n,) int64
        The first `queued` entries are the queue, by rank.
    ends : Heap
        Running jobs by actual end.
    release_end, release_size, release_job : (n,)
        The first `running` entries are the running jobs by expected end.
    promised : (n,) float64
        Reservations of queued jobs (s), infinite where there is none.
    started : (n,) bool
        Scratch of a pass, false between passes.
    wake_up : (1,) float64
        When the placement wants a pass even without an event (s).
    arrived, queued, running, free, passes : (1,) int64
        Jobs submitted so far, in the queue, running; free processors; passes made.
    """

    start: Floats
    end: Floats
    backfilled: NDArray[np.bool_]
    queue: Integers
    ends: Heap
    release_end: Floats
    release_size: Integers
    release_job: Integers
    promised: Floats
    started: NDArray[np.bool_]
    wake_up: Floats
    arrived: Integers
    queued: Integers
    running: Integers
    free: Integers
    passes: Integers

    @classmethod
    def blank(cls, jobs: int, machine_size: int) -> "Progress":
        """Return the state before the first event."""
        room = min(jobs, machine_size)
        return cls(
            np.full(jobs, np.nan),
            np.full(jobs, np.nan),
            np.zeros(jobs, np.bool_),
            np.empty(jobs, np.int64),
            Heap.blank(room),
            np.empty(room),
            np.empty(room, np.int64),
            np.empty(room, np.int64),
            np.full(jobs, np.inf),
            np.zeros(jobs, np.bool_),
            np.full(1, np.inf),
            np.zeros(1, np.int64),
            np.zeros(1, np.int64),
            np.zeros(1, np.int64),
            np.full(1, machine_size, np.int64),
            np.zeros(1, np.int64),
        )


class Policy(NamedTuple):
    """A scheduler as the event loop takes it: ordering x placement.

    Attributes
    ----------
    primary, secondary : Ranking
        Queue order and backfill order.
    same_order : bool
        The backfill order is the queue order.
    place : first-class function
        See `utilitysched.placements.registry.Placement`.
    keeps_promises : bool
        The placement must see every pass.
    limits : Limits
        How far the placement looks.
    depth : int
        Queued jobs it may look at in one pass, in queue order.
    threshold : float
        Wait (s) beyond which a job goes ahead of all others.
    rule : tuple
        Codes of the forecast rule.
    learns : bool
        Completed jobs change the forecast.
    """

    primary: Ranking
    secondary: Ranking
    same_order: bool
    place: Any
    keeps_promises: bool
    limits: Limits
    depth: int
    threshold: float
    rule: tuple[int, float, int]
    learns: bool


@njit(cache=True)
def _remove_release(progress: Progress, expected: float, job: int) -> None:
    count = progress.running[0]
    i = np.searchsorted(progress.release_end[:count], expected)
    while progress.release_job[i] != job:
        i += 1
    for k in range(i, count - 1):
        progress.release_end[k] = progress.release_end[k + 1]
        progress.release_size[k] = progress.release_size[k + 1]
        progress.release_job[k] = progress.release_job[k + 1]
    progress.running[0] = count - 1


@njit(cache=True)
def _add_release(progress: Progress, expected: float, size: int, job: int) -> None:
    k = progress.running[0]
    while k > 0 and progress.release_end[k - 1] > expected:
        progress.release_end[k] = progress.release_end[k - 1]
        progress.release_size[k] = progress.release_size[k - 1]
        progress.release_job[k] = progress.release_job[k - 1]
        k -= 1
    progress.release_end[k] = expected
    progress.release_size[k] = size
    progress.release_job[k] = job
    progress.running[0] += 1


@njit(cache=True)
def _complete(
    now: float,
    run: Floats,
    known: Known,
    learnt: Recollection,
    policy: Policy,
    progress: Progress,
) -> bool:
    """Release every job that ends now; return whether one ended before its request."""
    early = False
    while progress.ends.filled[0] > 0 and progress.ends.end[0] == now:
        job = pop(progress.ends)
        expected = progress.start[job] + known.request[job]
        early = early or expected > now
        _remove_release(progress, expected, job)
        progress.free[0] += known.size[job]
        if policy.learns:
            learn(learnt, known.user[job], run[job], known.request[job])
    return early


@njit(cache=True)
def _arrive(now: float, known: Known, rank: Integers, progress: Progress) -> None:
    """Queue every job submitted now, each at its place by rank."""
    job = progress.arrived[0]
    while job < len(known.submit) and known.submit[job] == now:
        k = progress.queued[0]
        while k > 0 and rank[progress.queue[k - 1]] > rank[job]:
            progress.queue[k] = progress.queue[k - 1]
            k -= 1
        progress.queue[k] = job
        progress.queued[0] += 1
        job += 1
    progress.arrived[0] = job


@njit(cache=True)
def _queue_order(
    now: float, queue: Integers, known: Known, forecast: Forecast, policy: Policy
) -> Integers:
    if not policy.primary.dynamic and policy.threshold == np.inf:
        return queue
    return ranked(queue, now, known, forecast, policy.primary, policy.threshold)


@njit(cache=True)
def _begin(now: float, run: Floats, known: Known, order: Integers, progress: Progress) -> None:
    """Start the jobs marked in `started`, and take them out of the queue."""
    blocked = False
    for i in range(len(order)):
        job = order[i]
        if not progress.started[job]:
            blocked = True
            continue
        progress.backfilled[job] = blocked
        progress.start[job] = now
        progress.end[job] = now + run[job]
        progress.free[0] -= known.size[job]
        push(progress.ends, progress.end[job], job)
        _add_release(progress, now + known.request[job], known.size[job], job)
    kept = 0
    for i in range(progress.queued[0]):
        job = progress.queue[i]
        if progress.started[job]:
            progress.started[job] = False
        else:
            progress.queue[kept] = job
            kept += 1
    progress.queued[0] = kept


@njit(cache=True)
def place(
    policy: Policy,
    moment: Moment,
    order: Integers,
    backfill: Integers,
    releases: Releases,
    known: Known,
    promised: Floats,
    started: NDArray[np.bool_],
) -> float:
    """Call the policy's placement; see `utilitysched.placements.registry.Placement`."""
    return policy.place(moment, order, backfill, releases, known, policy.limits, promised, started)


@njit(cache=True)
def _schedule(
    moment: Moment,
    run: Floats,
    known: Known,
    forecast: Forecast,
    learnt: Recollection,
    policy: Policy,
    progress: Progress,
) -> None:
    """Make one scheduling pass over a queue that is not empty."""
    queue = progress.queue[: progress.queued[0]]
    if policy.learns:
        fill(queue, known, learnt, policy.rule, forecast)
    order = _queue_order(moment.now, queue, known, forecast, policy)[: policy.depth]
    backfill = order
    if not policy.same_order:
        backfill = ranked(order, moment.now, known, forecast, policy.secondary, policy.threshold)
    running = progress.running[0]
    releases = Releases(progress.release_end[:running], progress.release_size[:running])
    progress.wake_up[0] = place(
        policy,
        moment,
        order,
        backfill,
        releases,
        known,
        progress.promised,
        progress.started,
    )
    _begin(moment.now, run, known, order, progress)


@njit(cache=True)
def advance(
    run: Floats,
    known: Known,
    forecast: Forecast,
    learnt: Recollection,
    policy: Policy,
    progress: Progress,
    passes: int,
) -> bool:
    """Process events until all jobs have ended or `passes` more passes have been made.

    At each distinct time: all completions, then all arrivals, then one pass. A job without run
    time completes at its own start, which makes another pass at that instant.

    Parameters
    ----------
    run : (n,) float64
        Actual run times (s), at most the requests.
    passes : int
        Passes after which to return, so that the caller can report.

    Returns
    -------
    done : bool
        Whether all jobs have ended.
    """
    for _ in range(passes):
        now = progress.wake_up[0]
        if progress.arrived[0] < len(known.submit):
            now = min(now, known.submit[progress.arrived[0]])
        if progress.ends.filled[0] > 0:
            now = min(now, progress.ends.end[0])
        if now == np.inf:
            return True
        progress.wake_up[0] = np.inf
        early = _complete(now, run, known, learnt, policy, progress)
        _arrive(now, known, policy.primary.rank, progress)
        progress.passes[0] += 1
        if progress.queued[0] > 0 and (progress.free[0] > 0 or policy.keeps_promises):
            moment = Moment(now, progress.free[0], early)
            _schedule(moment, run, known, forecast, learnt, policy, progress)
    return False
