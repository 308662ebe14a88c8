"""Holes and priced restarts in plain Python, from the semantics of restarts, section 1.

`RestartTwin.choose` takes the decisions of one pass, which `tests.reference.checker` asks for.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from tests.reference.jobs import Job, Running
from tests.reference.lists import ListTwin
from tests.reference.placements import shadow_and_extra
from tests.reference.protocol import Checkpoints, Choice, Seen, State
from tests.reference.values import utility

LEARNING, MOST_TRIED = 20, 30


class Terms(NamedTuple):
    """The options of holes and priced restarts; `area` in processor-seconds."""

    holes: bool
    restarts: bool
    valued: bool
    kills: int = 3
    theta: float = 0.4
    alpha: float = 0.5
    tau: float = 43200.0
    horizon: float = 2.0
    protection: float = 300.0
    age: float = 43200.0
    area: float = 500 * 3600.0


class Kill(NamedTuple):
    """Who is killed for whom, by number, and what that is taken to cost (SU)."""

    victim: int
    cause: int
    cost: float


class Past:
    """Run times of completed jobs, with what was asked for."""

    def __init__(self) -> None:
        self.jobs = 0
        self.runs: Counter[tuple[int, int]] = Counter()
        self.of_all: Counter[int] = Counter()

    def add(self, run: float, request: float) -> None:
        half_octave = max(b for b in range(48) if b == 0 or run >= 2.0 ** (b / 2))
        self.jobs += 1
        self.runs[octave(request), half_octave] += 1
        self.of_all[half_octave] += 1

    def outlook(self, request: float, outlasted: float, within: float) -> tuple[float, float]:
        """Return P(p <= within) and E[min(p, within)], given p > outlasted, p <= request."""
        most = min(request, within)
        everybody = 10.0 / self.jobs if self.jobs else 0.0
        above = short = total = 0.0
        for b in range(48):
            mass = self.runs[octave(request), b] + everybody * self.of_all[b]
            low, high = 2.0 ** (b / 2) if b else 0.0, 2.0 ** ((b + 1) / 2)
            if high <= outlasted or not mass:
                continue
            if low < outlasted:
                mass *= (high - outlasted) / (high - low)
                low = outlasted
            part = min(max((most - low) / (high - low), 0.0), 1.0)
            above += mass
            short += mass if high <= most else mass * part
            if high <= most:
                total += mass * (0.5 * (low + high))
            elif low >= most:
                total += mass * most
            else:
                total += mass * (part * (0.5 * (low + most)) + (1.0 - part) * most)
        if not above:
            return float(within >= request), most
        return 1.0 if within >= request else short / above, total / above


def octave(request: float) -> int:
    return min(int(math.log2(max(request, 300.0) / 300.0)), 11)


class Runs(NamedTuple):
    """A running job at a pass: since when, and how much work it has done in all (s)."""

    seen: Seen
    job: Job
    start: float
    done: float
    lost: float


class RestartTwin:
    """A list scheduler's twin that takes processors back; `saves` by place in the log."""

    def __init__(self, inner: ListTwin, terms: Terms, saves: Sequence[Checkpoints]) -> None:
        self.inner, self.terms, self.saves = inner, terms, saves
        self.past = Past()
        self.kills: dict[int, int] = {}
        self.outlasted: dict[int, float] = {}
        self.soft: set[int] = set()
        self.tried: set[int] = set()
        self.protected: dict[int, float] = {}
        self.value = self.area = 0.0
        self.killed: list[Kill] = []

    def choose(self, state: State) -> Choice:
        """Return whom to kill and whom to start."""
        return Pass(self, state).decide()

    def learn(self, state: State) -> None:
        """Learn from the jobs that ended."""
        for (number, run, _), end in zip(state.ended, state.ends, strict=True):
            job = state.come[number]
            self.past.add(run, job.request)
            self.value += self.worth(job, end - job.submit)
            self.area += job.size * run

    def worth(self, job: Job, age: float) -> float:
        if self.terms.valued:
            return utility(job.points, age)
        return max(0.0, 1.0 - age / (60 * 86400.0))

    def loses(self, job: Job, now: float, delay: float) -> float:
        age = now - job.submit
        return self.worth(job, age) - self.worth(job, age + delay)


