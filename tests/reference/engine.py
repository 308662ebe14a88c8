"""The event loop of section 1, for every ordering and placement, in plain Python."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from tests.reference.jobs import Job, Running, Schedule
from tests.reference.orderings import Context, order
from tests.reference.placements import (
    Conservative,
    SchedulingPass,
    place_easy,
    place_none,
    place_reservations,
)
from tests.reference.values import HOUR, REQUESTED, History, ValueRule, utility


class Conventions(NamedTuple):
    """Four points in which honest simulators differ; the defaults are ours (section 2)."""

    one_pass_per_event: bool = False
    submissions_first: bool = False
    overdue_is_free: bool = False
    shadow_releases_spare: bool = True


OURS = Conventions()
PYSS = Conventions(one_pass_per_event=True, submissions_first=True, overdue_is_free=True)


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


class Batch(NamedTuple):
    """What one pass is made for: jobs completed and jobs arrived."""

    completed: list[Job]
    arrived: list[Job]


class Engine:
    """One simulation; `simulate` runs it."""

    def __init__(self, jobs: list[Job], processors: int, scheduler: Scheduler) -> None:
        self.jobs = jobs
        self.processors = processors
        self.scheduler = scheduler
        self.conservative = Conservative()
        self.history = History()
        self.arrivals = sorted(jobs, key=lambda job: (job.submit, job.number))
        self.first_submit = self.arrivals[0].submit if jobs else 0.0
        self.completions: list[tuple[float, int]] = []
        self.queue: list[Job] = []
        self.submits: list[float] = []
        self.running: dict[int, Running] = {}
        self.start: dict[int, float] = {}
        self.end: dict[int, float] = {}
        self.backfilled: set[int] = set()
        self.passes = 0

    def run(self) -> Schedule:
        """Process all events."""
        self.run_on(float("-inf"))
        numbers = [job.number for job in self.jobs]
        return Schedule(
            [self.start[number] for number in numbers],
            [self.end[number] for number in numbers],
            [number in self.backfilled for number in numbers],
            self.passes,
        )

    def run_on(self, now: float) -> None:
        """Process the events after those at `now`."""
        now = self.next_event(now)
        while now < float("inf"):
            for batch in self.batches(now):
                self.make_pass(now, batch)
            now = self.next_event(now)

    def next_event(self, now: float) -> float:
        """Return the next completion, arrival or reservation; now again if a job ended at once."""
        completion = self.completions[0][0] if self.completions else float("inf")
        arrival = self.arrivals[0].submit if self.arrivals else float("inf")
        return min(completion, arrival, self.conservative.wake_up(now))

    def batches(self, now: float) -> Iterator[Batch]:
        """Yield the groups of events at this instant that get a pass each."""
        conventions = self.scheduler.conventions
        arrived = self.pop_arrivals(now)
        if not conventions.one_pass_per_event:
            yield Batch(list(self.pop_completions(now)), arrived)
            return
        if conventions.submissions_first:
            yield from (Batch([], [job]) for job in arrived)
        yield from (Batch([job], []) for job in self.pop_completions(now))
        if not conventions.submissions_first:
            yield from (Batch([], [job]) for job in arrived)

    def pop_arrivals(self, now: float) -> list[Job]:
        """Take the jobs that arrive now."""
        arrived = []
        while self.arrivals and self.arrivals[0].submit == now:
            arrived.append(self.arrivals.pop(0))
        return arrived

    def pop_completions(self, now: float) -> Iterator[Job]:
        """Take the jobs that complete now, one at a time."""
        while self.completions and self.completions[0][0] == now:
            yield self.jobs[heapq.heappop(self.completions)[1]]

    def make_pass(self, now: float, batch: Batch) -> None:
        """Release, queue, and let the scheduler start jobs."""
        self.passes += 1
        releases = [self.running.pop(job.number).release for job in batch.completed]
        for job in batch.completed:
            self.history.add(job)
        self.queue.extend(batch.arrived)
        self.submits.extend(job.submit for job in batch.arrived)
        primary = self.sort(self.queue, self.scheduler.ordering, now)
        if self.scheduler.reserve:
            primary = worth_the_reserve(self.scheduler, primary, now, self.processors, self.free)
        started = self.place(now, primary, any(release > now for release in releases))
        for job in started:
            self.start_job(job, now)
        self.mark_backfilled(primary, started)
        self.queue = [job for job in self.queue if job.number not in self.start]

    @property
    def free(self) -> int:
        """Processors in use by nobody."""
        return self.processors - sum(held.size for held in self.running.values())

    def sort(self, jobs: Iterable[Job], ordering: str, now: float) -> list[Job]:
        """Order jobs as the scheduler would at this instant."""
        context = Context(
            now,
            self.processors,
            self.first_submit,
            tuple(self.queue),
            self.history,
            self.scheduler.rule,
            self.scheduler.weights,
            self.free,
            submits=tuple(self.submits),
        )
        return order(jobs, ordering, context, self.scheduler.threshold)

    def place(self, now: float, primary: list[Job], ended_early: bool) -> list[Job]:
        """Ask the placement which jobs start now."""
        scheduler = self.scheduler
        backfill = scheduler.backfill or scheduler.ordering
        moment = SchedulingPass(
            now,
            self.processors,
            list(self.running.values()),
            primary[: scheduler.depth],
            lambda jobs: self.sort(jobs, backfill, now),
            scheduler.conventions.overdue_is_free,
            scheduler.conventions.shadow_releases_spare,
        )
        if scheduler.placement == "none":
            return place_none(moment)
        if scheduler.placement == "easy":
            return place_easy(moment)
        if scheduler.placement == "conservative":
            return self.conservative.place(moment, ended_early)
        return place_reservations(moment, scheduler.reservations, scheduler.window)

    def start_job(self, job: Job, now: float) -> None:
        """Give the job its processors until it completes."""
        self.start[job.number] = now
        self.end[job.number] = now + job.effective
        self.running[job.number] = Running(now + job.request, job.number, job.size)
        heapq.heappush(self.completions, (now + job.effective, job.number))

    def mark_backfilled(self, primary: list[Job], started: list[Job]) -> None:
        """Mark the started jobs that went past one that stayed blocked."""
        chosen = {job.number for job in started}
        blocked = False
        for job in primary:
            if job.number not in chosen:
                blocked = True
            elif blocked:
                self.backfilled.add(job.number)


def simulate(jobs: list[Job], processors: int, scheduler: Scheduler | None = None) -> Schedule:
    """Schedule `jobs` (numbered 0, 1, ... in the list) on `processors`."""
    return Engine(jobs, processors, scheduler or Scheduler()).run()
