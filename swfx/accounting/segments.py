"""Runs of jobs that were started more than once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from swfx.accounting.jobs import FAILED, LogJob
from swfx.base.columns import Floats, Ints, frozen
from swfx.fields import MISSING

__all__ = ["RunSegments", "Segment", "segments_of"]


class Segment(NamedTuple):
    """One run of a job; times in s on the log's clock, -1 where unknown."""

    job: int
    run: int
    submit: float
    start: float
    end: float
    processors: int
    status: int


@dataclass(frozen=True, eq=False)
class RunSegments:
    """Every run of every job of a log, one read-only array of shape (m,) per field of `Segment`.

    Parameters
    ----------
    job : ndarray of int64
        `job_id` of the job.
    run : ndarray of int64
        1 for the first run of a job, 2 for the second, ...
    submit, start, end : ndarray of float64
        s since the first submission of the log; -1 where unknown.
    processors, status : ndarray of int64
        Allocated processors, and status as in SWF.
    """

    job: Ints
    run: Ints
    submit: Floats
    start: Floats
    end: Floats
    processors: Ints
    status: Ints

    @classmethod
    def of(cls, segments: Iterable[Segment]) -> RunSegments:
        """Columns of these runs, in their order.

        Examples
        --------
        >>> runs = RunSegments.of([Segment(7, 1, 0, 5, 9, 4, 0), Segment(7, 2, 9, 9, 20, 4, 1)])
        >>> len(runs), runs.end.tolist()
        (2, [9.0, 20.0])
        """
        types = (np.int64, np.int64, *[np.float64] * 3, np.int64, np.int64)
        rows = list(segments)
        columns = zip(*rows, strict=True) if rows else [()] * len(types)
        return cls(*(frozen(np.array(c, t)) for c, t in zip(columns, types, strict=True)))

    def since(self, time_0: float) -> RunSegments:
        """Count times from another moment."""
        times = {name: getattr(self, name) for name in ("submit", "start", "end")}
        return replace(
            self, **{n: frozen(np.where(t == MISSING, t, t - time_0)) for n, t in times.items()}
        )

    def __len__(self) -> int:
        return len(self.job)


def segments_of(
    numbers: Ints, jobs: Sequence[tuple[LogJob, Sequence[tuple[float, float]]]]
) -> RunSegments | None:
    """Every run of jobs of which each is its last run; None where no job ran twice.

    Parameters
    ----------
    numbers : ndarray of int64, shape (n,)
        Number of each job.
    jobs : sequence of tuple
        Each job, and when its runs began and ended.
    """
    if all(len(runs) == 1 for _, runs in jobs):
        return None
    return RunSegments.of(
        Segment(
            number,
            n,
            job.submit if n == 1 else runs[n - 2][1],
            start,
            end,
            job.processors,
            job.status if n == len(runs) else FAILED,
        )
        for number, (job, runs) in zip(numbers.tolist(), jobs, strict=True)
        for n, (start, end) in enumerate(runs, 1)
    )
