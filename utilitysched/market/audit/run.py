"""Work of audits, in this process or in others."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from utilitysched.market.audit.design import Design
from utilitysched.market.audit.scenario import AuditScenario
from utilitysched.market.audit.trial import Auditor, Trial
from utilitysched.workers.executor import Result, Task, Work
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
    """

    processes: int = 1
    on_progress: Callable[[float], None] | None = None
    on_compile: Callable[[], None] = lambda: None


def trials(
    scenario: AuditScenario, design: Design, jobs: Sequence[int], place: AuditPlace
) -> list[Trial]:
    """Lie about jobs, by their places in the order of arrival, ascending; see `audit`."""
    processes = place.processes
    size = max(1, len(jobs) // (BLOCKS * processes)) if processes > 1 else 1
    blocks = [tuple(jobs[first : first + size]) for first in range(0, len(jobs), size)]
    prepare = partial(_trials, scenario, design)
    found = spread(prepare, blocks, place)
    return [trial for block in found for trial in block]


def spread(
    prepare: Callable[[], Callable[[Task], Result]], tasks: Sequence[Task], place: AuditPlace
) -> list[Result]:
    """Do all tasks by what `prepare` returns, and return what came of them in their order."""
    found: dict[int, Result] = {}
    work = Work("audit", partial(_numbered, prepare))
    executor = local_executor(place.processes, place.on_compile)
    for (number, _), result in executor.run(work, list(enumerate(tasks))):
        found[number] = result
        if place.on_progress:
            place.on_progress(len(found) / len(tasks))
    return [found[number] for number in range(len(tasks))]


def _trials(scenario: AuditScenario, design: Design) -> Callable[[Sequence[int]], list[Trial]]:
    auditor = Auditor(scenario, design)
    return lambda jobs: [auditor.trial(job) for job in jobs]


def _numbered(
    prepare: Callable[[], Callable[[Task], Result]],
) -> Callable[[tuple[int, Task]], Result]:
    work = prepare()
    return lambda numbered: work(numbered[1])
