"""A checker of any schedule: at each of its instants, what happened is what the rules ask for.

It makes no schedule and computes no event. It walks along the one that it is given, from instant to
instant, and holds each start, end, stop and release against the rules of sections 1, 2 and 7:

- Who ends, comes, starts or is stopped does so at an instant that the jobs themselves, outages or a
  wake-up bring about. At each of them ends are first, then outages, then arrivals, then one pass.
- A pass starts and preempts whom the twin of the scheduler names, and nobody else, on processors
  that nobody has: the lowest free ones.
- An attempt lasts as long as the work and the overhead that are left, or up to its limit. A stop
  keeps the work of the checkpoints. An outage stops whoever has one of its processors.
- A job that waits for another comes its think time after that one's end, or when the log says.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import NamedTuple

from tests.reference.jobs import Job
from tests.reference.protocol import (
    COMPLETED,
    FAILED,
    OURS,
    PREEMPTED,
    After,
    Attempt,
    Checkpoints,
    Chooser,
    Conventions,
    Outage,
    Rules,
    Seen,
    State,
)


class Shown(NamedTuple):
    """A schedule, by jobs in arrival order.

    `attempts` are those of each job in their order, `release` is when each came (s). What another
    simulator does not say, flags of backfilled jobs and the count of passes, is not checked.
    """

    attempts: list[list[Attempt]]
    release: list[float]
    backfilled: list[bool] | None = None
    passes: int | None = None


class Conditions(NamedTuple):
    """What a schedule was made under, by jobs in arrival order.

    From `until` on (s) others come that are not among the jobs, and nothing is checked.
    """

    jobs: list[Job]
    saves: list[Checkpoints]
    processors: int
    rules: Rules = Rules()
    outages: Sequence[Outage] = ()
    after: Mapping[int, After] = {}
    conventions: Conventions = OURS
    until: float = math.inf


class BrokenRuleError(AssertionError):
    """A rule that a schedule breaks: when, which job by arrival order, and what."""


class Checker:
    """The machine at an instant of a schedule; `check` walks through all of them.

    Jobs are called by their place in arrival order. Where some wait for others, schedulers number
    them as they come: `come` has the places in that order.
    """

    def __init__(self, shown: Shown, conditions: Conditions, choose: Chooser) -> None:
        self.shown, self.given, self.choose = shown, conditions, choose
        self.now, self.wake_up = -math.inf, math.inf
        after = conditions.after
        self.logged = deque(job.number for job in conditions.jobs if job.number not in after)
        self.waiting = sorted(after)
        self.come: list[int] = []
        self.known: list[Job] = []
        self.last_start: list[float | None] = []
        self.number: dict[int, int] = {}
        self.queue: list[int] = []
        self.running: dict[int, set[int]] = {}
        self.done = [0] * len(conditions.jobs)
        self.ended: list[tuple[int, float]] = []
        self.failures = sorted(conditions.outages)
        self.down: list[Outage] = []
        self.disrupted = False
        self.passes, self.idle = 0, 0.0

    def check(self) -> float:
        """Refuse a schedule that breaks a rule; return its idle processor-seconds.

        Raises
        ------
        BrokenRuleError
            Saying which rule.
        """
        while self.logged or self.waiting or self.running or self.queue:
            now = self.next_instant()
            if now >= self.given.until < math.inf:
                return self.idle
            self.go_on(now)
            for _ in self.happen():
                self.passes += 1
                if self.queue:
                    self.make_pass()
        if self.shown.passes not in (None, self.passes):
            raise BrokenRuleError(f"{self.shown.passes} passes, of {self.passes} instants")
        for place, attempts in enumerate(self.shown.attempts):
            self.require(place, self.done[place] == len(attempts), "runs again once it has ended")
        return self.idle

    def require(self, place: int, holds: bool, rule: str) -> None:
        if not holds:
            raise BrokenRuleError(f"at {self.now:g} s, job {place}: {rule}")

    # The clock

    def next_instant(self) -> float:
        """Return the next time at which something of itself happens (s)."""
        running = [self.present(place) for place in self.running]
        times = [self.wake_up, *(each.end for each in running if each.stop == COMPLETED)]
        times += [self.given.jobs[place].submit for place in islice(self.logged, 1)]
        times += [self.shown.release[place] for place in self.waiting if self.may_come(place)]
        times += [outage.end for outage in self.down]
        times += [outage.start for outage in self.failures[:1]]
        return min(times)

    def go_on(self, now: float) -> None:
        """Come to an instant; what was due before has happened."""
        if self.passes:
            self.idle += len(self.free()) * (now - self.now)
        self.now, self.wake_up = now, math.inf
        for place in self.queue:
            self.require(place, now < math.inf, "is never started")
            self.require(place, self.present(place).start >= now, "starts without being chosen")
        for place in self.running:
            self.require(place, self.present(place).end >= now, "ends where nothing happens")

    # Events

    def happen(self) -> Iterator[None]:
        """Let everything due at this instant happen, and yield whenever a pass follows."""
        conventions = self.given.conventions
        if not conventions.one_pass_per_event:
            self.complete(self.due())
            self.fail()
            self.arrive(self.coming())
            yield
            return
        events = [(self.complete, place) for place in self.due()]
        arrivals = [(self.arrive, place) for place in self.coming()]
        for event, place in (
            arrivals + events if conventions.submissions_first else events + arrivals
        ):
            event([place])
            yield

    def due(self) -> list[int]:
        """Return the jobs that end now of themselves, those with the least number first."""
        due = [
            place
            for place in self.running
            if (self.present(place).end, self.present(place).stop) == (self.now, COMPLETED)
        ]
        return sorted(due, key=self.number.__getitem__)

    def complete(self, due: list[int]) -> None:
        """Take the jobs that end off their processors."""
        for place in due:
            attempt = self.present(place)
            took, work = self.lasts(place)
            self.require(place, attempt.end == attempt.start + took, "ends at another time")
            overhead = min(self.overhead(place), took)
            self.note(place, overhead, attempt.end - attempt.start - overhead)
            self.disrupted |= self.done[place] > 1
            undone = work - min(work, took - overhead)
            self.ended.append((place, self.given.jobs[place].effective - undone))

    def fail(self) -> None:
        """Take processors out, and take off who has one of them."""
        self.down = [outage for outage in self.down if outage.end > self.now]
        while self.failures and self.failures[0].start == self.now:
            outage = self.failures.pop(0)
            hit = [
                place
                for place, held in self.running.items()
                if held & set(range(outage.low, outage.high))
            ]
            for place in hit:
                self.stop(place, FAILED, self.given.saves[place].periodic)
            self.put_back(hit)
            self.down.append(outage)
            self.disrupted = True

    def coming(self) -> list[int]:
        """Return the jobs that arrive now, in the order of the log."""
        coming = [place for place in self.waiting if self.may_come(place)]
        coming = [place for place in coming if self.shown.release[place] == self.now]
        self.waiting = [place for place in self.waiting if place not in coming]
        while self.logged and self.given.jobs[self.logged[0]].submit == self.now:
            coming.append(self.logged.popleft())
        return sorted(coming)

    def arrive(self, coming: list[int]) -> None:
        """Put jobs into the queue."""
        for place in coming:
            job = self.given.jobs[place]
            after, due = self.given.after.get(place), job.submit
            if after is not None:
                due = max(due, self.past(after.number)[-1].end + after.think_time)
            self.require(place, due == self.shown.release[place] == self.now, "comes otherwise")
            self.number[place] = len(self.come)
            self.known.append(job._replace(number=len(self.come), submit=self.now))
            self.come.append(place)
            self.last_start.append(None)
            self.queue.append(place)

    def may_come(self, place: int) -> bool:
        """Return whether the predecessor of a job has ended."""
        ran = self.past(self.given.after[place].number)
        return bool(ran) and ran[-1].stop == COMPLETED

    # The pass

    def make_pass(self) -> None:
        """Hold starts and preemptions against those that the twin names."""
        choice = self.choose(self.state())
        self.ended, self.wake_up = [], choice.wake_up
        preempted = [self.come[number] for number in choice.preemptions]
        starts = [self.come[number] for number in choice.starts]
        causes = self.causes(preempted, starts)
        if choice.causes is not None:
            causes = {self.come[number]: cause for number, cause in choice.causes.items()}
        self.disrupted = bool(preempted)
        for place in preempted:
            self.require(place, self.present(place).cause == causes.get(place, -1), "whose sake")
            self.stop(place, PREEMPTED, self.given.saves[place].interval)
        line = [self.come[number] for number in choice.order or map(self.number.get, self.queue)]
        for place in starts:
            self.start(place, [other for other in line[: line.index(place)] if other not in starts])
        self.put_back(preempted)

    def start(self, place: int, passed: list[int]) -> None:
        """Give a job the lowest free processors."""
        self.require(place, place in self.queue, "is not in the queue")
        self.require(place, self.present(place).start == self.now, "is chosen, and does not start")
        if self.shown.backfilled and not self.past(place):
            marked = self.shown.backfilled[place]
            self.require(place, marked == bool(passed), "backfilled or not")
        size, free = self.given.jobs[place].size, self.free()
        self.require(place, size <= len(free), "starts on processors that others have")
        self.running[place] = set(free[:size])
        self.last_start[self.number[place]] = self.now
        self.queue.remove(place)

    def causes(self, preempted: list[int], starts: list[int]) -> dict[int, int]:
        """Return for whom each job is preempted: processors are taken one by one.

        Free ones are taken first, then those of preempted jobs in turn.
        """
        sponsors = [place for place in preempted for _ in range(self.given.jobs[place].size)]
        free, cause = len(self.free()), dict[int, int]()
        for place in starts:
            for _ in range(self.given.jobs[place].size):
                if free:
                    free -= 1
                elif sponsors:
                    cause.setdefault(sponsors.pop(0), place)
        return cause

    def stop(self, place: int, why: int, interval: float) -> None:
        """Take off a job that is stopped; what it keeps follows from its checkpoints."""
        attempt = self.present(place)
        self.require(place, (attempt.end, attempt.stop) == (self.now, why), "is not stopped")
        elapsed = attempt.end - attempt.start
        overhead = min(elapsed, self.overhead(place))
        work = elapsed - overhead
        kept = 0.0 if interval in (-1, math.inf) else work
        if interval > 0 and kept:
            kept = math.floor(work / interval) * interval
        self.note(place, overhead, kept)

    def note(self, place: int, overhead: float, kept: float) -> None:
        """Close an attempt, which is overhead, kept work and lost work."""
        attempt = self.present(place)
        lost = attempt.end - attempt.start - overhead - kept
        told = attempt.overhead, attempt.kept, attempt.lost
        self.require(place, told == (overhead, kept, lost), f"not {told}, but {overhead, kept}")
        del self.running[place]
        self.done[place] += 1

    def put_back(self, places: list[int]) -> None:
        self.queue = sorted(self.queue + places, key=self.number.__getitem__)

    # What there is

    def present(self, place: int) -> Attempt:
        """Return the present or next attempt of a job."""
        attempts = self.shown.attempts[place]
        self.require(place, self.done[place] < len(attempts), "is not started again")
        return attempts[self.done[place]]

    def past(self, place: int) -> list[Attempt]:
        return self.shown.attempts[place][: self.done[place]]

    def free(self) -> list[int]:
        """Return the processors that neither run a job nor are down, the lowest first."""
        taken = [set(range(outage.low, outage.high)) for outage in self.down]
        return sorted(set(range(self.given.processors)).difference(*self.running.values(), *taken))

    def kept(self, place: int) -> float:
        return sum(attempt.kept for attempt in self.past(place))

    def expected_overhead(self, place: int) -> float:
        return self.given.saves[place].overhead if self.past(place) else 0.0

    def overhead(self, place: int) -> float:
        """Return what the present or next start really costs (s)."""
        return self.given.rules.actual * self.expected_overhead(place)

    def request(self, place: int) -> float:
        """Return the requested time of the present or next start (s)."""
        kept, job = self.kept(place), self.given.jobs[place]
        return job.request - kept + self.expected_overhead(place)

    def lasts(self, place: int) -> tuple[float, float]:
        """Return how long the present attempt takes if nobody stops it, and what it has to do."""
        work = self.given.jobs[place].effective - self.kept(place)
        needed = self.overhead(place) + work
        return (min(needed, self.request(place)) if self.given.rules.kill else needed), work

    def seen(self, place: int) -> Seen:
        job, interval = self.given.jobs[place], self.given.saves[place].interval
        if not self.done[place]:
            return Seen(self.number[place], job.request, 0, 0.0, job.size, interval)
        stops = sum(attempt.stop == PREEMPTED for attempt in self.past(place))
        paid = self.expected_overhead(place) if place in self.running else 0.0
        return Seen(self.number[place], self.request(place), stops, paid, job.size, interval)

    def state(self) -> State:
        """Return what the scheduler sees."""
        limits = [
            (self.present(place).start + self.request(place), self.number[place], place)
            for place in self.running
        ]
        soon = math.nextafter(self.now, math.inf)
        jobs = self.given.jobs
        return State(
            self.now,
            len(self.free()),
            [self.seen(place) for place in self.queue],
            [
                (limit if limit > self.now else soon, self.seen(place))
                for limit, _, place in sorted(limits)
            ],
            [(self.number[place], done, jobs[place].request) for place, done in self.ended],
            self.last_start,
            sorted((outage.end, outage.high - outage.low) for outage in self.down),
            self.disrupted or any(limit <= self.now for limit, *_ in limits),
            self.known,
            self.come,
            tuple(self.past(place)[-1].end for place, _ in self.ended),
        )
