"""The jobs that a plan is about, and the plan last decided on."""

from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from utilitysched.model.forecast import Forecast
from utilitysched.model.state import Floats, Integers, QueueState
from utilitysched.schedulers.genetic.options import GeneticOptions
from utilitysched.schedulers.history import History

_NO_JOBS = np.empty(0, dtype=np.int64)
_NO_STARTS = np.empty(0)


@dataclass(frozen=True)
class Memory:
    """The plan last decided on.

    Attributes
    ----------
    order : (k,) int64
        Its jobs in queue order, by index in arrival order.
    job : (k,) int64
        The same jobs, ascending.
    start : (k,) float64
        Planned start of each of `job` (s).
    preempted : (b,) int64
        Jobs that were preempted and have not started again, in the order in which they were.
    """

    order: Integers = field(default_factory=lambda: _NO_JOBS)
    job: Integers = field(default_factory=lambda: _NO_JOBS)
    start: Floats = field(default_factory=lambda: _NO_STARTS)
    preempted: Integers = field(default_factory=lambda: _NO_JOBS)

    def reserved(self, queued: Integers) -> Floats:
        """Return the planned start of each queued job, infinity if it had none (s)."""
        starts = np.full(len(queued), np.inf)
        if len(self.job):
            place = np.searchsorted(self.job, queued).clip(max=len(self.job) - 1)
            known = self.job[place] == queued
            starts[known] = self.start[place[known]]
        return starts

    def in_order_of_preemption(self, jobs: Integers) -> Integers:
        """Return jobs in the order in which they were preempted, those of unknown turn behind."""
        known = self.preempted[np.isin(self.preempted, jobs)]
        return np.concatenate([known, jobs[~np.isin(jobs, known)]])

    def remembered(self, jobs: Integers) -> Integers:
        """Return the numbers in `jobs` of those that the plan had, in the plan's order."""
        by_arrival = np.argsort(jobs)
        place = np.searchsorted(jobs, self.order, sorter=by_arrival).clip(max=len(jobs) - 1)
        numbers = by_arrival[place]
        remembered: Integers = numbers[jobs[numbers] == self.order]
        return remembered


class Preemptible(NamedTuple):
    """Running jobs that may be preempted, as columns in order of arrival.

    Attributes
    ----------
    job : (b,) int64
        Index in arrival order.
    ran : (b,) float64
        Time since its last start (s).
    left : (b,) float64
        Requested time left if the job goes on running (s).
    later : (b,) float64
        Requested time left if it is preempted now, the restart overhead included (s); at least
        `left`.
    wasted : (b,) float64
        Work that a preemption loses, and the overhead (s).
    """

    job: Integers
    ran: Floats
    left: Floats
    later: Floats
    wasted: Floats

    def spares(self, jobs: Integers) -> NDArray[np.bool_]:
        """Mask of `jobs` that are absent from the victims."""
        if len(self.job) == 0:
            return np.ones(len(jobs), np.bool_)
        place = np.searchsorted(self.job, jobs).clip(max=len(self.job) - 1)  # half of np.isin
        spared: NDArray[np.bool_] = self.job[place] != jobs
        return spared


NOBODY = Preemptible(np.empty(0, dtype=np.int64), *np.empty((4, 0)))


def find_preemptible(state: QueueState, options: GeneticOptions) -> Preemptible:
    """Return the preemptible running jobs with the work left of each (semantics, section 7).

    Those that can go on from somewhere, and were preempted less often than the limit.
    """
    rules = state.preemption
    if rules is None:
        return NOBODY
    running = state.running
    ran = state.now - _since(state)
    # jobs that can go on from a checkpoint, below the limit of preemptions
    may = (rules.interval[running] >= 0.0) & (rules.preemptions[running] < options.preemptions)
    if not may.any():
        return NOBODY
    chosen = np.flatnonzero(may)[np.argsort(running[may])]
    job, ran, left = running[chosen], ran[chosen], state.expected_end[chosen] - state.now
    # work since the last start, less the overhead that the start began with
    overhead, paid = rules.overhead[job], rules.paid[job]
    work = np.maximum(0.0, ran - paid)
    lost = _lost(work, rules.interval[job])
    later = state.known.request[job] - paid - (work - lost) + overhead
    # only where an overhead is interrupted, or by rounding, would a preemption take less
    return Preemptible(job, ran, left, np.maximum(later, left), lost + overhead)


