"""Random planning problems with preemptible running jobs, for the kernels and their twins."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from random import Random

import numpy as np

from tests.planning import Case, curve, random_case, seconds
from tests.reference.jobs import Job, Running
from tests.reference.preempting_plan import Held
from utilitysched.model.state import Preemption, QueueState
from utilitysched.schedulers.genetic.options import GeneticOptions

ANYBODY = GeneticOptions(preempt=True, preemptions=1000, lost=0.0, delays=(0.0,))


@dataclass(frozen=True)
class PreemptionCase:
    """A queue beside running jobs, some of which may be preempted: these come last by number.

    `others` are the queue and the other running jobs; `preempted` says how often each queued job
    was.
    """

    others: Case
    held: list[Held]
    preempted: list[int]

    @property
    def jobs(self) -> list[Job]:
        """All jobs that a plan puts in order, by number."""
        return [*self.others.jobs, *(one.job for one in self.held)]

    @property
    def state(self) -> QueueState:
        """The same as a scheduler sees it."""
        queued, fixed = self.others.jobs, sorted(self.others.running, key=lambda job: job.number)
        whole = [*queued, *(Job(job.number, 0.0, 0.0, 1.0, job.size) for job in fixed)]
        whole += [one.job for one in self.held]
        known = Case(self.others.now, self.others.processors, whole, []).state.known
        ends = [Running(one.start + one.job.request, *_who(one.job)) for one in self.held]
        running = sorted([*fixed, *ends])
        return QueueState(
            now=self.others.now,
            free=self.others.processors - sum(job.size for job in running),
            queued=np.arange(len(queued)),
            running=np.array([job.number for job in running], dtype=np.int64),
            expected_end=np.array([job.release for job in running], dtype=np.float64),
            finished=np.empty(0, dtype=np.int64),
            finished_run=np.empty(0),
            known=known,
            preemption=self._preemption(len(queued), len(fixed)),
        )

    def _preemption(self, queued: int, fixed: int) -> Preemption:
        others = queued + fixed

        def column(first: float, name: str) -> np.ndarray:
            return np.array([first] * others + [getattr(one, name) for one in self.held])

        preemptions = np.array(self.preempted + [0] * (fixed + len(self.held)), dtype=np.int64)
        last_start = column(0.0, "start")
        last_start[:queued] = np.nan
        interval, overhead, paid = (
            column(first, name)
            for first, name in ((-1.0, "interval"), (1.0, "overhead"), (0.0, "paid"))
        )
        return Preemption(interval, overhead, preemptions, last_start, paid)


def _who(job: Job) -> tuple[int, int]:
    return job.number, job.size


def random_preemption_case(rng: Random, most: int = 10) -> PreemptionCase:
    """Draw up to `most` queued jobs, and jobs that run on what is left of the machine."""
    others = random_case(rng, most)
    now, grain = others.now, rng.choice([1.0, 1.0, 0.25, 0.0])
    # a few more processors than the queue was drawn for, so that somebody runs
    others = replace(others, processors=others.processors + rng.randint(0, 8))
    free = others.processors - sum(job.size for job in others.running)
    held: list[Held] = []
    while free and rng.random() < 0.85:
        number = len(others.jobs) + len(others.running) + len(held)
        size = rng.randint(1, free)
        held.append(_held(rng, grain, now, (number, size)))
        free -= size
    preempted = [rng.choice([0, 0, 1, 2]) for _ in others.jobs]
    return PreemptionCase(others, held, preempted)


def _held(rng: Random, grain: float, now: float, who: tuple[int, int]) -> Held:
    number, size = who
    ran, left = seconds(rng, grain, 20), seconds(rng, grain, 15)
    overhead = seconds(rng, grain, 3)
    paid = overhead if rng.random() < 0.3 and overhead <= ran + left else 0.0
    submit = now - ran - seconds(rng, grain, 20)
    job = Job(number, submit, 0.0, ran + left, size, rng.randint(0, 5), points=curve(rng, grain))
    interval = rng.choice([0.0, math.inf, 1.0, 2.5, 7.0])
    return Held(job, now - ran, paid, interval, overhead)
