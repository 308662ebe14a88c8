"""Sources of jobs: the log, or the ends of the jobs that they depend on."""

import heapq
import math
from collections import defaultdict
from copy import copy
from typing import TYPE_CHECKING, Self

from swfx import MISSING
from utilitysched.model.arrivals import Arrivals

if TYPE_CHECKING:
    from swfx.dependencies import Dependencies


class LogArrivals:
    """Jobs that come when the log says: each is numbered by its place in arrival order.

    Parameters
    ----------
    submit : list of float
        Submit times in arrival order (s).

    Attributes
    ----------
    arrived : int
        Jobs that have come.
    places : sequence of int
        Place in arrival order of each job.
    times : list of float
        When each comes (s).
    """

    renumbers = False

    def __init__(self, submit: list[float]) -> None:
        self.arrived = 0
        self.absent: frozenset[int] = frozenset()
        self.times, self.count = submit, len(submit)
        self.places = range(self.count)

    def fork(self) -> Self:
        """Return the same, to go on separately."""
        return copy(self)

    def next_time(self) -> float:
        """Return when the next job comes (s), infinite if none does."""
        while self.arrived in self.absent:  # an instant at which nobody else comes is no event
            self.arrived += 1
        return self.times[self.arrived] if self.arrived < self.count else math.inf

    def come(self, now: float) -> list[int]:
        """Return the jobs that come now."""
        first = self.arrived
        while self.arrived < self.count and self.times[self.arrived] == now:
            self.arrived += 1
        return [job for job in range(first, self.arrived) if job not in self.absent]

    def end(self, job: int, now: float) -> None:
        """Take note of the end of a job, for which nobody waits."""

    def leave_out(self, place: int) -> None:
        """Let a job that is still to come never come."""
        self.absent |= {place}

    def end_arrivals(self, count: int) -> None:
        """Let no jobs come but the first `count` in arrival order."""
        self.count = min(self.count, count)

    def expect(self, submit: list[float]) -> None:
        """Let other jobs come from now on, behind those that have come."""
        self.times, self.count = submit, len(submit)
        self.places = range(self.count)

    def come_until(self, count: int) -> None:
        """Have the first `count` jobs come."""
        self.arrived = count


class DependentArrivals:
    """Arrivals of jobs after the ends of their predecessors, numbered in order of release.

    A job is released at the later of its submit time in the log and the end of its predecessor
    plus its think time, ties in arrival order. Who depends on a job that never comes is released as
    that one would have been, if the log does not submit it later.

    Parameters
    ----------
    arrivals : Arrivals
        The jobs.
    dependencies : Dependencies
        What each waits for, in workload order; others may be among these than `arrivals` has.

    Attributes
    ----------
    places : list of int
        Place in arrival order of each job that has come.
    times : list of float
        When each of them came (s).
    """

    renumbers = True

    def __init__(self, arrivals: Arrivals, dependencies: "Dependencies") -> None:
        self.places: list[int] = []
        self.times: list[float] = []
        self.absent: frozenset[int] = frozenset()
        self.count = len(arrivals.run)
        self._submit: list[float] = arrivals.known.submit.tolist()
        self._pending: list[tuple[float, int]] = []
        self._followers: defaultdict[int, list[tuple[int, float]]] = defaultdict(list)
        self._order: list[int] = arrivals.order.tolist()
        self._link(dependencies)

    @property
    def arrived(self) -> int:
        """Jobs that have come."""
        return len(self.places)

    def fork(self) -> Self:
        """Return the same, to go on separately."""
        other = copy(self)
        other.places, other.times = self.places.copy(), self.times.copy()
        other._pending = self._pending.copy()
        return other

    def next_time(self) -> float:
        """Return when the next job comes (s), infinite if none does before another ends."""
        while self._pending and self._pending[0][1] in self.absent:
            self._number()
        return self._pending[0][0] if self._pending else math.inf

    def come(self, now: float) -> list[int]:
        """Return the jobs that come now, by their new numbers."""
        first = self.arrived
        while self._pending and self._pending[0][0] == now:
            self._number()
        return [job for job in range(first, self.arrived) if self.places[job] not in self.absent]

    def end(self, job: int, now: float) -> None:
        """Let come, in due time, who depends on a job that ends now."""
        self.follow(self._order[self.places[job]], now)

    def follow(self, position: int, now: float) -> None:
        """Let come, in due time, who depends on a job, by position in the workload."""
        for place, think_time in self._followers.get(position, ()):
            self._release(place, now + think_time)

    def leave_out(self, place: int) -> None:
        """Let a job that is still to come never come; its number is nobody else's."""
        self.absent |= {place}

    def end_arrivals(self, count: int) -> None:
        """Let no jobs come but the first `count` in arrival order."""
        self.count = min(self.count, count)
        self._pending = [pair for pair in self._pending if pair[1] < count]
        heapq.heapify(self._pending)

    def _release(self, place: int, time: float) -> None:
        if place < self.count:
            heapq.heappush(self._pending, (max(self._submit[place], time), place))

    def _number(self) -> None:
        """Let the next job come."""
        time, place = heapq.heappop(self._pending)
        self.places.append(place)
        self.times.append(time)
        if place in self.absent:
            for follower, _ in self._followers.get(self._order[place], ()):
                self._release(follower, time)

    def _link(self, dependencies: "Dependencies") -> None:
        for place, job in enumerate(self._order):
            before = dependencies.predecessor.item(job)
            if before == MISSING:
                self._pending.append((self._submit[place], place))
            else:
                think_time = dependencies.think_time.item(job)
                self._followers[before].append((place, think_time))
