"""A machine of pools in plain Python: several resources, limits, windows, every instant anew.

Written from the semantics of machines, for first-come, first-served queues; nothing is shared with
the engine.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

RUNNING, SUBMITTED = "running", "submitted"
"""What limits count besides amounts of resources, which they name by number."""


class PoolJob(NamedTuple):
    """A job by its number in arrival order; counters are limits that it counts against."""

    number: int
    submit: float
    run: float
    request: float
    pool: int
    amounts: tuple[int, ...]
    counters: tuple[int, ...] = ()
    exempt: frozenset[int] = frozenset()


class PoolLimit(NamedTuple):
    """At most so much: of a resource, by number, or of jobs that run, or are queued or run."""

    measure: int | str
    most: int


class PoolWindow(NamedTuple):
    """A time in which a pool has less for jobs that are not exempt, by the window's number."""

    number: int
    pool: int
    known: float
    begin: float
    end: float
    taken: tuple[int, ...]


class Holding(NamedTuple):
    """Amounts that a job has, or will have, from `since` until `until`."""

    job: PoolJob
    since: float
    until: float


@dataclass
class PoolMoment:
    """What a pass of a pool goes by; `windows` are known and not over."""

    now: float
    capacity: tuple[int, ...]
    windows: Sequence[PoolWindow]
    holdings: list[Holding] = field(default_factory=list)

    def in_use(self, time: float, window: PoolWindow | None = None) -> list[int]:
        """Return the amounts in use at a time, of jobs that a window concerns."""
        there = [
            each.job.amounts
            for each in self.holdings
            if each.since <= time < each.until
            and (window is None or window.number not in each.job.exempt)
        ]
        return [sum(column) for column in zip(*there, strict=True)] or [0] * len(self.capacity)

    def has_room(self, job: PoolJob, begin: float) -> bool:
        """Whether all amounts of a job are free while it runs."""
        until = begin + job.request
        times = [begin, *(h.since for h in self.holdings if begin < h.since < until)]
        return all(_fit(job, self.in_use(time), self.capacity) for time in times)

    def is_barred(self, job: PoolJob, begin: float) -> bool:
        """Whether a window bars a job that begins at a time."""
        for window in self.windows:
            until = _until(job, begin)
            if window.number in job.exempt or begin >= window.end or until <= window.begin:
                continue
            first, last = max(begin, window.begin), min(until, window.end)
            times = [first, *(h.since for h in self.holdings if first < h.since < last)]
            left = [have - gone for have, gone in zip(self.capacity, window.taken, strict=True)]
            if not all(_fit(job, self.in_use(time, window), left) for time in times):
                return True
        return False

    def may_begin(self, job: PoolJob, begin: float) -> bool:
        """Whether a job can begin at a time."""
        return self.has_room(job, begin) and not self.is_barred(job, begin)

    def hold(self, job: PoolJob, begin: float) -> None:
        """Have a job begin."""
        self.holdings.append(Holding(job, begin, _until(job, begin)))

    def earliest(self, job: PoolJob) -> float:
        """Return when a job can begin (s), infinite for never."""
        times = {self.now, *(each.until for each in self.holdings)}
        times |= {window.end for window in self.windows}
        begins = (time for time in sorted(times) if time < math.inf and self.may_begin(job, time))
        return next(begins, math.inf)


def place(
    moment: PoolMoment,
    queue: Sequence[PoolJob],
    breaks: Callable[[PoolJob, list[PoolJob]], bool],
    *,
    backfills: bool,
) -> list[PoolJob]:
    """Return the jobs that a pass starts.

    Parameters
    ----------
    moment : PoolMoment
        The pass.
    queue : sequence of PoolJob
        Queue in order.
    breaks : callable
        Whether a job would break a limit beside those that the pass has started.
    backfills : bool
        EASY; else nobody starts behind the first that cannot.
    """
    started: list[PoolJob] = []
    headed = False
    for job in queue:
        if breaks(job, started):
            continue
        if moment.may_begin(job, moment.now):
            started.append(job)
            moment.hold(job, moment.now)
        elif not backfills:
            break
        elif not headed:
            headed = True
            moment.hold(job, moment.earliest(job))
    return started


class Played(NamedTuple):
    """When jobs started and ended, how long each waited for a limit or a window, passes."""

    start: list[float]
    end: list[float]
    for_limit: list[float]
    for_window: list[float]
    passes: int


