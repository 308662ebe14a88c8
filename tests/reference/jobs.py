"""What the twins know of a job, and how a plain SWF file becomes a list of jobs."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import NamedTuple


class Job(NamedTuple):
    """One rigid job; jobs are numbered in arrival order (submit time, then position in the file).

    Times in s, size in processors, points as (s since submit, SU).
    """

    number: int
    submit: float
    run: float
    request: float
    size: int
    priority: int = 3
    user: int = -1
    points: tuple[tuple[float, float], ...] = ()

    @property
    def effective(self) -> float:
        """Seconds the job really occupies its processors: it is killed at its request."""
        return min(self.run, self.request)


class Running(NamedTuple):
    """A running job as a scheduler sees it: it holds `size` processors until `release` (s)."""

    release: float
    number: int
    size: int


class Schedule(NamedTuple):
    """What an engine decided, in job order: start and end (s), backfilled flags, passes made."""

    start: list[float]
    end: list[float]
    backfilled: list[bool]
    passes: int


def read_jobs(path: Path) -> list[Job]:
    """Jobs of a gzipped SWF file whose submit times are sorted; a missing request is the run."""
    with gzip.open(path, "rt") as lines:
        rows = [[float(word) for word in line.split()] for line in lines if line[0] != ";"]
    return [
        Job(
            number,
            submit=row[1],
            run=row[3],
            request=row[8] if row[8] > 0 else row[3],
            size=int(row[4] if row[4] > 0 else row[7]),
            user=int(row[11]),
        )
        for number, row in enumerate(rows)
    ]


def rigid(*rows: tuple[float, float, float, int]) -> list[Job]:
    """Number jobs given as (submit, run, request, size) in arrival order."""
    return [Job(number, *row) for number, row in enumerate(sorted(rows, key=lambda row: row[0]))]
