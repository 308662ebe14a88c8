"""Work of audits, in this process or in others."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from utilitysched.market.audit.design import Design
from utilitysched.market.audit.scenario import AuditScenario
from utilitysched.market.audit.trial import Auditor, Trial
from utilitysched.workers.executor import Result, Task, Work
from utilitysched.workers.local import local_executor

BLOCKS = 8
"""Blocks of jobs per process: what is done early by one leaves little for the others to wait for,
and each process plays the schedule again up to its jobs only once."""


def trials(
    scenario: AuditScenario,
    design: Design,
    jobs: Sequence[int],
    processes: int,
    on_progress: Callable[[float], None] | None,
    on_compile: Callable[[], None],
) -> list[Trial]:
    """Lie about jobs, by their places in the order of arrival, ascending; see `audit`."""
    size = max(1, len(jobs) // (BLOCKS * processes)) if processes > 1 else 1
    blocks = [tuple(jobs[first : first + size]) for first in range(0, len(jobs), size)]
    prepare = partial(_trials, scenario, design)
    found = spread(prepare, blocks, processes, on_progress, on_compile)
    return [trial for block in found for trial in block]


def spread(
    prepare: Callable[[], Callable[[Task], Result]],
    tasks: Sequence[Task],
    processes: int,
    on_progress: Callable[[float], None] | None,
    on_compile: Callable[[], None],
) -> list[Result]:
    """Do all tasks by what `prepare` returns, and return what came of them in their order."""
    found: dict[int, Result] = {}
    work = Work("audit", partial(_numbered, prepare))
    for (number, _), result in local_executor(processes, on_compile).run(
        work, list(enumerate(tasks))
    ):
        found[number] = result
        if on_progress:
            on_progress(len(found) / len(tasks))
    return [found[number] for number in range(len(tasks))]


def _trials(scenario: AuditScenario, design: Design) -> Callable[[Sequence[int]], list[Trial]]:
    auditor = Auditor(scenario, design)
    return lambda jobs: [auditor.trial(job) for job in jobs]


def _numbered(
    prepare: Callable[[], Callable[[Task], Result]],
) -> Callable[[tuple[int, Task]], Result]:
    work = prepare()
    return lambda numbered: work(numbered[1])
