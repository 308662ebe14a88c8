"""Work of audits, in this process or in others."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, fields
from functools import cache, partial
from typing import Any

import numpy as np

from swfx.base.answer_file import AnswerFile
from utilitysched.market.audit.design import Design
from utilitysched.market.audit.scenario import AuditScenario
from utilitysched.market.audit.trial import Auditor, Trial
from utilitysched.model.versions import versions
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
    keeper : AnswerFile or None
        Keeps what lies about each job bring: what it has is not played again.
    """

    processes: int = 1
    on_progress: Callable[[float], None] | None = None
    on_compile: Callable[[], None] = lambda: None
    executor: Executor | None = None
    keeper: AnswerFile | None = None


def question(scenario: AuditScenario, design: Design) -> str:
    """Return the sha256 (hex) of all that decides what lies about a job bring."""
    asked: dict[str, object] = {
        field.name: str(getattr(scenario, field.name)) for field in fields(scenario)
    }
    asked["workload"] = scenario.workload.digest()
    asked["failures"] = "" if scenario.failures is None else scenario.failures.digest
    asked |= {"design": asdict(design), "versions": versions()}
    return hashlib.sha256(json.dumps(asked, sort_keys=True).encode()).hexdigest()


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
    asked = [question(scenario, design) for scenario in scenarios] if place.keeper else []
    kept = place.keeper.kept(asked) if place.keeper else []
    known = [(asked.index(text), _restored(*answer)) for text, answer in kept]
    found = {(number, trial.job): trial for number, trial in known}
    missing = [
        [job for job in here if (number, job) not in found] for number, here in enumerate(jobs)
    ]
    blocks = [
        (number, tuple(here[first : first + size]))
        for number, here in enumerate(missing)
        for first in range(0, len(here), size)
    ]

    def note(block: tuple[int, Sequence[int]], told: list[Trial]) -> None:
        found.update({(block[0], trial.job): trial for trial in told})
        if place.keeper:
            place.keeper.keep(asked[block[0]], told)

    spread(partial(_trials, tuple(scenarios), design), blocks, place, note)
    return [found[number, job] for number, here in enumerate(jobs) for job in here]


def spread(
    prepare: Callable[[], Callable[[Task], Result]],
    tasks: Sequence[Task],
    place: AuditPlace,
    note: Callable[[Task, Result], None] = lambda *_: None,
) -> list[Result]:
    """Do all tasks by what `prepare` returns, and return what came of them in their order.

    Each is noted once it is done.
    """
    found: dict[int, Result] = {}
    work = Work("audit", partial(_numbered, prepare))
    executor = place.executor or local_executor(place.processes, place.on_compile)
    for (number, task), result in executor.run(work, list(enumerate(tasks))):
        found[number] = result
        note(task, result)
        if place.on_progress:
            place.on_progress(len(found) / len(tasks))
    return [found[number] for number in range(len(tasks))]


def _trials(
    scenarios: tuple[AuditScenario, ...], design: Design
) -> Callable[[tuple[int, Sequence[int]]], list[Trial]]:
    auditor = cache(lambda number: Auditor(scenarios[number], design))
    return lambda block: [auditor(block[0]).trial(job) for job in block[1]]


def _restored(job: int, value: float, *parts: list[Any]) -> Trial:
    """Return a trial read from a file."""
    return Trial(job, value, *(np.array(part) for part in parts))


def _numbered(
    prepare: Callable[[], Callable[[Task], Result]],
) -> Callable[[tuple[int, Task]], Result]:
    work = prepare()
    return lambda numbered: work(numbered[1])
