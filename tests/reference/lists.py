"""List schedulers: orderings (section 3) and placements (section 2), asked at every pass."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from tests.reference.jobs import Job, Running
from tests.reference.orderings import Context, order
from tests.reference.placements import (
    Conservative,
    SchedulingPass,
    place_easy,
    place_none,
    place_reservations,
)
from tests.reference.protocol import OURS, Choice, Conventions, State
from tests.reference.values import HOUR, REQUESTED, History, ValueRule, utility


@dataclass(frozen=True)
class Scheduler:
    """An ordering, a placement, and their options.

    `placement` is none, easy, conservative (reservations kept) or reservations (the first
    `reservations` blocked jobs hold one, None: all, none of them further away than `window` s).
    At most `depth` queued jobs are looked at in one pass, in the primary order. Jobs worth less
    than `reserve` (SU) per requested processor-hour wait for idle time: see `worth_the_reserve`.
    """

    ordering: str = "fcfs"
    placement: str = "easy"
    backfill: str | None = None
    threshold: float | None = None
    reservations: int | None = 1
    depth: int | None = None
    window: float | None = None
    rule: ValueRule = REQUESTED
    weights: tuple[float, ...] = (0.0, 0.0, 1.0, 0.0, 0.0, 0.0)
    conventions: Conventions = OURS
    reserve: float = 0.0
    idle: float = 0.0


def worth_the_reserve(
    scheduler: Scheduler, primary: list[Job], now: float, processors: int, free: int
) -> list[Job]:
    """Return the jobs looked at, in order: those worth the reserve, those that start in idle time.

    The starved count as worth it. If all of these fit, another one starts if no more than the share
    1 - `idle` of the processors that it leaves to others are taken then.
    """
    threshold = scheduler.threshold
    worth = [
        job
        for job in primary
        if utility(job.points, now - job.submit)
        >= scheduler.reserve * (job.size * job.request / HOUR)
        or (threshold is not None and now - job.submit > threshold)
    ]
    looked_at = {job.number for job in worth}
    free -= sum(job.size for job in worth)
    for job in primary:
        others = processors - job.size
        if job.number not in looked_at and free - job.size >= max(0, scheduler.idle * others):
            looked_at.add(job.number)
            free -= job.size
    return [job for job in primary if job.number in looked_at]


class ListTwin:
    """An ordering and a placement, asked at every pass.

    Reservations that are kept are all made anew, in queue order, at a pass before which capacity
    changed otherwise than planned; who runs past its limit holds nothing then.
    """

    def __init__(self, processors: int, scheduler: Scheduler) -> None:
        self.processors = processors
        self.scheduler = scheduler
        self.conservative = Conservative()
        self.history = History()
        self.submits: list[float] = []

    def choose(self, state: State) -> Choice:
        """Return whom to start."""
        for number, run, request in state.ended:
            self.history.add(state.come[number]._replace(run=run, request=request))
        queue = [state.come[seen.number]._replace(request=seen.request) for seen in state.queued]
        primary = self.sort(queue, self.scheduler.ordering, state, queue)
        if self.scheduler.reserve:
            now, free = state.now, self.free(state)
            primary = worth_the_reserve(self.scheduler, primary, now, self.processors, free)
        started = sorted(job.number for job in self.place(state, primary, queue))
        numbers = [job.number for job in primary]
        return Choice([], started, numbers, self.conservative.wake_up(state.now))

    def free(self, state: State) -> int:
        """Processors in use by nobody."""
        taken = sum(seen.size for _, seen in state.running)
        return self.processors - taken - sum(size for _, size in state.repairs)

    def sort(self, jobs: Iterable[Job], ordering: str, state: State, queue: list[Job]) -> list[Job]:
        """Order jobs as the scheduler would at this instant."""
        scheduler, first = self.scheduler, state.come[0].submit
        self.submits.extend(job.submit for job in state.come[len(self.submits) :])
        context = Context(
            state.now,
            self.processors,
            first,
            tuple(queue),
            self.history,
            scheduler.rule,
            scheduler.weights,
            self.free(state),
            submits=self.submits,
        )
        return order(jobs, ordering, context, scheduler.threshold)

    def place(self, state: State, primary: list[Job], queue: list[Job]) -> list[Job]:
        """Ask the placement which jobs start now."""
        scheduler, now = self.scheduler, state.now
        keeps, conventions = scheduler.placement == "conservative", scheduler.conventions
        nothing = keeps or conventions.overdue_is_free
        soon = math.nextafter(now, math.inf)
        running = [
            Running(now if nothing and end <= soon else end, seen.number, seen.size)
            for end, seen in state.running
        ]
        down = [Running(end, len(state.come), size) for end, size in state.repairs]
        moment = SchedulingPass(
            now,
            self.processors,
            running + down,
            primary[: scheduler.depth],
            lambda jobs: self.sort(jobs, scheduler.backfill or scheduler.ordering, state, queue),
            conventions.overdue_is_free,
            conventions.shadow_releases_spare,
        )
        if scheduler.placement == "none":
            return place_none(moment)
        if scheduler.placement == "easy":
            return place_easy(moment)
        if keeps:
            return self.conservative.place(moment, self.ended_early(state), anew=state.disrupted)
        return place_reservations(moment, scheduler.reservations, scheduler.window)

    def ended_early(self, state: State) -> bool:
        """Whether a job ended before it was expected to."""
        return any(
            (state.last_start[number] or 0.0) + request > state.now
            for number, _, request in state.ended
        )
