"""Records of jobs in an export of sacct, in columns."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from swfx.accounting.job_columns import JobColumns
from swfx.accounting.listing import Listing
from swfx.accounting.record_error import NEVER_STARTED, STILL_RUNNING, STILL_WAITING
from swfx.base.columns import Bools, Floats, Ints
from swfx.reading.report import Rule
from swfx.slurm.dependencies import Awaited

__all__ = ["KEY", "OWN", "PENDING_TASKS", "WHY_NO_RUN", "Records", "restarts_said"]

PENDING_TASKS = Rule(
    "pending-tasks", "dropped", "tasks of a job array that had not started, in one record"
)

WHY_NO_RUN = (None, PENDING_TASKS, NEVER_STARTED, STILL_WAITING, STILL_RUNNING)
"""Rules of records that are no runs which came to their end."""

NO_RESTARTS = -1
"""Of a record that does not say how often its job was requeued."""

KEY = ("cluster number", "number", "task", "part")
"""Columns that tell a job from others: numbers for its cluster, its own, task and part."""

OWN = (*KEY, "start", "ran", "restarts", "why")
"""Columns of records that are none of a workload."""


def restarts_said(text: str) -> int:
    """Return how often a job was requeued; `NO_RESTARTS` where that is not told.

    >>> restarts_said("2"), restarts_said("")
    (2, -1)
    """
    return int(text[:9]) if text.isdecimal() else NO_RESTARTS


class Records:
    """Records of jobs.

    Attributes
    ----------
    jobs : JobColumns
        The job that each record would be if it had run once, with the columns `KEY`; ``start``
        (Unix time, s; infinite without any), ``ran`` (s; NaN unknown), ``restarts`` and ``why``, a
        place in `WHY_NO_RUN`.
    awaited : dict of int to tuple of Awaited
        Jobs that a record waited for, by its position; few do.
    """

    def __init__(self, listing: Listing) -> None:
        self.jobs = JobColumns()
        self.awaited: dict[int, tuple[Awaited, ...]] = {}
        self._listing = listing

    def __len__(self) -> int:
        return len(self.jobs)

    def __getitem__(self, name: str) -> npt.NDArray[Any]:
        return self.jobs[name]

    @property
    def ended(self) -> Floats:
        """Unix time (s) of the end of each run."""
        return np.asarray(self["start"] + self["ran"], np.float64)

    def are_runs(self) -> Bools:
        """Return a mask of the runs that came to their end."""
        return np.asarray(self["why"] == WHY_NO_RUN.index(None), np.bool_)

    def list_no_runs(self, rows: Ints) -> None:
        """List the records among `rows` that are no runs, by rule."""
        why = self["why"][rows]
        for code, rule in enumerate(WHY_NO_RUN):
            if rule is not None:
                self.list_as(rows[why == code], rule)

    def list_as(self, rows: Ints, rule: Rule) -> None:
        """List these records under a rule."""
        self._listing.add_all(self["line"][rows], rule)

    def identity(self) -> list[npt.NDArray[Any]]:
        """Return columns that are equal for records of one number and user."""
        return [self[name] for name in (*KEY, "user")]
