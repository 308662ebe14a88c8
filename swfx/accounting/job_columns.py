"""Jobs of a log in columns: many more than would fit into memory one by one."""

from __future__ import annotations

from collections.abc import Container, Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

from swfx.accounting.growing import Growing
from swfx.accounting.jobs import LogJob
from swfx.accounting.listing import Listing
from swfx.accounting.record_error import BEYOND_LIMIT, RecordError
from swfx.base.columns import LIMIT, Ints
from swfx.fields import MISSING
from swfx.utility import UtilityFunction
from swfx.utility_table import UtilityTable

__all__ = ["JobColumns", "within_limit"]

_WHOLE = frozenset({
    "line", "processors", "job_id", "requested_processors", "status", "user", "group", "executable",
    "queue", "partition", "preceding_job",
})  # fmt: skip
_NAMES = tuple(name for name in LogJob._fields if name != "utility")
_MEMORY = _NAMES.index("memory")
_BLOCK = 1024  # jobs that wait to be put into columns


class JobColumns:
    """Fields of `LogJob`, one array of shape (n,) for each; grows by `append`.

    Examples
    --------
    >>> jobs = JobColumns([LogJob(2, 30.0, run=60.0), LogJob(3, 10.0)])
    >>> len(jobs), jobs["submit"].tolist(), jobs.take(np.array([1]))["line"].tolist()
    (2, [30.0, 10.0], [3])
    """

    def __init__(self, jobs: Iterable[LogJob] = ()) -> None:
        self._columns: dict[str, Growing | npt.NDArray[Any]] = {
            name: Growing("q" if name in _WHOLE else "d") for name in _NAMES
        }
        self._utility: dict[int, UtilityFunction] = {}
        self._latest: list[tuple[Any, ...]] = []  # not in the columns yet
        for job in jobs:
            self.append(job)

    def append(self, job: LogJob) -> None:
        """Add a job whose numbers are `within_limit`."""
        if job.utility is not None:
            self._utility[len(self)] = job.utility
        self._latest.append(job[:-1])
        if len(self._latest) == _BLOCK:
            self._settle()

    def _settle(self) -> None:
        """Have the latest jobs in the columns: many at once take a third of the time."""
        latest, self._latest = self._latest, []
        for column, values in zip(self._columns.values(), zip(*latest, strict=True), strict=False):
            assert isinstance(column, Growing)
            column.extend(values)

    def __len__(self) -> int:
        return len(self._columns["line"]) + len(self._latest)

    def __getitem__(self, name: str) -> npt.NDArray[Any]:
        self._settle()
        column = self._columns[name]
        return column.values() if isinstance(column, Growing) else column

    def put(self, name: str, values: npt.ArrayLike) -> None:
        """Have other values, (n,), in a column; nothing can be appended any more."""
        self._columns[name] = np.asarray(values, np.int64 if name in _WHOLE else np.float64)

    def use_more_memory(self, kilobytes: float) -> None:
        """Have the last job use this much (KB), if it did not use more."""
        if not self._latest:
            memory = self._columns["memory"]
            assert isinstance(memory, Growing)
            memory.put_last(max(memory.last(), kilobytes))
        elif self._latest[-1][_MEMORY] < kilobytes:
            last = self._latest[-1]
            self._latest[-1] = (*last[:_MEMORY], kilobytes, *last[_MEMORY + 1 :])

    def take(self, rows: Ints, keep: Container[str] = ()) -> JobColumns:
        """Jobs in these places, in this order; only these columns are left here."""
        taken = JobColumns()
        for name in _NAMES:
            column = self[name]
            same = not column.strides[0]
            taken._columns[name] = np.broadcast_to(column[:1], len(rows)) if same else column[rows]
            if name not in keep:
                del column, self._columns[name]
        place = {row: place for place, row in enumerate(rows.tolist()) if row in self._utility}
        taken._utility = {place[row]: curve for row, curve in self._utility.items() if row in place}
        return taken

    def known(self) -> dict[str, npt.NDArray[Any]]:
        """Columns of the workload, but for those where nothing is known."""
        columns = {name: self[name] for name in _NAMES if name not in {"line", "submit"}}
        known = {name: column for name, column in columns.items() if _any_known(column)}
        for column in known.values():
            column.setflags(write=False)  # a workload need not copy it, then
        return known

    def utility(self) -> UtilityTable:
        """Table of the utility functions."""
        if not self._utility:
            return UtilityTable.empty(len(self))
        return UtilityTable.from_functions([self._utility.get(i) for i in range(len(self))])


def _any_known(column: npt.NDArray[Any]) -> bool:
    if not column.strides[0]:
        column = column[:1]
    return bool((column != MISSING).any())


def within_limit(job: LogJob, listing: Listing) -> bool:
    """Whether a workload can hold the numbers of a job; if not it is listed."""
    numbers = job[:-1]
    if min(numbers) >= -LIMIT and max(numbers) <= LIMIT:
        return True
    for name, value in zip(_NAMES, numbers, strict=True):
        if abs(value) > LIMIT:
            listing.refuse(job.line, RecordError(BEYOND_LIMIT, f"{value:.0f}", name))
            return False
    return True
