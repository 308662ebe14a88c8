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
        """Curves of the queued jobs with their forecast durations, as kernels take them."""
        state = self.snapshot.state()
        history = History(self.rule)
        history.observe(state)
        return worth_of(state, history.forecast(state))

    def values(self, start: Floats) -> Floats:
        """Return what each job is worth if they start so (s), shape (k,) (SU)."""
        values = np.empty(len(start))
        planned_values(np.asarray(start, dtype=np.float64), self.worth, values)
        return values

    def without(self, job: int) -> "StaticProblem":
        """Return the problem without the queued job of this id."""
        return replace(self, snapshot=self.snapshot.without([job]))

    def left_shifted(self, order: Sequence[int]) -> Floats:
        """Return the starts (s) of jobs that start one after another, each as early as it can.

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
        snapshot, request = self.snapshot, self.request
        occupied = _Occupied(snapshot.now)
        for job in snapshot.holders:
            occupied.hold(-math.inf, max(job.expected_end, snapshot.now), job.processors)
        start = np.empty(len(snapshot.queued))
        for place in order:
            size, duration = snapshot.queued[place].processors, request.item(place)
            begin = occupied.earliest(duration, snapshot.machine_size - size)
            start[place] = begin
            occupied.hold(begin, begin + duration, size)
        return start


class _Occupied:
    """Processors that placed jobs hold from now on.

    Attributes
    ----------
    time : (m,) float64
        Instants at which that changes (s), ascending, from minus infinity and now on.
    across : (m,) int64
        Processors held both before and after each instant.
    after : (m,) int64
        Processors held from each instant to the next.
    instant : (m,) int64
        Most processors that a job of no length needs at each instant.
    """

    def __init__(self, now: float) -> None:
        self.time = np.array([-math.inf, now])
        self.across, self.after, self.instant = np.zeros((3, 2), dtype=np.int64)

    def earliest(self, duration: float, most: int) -> float:
        """Return the first time (s) from which on at most `most` are held for so long (s)."""
        if duration == 0:
            return float(self.time[1 + np.argmax(self.across[1:] <= most)])
        full = self.after > most
        parted = self.across + self.instant > most
        first = 1
        while True:
            first += int(np.argmin(full[first:]))
            end = int(np.searchsorted(self.time, self.time[first] + duration))
            # the last instant from which the job cannot go on tells where it can begin at best
            held = np.flatnonzero(full[first:end])
            cut = np.flatnonzero(parted[first + 1 : end])
            if not len(held) and not len(cut):
                return float(self.time[first])
            first += max(held.max(initial=-1), cut.max(initial=-1)) + 1

    def hold(self, begin: float, end: float, size: int) -> None:
        """Let a job hold processors from `begin` to `end` (s)."""
        first, last = self._step(begin), self._step(end)
        if begin == end:
            self.instant[first] = max(self.instant[first], size)
        else:
            self.across[first + 1 : last] += size
            self.after[first:last] += size

    def _step(self, instant: float) -> int:
        """Return the place of an instant (s) among the times, after adding it if need be."""
        place = int(np.searchsorted(self.time, instant))
        if place == len(self.time) or self.time[place] != instant:
            held = self.after[place - 1]
            self.time = np.insert(self.time, place, instant)
            self.across = np.insert(self.across, place, held)
            self.after = np.insert(self.after, place, held)
            self.instant = np.insert(self.instant, place, 0)
        return place