class Pass:
    """One pass in the making."""

    def __init__(self, twin: RestartTwin, state: State) -> None:
        self.twin, self.state, self.now, self.free = twin, state, state.now, state.free
        twin.learn(state)
        twin.soft -= {seen.number for seen in state.queued}
        self.running = [(end, self.run_of(seen)) for end, seen in state.running]
        self.starts: list[Job] = []
        self.kills: list[Kill] = []
        self.waiting: list[Job] = []

    def run_of(self, seen: Seen) -> Runs:
        job, start = self.state.come[seen.number], self.state.last_start[seen.number]
        assert start is not None
        elapsed = self.now - start
        work = max(0.0, elapsed - seen.paid)
        kept = {0.0: work, math.inf: 0.0}.get(seen.interval)
        if kept is None:
            kept = math.floor(work / seen.interval) * seen.interval
        done = job.request - (seen.request - seen.paid) + work
        return Runs(seen, job, start, done, elapsed - kept + self.overhead(job))

    def overhead(self, job: Job) -> float:
        return self.saves_of(job).overhead

    def saves_of(self, job: Job) -> Checkpoints:
        return self.twin.saves[self.state.places[job.number]]

    def decide(self) -> Choice:
        twin, state = self.twin, self.state
        in_holes = [run for _, run in self.running if run.job.number in twin.soft]
        rest = [
            run.seen._replace(request=max(run.seen.request - (self.now - run.start), 0.0))
            for run in in_holes
        ]
        twin.inner.history.outlasted = twin.outlasted
        choice = twin.inner.choose(
            state._replace(
                free=state.free + sum(run.job.size for run in in_holes),
                queued=sorted([*state.queued, *rest]),
                running=[pair for pair in state.running if pair[1].number not in twin.soft],
            )
        )
        assert choice.order is not None
        depth = twin.inner.scheduler.depth
        if depth is not None:  # who is not looked at comes behind, by arrival
            order = choice.order[:depth] + sorted(choice.order[depth:])
            choice = choice._replace(order=order)
        head = next((number for number in choice.order if number not in choice.starts), None)
        self.settle(choice.starts, in_holes)
        self.waiting = [
            state.come[seen.number] for seen in state.queued if seen.number not in choice.starts
        ]
        wake_up = math.inf
        if head is not None:
            if twin.terms.holes:
                self.fill_holes(state.come[head])
            if twin.terms.restarts and twin.past.jobs >= LEARNING and twin.area > 0:
                self.displace()
            gone = {kill.victim for kill in self.kills}
            running = [run.job.number for _, run in self.running if run.job.number not in gone]
            running += [job.number for job in self.starts]
            ends = [twin.protected.get(number, -math.inf) for number in running]
            wake_up = min([end for end in ends if end > self.now], default=math.inf)
        twin.killed += [
            Kill(state.places[kill.victim], state.places[kill.cause], kill.cost)
            for kill in self.kills
        ]
        order = [
            number for number in choice.order if number not in {r.job.number for r in in_holes}
        ]
        starts = sorted(job.number for job in self.starts)
        causes = {kill.victim: state.places[kill.cause] for kill in self.kills}
        return Choice([kill.victim for kill in self.kills], starts, order, wake_up, causes)

    def start(self, job: Job) -> None:
        self.starts.append(job)
        self.free -= job.size

    def kill(self, run: Runs, cause: Job, cost: float) -> None:
        twin, number = self.twin, run.job.number
        self.kills.append(Kill(number, cause.number, cost))
        self.free += run.job.size
        twin.kills[number] = twin.kills.get(number, 0) + 1
        twin.outlasted[number] = max(twin.outlasted.get(number, 0.0), run.done)
        twin.soft.discard(number)

    def settle(self, chosen: Sequence[int], in_holes: Sequence[Runs]) -> None:
        """Step 3: who is chosen starts, or is firm where it runs; others give way."""
        twin = self.twin
        soft = [run for run in in_holes if run.job.number not in chosen]
        twin.soft -= set(chosen)
        running = {run.job.number for run in in_holes}
        for number in sorted(set(chosen) - running):
            job = self.state.come[number]
            while self.free < job.size:
                youngest = max(soft, key=lambda run: (run.start, run.job.number))
                soft.remove(youngest)
                self.kill(youngest, job, 0.0)
            self.start(job)

    def stays(self) -> list[tuple[float, Runs]]:
        gone = {kill.victim for kill in self.kills}
        return [(end, run) for end, run in self.running if run.job.number not in gone]

    def fill_holes(self, head: Job) -> None:
        """Step 4."""
        twin, terms = self.twin, self.twin.terms
        soft = sum(run.job.size for _, run in self.stays() if run.job.number in twin.soft)
        if self.free + soft >= head.size:
            return
        firm = [
            Running(end, run.job.number, run.job.size)
            for end, run in self.stays()
            if run.job.number not in twin.soft
        ]
        firm += [Running(end, len(self.state.come), size) for end, size in self.state.repairs]
        seen = {seen.number: seen for seen in self.state.queued}
        firm += [
            Running(self.now + seen[job.number].request, job.number, job.size)
            for job in self.starts
        ]
        hole = shadow_and_extra(head, self.free + soft, firm)[0] - self.now
        if hole <= 0:
            return
        scored = []
        for job in self.waiting:
            if job.size > self.free or not self.may_be_killed(job):
                continue
            beside, outlasted = self.left_over(job)
            chance, mean = twin.past.outlook(job.request, outlasted, hole - beside)
            if chance <= 0:
                continue
            value = chance
            if terms.valued:
                lost = twin.loses(job, self.now, terms.tau)
                now = twin.worth(job, self.now - job.submit)
                value *= (1.0 - terms.alpha) * now + terms.alpha * lost
            scored.append((-value / (job.size * max(mean + beside, 1.0)), job.number, job))
        for _, number, job in sorted(scored):
            if job.size <= self.free:
                self.start(job)
                self.waiting.remove(job)
                twin.soft.add(number)

    def may_be_killed(self, job: Job) -> bool:
        kills = self.twin.kills.get(job.number, 0)
        return self.saves_of(job).interval >= 0 and kills < self.twin.terms.kills

    def left_over(self, job: Job) -> tuple[float, float]:
        """Return overhead less kept work of one that waits, and what it is known to exceed (s)."""
        seen = next(seen for seen in self.state.queued if seen.number == job.number)
        stopped = self.state.last_start[job.number] is not None
        overhead = self.overhead(job) if stopped else 0.0
        beside = overhead - (job.request - (seen.request - overhead))
        return beside, max(self.twin.outlasted.get(job.number, 0.0), -beside)

    def needs(self, job: Job) -> float:
        beside, outlasted = self.left_over(job)
        return self.twin.past.outlook(job.request, outlasted, math.inf)[1] + beside

    def expected_ends(self) -> list[tuple[float, int]]:
        ends = [(end, size) for end, size in self.state.repairs]
        for _, run in self.stays():
            outlasted = max(self.twin.outlasted.get(run.job.number, 0.0), run.done)
            mean = self.twin.past.outlook(run.job.request, outlasted, math.inf)[1]
            waits = max(0.0, run.start + run.seen.paid - self.now)
            ends.append((self.now + waits + max(mean - run.done, 0.0), run.job.size))
        ends += [(self.now + self.needs(job), job.size) for job in self.starts]
        return sorted(ends)

    def displace(self) -> None:
        """Step 5."""
        twin, terms = self.twin, self.twin.terms
        price = terms.theta * (twin.value / twin.area)
        ends, free = self.expected_ends(), self.free
        wanted = []
        for job in self.waiting:
            value, needs = twin.worth(job, self.now - job.submit), self.needs(job)
            if job.number in twin.tried or value <= 0:
                continue
            charge = price * job.size * needs
            delay = terms.horizon * wait_for(job.size, free, self.now, ends) + 600.0
            lost = twin.loses(job, self.now, delay)
            if lost - charge > 0 and value > charge:
                urgency = -lost / (job.size * max(needs, 1.0))
                wanted.append((urgency, job.number, job, lost - charge, needs))
        for _, number, job, gain, needs in sorted(wanted, key=lambda w: w[:2])[:MOST_TRIED]:
            lacking = job.size - self.free
            if lacking > 0:
                taken = self.victims_for(lacking, needs, price, gain)
                if taken is None:
                    continue
                for cost, victim in taken:
                    if isinstance(victim, Job):
                        self.starts.remove(victim)
                        self.kills = [
                            kill._replace(cause=number) if kill.cause == victim.number else kill
                            for kill in self.kills
                        ]
                        self.free += victim.size
                        twin.soft.discard(victim.number)
                    else:
                        self.kill(victim, job, cost if twin.terms.valued else 0.0)
            self.start(job)
            twin.protected[number] = self.now + terms.protection
            twin.tried.add(number)

    def victims_for(
        self, lacking: int, needs: float, price: float, gain: float
    ) -> list[tuple[float, Runs | Job]] | None:
        """Return who gives way, with costs; None if they are too few or lose too much."""
        taken: list[tuple[float, Runs | Job]] = []
        for cost, victim in self.victims(needs, price):
            if sum(size_of(other) for _, other in taken) >= lacking:
                break
            taken.append((cost, victim))
        given = sum(size_of(victim) for _, victim in taken)
        total = 0.0
        for cost, _ in taken:
            total += cost
        if given < lacking or total >= gain:
            return None
        for pair in taken[::-1]:
            if given - size_of(pair[1]) >= lacking:
                given -= size_of(pair[1])
                taken.remove(pair)
        return taken

    def victims(self, needs: float, price: float) -> list[tuple[float, Runs | Job]]:
        twin, terms = self.twin, self.twin.terms
        found: list[tuple[float, int, float, Runs | Job]] = []
        for _, run in self.stays():
            job, interval = run.job, run.seen.interval
            number, area = job.number, job.size * run.lost
            limited = interval == math.inf and self.now - run.start > terms.age
            if not self.may_be_killed(job) or limited or area > terms.area:
                continue
            if twin.protected.get(number, -math.inf) > self.now:
                continue
            cost = price * job.size * run.lost
            cost += twin.loses(job, self.now, 4.0 * (run.lost + needs))
            if number in twin.soft:
                cost *= 0.5
            found.append((cost / job.size, number, cost, run))
        for job in self.starts:
            protected = twin.protected.get(job.number, -math.inf) >= self.now
            if self.may_be_killed(job) and not protected:
                soft = 0.5 if job.number in twin.soft else 1.0
                cost = soft * twin.loses(job, self.now, 4.0 * needs)
                found.append((cost / job.size, job.number, cost, job))
        return [(cost, victim) for _, _, cost, victim in sorted(found, key=lambda f: f[:2])]


def size_of(victim: Runs | Job) -> int:
    return victim.size if isinstance(victim, Job) else victim.job.size


def wait_for(need: int, free: int, now: float, ends: Sequence[tuple[float, int]]) -> float:
    """Return how long it takes until so many processors are free (s)."""
    wait = 0.0
    for end, size in ends:
        if free >= need:
            break
        free, wait = free + size, end - now
    return wait
