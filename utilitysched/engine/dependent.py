"""The event loop for jobs that are submitted once another has ended."""

import heapq
import math
from collections import defaultdict
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from swfx import MISSING
from utilitysched.engine.stepwise import Simulation
from utilitysched.model.arrivals import Arrivals
from utilitysched.model.outcome import Outcome
from utilitysched.model.scheduler import Decider
from utilitysched.model.state import Floats, Integers, JobTable

if TYPE_CHECKING:
    from swfx.dependencies import Dependencies


def run_dependent(
    arrivals: Arrivals,
    dependencies: "Dependencies",
    scheduler: Decider,
    on_progress: Callable[[float], None] | None,
) -> Outcome:
    """Simulate all jobs, each submitted once the job it depends on has ended.

    A job is released at the later of its submit time in the log and the end of its predecessor
    plus its think time. Jobs are numbered as they are released, ties in arrival order, and what
    schedulers know as the submit time is the release: to them, the job was not there before.

    Parameters
    ----------
    arrivals : Arrivals
        The jobs.
    dependencies : Dependencies
        What each waits for, in workload order.
    scheduler : Decider
        Any object with ``decide(state)``, prepared.
    on_progress : callable, optional
        Called now and then with the share of jobs submitted so far.

    Raises
    ------
    InfeasibleDecision
        As in `utilitysched.engine.stepwise.run_stepwise`.
    """
    simulation = _DependentSimulation(arrivals, dependencies, scheduler)
    simulation.finish(on_progress)
    return simulation.outcome()


class _DependentSimulation(Simulation):
    """Jobs are numbered as they are released; their place is that in the log's arrival order."""

    def __init__(
        self, arrivals: Arrivals, dependencies: "Dependencies", scheduler: Decider
    ) -> None:
        super().__init__(arrivals, scheduler)
        self.logged = self.known
        self.logged_run = self.run
        self.known = _blank(self.logged)
        self.submit, self.request, self.size, self.run = [], [], [], []
        self.place: list[int] = []
        self.pending: list[tuple[float, int]] = []
        self.followers: defaultdict[int, list[tuple[int, float]]] = defaultdict(list)
        self._link(arrivals.order, dependencies)

    def outcome(self) -> Outcome:
        """Return the result in the log's arrival order."""
        columns = (self.start, self.end, self.backfilled, np.array(self.submit))
        start, end, backfilled, release = map(self._placed, columns)
        return Outcome(start, end, backfilled == 1, self.passes, release)

    def _place(self, job: int) -> int:
        return self.place[job]

    def _placed(self, column: NDArray[Any]) -> Floats:
        placed = np.full(len(self.logged.submit), np.nan)
        placed[self.place] = column[: self.arrived]
        return placed

    def _link(self, order: Integers, dependencies: "Dependencies") -> None:
        place_of = np.empty_like(order)
        place_of[order] = np.arange(len(order))
        for place, job in enumerate(order.tolist()):
            before = dependencies.predecessor.item(job)
            if before == MISSING:
                self.pending.append((self.logged.submit.item(place), place))
            else:
                think_time = dependencies.think_time.item(job)
                self.followers[place_of.item(before)].append((place, think_time))

    def _next_submit(self) -> float:
        return self.pending[0][0] if self.pending else math.inf

    def _complete(self, now: float) -> None:
        known_to_have_ended = len(self.finished)
        super()._complete(now)
        for job in self.finished[known_to_have_ended:]:
            for place, think_time in self.followers.get(self.place[job], ()):
                release = max(self.logged.submit.item(place), now + think_time)
                heapq.heappush(self.pending, (release, place))

    def _arrive(self, now: float) -> None:
        while self._next_submit() == now:
            _, place = heapq.heappop(self.pending)
            self._number(place, now)
        super()._arrive(now)

    def _number(self, place: int, now: float) -> None:
        """Give the job its number: enter it as the last one known."""
        job = len(self.submit)
        _enter(self.known, job, self.logged, place)
        self.known.submit[job] = now
        self.known.arrival[job] = now - self.known.submit[0]
        self.place.append(place)
        self.submit.append(now)
        self.request.append(self.logged.request.item(place))
        self.size.append(self.logged.size.item(place))
        self.run.append(self.logged_run[place])


def _blank(known: JobTable) -> JobTable:
    columns = known._asdict()
    del columns["machine_size"]
    return known._replace(**{name: np.zeros_like(column) for name, column in columns.items()})


def _enter(known: JobTable, job: int, logged: JobTable, place: int) -> None:
    """Copy a job's columns, except its times of submission."""
    for name in ("size", "request", "priority", "user"):
        getattr(known, name)[job] = getattr(logged, name)[place]
    first, last = logged.offsets[place], logged.offsets[place + 1]
    begin = known.offsets[job]
    end = begin + last - first
    known.offsets[job + 1] = end
    known.times[begin:end] = logged.times[first:last]
    known.values[begin:end] = logged.values[first:last]
