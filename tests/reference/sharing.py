"""Co-scheduling as the semantics say it, in exact fractions: the twin of the compiled loop."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple

from swfx import UtilityFunction

TICKS = 2**20
"""To a second: ends are rounded to them, half to even."""

TOGETHER = Fraction(1, 2**10)
"""Ends at most this far apart (s) are one instant, the first of them."""

ORDERS = (
    *("arrival", "shortest", "longest", "largest"),
    *("popularity", "filler", "short filler", "popular filler", "value filler"),
)


@dataclass
class CoJob:
    """A job; `known` is what schedulers reckon with, `limit` when it is killed (s)."""

    submit: Fraction
    size: int
    work: Fraction
    known: Fraction
    limit: Fraction | None
    application: int
    noise: float = 1.0
    start: Fraction = Fraction(-1)
    end: Fraction = Fraction(-1)
    left: Fraction = Fraction(0)
    since: Fraction = Fraction(0)
    speed: Fraction = Fraction(1)
    compact: bool = False
    beside: int | None = None
    due: bool = False
    met: Fraction = Fraction(-1)
    reckoned: Fraction = Fraction(-1)


@dataclass
class History:
    """Speeds that a scheduler knows: of each application beside each, or nobody (the last)."""

    applications: int
    optimism: float
    known: dict[tuple[int, int], tuple[float, float]]
    """Mean and number; at first, speeds of a table and how many observations each counts for."""
    seen: set[tuple[int, int]] = field(default_factory=set)

    def learn(self, one: int, other: int, speed: float) -> None:
        """Take in one more."""
        self.seen.add((one, other))
        mean, count = self.known.get((one, other), (0.0, 0.0))
        self.known[one, other] = mean + (speed - mean) / (count + 1), count + 1

    def saw_faster(self, one: int, other: int, speed: float) -> bool:
        """Whether a pair has been seen, and is believed to be faster than a speed."""
        return (one, other) in self.seen and self.known[one, other][0] > speed

    def speed(self, one: int, other: int) -> float:
        """What is believed: the mean, of what is not known that of the others, and a bonus."""
        means = [
            self.known[one, k][0] for k in range(self.applications + 1) if (one, k) in self.known
        ]
        usual = sum(means) / len(means) if means else 1.0
        mean, count = self.known.get((one, other), (usual, 0.0))
        return mean + self.optimism / math.sqrt(1 + count)


class Outage(NamedTuple):
    """A core, counted from 0, that is down from one time to another (s)."""

    start: Fraction
    end: Fraction
    core: int


@dataclass
class Cluster:
    """Nodes by whom their parts are taken, a policy, and speeds (compact = 1)."""

    nodes: int
    cores: int
    part_cores: int
    alone: list[Fraction]
    beside: list[list[Fraction]]
    order: str = "arrival"
    shares: bool = True
    reserves: bool = False
    backfilling: str = "easy"
    contiguous: bool = False
    parts: int = 2
    depth: int = 10**9
    window: int = 10**9
    threshold: float = 1.0
    rank: int = 3
    ends_are_known: bool = True
    ranks_nodes: bool = False
    history: History | None = None
    tau: float = 0.0
    curves: list[UtilityFunction | None] = field(default_factory=list)
    whole: dict[int, bool] = field(default_factory=dict)
    holders: list[list[int]] = field(default_factory=list)
    outages: list[Outage] = field(default_factory=list)
    down: dict[int, Fraction] = field(default_factory=dict)
    """When each node that is down works again."""
    lost: list[tuple[int, Fraction, Fraction]] = field(default_factory=list)
    """Job, start and end of each stretch that a failure ended."""

    def run(self, jobs: list[CoJob]) -> None:
        """Set the start and the end of every job; they are in arrival order."""
        self.jobs = jobs
        self.holders = [[] for _ in range(self.nodes)]
        self.reserved: dict[int, Fraction] = {}
        queue: list[int] = []
        coming = list(range(len(jobs)))
        while True:
            times = [jobs[i].end for i in self.running()]
            times += [jobs[i].submit for i in coming[:1]]
            times += [t for i, t in self.reserved.items() if i in queue and t > self.now]
            if not times and not queue:
                return
            changes = {time for outage in self.outages for time in outage[:2]}
            self.now = min([*times, *(time for time in changes if time > self.now)])
            ended = [i for i in self.running() if jobs[i].end <= self.now + TOGETHER]
            for i in ended:
                jobs[i].end = self.now
                self.learn(i)
            for holders in self.holders:
                holders[:] = [i for i in holders if i not in ended]
            self.down = {n: repair for n, repair in self.down.items() if repair > self.now}
            for outage in self.outages:
                if outage.start == self.now:
                    queue = sorted(queue + self.fail(outage))
                    ended, running = [], self.running()
                    self.reserved = {i: t for i, t in self.reserved.items() if i in running}
            while coming and jobs[coming[0]].submit == self.now:
                queue.append(coming.pop(0))
            started = self.reserving(queue, ended) if self.reserves else self.in_order(queue)
            queue = [i for i in queue if i not in started]
            self.settle()

    now = Fraction(-1)

    def fail(self, outage: Outage) -> list[int]:
        """Take a core's node down, and stop the jobs on it: they start from scratch."""
        node = outage.core // self.cores
        hit = sorted({*self.holders[node]})
        for i in hit:
            self.learn(i)
            self.lost.append((i, self.jobs[i].start, self.now))
            self.jobs[i].start, self.jobs[i].beside = Fraction(-1), None
        for holders in self.holders:
            holders[:] = [i for i in holders if i not in hit]
        self.down[node] = max(outage.end, self.down.get(node, outage.end))
        return hit

    def taken(self, n: int) -> int:
        """How many parts of a node nobody can have."""
        return self.parts if n in self.down else len(self.holders[n])

    def running(self) -> list[int]:
        """Jobs that hold nodes."""
        return sorted({i for holders in self.holders for i in holders})

    # speeds

    def settle(self) -> None:
        """Let speeds and ends follow from who is beside whom; learn from who no longer is."""
        running = self.running()
        around = {i: self.around(i) for i in running}
        believed = {i: self.speed(i, around[i], believed=True) for i in running}
        company = {i: self.company(i, around[i]) for i in running}
        for i in running:
            job, speed = self.jobs[i], self.speed(i, around[i])
            if company[i] != job.beside:
                self.learn(i)
                job.beside, job.met = company[i], self.now
            if speed != job.speed:
                job.left = self.left(job)
                job.since, job.speed = self.now, speed
                job.end = self.end(job, speed)
            job.reckoned = job.end if believed[i] == speed else self.end(job, believed[i])

    def around(self, i: int) -> set[int]:
        """Applications beside a job; one more than there are stands for nobody."""
        mine = [holders for holders in self.holders if i in holders]
        others = {self.jobs[k].application for holders in mine for k in holders if k != i}
        return others or {len(self.alone)}

    def company(self, i: int, around: set[int]) -> int | None:
        """The one that a job's speed is due to: no greater speed was seen beside it."""
        if len(around) > 1 and self.history:
            one, speed = self.jobs[i].application, float(self.speed(i, around)) * self.jobs[i].noise
            around = {k for k in around if not self.history.saw_faster(one, k, speed)}
            self.jobs[i].due |= len(around) == 1
        return None if self.jobs[i].compact or len(around) != 1 else min(around)

    def speed(self, i: int, around: set[int], *, believed: bool = False) -> Fraction:
        """The least beside any of some applications, as it is or as the scheduler believes."""
        if self.jobs[i].compact:
            return Fraction(1)
        return min(self.pair(self.jobs[i].application, k, believed=believed) for k in around)

    def pair(self, one: int, other: int, *, believed: bool = True) -> Fraction:
        """The speed of an application beside another, or nobody."""
        if believed and self.history:
            return Fraction(self.history.speed(one, other))
        return [*self.beside[one], self.alone[one]][other]

    def learn(self, i: int) -> None:
        """See how fast a job was beside nobody, or the application that this is due to."""
        job = self.jobs[i]
        if self.history and job.beside is not None and job.met < self.now:
            self.history.learn(job.application, job.beside, float(job.speed) * job.noise)

    def left(self, job: CoJob) -> Fraction:
        """Work that is left."""
        return max(job.left - (self.now - job.since) * job.speed, Fraction(0))

    def end(self, job: CoJob, speed: Fraction) -> Fraction:
        """When a job ends at a speed from now on."""
        end = Fraction(round((self.now + self.left(job) / speed) * TICKS), TICKS)
        return end if job.limit is None else min(end, job.start + job.limit)

    # nodes

    def nodes_for(self, job: CoJob, compact: bool) -> list[int] | None:
        """Nodes for a job: empty ones; if too few and it shares, partly taken ones first."""
        need = self.need(job.size, compact)
        if need == 0:
            return []
        if self.order == "value filler" and not compact:
            best = self.best(job.application)
            return best[:need] if len(best) >= need else None
        if self.ranks_nodes and not compact:
            return self.fastest(job, need)
        taken = [self.taken(n) for n in range(self.nodes)]
        empty = [n for n in range(self.nodes) if taken[n] == 0]
        found = self.first(empty, need)
        if found is None and not compact:
            partly = [n for n in range(self.nodes) if 0 < taken[n] < self.parts]
            some = partly + empty
            found = self.first(sorted(some) if self.contiguous else some, need)
        return found

    def fastest(self, job: CoJob, need: int) -> list[int] | None:
        """Nodes where a job is believed to be fastest, the first of equal ones."""
        free = [n for n in range(self.nodes) if self.taken(n) < self.parts]

        def slowness(n: int) -> Fraction:
            others = [self.jobs[k].application for k in self.holders[n]]
            return -min(self.pair(job.application, k) for k in others or [len(self.alone)])

        return sorted(free, key=slowness)[:need] if len(free) >= need else None

    def best(self, application: int) -> list[int]:
        """Nodes with room by the sum of its own and its neighbours' speeds, the first of equals."""

        def total(n: int) -> float:
            others = [self.jobs[k].application for k in self.holders[n]]
            if not others:
                return 2.0 * self.usual(application)
            mine = min(float(self.pair(application, k)) for k in others)
            return mine + min(float(self.pair(k, application)) for k in others)

        free = [n for n in range(self.nodes) if self.taken(n) < self.parts]
        return sorted(free, key=lambda n: -total(n))

    def usual(self, application: int) -> float:
        """The mean speed beside each application."""
        count = len(self.alone)
        return sum(float(self.pair(application, k)) for k in range(count)) / count

    def need(self, size: int, compact: bool) -> int:
        """How many nodes a job has."""
        return math.ceil(Fraction(size, self.cores if compact else self.part_cores))

    def first(self, nodes: list[int], need: int) -> list[int] | None:
        """The first so many of some nodes, in a row if they must be."""
        if not self.contiguous:
            return nodes[:need] if len(nodes) >= need else None
        for k in range(len(nodes) - need + 1):
            if nodes[k + need - 1] - nodes[k] == need - 1:
                return nodes[k : k + need]
        return None

    def begin(self, i: int, nodes: list[int], compact: bool) -> None:
        """Start a job there; a compact one has all parts of each of its nodes."""
        job = self.jobs[i]
        for n in nodes:
            self.holders[n] += [i] * (self.parts if compact else 1)
        job.start = job.since = self.now
        job.left, job.speed, job.compact = job.work, Fraction(1), compact
        lasts = job.work if job.limit is None else min(job.work, job.limit)
        job.end = job.reckoned = self.now + lasts

    # policies

    def ranks(self, queue: list[int]) -> dict[int, int]:
        """How many of the others in the queue each job goes well with."""
        kind = [job.application for job in self.jobs]

        def friends(i: int, k: int) -> bool:
            a, b = kind[i], kind[k]
            mean = (float(self.pair(a, b)) + float(self.pair(b, a))) / 2
            return mean > self.threshold

        return {i: sum(friends(i, k) for k in queue if k != i) for i in queue}

    def ordered(self, queue: list[int], ranks: dict[int, int]) -> list[int]:
        """The queue by the policy: those in the window, then the others as they came."""
        queue, rest = queue[: self.window], queue[self.window :]
        jobs, free = self.jobs, self.free()
        if self.order in ("filler", "short filler", "popular filler"):
            fitting = [i for i in queue if jobs[i].size <= free]
            by_score = sorted(fitting, key=lambda i: (-self.fill(i, queue, ranks, free), i))
            return by_score + sorted({*queue} - {*fitting}) + rest
        if self.order == "value filler":
            gains = {i: self.gain(i) for i in queue}
            self.whole |= {i: compact for i, (_, compact) in gains.items()}
            return sorted(queue, key=lambda i: -gains[i][0]) + rest
        scores = {
            "arrival": queue.index,
            "shortest": lambda i: jobs[i].known,
            "longest": lambda i: -jobs[i].known,
            "largest": lambda i: -jobs[i].known * jobs[i].size,
            "popularity": lambda i: -ranks[i],
        }
        return sorted(queue, key=scores[self.order]) + rest

    # value gained per processor and second

    def gain(self, i: int) -> tuple[float, bool]:
        """Of a job if it starts now, and whether compact: where it fits so and gains more."""
        size = self.jobs[i].size
        alone, shared = self.need(size, True), self.need(size, False)
        empty = sum(not self.taken(n) for n in range(self.nodes))
        gain_alone = self.rate(i, 1.0, 0.0) / (alone * self.cores)
        best = self.best(self.jobs[i].application)
        if shared <= len(best):
            rate = self.rate(i, *self.beside_others(i, best[:shared]))
        else:
            rate = self.rate(i, self.usual(self.jobs[i].application), 0.0)
        gain_shared = rate / (shared * (self.cores / self.parts))
        fits = alone <= empty and (shared > len(best) or gain_alone > gain_shared)
        compact = fits or shared > self.nodes
        return gain_alone if compact else gain_shared, compact

    def rate(self, i: int, speed: float, loss: float) -> float:
        """Value now rather than `tau` later, less what neighbours lose, per second of the job."""
        lasts = max(float(self.jobs[i].known), 1.0) / speed
        age = float(self.now - self.jobs[i].submit) + lasts
        return (self.worth(i, age) - self.worth(i, age + self.tau) - loss) / lasts

    def worth(self, i: int, age: float) -> float:
        """Value of a job that ends so long after its submission."""
        curve = self.curves[i]
        return float(curve(age)) if curve else 0.0

    def beside_others(self, i: int, nodes: list[int]) -> tuple[float, float]:
        """The speed of a job on these nodes, and what its neighbours there lose."""
        mine = self.jobs[i].application
        speed = math.inf
        loss = 0.0
        neighbours: list[int] = []
        for n in nodes:
            if not self.holders[n]:
                speed = min(speed, self.usual(mine))
            neighbours += [k for k in self.holders[n] if k not in neighbours]
        for k in neighbours:
            theirs = self.jobs[k].application
            speed = min(speed, float(self.pair(mine, theirs)))
            before = float(self.speed(k, self.around(k), believed=True))
            after = float(self.pair(theirs, mine))
            if after < before:
                end = self.expected_end(k)
                if self.ends_are_known:
                    end = max(self.end(self.jobs[k], Fraction(before)), self.now)
                age = float(end - self.jobs[k].submit)
                longer = float(end - self.now) * (before / after - 1.0)
                loss += self.worth(k, age)
                loss -= self.worth(k, age + longer)
        return speed, loss

    def free(self) -> int:
        """Cores that nobody has."""
        return self.nodes * self.cores - self.part_cores * sum(map(self.taken, range(self.nodes)))

    def fill(self, i: int, queue: list[int], ranks: dict[int, int], free: int) -> Fraction:
        """Score of a job that fits: how it fills the gap, and its age or its second place."""
        gap = Fraction(self.jobs[i].size, free)
        if self.order == "filler":
            return gap / Fraction(i + 1, len(queue))
        second = (lambda k: self.jobs[k].known) if "short" in self.order else (lambda k: -ranks[k])
        place = sorted(queue, key=second).index(i)
        return gap + 1 - Fraction(place, len(queue))

    def is_compact(self, i: int, ranks: dict[int, int]) -> bool:
        """Whether a job is placed compact."""
        if not self.shares or self.jobs[i].size > self.nodes * self.part_cores:
            return True
        if self.order == "value filler":
            return self.whole.get(i, False)
        return self.order == "popularity" and ranks[i] < self.rank

    def in_order(self, queue: list[int]) -> list[int]:
        """Start from the head, the queue in order anew each time; then fill around a stuck head."""
        started: list[int] = []
        while waiting := [i for i in queue if i not in started]:
            ranks = self.ranks(waiting)
            ordered = self.ordered(waiting, ranks)
            head, compact = ordered[0], self.is_compact(ordered[0], ranks)
            nodes = self.nodes_for(self.jobs[head], compact)
            if nodes is not None:
                self.begin(head, nodes, compact)
                started.append(head)
                continue
            if self.depth and self.backfilling == "unreserved":
                started += self.filling_without_reservation(ordered)
            elif self.depth:
                by_rule = sorted(waiting) if self.backfilling == "shadow" else ordered
                started += self.filling(by_rule, ranks)
            break
        return started

    def filling(self, ordered: list[int], ranks: dict[int, int]) -> list[int]:
        """Start jobs that end by when the first is reckoned to start, or leave it enough nodes."""
        head, started = ordered[0], []
        compact = self.is_compact(head, ranks)
        if self.nodes_for(self.jobs[head], compact) is None:
            until, extra = self.head_start(head, compact)
        else:
            # only the longest-waiting job can fit while another head is stuck
            ends = [self.expected_end(i) for i in self.running()]
            until, extra = min([*ends, *self.down.values()]), 0
        for i in ordered[1 : self.depth + 1]:
            job, compact = self.jobs[i], self.is_compact(i, ranks)
            need, before = self.need(job.size, compact), self.now + job.known <= until
            nodes = self.nodes_for(job, compact)
            if nodes is not None and (before or (self.backfilling == "easy" and need <= extra)):
                self.begin(i, nodes, compact)
                started.append(i)
                extra -= 0 if before else need
        return started

    def filling_without_reservation(self, queue: list[int]) -> list[int]:
        """Start jobs behind the head that end within waiting times that add up along the queue."""
        before, free = self.running(), sum(not self.taken(n) for n in range(self.nodes))
        started: list[int] = []
        limit: Fraction | float = Fraction(0)
        for i in queue[1 : self.depth + 1]:
            job, need = self.jobs[i], self.need(self.jobs[i].size, compact=True)
            still = [k for k in before if self.jobs[k].end > self.now + limit]
            limit += self.wait_for(need, free, still)
            nodes, free = self.nodes_for(job, compact=True), 0
            if nodes is not None and job.known <= limit:
                self.begin(i, nodes, compact=True)
                started.append(i)
            if limit == math.inf:
                break
        return started

    def wait_for(self, need: int, free: int, running: list[int]) -> Fraction | float:
        """Time until so many nodes are free, of some and of those of running compact jobs."""
        for i in sorted(running, key=self.expected_end):
            free += self.need(self.jobs[i].size, compact=True)
            if free >= need:
                return self.expected_end(i) - self.now
        return math.inf

    def expected_end(self, i: int) -> Fraction:
        """When a running job is reckoned to end."""
        job = self.jobs[i]
        expected = job.reckoned if self.ends_are_known else job.start + job.known
        return max(expected, self.now + Fraction(1, TICKS))

    def head_start(self, head: int, compact: bool) -> tuple[Fraction, int]:
        """When the head has its nodes if all end as reckoned, and how many are beyond its need."""
        need = self.need(self.jobs[head].size, compact)
        ends = {self.expected_end(i) for i in self.running()}
        for until in sorted(ends | {*self.down.values()}):
            left = [sum(self.expected_end(i) > until for i in holders) for holders in self.holders]
            good = [
                n
                for n in range(self.nodes)
                if left[n] < (1 if compact else self.parts) and self.down.get(n, until) <= until
            ]
            if self.first(good, need) is not None:
                return until, len(good) - need
        raise AssertionError("an empty machine has room for every job")

    # conservative

    def reserving(self, queue: list[int], ended: list[int]) -> list[int]:
        """Keep reservations, earlier if someone ended early; start what is due."""
        early = [i for i in ended if self.reserved[i] + self.jobs[i].known > self.now]
        for i in [i for i in queue if i in self.reserved] if early else []:
            del self.reserved[i]
            self.reserved[i] = self.earliest(i)
        for i in queue:
            if i not in self.reserved:
                self.reserved[i] = self.earliest(i)
        started = []
        for i in queue:
            nodes = self.nodes_for(self.jobs[i], True)
            if self.reserved[i] <= self.now and nodes is not None:
                self.begin(i, nodes, True)
                started.append(i)
        return started

    def earliest(self, i: int) -> Fraction:
        """The first start from which on a job has its nodes for as long as it asks."""
        need, known = self.need(self.jobs[i].size, True), self.jobs[i].known
        others = [
            (start, start + self.jobs[k].known, self.need(self.jobs[k].size, True))
            for k, start in self.reserved.items()
            if k in self.running() or self.jobs[k].start < 0
        ]
        others += [(self.now, repair, 1) for repair in self.down.values()]
        for start in sorted({self.now, *(end for _, end, _ in others if end > self.now)}):
            changes = {start, *(s for s, _, _ in others if start < s < start + known)}
            if all(
                need + sum(n for s, e, n in others if s <= at < e) <= self.nodes for at in changes
            ):
                return start
        raise AssertionError("an empty machine has room for every job")
