"""List schedulers (section 2) in the event loop of `tests.reference.preemptive`."""

from __future__ import annotations

import math
from collections.abc import Iterable

from tests.reference.engine import Scheduler, worth_the_reserve
from tests.reference.jobs import Job, Running
from tests.reference.orderings import Context, order
from tests.reference.placements import (
    Conservative,
    SchedulingPass,
    place_easy,
    place_none,
    place_reservations,
)
from tests.reference.preemptive import Choice, State
from tests.reference.values import History


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
        context = Context(
            state.now,
            self.processors,
            first,
            tuple(queue),
            self.history,
            scheduler.rule,
            scheduler.weights,
            self.free(state),
            submits=tuple(job.submit for job in state.come),
        )
        return order(jobs, ordering, context, scheduler.threshold)

    def place(self, state: State, primary: list[Job], queue: list[Job]) -> list[Job]:
        """Ask the placement which jobs start now."""
        scheduler, now = self.scheduler, state.now
        keeps = scheduler.placement == "conservative"
        soon = math.nextafter(now, math.inf)
        running = [
            Running(now if keeps and end <= soon else end, seen.number, seen.size)
            for end, seen in state.running
        ]
        down = [Running(end, len(state.come), size) for end, size in state.repairs]
        moment = SchedulingPass(
            now,
            self.processors,
            running + down,
            primary[: scheduler.depth],
            lambda jobs: self.sort(jobs, scheduler.backfill or scheduler.ordering, state, queue),
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
