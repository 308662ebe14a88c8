"""Work in this process or in others."""

from __future__ import annotations

import os
import pickle
import tempfile
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache, partial
from pathlib import Path
from typing import TypeVar

from utilitysched.market.audit.design import Design
from utilitysched.market.audit.trial import Auditor, Trial
from utilitysched.market.audit.world import World
from utilitysched.workers.local import work_in_processes

Task = TypeVar("Task")
Result = TypeVar("Result")

BLOCKS = 8
"""Blocks of jobs per process: what is done early by one leaves little for the others to wait for,
and each process plays the schedule again up to its jobs only once."""


def trials(
    world: World,
    design: Design,
    jobs: Sequence[int],
    processes: int,
    on_progress: Callable[[float], None] | None,
    on_compile: Callable[[], None],
) -> list[Trial]:
    """Lie about jobs, by their places in the order of arrival, ascending; see `audit`."""
    found: dict[int, Trial] = {}
    for trial in _done(world, design, jobs, processes, on_compile):
        found[trial.job] = trial
        if on_progress:
            on_progress(len(found) / len(jobs))
    return [found[job] for job in jobs]


def _done(
    world: World,
    design: Design,
    jobs: Sequence[int],
    processes: int,
    on_compile: Callable[[], None],
) -> Iterator[Trial]:
    if processes == 1:
        auditor = Auditor(world, design)
        yield from map(auditor.trial, jobs)
        return
    size = max(1, len(jobs) // (BLOCKS * processes))
    blocks = [tuple(jobs[first : first + size]) for first in range(0, len(jobs), size)]
    handle, name = tempfile.mkstemp(prefix="utilitysched-", suffix=".pickle")
    try:
        with os.fdopen(handle, "wb") as file:
            pickle.dump((world, design), file)
        work = partial(_trials, name)
        for _, block in work_in_processes(work, blocks, processes, on_compile):
            yield from block
    finally:
        Path(name).unlink()


def spread(
    work: Callable[[Task], Result],
    tasks: Sequence[Task],
    processes: int,
    on_progress: Callable[[float], None] | None,
    on_compile: Callable[[], None],
) -> list[Result]:
    """Do the same work on all tasks, and return what came of it in their order."""
    numbered = list(enumerate(tasks))
    done = partial(_numbered, work)
    pairs: Iterator[tuple[int, Result]] = (
        map(done, numbered)
        if processes == 1
        else (result for _, result in work_in_processes(done, numbered, processes, on_compile))
    )
    found: dict[int, Result] = {}
    for number, result in pairs:
        found[number] = result
        if on_progress:
            on_progress(len(found) / len(tasks))
    return [found[number] for number, _ in numbered]


def _numbered(work: Callable[[Task], Result], task: tuple[int, Task]) -> tuple[int, Result]:
    number, given = task
    return number, work(given)


def _trials(name: str, jobs: Sequence[int]) -> list[Trial]:
    return [_auditor(name).trial(job) for job in jobs]


@lru_cache(maxsize=1)
def _auditor(name: str) -> Auditor:
    with Path(name).open("rb") as file:
        world, design = pickle.load(file)
    return Auditor(world, design)
