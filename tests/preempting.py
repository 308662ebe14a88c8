"""A scheduler that preempts at random, for the engine and its readable twin alike."""

from __future__ import annotations

import math
from random import Random
from typing import NamedTuple

import numpy as np

from checkpoint import PreemptionRules
from checkpoint.failures import Outages
from swfx import Workload
from tests.queues import random_workload
from tests.reference.protocol import Checkpoints, Choice, Outage, Rules, Seen, State
from utilitysched import Decision, QueueState

MOST_PREEMPTIONS = 3


class Case(NamedTuple):
    """A small workload with checkpoints, a machine, rules, and how eager the scheduler is.

    `outages` are sorted, and no two have a processor and an instant in common.
    """

    workload: Workload
    processors: int
    rules: PreemptionRules
    eagerness: float
    outages: tuple[Outage, ...] = ()

    @property
    def order(self) -> list[int]:
        """Jobs in arrival order."""
        order: list[int] = np.argsort(self.workload.submit, kind="stable").tolist()
        return order

    def drawn_outages(self) -> Outages:
        """The outages as the engine takes them."""
        rows = [(*outage, 0) for outage in self.outages]
        return Outages.union(rows, ("something",))


def random_case(rng: Random, most: int = 14) -> Case:
    """Draw jobs whose times are multiples of 1/64 s, so that sums of them are exact."""
    drawn = random_workload(rng, most)
    workload, jobs = drawn.workload, len(drawn.workload)
    rounded = {
        name: np.round(getattr(workload, name) * 8) / 8
        for name in ("submit", "run", "requested_time")
    }
    interval = [rng.choice([-1.0, 0.5, 1.0, 2.5, 4.0, 7.0]) for _ in range(jobs)]
    overhead = [rng.choice([-1.0, 0.0, 0.25, 1.0, 3.0]) for _ in range(jobs)]
    annotated = workload.replace(
        **rounded,
        checkpoint_interval=np.array(interval),
        restart_overhead=np.array(overhead),
    )
    return Case(annotated, drawn.processors, random_rules(rng), rng.choice([0.1, 0.4, 0.8]))


def random_rules(rng: Random) -> PreemptionRules:
    """Draw rules of preemption."""
    options = {
        "scratch": rng.choice(["true", "false"]),
        "overhead": rng.choice(["0", "2", "0.5/processor"]),
        "actual": rng.choice(["1", "1", "0", "0.5", "2"]),
        "overrun": rng.choice(["kill", "run"]),
    }
    if rng.random() < 0.2:
        options["on_demand"] = rng.choice(["0", "0.25/processor", "3"])
    return PreemptionRules.from_text(",".join(f"{key}={text}" for key, text in options.items()))


def failing_case(rng: Random, most: int = 10) -> Case:
    """Draw a case in which processors fail, often while jobs run."""
    case = random_case(rng, most)
    last = float(case.workload.submit.max()) + 30
    rows = [_random_outage(rng, case.processors, last) for _ in range(rng.randint(1, 8))]
    apart = Outages.union(rows, ("something",)).rows()
    return case._replace(outages=tuple(Outage(*row[:4]) for row in apart))


def _random_outage(rng: Random, processors: int, last: float) -> tuple[float, float, int, int, int]:
    start = round(rng.uniform(0, last) * 4) / 4
    low = rng.randrange(processors)
    return start, start + rng.choice([0.5, 3, 10]), low, rng.randint(low + 1, processors), 0


def checkpoints_of(case: Case) -> list[Checkpoints]:
    """Return what each job saves, in arrival order, as the twin takes it."""
    rules, workload = case.rules, case.workload
    found = []
    for job in case.order:
        size = workload.size.item(job)
        interval = periodic = workload.checkpoint_interval.item(job)
        overhead = workload.restart_overhead.item(job)
        if interval == -1 and rules.scratch:
            interval = math.inf
        if overhead == -1:
            overhead = _seconds(str(rules.overhead), size)
        if rules.on_demand is not None:
            interval, overhead = 0.0, _seconds(str(rules.on_demand), size)
        found.append(Checkpoints(interval, overhead, periodic))
    return found


def _seconds(text: str, size: int) -> float:
    return float(text.removesuffix("/processor")) * (size if "/" in text else 1)


def rules_of(case: Case) -> Rules:
    """Return the rules as the twin takes them."""
    return Rules(case.rules.actual, case.rules.overrun == "kill")


class Preemptor:
    """Preemptions and starts at random, drawn from the seed and all that can be seen.

    Parameters
    ----------
    case : Case
        What is scheduled.
    seed : int
        Of its draws.
    """

    preempts = True

    def __init__(self, case: Case, seed: int) -> None:
        self.outages = case.outages
        self.eagerness = case.eagerness
        self.seed = seed

    def choose(self, state: State) -> Choice:
        """Return what to do, as the twin takes it."""
        rng = Random(f"{self.seed} {state._replace(come=[], places=[], ends=())}")
        preemptions = [
            job.number
            for _, job in state.running
            if job.interval >= 0
            and job.preemptions < MOST_PREEMPTIONS
            and rng.random() < self.eagerness
        ]
        rng.shuffle(preemptions)
        free = state.free + sum(job.size for _, job in state.running if job.number in preemptions)
        idle = len(preemptions) == len(state.running)
        return Choice(preemptions, self._starts(state.queued, free, rng, at_least=int(idle)))

    def _starts(self, queued: list[Seen], free: int, rng: Random, at_least: int) -> list[int]:
        starts: list[int] = []
        for job in rng.sample(queued, len(queued)):
            if job.size <= free and (len(starts) < at_least or rng.random() < 0.8):
                starts.append(job.number)
                free -= job.size
        return starts

    def decide(self, state: QueueState) -> Decision:
        """Return what to do, as the engine takes it."""
        choice = self.choose(self._readable(state))
        return Decision(choice.starts, preempts=np.array(choice.preemptions, dtype=np.int64))

    def _readable(self, state: QueueState) -> State:
        """Return the state as the twin has it, outages apart: they are behind the jobs."""
        known, preemption = state.known, state.preemption
        assert preemption is not None
        running = list(zip(state.expected_end.tolist(), state.running.tolist(), strict=True))
        down = sum(outage.start <= state.now < outage.end for outage in self.outages)
        jobs = len(known.submit) - down

        def seen(job: int) -> Seen:
            runs = any(other == job for _, other in running)
            paid = preemption.paid.item(job) if runs else 0.0
            request, preemptions = known.request.item(job), preemption.preemptions.item(job)
            size, interval = known.size.item(job), preemption.interval.item(job)
            return Seen(job, request, preemptions, paid, size, interval)

        ended = state.finished.tolist()
        asked = [known.request.item(job) for job in ended]
        return State(
            state.now,
            state.free,
            [seen(job) for job in state.queued.tolist()],
            [(end, seen(job)) for end, job in running if job < jobs],
            list(zip(ended, state.finished_run.tolist(), asked, strict=True)),
            [
                None if math.isnan(start) else start
                for start in preemption.last_start[:jobs].tolist()
            ],
            sorted((end, known.size.item(job)) for end, job in running if job >= jobs),
            state.disrupted,
            [],
            [],
        )
