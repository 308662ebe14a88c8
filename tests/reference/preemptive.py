"""The event loop with dependencies, preemption (section 7) and failures, in plain Python.

Nothing is updated along the way: what a job has left is what its attempts have not done yet.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from tests.reference.jobs import Job


class Checkpoints(NamedTuple):
    """What a job saves: work between checkpoints (s), and its expected restart overhead (s).

    An interval of 0 saves all, an infinite one nothing, and one of -1 forbids to stop the job.
    `periodic` is the interval at which it saves its work by itself, -1 if it does not.
    """

    interval: float
    overhead: float
    periodic: float = -1.0


class Rules(NamedTuple):
    """What a restart really takes over what is expected, and whether jobs are killed at limits."""

    actual: float = 1.0
    kill: bool = True


class Seen(NamedTuple):
    """A job as a scheduler sees it, its request being what is left of it (s).

    `paid` is the overhead that its present start is expected to take (s), 0 while it waits.
    """

    number: int
    request: float
    preemptions: int
    paid: float
    size: int
    interval: float


class State(NamedTuple):
    """What a scheduler sees: running jobs with their expected ends (s), ended with run times.

    `ends` says when they ended. `repairs` are the ends of outages with their sizes, `come` the jobs
    as they came, and `places` their numbers in the log. It is `disrupted` if since the last pass
    something went down, a job was stopped, or one that was stopped before has ended, or if one runs
    past its limit.
    """

    now: float
    free: int
    queued: list[Seen]
    running: list[tuple[float, Seen]]
    ended: list[tuple[int, float, float]]
    last_start: list[float | None]
    repairs: list[tuple[float, int]]
    disrupted: bool
    come: list[Job]
    places: list[int]
    ends: tuple[float, ...] = ()


class Choice(NamedTuple):
    """Whom to preempt and whom to start, and the order of the queue, that of arrival if None.

    At `wake_up` (s) there is a pass even if nothing happens. `causes` says for whom each is
    preempted, by number in the log; if it does not, that follows from who takes its processors.
    """

    preemptions: list[int]
    starts: list[int]
    order: list[int] | None = None
    wake_up: float = math.inf
    causes: Mapping[int, int] | None = None


class After(NamedTuple):
    """What a job waits for: the number of another job, and the think time after its end (s)."""

    number: int
    think_time: float


class Attempt(NamedTuple):
    """One stretch in which a job ran, as `utilitysched.model.segments.Segments` has it."""

    job: int
    start: float
    end: float
    overhead: float
    kept: float
    lost: float
    stop: int
    cause: int


COMPLETED, PREEMPTED, FAILED = 0, 1, 2


class Outage(NamedTuple):
    """Processors from `low`, below `high`, that are down for some time (s)."""

    start: float
    end: float
    low: int
    high: int


@dataclass
class Process:
    """A job and all that has happened to it."""

    job: Job
    checkpoints: Checkpoints
    rules: Rules
    attempts: list[Attempt] = field(default_factory=list)
    started: float | None = None
    first_start: float | None = None
    logged: int = -1

    def __post_init__(self) -> None:
        self.logged = self.job.number

    @property
    def kept(self) -> float:
        return sum(attempt.kept for attempt in self.attempts)

    @property
    def preemptions(self) -> int:
        return sum(attempt.stop == PREEMPTED for attempt in self.attempts)

    @property
    def expected_overhead(self) -> float:
        return self.checkpoints.overhead if self.attempts else 0.0

    @property
    def overhead(self) -> float:
        return self.rules.actual * self.expected_overhead

    @property
    def request(self) -> float:
        return self.job.request - self.kept + self.expected_overhead

    @property
    def run(self) -> float:
        """Elapsed time that the present or next attempt takes if nobody stops it."""
        needed = self.overhead + self.job.effective - self.kept
        return min(needed, self.request) if self.rules.kill else needed

    @property
    def seen(self) -> Seen:
        paid = 0.0 if self.started is None else self.expected_overhead
        job, interval = self.job, self.checkpoints.interval
        return Seen(job.number, self.request, self.preemptions, paid, job.size, interval)

    @property
    def limit(self) -> float:
        """When the present attempt should be over (s)."""
        assert self.started is not None
        return self.started + self.request

    def expected_end(self, now: float) -> float:
        return self.limit if self.limit > now else math.nextafter(now, math.inf)

    def ends(self, until: float) -> float:
        """Return when the job ends if nobody stops it and it does not wait beyond `until` (s)."""
        if self.attempts and self.attempts[-1].stop == COMPLETED:
            return self.attempts[-1].end
        return (until if self.started is None else self.started) + self.run

    def start(self, now: float) -> None:
        self.started = now
        if self.first_start is None:
            self.first_start = now

    def stop(self, now: float, why: int, cause: int = -1) -> None:
        assert self.started is not None
        elapsed = now - self.started
        overhead = min(elapsed, self.overhead)
        work = elapsed - overhead
        kept = work if why == COMPLETED else self.saved(work, why)
        outcome = (overhead, kept, work - kept, why, cause)
        self.attempts.append(Attempt(self.logged, self.started, now, *outcome))
        self.started = None

    def saved(self, work: float, why: int) -> float:
        # a failure does not wait for a checkpoint on demand
        interval = self.checkpoints.interval if why == PREEMPTED else self.checkpoints.periodic
        if interval == -1:
            return 0.0
        if interval == 0:
            return work
        return 0.0 if interval == math.inf else math.floor(work / interval) * interval


class Ended(NamedTuple):
    """A simulation: first starts, last ends, and attempts by start, then job.

    Where it was broken off, `end` is when jobs would end that are not stopped any more, those that
    wait starting at that time. Of a job that never comes, it is NaN. `idle` are processor-seconds
    with neither job nor outage.
    """

    start: list[float]
    end: list[float]
    backfilled: list[bool]
    attempts: list[Attempt]
    passes: int
    idle: float
    release: list[float]


@dataclass
class Machine:
    """Processors, the jobs that run on them, and those that wait."""

    processors: int
    come: list[Process] = field(default_factory=list)
    running: list[Process] = field(default_factory=list)
    queue: list[Process] = field(default_factory=list)
    down: list[Outage] = field(default_factory=list)
    places: dict[int, set[int]] = field(default_factory=dict)
    disrupted: bool = False

    @property
    def free(self) -> int:
        return len(self.free_processors())

    def free_processors(self) -> list[int]:
        """Processors that neither run a job nor are down, the lowest first."""
        taken = [self.places[process.job.number] for process in self.running]
        taken += [set(range(outage.low, outage.high)) for outage in self.down]
        return sorted(set(range(self.processors)) - set().union(*taken))

    def start(self, process: Process, now: float) -> None:
        """Run a job on the lowest free processors."""
        self.places[process.job.number] = set(self.free_processors()[: process.job.size])
        process.start(now)
        self.running.append(process)

    def fail(self, outage: Outage, now: float) -> None:
        """Take processors out; who runs on one of them is stopped."""
        hit = set(range(outage.low, outage.high))
        for process in list(self.running):
            if self.places[process.job.number] & hit:
                process.stop(now, FAILED)
                self.running.remove(process)
                self.queue.append(process)
        self.queue.sort(key=lambda process: process.job.number)
        self.down.append(outage)
        self.disrupted = True


def simulate(
    jobs: list[Job],
    checkpoints: list[Checkpoints],
    processors: int,
    decide: Callable[[State], Choice],
    rules: Rules,
    outages: Sequence[Outage] = (),
    *,
    after: Mapping[int, After] | None = None,
    never: Collection[int] = (),
    until: float = math.inf,
) -> Ended:
    """Schedule `jobs` (numbered in arrival order), asking `decide` at every pass.

    The instants at which processors go down and come up have passes of their own. Some jobs never
    come; what happens from `until` on (s) does not happen. With `after`, its jobs are submitted
    when another has ended, and all are numbered as they come.
    """
    processes = [Process(job, saves, rules) for job, saves in zip(jobs, checkpoints, strict=True)]
    machine = Machine(processors)
    waiting = after or {}
    arrivals = [
        (job.submit, job.number)
        for job in jobs
        if job.number not in waiting and job.number not in never
    ]
    failures = sorted(outages)
    backfilled: dict[int, bool] = {}
    ended: list[Process] = []
    passes, idle, last, wake_up = 0, 0.0, -math.inf, math.inf
    while arrivals or machine.running or machine.queue:
        ends = [process.started + process.run for process in machine.running]  # type: ignore[operator]
        others = [wake_up, *(time for time, _ in arrivals[:1])]
        others += [outage.end for outage in machine.down]
        others += [outage.start for outage in failures[:1]]
        now = min(ends + others)
        if now >= until:
            break
        if passes:
            idle += machine.free * (now - last)
        last, wake_up = now, math.inf
        done = [process for process, end in zip(machine.running, ends, strict=True) if end == now]
        for process in sorted(done, key=lambda process: process.job.number):
            machine.disrupted = machine.disrupted or bool(process.attempts)
            process.stop(now, COMPLETED)
            machine.running.remove(process)
            ended.append(process)
            arrivals = sorted(arrivals + released_by(process, waiting, jobs, now))
        machine.down = [outage for outage in machine.down if outage.end > now]
        while failures and failures[0].start == now:
            machine.fail(failures.pop(0), now)
        while arrivals and arrivals[0][0] == now:
            process = processes[arrivals.pop(0)[1]]
            if after:
                process.job = process.job._replace(number=len(machine.come), submit=now)
            machine.come.append(process)
            machine.queue.append(process)
        passes += 1
        if machine.queue:
            known = [process for process in processes if process.job.submit <= now]
            choice = decide(state_of(machine, machine.come if after else known, ended, now))
            machine.disrupted = bool(choice.preemptions)
            carry_out(machine, choice, now, backfilled)
            ended, wake_up = [], choice.wake_up
    attempts = [attempt for process in processes for attempt in process.attempts]
    return Ended(
        [process.first_start for process in processes],  # type: ignore[misc]
        [math.nan if process.logged in never else process.ends(until) for process in processes],
        [backfilled.get(process.job.number, False) for process in processes],
        sorted(attempts, key=lambda attempt: (attempt.start, attempt.job)),
        passes,
        idle,
        [process.job.submit for process in processes],
    )


def released_by(
    ended: Process, waiting: Mapping[int, After], jobs: list[Job], now: float
) -> list[tuple[float, int]]:
    """Return when which jobs come that wait for one that ends now."""
    return [
        (max(jobs[number].submit, now + after.think_time), number)
        for number, after in waiting.items()
        if after.number == ended.logged
    ]


def state_of(machine: Machine, come: list[Process], ended: list[Process], now: float) -> State:
    """Return what a scheduler sees; jobs that never come have their numbers, too."""
    late = any(process.limit <= now for process in machine.running)
    running = [(process.expected_end(now), process) for process in machine.running]
    running.sort(key=lambda pair: (pair[1].limit, pair[1].job.number))
    return State(
        now,
        machine.free,
        [process.seen for process in machine.queue],
        [(end, process.seen) for end, process in running],
        [(process.job.number, process.kept, process.job.request) for process in ended],
        [latest_start(process) for process in come],
        sorted((outage.end, outage.high - outage.low) for outage in machine.down),
        machine.disrupted or late,
        [process.job for process in come],
        [process.logged for process in come],
        tuple(process.attempts[-1].end for process in ended),
    )


def latest_start(process: Process) -> float | None:
    """Return when the present or last attempt began (s)."""
    if process.started is not None:
        return process.started
    return process.attempts[-1].start if process.attempts else None


def carry_out(machine: Machine, choice: Choice, now: float, backfilled: dict[int, bool]) -> None:
    """Preempt, start, and put the preempted jobs into the queue."""
    preempted = [take(machine.running, number) for number in choice.preemptions]
    line = choice.order or [process.job.number for process in machine.queue]
    for process in machine.queue:
        number = process.job.number
        if number in choice.starts and process.first_start is None:
            ahead = line[: line.index(number)]
            backfilled[number] = any(other not in choice.starts for other in ahead)
    sponsors = [process for process in preempted for _ in range(process.job.size)]
    free = machine.free - len(sponsors)
    cause: dict[int, int] = {}
    for number in choice.starts:
        process = take(machine.queue, number)
        # processors are taken one by one: free ones first, then those of preempted jobs in turn
        for _ in range(process.job.size):
            if free:
                free -= 1
            else:
                cause.setdefault(sponsors.pop(0).job.number, process.logged)
        machine.start(process, now)
    if choice.causes is not None:
        cause = dict(choice.causes)
    for process in preempted:
        process.stop(now, PREEMPTED, cause.get(process.job.number, -1))
    machine.queue = sorted(machine.queue + preempted, key=lambda process: process.job.number)


def take(processes: list[Process], number: int) -> Process:
    """Remove a job from a list and return it."""
    process = next(process for process in processes if process.job.number == number)
    processes.remove(process)
    return process
