"""Work of audits, in this process or in others."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, partial

from utilitysched.market.audit.design import Design
from utilitysched.market.audit.scenario import AuditScenario
from utilitysched.market.audit.trial import Auditor, Trial
from utilitysched.workers.executor import Executor, Result, Task, Work
from utilitysched.workers.local import local_executor

BLOCKS = 8
"""Blocks of jobs per process: what is done early by one leaves little for the others to wait for,
and each process plays the schedule again up to its jobs only once."""


@dataclass(frozen=True)
class AuditPlace:
    """Where an audit is made, and who is told how far it is.

    Attributes
    ----------
    processes : int
        Processes of this machine.
    on_progress : callable or None
        Called now and then with the share of jobs done.
    on_compile : callable
        Called once if other processes have to compile.
    executor : Executor or None
        Where tasks run instead of in processes of this machine.
    """

    processes: int = 1
    on_progress: Callable[[float], None] | None = None
    on_compile: Callable[[], None] = lambda: None
    executor: Executor | None = None


def trials(
    scenarios: Sequence[AuditScenario],
    design: Design,
    jobs: Sequence[Sequence[int]],
    place: AuditPlace,
) -> list[Trial]:
    """Lie about jobs of scenarios, by their places in the order of arrival, ascending.

    See `audit`. Returned one scenario after the other.
    """
    workers = 1 if place.executor is None else math.inf
    processes = max(place.processes, workers)
    count = sum(map(len, jobs))
    size = max(1, int(count // (BLOCKS * processes))) if processes > 1 else 1
    blocks = [
        (number, tuple(here[first : first + size]))
        for number, here in enumerate(jobs)
        for first in range(0, len(here), size)
    ]
    found = spread(partial(_trials, tuple(scenarios), design), blocks, place)
    return [trial for block in found for trial in block]


def spread(
    prepare: Callable[[], Callable[[Task], Result]], tasks: Sequence[Task], place: AuditPlace
) -> list[Result]:
    """Do all tasks by what `prepare` returns, and return what came of them in their order."""
    found: dict[int, Result] = {}
    work = Work("audit", partial(_numbered, prepare))
    executor = place.executor or local_executor(place.processes, place.on_compile)
    for (number, _), result in executor.run(work, list(enumerate(tasks))):
        found[number] = result
        if place.on_progress:
            place.on_progress(len(found) / len(tasks))
    return [found[number] for number in range(len(tasks))]


def _trials(
    scenarios: tuple[AuditScenario, ...], design: Design
) -> Callable[[tuple[int, Sequence[int]]], list[Trial]]:
    auditor = cache(lambda number: Auditor(scenarios[number], design))
    return lambda block: [auditor(block[0]).trial(job) for job in block[1]]


def _numbered(
    prepare: Callable[[], Callable[[Task], Result]],
) -> Callable[[tuple[int, Task]], Result]:
    work = prepare()
    return lambda numbered: work(numbered[1])