def forecast_beside(history: History, state: QueueState) -> Forecast:
    """Return the forecast of the queued jobs, and of what running ones have still to do."""
    running = state.running
    forecast = history.forecast(replace(state, queued=np.concatenate([state.queued, running])))
    ran = state.now - _since(state)
    duration, occupancy = forecast.duration[running], forecast.occupancy[running]
    forecast.duration[running] = np.maximum(0.0, duration - ran[:, np.newaxis])
    forecast.occupancy[running] = np.maximum(0.0, occupancy - ran)
    return forecast


def _since(state: QueueState) -> Floats:
    """Return when the running jobs last started (s)."""
    if state.preemption is not None:
        return state.preemption.last_start[state.running]
    started: Floats = state.expected_end - state.known.request[state.running]
    return started


def _lost(work: Floats, interval: Floats) -> Floats:
    """Return the work since the last checkpoint (s), none where a preemption writes one."""
    periodic = interval > 0.0
    since = np.fmod(work, np.where(periodic, interval, 1.0))
    lost: Floats = np.where(periodic, since, 0.0)
    return lost


class GenomeMap(NamedTuple):
    """Queued jobs, then running jobs that may be preempted.

    Attributes
    ----------
    job : (n,) int64
        Index in arrival order: the pinned jobs, the other queued ones in order of arrival, the
        running ones in order of arrival.
    pinned : int
        So many go ahead of the other queued jobs.
    preemptible : Preemptible
        The running ones.
    """

    job: Integers
    pinned: int
    preemptible: Preemptible

    @classmethod
    def of(cls, state: QueueState, threshold: float, memory: Memory | None) -> "GenomeMap":
        """Return the queue: starved jobs first, then preempted ones, in that order.

        Parameters
        ----------
        state : QueueState
            What is known.
        threshold : float
            Jobs that have waited longer are starved (s). The queue is in arrival order, so they
            are the first of it.
        memory : Memory or None
            Who was preempted and when; None if preempted jobs do not go ahead.
        """
        queued = state.queued
        starved = int(np.count_nonzero(state.now - state.known.submit[queued] > threshold))
        if memory is None or state.preemption is None:
            return cls(queued, starved, NOBODY)
        # starved jobs, preempted jobs in the order of preemption, all others
        others = queued[starved:]
        preempted = memory.in_order_of_preemption(others[state.preemption.preemptions[others] > 0])
        rest = others[~np.isin(others, preempted)]
        jobs = np.concatenate([queued[:starved], preempted, rest])
        return cls(jobs, starved + len(preempted), NOBODY)

    def beside(self, preemptible: Preemptible) -> "GenomeMap":
        """Return the line with running jobs at its end."""
        return GenomeMap(np.concatenate([self.job, preemptible.job]), self.pinned, preemptible)

    def only(self, numbers: Integers) -> "GenomeMap":
        """Return the line without the movable jobs that are not among these numbers, ascending."""
        job = np.concatenate([self.job[: self.pinned], self.movable[numbers]])
        return GenomeMap(job, self.pinned, self.preemptible)

    @property
    def movable(self) -> Integers:
        """The jobs that are put in order, by index in arrival order."""
        return self.job[self.pinned :]

    @property
    def waiting(self) -> int:
        """How many of the movable jobs are queued: the first so many."""
        return len(self.job) - self.pinned - len(self.preemptible.job)

    def jobs_of(self, order: Integers) -> Integers:
        """Return the jobs as a plan takes them, by index in arrival order.

        Parameters
        ----------
        order : (n - pinned,) int64
            As `utilitysched.kernels.plan.place` takes it: running jobs with which it begins come
            before the pinned ones.
        """
        queued = np.flatnonzero(order < self.waiting)
        ahead = int(queued[0]) if len(queued) else len(order)
        movable = self.movable[order]
        return np.concatenate([movable[:ahead], self.job[: self.pinned], movable[ahead:]])


def not_preempted_first(orders: Integers, waiting: int) -> Integers:
    """Return orders (P, n) with the running jobs, numbered from `waiting` on, moved to the front.

    In the plans of such orders all of them go on running.
    """
    places = np.argsort(orders < waiting, axis=1, kind="stable")
    return np.take_along_axis(orders, places, axis=1)
