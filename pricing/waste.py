"""Waste where jobs are stopped: work that is done again, and the overhead of restarts."""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np

from swfx import InputError
from swfx.base.columns import Bools, Floats, Ints

NOBODY = -1

ANOTHER = "give the stops of the schedule of this very workload"


@dataclass(frozen=True, eq=False)
class Waste:
    """One row for every time that a job was stopped before its work was done.

    A stop costs the work since the last checkpoint, and the overhead with which the job starts
    again.

    Attributes
    ----------
    job : ndarray of int64, shape (w,)
        Position in the schedule's workload of the job that was stopped.
    cause : ndarray of int64, shape (w,)
        That of the job for whose sake it was preempted; `NOBODY` if there is none.
    preempted : ndarray of bool, shape (w,)
        Whether it was preempted; else its processors failed.
    lost : ndarray of float64, shape (w,)
        Work that is done again (s).
    overhead : ndarray of float64, shape (w,)
        What it spent on the restart that followed (s).

    Raises
    ------
    InputError
        The columns are not of one length, a time is not finite or below 0, or a job was preempted
        for its own sake.
    """

    job: Ints
    cause: Ints
    preempted: Bools
    lost: Floats
    overhead: Floats

    def __post_init__(self) -> None:
        for name in ("cause", "preempted", "lost", "overhead"):
            if getattr(self, name).shape != self.job.shape:
                raise _wrong(name, f"has {len(getattr(self, name))} rows for {len(self)} stops")
        for name in ("lost", "overhead"):
            times = getattr(self, name)
            unusable = ~(np.isfinite(times) & (times >= 0))
            if unusable.any():
                raise _wrong(name, f"is {times[unusable.argmax()]} s, not a time of 0 s or more")
        if (self.cause == self.job).any():
            raise _wrong("cause", "is the very job that was stopped")

    def __len__(self) -> int:
        return len(self.job)

    def __getitem__(self, rows: Bools) -> Waste:
        return Waste(*(getattr(self, column.name)[rows] for column in fields(self)))

    @property
    def seconds(self) -> Floats:
        """For how long processors were held for nothing because of each stop (s), shape (w,)."""
        total: Floats = self.lost + self.overhead
        return total

    def of_those(self, jobs: Bools) -> Waste:
        """Return the stops of some jobs of the workload, shape (n,).

        Raises
        ------
        InputError
            There are stops of other jobs than these n, or because of others.
        """
        self.require_within(len(jobs))
        return self[jobs[self.job]]

    def require_within(self, jobs: int) -> None:
        """Refuse stops of jobs, or because of jobs, that are not among the first `jobs`.

        Raises
        ------
        InputError
            Naming the column.
        """
        for name, column, least in (("job", self.job, 0), ("cause", self.cause, NOBODY)):
            beyond = (column < least) | (column >= jobs)
            if beyond.any():
                place = column[beyond.argmax()]
                raise _wrong(name, f"is at position {place} of a workload of {jobs} jobs")


def _wrong(field: str, problem: str) -> InputError:
    return InputError(problem, source="waste", field=field, remedy=ANOTHER)
