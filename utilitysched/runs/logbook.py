"""Logbooks of genetic schedulers: a row per generation of each decision."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from swfx import InputError
from utilitysched.model.scheduler import Scheduler
from utilitysched.model.state import Floats
from utilitysched.runs.jobs_csv import write_jobs

if TYPE_CHECKING:
    from utilitysched.runs.records import SimulatedRun
    from utilitysched.schedulers.genetic.scheduler import GeneticScheduler

COLUMNS = ("now", "jobs", "generation", "evaluations", "plans", "best", "median", "worst")
"""Of a row, besides the scheduler."""


def breeder(scheduler: object) -> GeneticScheduler | None:
    """Return the genetic scheduler itself or within a wrapper; None without generations to log."""
    while scheduler is not None:
        if hasattr(scheduler, "keep_logbook"):
            return scheduler if scheduler.settings.generations > 0 else None  # type: ignore[attr-defined, return-value]
        scheduler = getattr(scheduler, "scheduler", None)
    return None


def require_breeder(schedulers: Sequence[Scheduler]) -> None:
    """Refuse schedulers of which none breeds.

    Raises
    ------
    InputError
        So it is: there would be no logbook.
    """
    if not any(map(breeder, schedulers)):
        raise InputError(
            "none of the schedulers breeds, so there is nothing to log",
            field="`logbook`",
            remedy="add one that does, such as ga",
        )


def kept_rows(scheduler: GeneticScheduler) -> Floats | None:
    """Return the logbook of a genetic scheduler, (rows, `COLUMNS`); None if it kept none."""
    if scheduler.logbook is None:
        return None
    rows = [[row[name] for name in COLUMNS] for row in scheduler.logbook]
    return np.array(rows, dtype=np.float64).reshape(-1, len(COLUMNS))


def write_logbooks(path: Path, runs: Sequence[SimulatedRun]) -> None:
    """Write the logbooks of all runs that have one as one CSV, whole or not at all.

    Raises
    ------
    InputError
        The file cannot be written.
    """
    kept = [(run.schedule.scheduler, run.logbook) for run in runs if run.logbook is not None]
    labels = [label for label, rows in kept for _ in range(len(rows))]
    table = np.concatenate([rows for _, rows in kept])
    write_jobs(path, {"scheduler": labels, **dict(zip(COLUMNS, table.T, strict=True))})
