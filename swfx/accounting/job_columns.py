"""Jobs of a log in columns: many more than would fit into memory one by one."""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

from swfx.accounting.jobs import LogJob
from swfx.accounting.listing import Listing
from swfx.accounting.record_error import BEYOND_LIMIT, RecordError
from swfx.columns import LIMIT, Ints
from swfx.fields import MISSING
from swfx.utility import UtilityFunction
from swfx.utility_table import UtilityTable

__all__ = ["JobColumns", "within_limit"]

_WHOLE = frozenset({
    "line", "processors", "job_id", "requested_processors", "status", "user", "group", "executable",
    "queue", "partition", "preceding_job",
})  # fmt: skip
_NAMES = tuple(name for name in LogJob._fields if name != "utility")


class JobColumns:
    """Fields of `LogJob`, one array of shape (n,) for each; grows by `append`.

    Examples
    --------
    >>> jobs = JobColumns([LogJob(2, 30.0, run=60.0), LogJob(3, 10.0)])
    >>> len(jobs), jobs["submit"].tolist(), jobs.take(np.array([1]))["line"].tolist()
    (2, [30.0, 10.0], [3])
    """

    def __init__(self, jobs: Iterable[LogJob] = ()) -> None:
        self._columns: dict[str, Any] = {n: array("q" if n in _WHOLE else "d") for n in _NAMES}
        self._utility: dict[int, UtilityFunction] = {}
        self._add = [self._columns[name].append for name in _NAMES]
        for job in jobs:
            self.append(job)

    def append(self, job: LogJob) -> None:
        """Add a job whose numbers are `within_limit`."""
        if job.utility is not None:
            self._utility[len(self)] = job.utility
        for add, value in zip(self._add, job, strict=False):
            add(value)

    def __len__(self) -> int:
        return len(self._columns["line"])

    def __getitem__(self, name: str) -> npt.NDArray[Any]:
        column = self._columns[name]
        if isinstance(column, array):
            return np.frombuffer(column, np.int64 if name in _WHOLE else np.float64)
        return np.asarray(column)

    def put(self, name: str, values: npt.ArrayLike) -> None:
        """Have other values, (n,), in a column; nothing can be appended any more."""
        self._columns[name] = np.asarray(values, np.int64 if name in _WHOLE else np.float64)

    def take(self, rows: Ints) -> JobColumns:
        """Jobs in these places, in this order."""
        taken = JobColumns()
        taken._columns = {name: self[name][rows] for name in _NAMES}
        place = {row: place for place, row in enumerate(rows.tolist()) if row in self._utility}
        taken._utility = {place[row]: curve for row, curve in self._utility.items() if row in place}
        return taken

    def known(self) -> dict[str, npt.NDArray[Any]]:
        """Columns of the workload, but for those where nothing is known."""
        columns = {name: self[name] for name in _NAMES if name not in {"line", "submit"}}
        return {name: column for name, column in columns.items() if (column != MISSING).any()}

    def utility(self) -> UtilityTable:
        """Table of the utility functions."""
        if not self._utility:
            return UtilityTable.empty(len(self))
        return UtilityTable.from_functions([self._utility.get(i) for i in range(len(self))])


def within_limit(job: LogJob, listing: Listing) -> bool:
    """Whether a workload can hold the numbers of a job; if not it is listed."""
    for name, value in zip(job._fields, job, strict=True):
        if isinstance(value, int | float) and abs(value) > LIMIT:
            listing.refuse(job.line, RecordError(BEYOND_LIMIT, f"{value:.0f}", name))
            return False
    return True
