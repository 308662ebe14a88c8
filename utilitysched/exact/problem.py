"""The static problem: who starts when, if nobody else comes and all run as requested."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from utilitysched.kernels.fitness import Worth, planned_values
from utilitysched.model.forecast import ForecastRule
from utilitysched.model.state import Floats, Integers
from utilitysched.runs.snapshot import Snapshot
from utilitysched.schedulers.history import History
from utilitysched.schedulers.value import worth_of

Held = tuple[float, float, int]
"""From when, until when (s), how many processors."""


@dataclass(frozen=True, eq=False)
class StaticProblem:
    """Start every queued job of a snapshot so that the sum of their values is largest.

    A job holds its processors from its start for its requested time; running jobs hold theirs until
    their expected ends. A job that requests no time needs its processors at an instant, after the
    jobs that end and before the jobs that start at it. A job's value is the mean over k of
    u(start + d_k - submit): its utility function, read at durations d_k.

    Attributes
    ----------
    snapshot : Snapshot
        The moment: k queued jobs.
    rule : ForecastRule
        What decides the durations d_k.
    """

    snapshot: Snapshot
    rule: ForecastRule

    @property
    def size(self) -> Integers:
        """Processors of each queued job, shape (k,)."""
        return np.array([job.processors for job in self.snapshot.queued], dtype=np.int64)

    @property
    def request(self) -> Floats:
        """Requested times (s), shape (k,)."""
        return np.array([job.request for job in self.snapshot.queued], dtype=np.float64)

    @property
    def worth(self) -> Worth:
        """What the queued jobs are worth, as kernels take it."""
        state = self.snapshot.state()
        history = History(self.rule)
        history.observe(state)
        return worth_of(state, history.forecast(state))

    def values(self, start: Floats) -> Floats:
        """Return what each job is worth if they start so (s), shape (k,) (SU)."""
        found = np.empty(len(start))
        planned_values(np.asarray(start, dtype=np.float64), self.worth, found)
        return found

    def without(self, job: int) -> "StaticProblem":
        """Return the problem without the queued job of this id."""
        return replace(self, snapshot=self.snapshot.without([job]))

    def left_shifted(self, order: Sequence[int]) -> Floats:
        """Start jobs one after another, each as early as those before it allow.

        Values never rise with time, so some order's starts are as good as any schedule there is.

        Parameters
        ----------
        order : sequence of int
            Places in the queue, 0 to k - 1.

        Returns
        -------
        (k,) float64
            Starts (s), in the order of the queue.
        """
        snapshot = self.snapshot
        held: list[Held] = [
            (-math.inf, job.expected_end, job.processors) for job in snapshot.holders
        ]
        start = np.empty(len(snapshot.queued))
        for place in order:
            job = snapshot.queued[place]
            most = snapshot.machine_size - job.processors
            begin = _earliest(held, snapshot.now, job.request, most)
            start[place] = begin
            held.append((begin, begin + job.request, job.processors))
        return start


def _earliest(held: Sequence[Held], now: float, duration: float, most: int) -> float:
    """Return the first time from which on at most `most` processors are held for `duration` (s)."""
    for begin in sorted({now, *(end for _, end, _ in held)}):
        if _fits(held, begin, begin + duration, most):
            return begin
    raise AssertionError("after the last end the whole machine is free")


def _fits(held: Sequence[Held], begin: float, end: float, most: int) -> bool:
    if begin == end:
        return _across(held, begin) <= most
    inside = [row for row in held if begin < row[0] < end]
    return _held_from(held, begin) <= most and all(
        (_across(held, first) + size if first == last else _held_from(held, first)) <= most
        for first, last, size in inside
    )


def _held_from(held: Sequence[Held], instant: float) -> int:
    """Return the processors held just after an instant."""
    return sum(size for first, last, size in held if first <= instant < last)


def _across(held: Sequence[Held], instant: float) -> int:
    """Return the processors held both before and after an instant."""
    return sum(size for first, last, size in held if first < instant < last)
