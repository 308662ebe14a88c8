"""Plans of a queue: who is to start when, what a processor-hour costs, and what a bid changes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from swfx import InputError, UtilityFunction
from utilitysched.exact.planned import planned
from utilitysched.exact.problem import StaticProblem
from utilitysched.model.forecast import ForecastRule
from utilitysched.model.state import Floats, Integers
from utilitysched.runs.snapshot import Snapshot
from utilitysched.schedulers.registry import make_scheduler

HOUR = 3600.0


@dataclass(frozen=True, eq=False)
class QueuePlan:
    """The plan of a scheduler at a moment: nobody else comes, and all run as requested.

    Parameters
    ----------
    snapshot : Snapshot
        The moment: k queued jobs.
    scheduler : str
        Who plans, as `make_scheduler` takes it.
    seed : int
        Of what it draws.
    """

    snapshot: Snapshot
    scheduler: str
    seed: int = 0

    @cached_property
    def start(self) -> Floats:
        """When each queued job starts (s), shape (k,)."""
        return planned(self.snapshot, make_scheduler(self.scheduler), self.seed)

    @cached_property
    def value(self) -> Floats:
        """What each is worth then, as the scheduler reads values (SU), shape (k,)."""
        rule = make_scheduler(self.scheduler).reading or ForecastRule()
        return StaticProblem(self.snapshot, rule).values(self.start)

    @cached_property
    def size(self) -> Integers:
        """Processors of each, shape (k,)."""
        return np.array([job.processors for job in self.snapshot.queued], np.int64)

    @cached_property
    def end(self) -> Floats:
        """When each has to end (s), shape (k,)."""
        end: Floats = self.start + [job.request for job in self.snapshot.queued]
        return end

    @cached_property
    def density(self) -> Floats:
        """SU per requested processor-hour, shape (k,); 0 for jobs that request nothing."""
        hours = self.size * (self.end - self.start) / HOUR
        densities: Floats = np.divide(self.value, hours, out=np.zeros_like(hours), where=hours > 0)
        return densities

    def idle(self, since: float, until: float) -> int:
        """Return how many processors nobody has at any time from one instant to another (s)."""
        holders = self.snapshot.holders
        begin = np.append(self.start, [self.snapshot.now] * len(holders))
        end = np.append(self.end, [held.expected_end for held in holders])
        size = np.append(self.size, [held.processors for held in holders])
        changes = begin[(begin > since) & (begin < until)]
        used = [int(size[(begin <= at) & (end > at)].sum()) for at in (since, *changes)]
        return self.snapshot.machine_size - max(used)

    def prices(self, hours: int = 24) -> list[float | None]:
        """Return what a processor costs in each of the next hours (SU).

        Nothing where the plan leaves one idle for the whole hour: a job of one processor and one
        hour would be in nobody's way. Else what the cheapest of the waiting jobs that are to run
        then bids per processor-hour: who bids more would have its place. None where only jobs have
        processors that run already: they are not for sale.
        """
        prices: list[float | None] = []
        for since in self.snapshot.now + HOUR * np.arange(hours):
            runs = (self.start < since + HOUR) & (self.end > since)
            cheapest = float(self.density[runs].min()) if runs.any() else None
            prices.append(0.0 if self.idle(since, since + HOUR) > 0 else cheapest)
        return prices

    def ahead_of(self, place: int) -> Integers:
        """Return the places of the jobs that start before one, the first ones first."""
        ahead = np.flatnonzero(self.start < self.start[place])
        return ahead[np.argsort(self.start[ahead], kind="stable")]

    def place_of(self, job: int) -> int:
        """Return the place of a job in the queue.

        Raises
        ------
        InputError
            It does not wait.
        """
        places = np.flatnonzero(self.snapshot.ids == job)
        if not len(places):
            raise InputError(f"job {job} does not wait", field="job")
        return int(places[0])

    def bidding(self, job: int, factor: float) -> QueuePlan:
        """Return the plan if a queued job bid so many times as much.

        Raises
        ------
        InputError
            It does not wait, or bids nothing that could be more.
        """
        waits = self.snapshot.queued[self.place_of(job)]
        if waits.utility is None or not waits.utility.start_value:
            raise InputError(f"job {job} bids nothing, by whatever that is multiplied", field="job")
        more = UtilityFunction(waits.utility.times, waits.utility.values * factor)
        return replace(self, snapshot=self.snapshot.with_queued(replace(waits, utility=more)))