class PlainMachine:
    """A machine that first-come, first-served jobs run on."""

    def __init__(
        self,
        capacity: Sequence[tuple[int, ...]],
        limits: Sequence[PoolLimit],
        windows: Sequence[PoolWindow],
        *,
        backfills: bool,
    ) -> None:
        self.capacity, self.limits, self.windows = capacity, limits, windows
        self.backfills = backfills

    def play(self, jobs: Sequence[PoolJob]) -> Played:
        """Return what becomes of jobs in arrival order."""
        self.start: dict[PoolJob, float] = {}
        self.ended: set[PoolJob] = set()
        self.admitted: set[PoolJob] = set()
        held = {job: [0.0, 0.0] for job in jobs}
        now, passes = -math.inf, 0
        waits: tuple[list[PoolJob], list[PoolJob]] = [], []
        while (later := self._next(jobs, now)) < math.inf:
            for which, waiting in enumerate(waits):
                for job in waiting:
                    held[job][which] += later - now
            now, passes = later, passes + 1
            self.ended |= {job for job in self.start if self.start[job] + job.run <= now}
            self._admit([job for job in jobs if job.submit <= now])
            for pool in range(len(self.capacity)):
                for job in self._pass(self._queue(jobs, pool, now), pool, now):
                    self.start[job] = now
            waits = self._waits(jobs, now)
        start = [self.start[job] for job in jobs]
        end = [self.start[job] + job.run for job in jobs]
        for_limit, for_window = ([held[job][which] for job in jobs] for which in (0, 1))
        return Played(start, end, for_limit, for_window, passes)

    def _next(self, jobs: Sequence[PoolJob], now: float) -> float:
        running = self._running()
        times = [job.submit for job in jobs if job.submit > now]
        times += [self.start[job] + job.run for job in running]
        if running or any(job.submit <= now and job not in self.start for job in jobs):
            bounds = (time for each in self.windows for time in each[2:5])
            times += [time for time in bounds if time > now]
        return min(times, default=math.inf)

    def _running(self) -> list[PoolJob]:
        return [job for job in self.start if job not in self.ended]

    def _queue(self, jobs: Sequence[PoolJob], pool: int, now: float) -> list[PoolJob]:
        return [
            job for job in jobs if job.submit <= now and job not in self.start and job.pool == pool
        ]

    def _admit(self, there: Sequence[PoolJob]) -> None:
        for job in there:
            there_already = [other for other in self.admitted if other not in self.ended]
            if job not in self.admitted and not self._over(job, there_already, submitted=True):
                self.admitted.add(job)

    def _over(self, job: PoolJob, others: Sequence[PoolJob], *, submitted: bool) -> bool:
        for counter in job.counters:
            measure, most = self.limits[counter]
            if (measure == SUBMITTED) != submitted:
                continue
            group = [job, *(other for other in others if counter in other.counters)]
            used = [1 if isinstance(measure, str) else each.amounts[measure] for each in group]
            if sum(used) > most:
                return True
        return False

    def _breaks(self, job: PoolJob, begun: list[PoolJob]) -> bool:
        others = [*self._running(), *begun]
        return job not in self.admitted or self._over(job, others, submitted=False)

    def _moment(self, pool: int, now: float) -> PoolMoment:
        windows = [
            each for each in self.windows if each.pool == pool and each.known <= now < each.end
        ]
        running = [job for job in self._running() if job.pool == pool]
        holdings = [Holding(job, self.start[job], self.start[job] + job.request) for job in running]
        return PoolMoment(now, self.capacity[pool], windows, holdings)

    def _pass(self, queue: list[PoolJob], pool: int, now: float) -> list[PoolJob]:
        moment = self._moment(pool, now)
        return place(moment, queue, self._breaks, backfills=self.backfills)

    def _waits(self, jobs: Sequence[PoolJob], now: float) -> tuple[list[PoolJob], list[PoolJob]]:
        for_limit, for_window = [], []
        for pool, capacity in enumerate(self.capacity):
            moment = self._moment(pool, now)
            for job in self._queue(jobs, pool, now):
                fits = _fit(job, moment.in_use(now), capacity)
                if self._breaks(job, []):
                    for_limit.append(job)
                elif fits and moment.is_barred(job, now):
                    for_window.append(job)
        return for_limit, for_window


def _until(job: PoolJob, begin: float) -> float:
    """Return the expected end of a job (s); one of no time is there at that instant."""
    return max(begin + job.request, math.nextafter(begin, math.inf))


def _fit(job: PoolJob, used: Sequence[int], there: Sequence[int]) -> bool:
    return all(
        need == 0 or need + taken <= have
        for need, taken, have in zip(job.amounts, used, there, strict=True)
    )
