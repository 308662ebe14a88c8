"""Placements on a pool of a machine, written from the semantics: brute force over intervals.

A job that starts, runs or is reserved is an interval with amounts. A job can start at a time if at
every instant of its request all amounts suffice, beside all intervals; and, while a window that is
known lasts and concerns it, what the window leaves suffices beside those that the window concerns.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import ceil, inf
from typing import NamedTuple

from utilitysched.model.machine import RUNNING_JOBS, SUBMITTED_JOBS
from utilitysched.model.state import Decision, Integers, JobTable, QueueState


class Interval(NamedTuple):
    """From when to when a job has its amounts."""

    job: int
    begin: float
    end: float


@dataclass
class ReadablePass:
    """One pass of a pool: `taken` are all jobs that run, start, or hold a reservation."""

    state: QueueState
    taken: list[Interval] = field(default_factory=list)
    started: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        ends = zip(self.state.running.tolist(), self.state.expected_end.tolist(), strict=True)
        self.now, self.pool = self.state.now, self.state.pool
        self.taken += [Interval(job, self.now, end) for job, end in ends]
        self.demand = self.pool.demand.tolist()
        self.capacity = self.pool.capacity.tolist()
        self.free = self.pool.free.tolist()
        self.used = [] if self.pool.used is None else self.pool.used.tolist()
        columns = self.pool.windows
        self.windows = list(
            zip(columns.begin.tolist(), columns.end.tolist(), columns.taken.tolist(), strict=True)
        )

    def request(self, job: int) -> float:
        return self.state.known.request.item(job)

    def interval(self, job: int, begin: float) -> Interval:
        return Interval(job, begin, begin + self.request(job))

    def fits_now(self, job: int) -> bool:
        return fits(self.demand[job], self.free)

    def counters(self, job: int) -> Iterator[tuple[int, int]]:
        """Yield the limits on what runs that concern a job, and by how much it counts."""
        if self.pool.limits is not None:
            for counter in self.pool.limits.counter[job].tolist():
                measure = self.pool.limits.measure.item(counter)
                if counter >= 0 and measure != SUBMITTED_JOBS:
                    yield counter, 1 if measure == RUNNING_JOBS else self.demand[job][measure]

    def is_limited(self, job: int) -> bool:
        most = self.pool.limits and self.pool.limits.most
        return any(self.used[counter] + by > most[counter] for counter, by in self.counters(job))

    def left_at(self, time: float, concerned: Iterable[int] | None, room: list[int]) -> list[int]:
        """Return what intervals leave of amounts at a time; those of `concerned` jobs only."""
        at = [each.job for each in self.taken if each.begin <= time < each.end]
        mine = at if concerned is None else [job for job in at if job in concerned]
        return [most - sum(self.demand[job][k] for job in mine) for k, most in enumerate(room)]

    def can_run(self, job: int, begin: float, *, all_of_it: bool = True) -> bool:
        """Whether a job can start at a time; else whether the windows let it."""
        end = begin + self.request(job)
        changes = {each.begin for each in self.taken} | {window[0] for window in self.windows}
        times = {begin} | {time for time in changes if begin < time < end}
        need = self.demand[job]
        if all_of_it and not all(fits(need, self.left_at(t, None, self.capacity)) for t in times):
            return False
        for number, (since, until, taken) in enumerate(self.windows):
            exempt = self.pool.windows.exempt[:, number]
            if exempt[job]:
                continue
            room = [most - less for most, less in zip(self.capacity, taken, strict=True)]
            concerned = {each.job for each in self.taken if not exempt[each.job]}
            inside = [t for t in times if since <= t < until]
            if not all(fits(need, self.left_at(t, concerned, room)) for t in inside):
                return False
        return True

    def earliest(self, job: int) -> float:
        """Return when a job can first start; amounts come free at ends only."""
        ends = {each.end for each in self.taken} | {window[1] for window in self.windows}
        times = sorted({self.now, *(time for time in ends if self.now < time < inf)})
        return next((time for time in times if self.can_run(job, time)), inf)

    def may_start(self, job: int) -> bool:
        """Whether a job can start now; one of zero seconds touches no reservation."""
        whole = self.now + self.request(job) > self.now
        return self.fits_now(job) and self.can_run(job, self.now, all_of_it=whole)

    def start(self, job: int) -> None:
        self.started.append(job)
        self.taken.append(self.interval(job, self.now))
        self.free = [most - less for most, less in zip(self.free, self.demand[job], strict=True)]
        for counter, by in self.counters(job):
            self.used[counter] += by


def fits(need: Sequence[int], room: Sequence[int]) -> bool:
    return all(amount <= most or not amount for amount, most in zip(need, room, strict=True))


def by_size(state: QueueState, jobs: Iterable[int]) -> list[int]:
    """Return jobs by dominant share in processors, the largest first, ties in arrival order."""
    demand, capacity = state.pool.demand.tolist(), state.pool.capacity.tolist()

    def share(job: int) -> int:
        pairs = zip(demand[job], capacity, strict=True)
        return max(ceil(Fraction(need * capacity[0], max(most, 1))) for need, most in pairs)

    return sorted(jobs, key=lambda job: (-share(job), job))


@dataclass
class ReadablePlacement:
    """A scheduler in order of arrival that backfills the largest first."""

    placement: str
    most: int = 1
    reserved: dict[int, float] = field(default_factory=dict)
    ends: dict[int, float] = field(default_factory=dict)
    windows: set[tuple[object, ...]] = field(default_factory=set)
    barred: set[int] = field(default_factory=set)

    def withdraw(self, jobs: Integers, known: JobTable) -> None:  # noqa: ARG002 - only who
        self.barred |= {*jobs.tolist()}

    def fork(self, seed: int | None = None) -> ReadablePlacement:  # noqa: ARG002 - no draws
        return ReadablePlacement(self.placement, self.most)

    def decide(self, state: QueueState) -> Decision:
        moment, queue = ReadablePass(state), state.queued.tolist()
        wake_up = getattr(self, self.placement)(moment, queue)
        return Decision(moment.started, wake_up, state.queued)

    def none(self, moment: ReadablePass, queue: list[int]) -> None:
        for job in queue:
            if moment.is_limited(job):
                continue
            if not moment.may_start(job):
                break
            moment.start(job)

    def easy(self, moment: ReadablePass, queue: list[int]) -> None:
        heads = iter(queue)
        for head in heads:
            if moment.is_limited(head):
                continue
            if not moment.may_start(head):
                break
            moment.start(head)
        else:
            return
        # the head's reservation counts for windows, and of all else what is left beside it
        shadow = moment.earliest(head)
        extra = moment.left_at(shadow, None, moment.capacity)
        extra = [most - less for most, less in zip(extra, moment.demand[head], strict=True)]
        if shadow < inf:
            moment.taken.append(moment.interval(head, shadow))
        for job in by_size(moment.state, set(queue) - {head, *moment.started}):
            before = moment.now + moment.request(job) <= shadow
            allowed = moment.fits_now(job) and moment.can_run(job, moment.now, all_of_it=False)
            if moment.is_limited(job) or not allowed:
                continue
            if before or fits(moment.demand[job], extra):
                moment.start(job)
                if not before:
                    need = moment.demand[job]
                    extra = [most - less for most, less in zip(extra, need, strict=True)]

    def reservations(self, moment: ReadablePass, queue: list[int]) -> None:
        held: list[int] = []
        rest = iter(queue)
        for job in rest:
            if moment.is_limited(job):
                continue
            if moment.may_start(job):
                moment.start(job)
                continue
            if len(held) < self.most:
                held.append(job)
                begin = moment.earliest(job)
                if begin < inf:
                    moment.taken.append(moment.interval(job, begin))
            if len(held) >= self.most:
                break
        for job in by_size(moment.state, set(queue) - set(held) - set(moment.started)):
            if not moment.is_limited(job) and moment.may_start(job):
                moment.start(job)

    def conservative(self, moment: ReadablePass, queue: list[int]) -> float | None:
        now, freed = moment.now, False
        # who ended early, or lost its reservation, gives room to others
        for job in moment.state.finished.tolist():
            freed |= self.ends.get(job, now) > now
        barred, self.barred = self.barred & set(self.reserved), set()
        for job in (set(self.reserved) - set(queue)) | barred:
            begin = self.reserved.pop(job)
            freed |= begin + moment.request(job) > now
        known = {(begin, end, tuple(taken)) for begin, end, taken in moment.windows}
        if known - self.windows:
            self.reserved.clear()
        self.windows = known
        moment.taken += [moment.interval(job, begin) for job, begin in self.reserved.items()]
        if freed:
            self.compress(moment, queue)
        self.reserve(moment, queue)
        while self.start_due(moment, queue):
            self.compress(moment, queue)
            self.reserve(moment, queue)
        self.ends = {each.job: each.end for each in moment.taken if each.job not in self.reserved}
        later = [begin for begin in self.reserved.values() if begin > now]
        return min(later, default=None)

    def compress(self, moment: ReadablePass, queue: list[int]) -> None:
        for job in queue:
            if job in self.reserved and self.reserved[job] > moment.now:
                moment.taken.remove(moment.interval(job, self.reserved[job]))
                self.reserved[job] = min(self.reserved[job], moment.earliest(job))
                moment.taken.append(moment.interval(job, self.reserved[job]))

    def reserve(self, moment: ReadablePass, queue: list[int]) -> None:
        for job in queue:
            done = job in self.reserved or job in moment.started or moment.is_limited(job)
            if not done and (begin := moment.earliest(job)) < inf:
                self.reserved[job] = begin
                moment.taken.append(moment.interval(job, begin))

    def start_due(self, moment: ReadablePass, queue: list[int]) -> bool:
        lost = False
        for job in queue:
            if self.reserved.get(job, inf) > moment.now:
                continue
            mine = moment.interval(job, self.reserved[job])
            missed = mine.end <= moment.now and not moment.can_run(job, moment.now, all_of_it=False)
            if missed or moment.is_limited(job):
                moment.taken.remove(mine)
                del self.reserved[job]
                lost = True
            elif moment.fits_now(job):
                moment.taken.remove(mine)
                del self.reserved[job]
                moment.start(job)
        return lost
