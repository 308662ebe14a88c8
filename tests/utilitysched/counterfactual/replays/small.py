"""Small schedules that are played again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from random import Random

import numpy as np

from pricing.counterfactual import ReplayRule
from swfx import Workload
from tests.queues import random_workload
from utilitysched import simulate
from utilitysched.counterfactual.replays import Question
from utilitysched.workers.executor import Result, Task, Work
from utilitysched.workers.local import SerialExecutor


def asked_of(
    jobs: Workload, processors: int, scheduler: str = "easy", rule: ReplayRule | None = None
) -> Question:
    start = simulate(jobs, scheduler, machine_size=processors, seed=5).start
    return Question(jobs, scheduler, processors, 5, start=start, rule=rule or ReplayRule())


def crowded(seed: int, scheduler: str = "easy", rule: ReplayRule | None = None) -> Question:
    """Return a question about a random workload of which some job has a utility function."""
    rng = Random(seed)
    while True:
        jobs, processors = random_workload(rng)
        if jobs.has_utilities and len(jobs) > 8:
            return asked_of(jobs, processors, scheduler, rule)


def everybody(question: Question) -> np.ndarray:
    return np.arange(len(question.workload))


class Watched:
    """This process, and what jobs it was asked about."""

    def __init__(self) -> None:
        self.asked: list[int] = []

    def run(self, work: Work[Task, Result], tasks: Iterable[Task]) -> Iterator[tuple[Task, Result]]:
        given = list(tasks)
        self.asked.extend(job for block in given for job in block)  # type: ignore[attr-defined]
        return SerialExecutor().run(work, given)
