"""Work of audits, in this process or in others."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, fields
from functools import partial
from typing import Any

import numpy as np

from swfx.base.answer_file import AnswerFile
from utilitysched.market.audit.design import Design
from utilitysched.market.audit.scenario import AuditScenario
from utilitysched.market.audit.trial import Auditor, Trial
from utilitysched.model.versions import versions
from utilitysched.workers.executor import Executor, Work
from utilitysched.workers.local import local_executor

KEPT = "trials.kept"


def question(scenario: AuditScenario, design: Design) -> str:
    """Return the sha256 (hex) of all that decides what lies about a job bring."""
    document: dict[str, object] = {
        field.name: str(getattr(scenario, field.name)) for field in fields(scenario)
    }
    document["workload"] = scenario.workload.digest()
    document["failures"] = "" if scenario.failures is None else scenario.failures.digest
    document |= {"design": asdict(design), "versions": versions()}
    return hashlib.sha256(json.dumps(document, sort_keys=True).encode()).hexdigest()


BLOCKS = 8
"""Blocks of jobs per process: what is done early by one leaves little for the others to wait for,
and each process plays the schedule again up to its jobs only once."""


@dataclass(frozen=True)
class AuditPlace:
    """Processes, progress callback and keeper of an audit.

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


def trials(
    scenario: AuditScenario, design: Design, jobs: Sequence[int], place: AuditPlace
) -> list[Trial]:
    """Return the trials of sampled jobs, given by their places in the order of arrival, ascending.

    See `audit`.
    """
    workers = 1 if place.executor is None else math.inf
    processes = max(place.processes, workers)
    size = max(1, int(len(jobs) // (BLOCKS * processes))) if processes > 1 else 1
    keeper, digest = place.keeper, question(scenario, design)
    kept = keeper.kept([digest]) if keeper else []
    answered = {trial.job: trial for trial in (_restored(*answer) for _, answer in kept)}
    missing = [job for job in jobs if job not in answered]
    blocks = [tuple(missing[first : first + size]) for first in range(0, len(missing), size)]
    run = (place.executor or local_executor(place.processes, place.on_compile)).run
    for _, block in run(Work("audit", partial(_trials, scenario, design)), blocks):
        answered |= {trial.job: trial for trial in block}
        if keeper:
            keeper.keep(digest, block)
        if place.on_progress:
            place.on_progress(len(answered) / len(jobs))
    return [answered[job] for job in jobs]


def _trials(scenario: AuditScenario, design: Design) -> Callable[[tuple[int, ...]], list[Trial]]:
    auditor = Auditor(scenario, design)
    return lambda block: [auditor.trial(job) for job in block]


def _restored(job: int, value: float, *parts: list[Any]) -> Trial:
    """Return the trial of an answer in a file."""
    return Trial(job, value, *(np.array(part) for part in parts))
