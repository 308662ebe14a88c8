"""Work in this process or in others."""

from __future__ import annotations

import os
import pickle
import tempfile
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache, partial
from pathlib import Path

from utilitysched.audit.design import Design
from utilitysched.audit.trial import Auditor, Trial
from utilitysched.audit.world import World
from utilitysched.experiments.local import work_in_processes

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


def _trials(name: str, jobs: Sequence[int]) -> list[Trial]:
    return [_auditor(name).trial(job) for job in jobs]


@lru_cache(maxsize=1)
def _auditor(name: str) -> Auditor:
    with Path(name).open("rb") as file:
        world, design = pickle.load(file)
    return Auditor(world, design)
