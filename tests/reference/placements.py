"""The placements of section 2: which queued jobs start at this instant.

All but the persistent conservative one are functions of a `SchedulingPass`, which holds the queue
in the primary order (starved jobs first) and knows the backfill order; they return the jobs to
start.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from tests.reference.jobs import Job, Running
from tests.reference.profile import Profile

Sorter = Callable[[Iterable[Job]], list[Job]]


@dataclass(frozen=True)
class SchedulingPass:
    """One instant as a placement sees it: `queue` in primary order, `backfill` a sorter of jobs.

    `overdue_is_free` and `shadow_releases_spare` are conventions in which simulators differ
    (`tests.reference.protocol.Conventions`).
    """

    now: float
    processors: int
    running: Sequence[Running]
    queue: Sequence[Job]
    backfill: Sorter = list
    overdue_is_free: bool = False
    shadow_releases_spare: bool = True

    @property
    def holding(self) -> list[Running]:
        """Running jobs that count as holding their processors."""
        if self.overdue_is_free:
            return [job for job in self.running if job.release > self.now]
        return list(self.running)

    @property
    def free(self) -> int:
        """Processors that nobody holds at this instant."""
        return self.processors - sum(job.size for job in self.holding)

    def starts_now(self, job: Job) -> Running:
        """Return `job` as it would run from now on, seen by a scheduler."""
        return Running(self.now + job.request, job.number, job.size)


def split_at_head(moment: SchedulingPass) -> tuple[list[Job], list[Job]]:
    """Return the jobs that start from the head, and the rest, whose first one is blocked."""
    free = moment.free
    for position, job in enumerate(moment.queue):
        if job.size > free:
            return list(moment.queue[:position]), list(moment.queue[position:])
        free -= job.size
    return list(moment.queue), []


def place_none(moment: SchedulingPass) -> list[Job]:
    """Start from the head until one does not fit."""
    return split_at_head(moment)[0]


def shadow_and_extra(
    head: Job, free: int, running: Iterable[Running], releases_spare: bool = True
) -> tuple[float, int]:
    """Return when the head can start at the latest, and the processors it then leaves over.

    All releases at the shadow time count as spare, unless `releases_spare` is false: then only
    those (by number) that the head needs.
    """
    shadow = float("-inf")
    for job in sorted(running):
        enough = free >= head.size
        if enough and not (releases_spare and job.release == shadow):
            break
        free += job.size
        shadow = job.release
    return shadow, free - head.size


def place_easy(moment: SchedulingPass) -> list[Job]:
    """EASY backfilling: the first blocked job holds the only reservation."""
    started, rest = split_at_head(moment)
    if not rest:
        return started
    head, *others = rest
    free = moment.free - sum(job.size for job in started)
    held = moment.holding + [moment.starts_now(job) for job in started]
    shadow, extra = shadow_and_extra(head, free, held, moment.shadow_releases_spare)
    for job in moment.backfill(others):
        in_time = moment.now + job.request <= shadow
        if job.size <= free and (in_time or job.size <= extra):
            started.append(job)
            free -= job.size
            extra -= 0 if in_time else job.size
    return started


@dataclass
class Planner:
    """The availability profile while jobs are started and reserved one after another."""

    moment: SchedulingPass
    started: list[Job] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.profile = Profile(self.moment.now, self.moment.processors, self.moment.running)
        self.free = self.moment.free

    def start_of(self, job: Job) -> float:
        """Earliest feasible start; a job of zero seconds can touch no reservation now."""
        now = self.moment.now
        if now + job.request <= now and job.size <= self.free:
            return now
        return self.profile.earliest(job.size, job.request)

    def start(self, job: Job) -> bool:
        """Start `job` if it is feasible now and fits physically."""
        fits = job.size <= self.free and self.start_of(job) == self.moment.now
        if fits:
            self.started.append(job)
            self.free -= job.size
            self.reserve(job, self.moment.now)
        return fits

    def reserve(self, job: Job, start: float) -> None:
        """Occupy the profile from `start` for the request."""
        self.profile.occupy(start, start + job.request, job.size)


def place_reservations(
    moment: SchedulingPass, reservations: int | None, window: float | None = None
) -> list[Job]:
    """Start jobs while the first K blocked ones in queue order hold reservations.

    Down the primary order until K reservations are held (with K = 0: until the first blocked job),
    then the rest in the backfill order: what fits now without touching a reservation starts.

    Parameters
    ----------
    reservations : int or None
        K: 0 backfills freely, 1 is EASY, None reserves for all (conservative, planned anew).
    window : float, optional
        A blocked job that could only start later than this many s from now gets no reservation and
        does not count.
    """
    planner = Planner(moment)
    queue = list(moment.queue)
    held = 0
    while queue:
        job = queue.pop(0)
        if planner.start(job):
            continue
        start = planner.start_of(job)
        within = window is None or start <= moment.now + window
        if within and (reservations is None or held < reservations):
            planner.reserve(job, start)
            held += 1
        if reservations is not None and held >= reservations:
            break
    for job in moment.backfill(queue):
        planner.start(job)
    return planner.started


class Conservative:
    """Conservative backfilling that keeps its reservations: one only ever moves earlier.

    `reserved` maps a job's number to the start reserved for it (s). At each instant, in this order:
    if a job ended early, the reservations are compressed, each taken out and put back once in
    queue order; new arrivals are placed in order of arrival; jobs whose reservation has come and
    that fit start in queue order.
    """

    def __init__(self) -> None:
        self.reserved: dict[int, float] = {}

    def place(self, moment: SchedulingPass, ended_early: bool, *, anew: bool = False) -> list[Job]:
        """Return the jobs to start now; if `anew`, all reservations are made so, in queue order."""
        if anew:
            self.reserved.clear()
        profile = Profile(moment.now, moment.processors, moment.running)
        holding = [job for job in moment.queue if job.number in self.reserved]
        for job in holding:
            profile.occupy(*self.interval(job), job.size)
        if ended_early:
            self.compress(profile, holding)
        for job in moment.queue if anew else sorted(set(moment.queue) - set(holding)):
            self.reserved[job.number] = profile.earliest(job.size, job.request)
            profile.occupy(*self.interval(job), job.size)
        return self.due(moment)

    def interval(self, job: Job) -> tuple[float, float]:
        """Start and end (s) of the job's reservation."""
        start = self.reserved[job.number]
        return start, start + job.request

    def compress(self, profile: Profile, queue: Sequence[Job]) -> None:
        """Move each reservation to its earliest feasible start with all others in place."""
        for job in queue:
            profile.vacate(*self.interval(job), job.size)
            start = profile.earliest(job.size, job.request)
            self.reserved[job.number] = min(start, self.reserved[job.number])
            profile.occupy(*self.interval(job), job.size)

    def due(self, moment: SchedulingPass) -> list[Job]:
        """Take out the jobs whose reservation has come and that fit, in queue order."""
        started: list[Job] = []
        free = moment.free
        for job in moment.queue:
            if self.reserved[job.number] <= moment.now and job.size <= free:
                started.append(job)
                free -= job.size
                del self.reserved[job.number]
        return started

    def wake_up(self, now: float) -> float:
        """Return the earliest reservation after now (s), infinity if there is none."""
        return min((start for start in self.reserved.values() if start > now), default=float("inf"))
