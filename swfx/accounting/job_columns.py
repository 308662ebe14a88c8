"""Jobs of a log in columns: many more than would fit into memory one by one."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from typing import Any, Literal

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
from swfx.workload import column_field

__all__ = ["JobColumns", "within_limit"]

_NAMES = tuple(name for name in LogJob._fields if name not in {"extra", "utility"})
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
            name: _column(name) for name in _NAMES
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

    def extend(self, columns: Mapping[str, npt.NDArray[Any]]) -> None:
        """Add many jobs whose numbers are within limits: columns of (m,), the line among them.

        Nothing else is known of them.
        """
        self._settle()
        settled, added = len(self), len(columns["line"])
        unknown = np.full(added, MISSING)
        for name, values in columns.items():
            if name not in self._columns and (values != MISSING).any():
                self._columns[name] = _column(name, settled)
        for name, column in self._columns.items():
            assert isinstance(column, Growing)
            column.extend(columns.get(name, unknown))

    def _settle(self) -> None:
        """Have the latest jobs in the columns: many at once take a third of the time."""
        if not self._latest:
            return
        settled, self._latest, latest = len(self._columns["line"]), [], self._latest
        *fixed, extra = zip(*latest, strict=True)
        values: dict[str, Sequence[Any]] = dict(zip(_NAMES, fixed, strict=True))
        for name in {*self._columns, *(name for each in extra for name in each)} - {*_NAMES}:
            if name not in self._columns:
                self._columns[name] = _column(name, settled)
            values[name] = [each.get(name, MISSING) for each in extra]
        for name, numbers in values.items():
            column = self._columns[name]
            assert isinstance(column, Growing)
            column.extend(numbers)

    def __len__(self) -> int:
        return len(self._columns["line"]) + len(self._latest)

    def __getitem__(self, name: str) -> npt.NDArray[Any]:
        self._settle()
        column = self._columns[name]
        return column.values() if isinstance(column, Growing) else column

    def __contains__(self, name: str) -> bool:
        self._settle()
        return name in self._columns

    def put(self, name: str, values: npt.ArrayLike) -> None:
        """Have other values, (n,), in a column; nothing can be appended any more."""
        self._columns[name] = np.asarray(values, _type(name))

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
        self._settle()
        for name in [*self._columns]:
            column = self[name]
            same = not column.strides[0]
            taken._columns[name] = np.broadcast_to(column[:1], len(rows)) if same else column[rows]
            if name not in keep:
                del column, self._columns[name]
        place = {row: place for place, row in enumerate(rows.tolist()) if row in self._utility}
        taken._utility = {place[row]: curve for row, curve in self._utility.items() if row in place}
        return taken

    def known(self) -> dict[str, npt.NDArray[Any]]:
        """Columns of the workload, but for those where nothing is known.

        A job of which some resources are known has none of the others, but for energy, which is
        measured, and nodes, of which every job has some.
        """
        self._settle()
        columns = {name: self[name] for name in self._columns if name not in {"line", "submit"}}
        held = [n for n in columns if n.startswith("tres/") and n != "tres/energy"]
        if held:
            told = np.any([columns[name] >= 0 for name in held], axis=0)
            for name in {*held} - {"tres/node"}:
                columns[name] = np.where(told & (columns[name] < 0), 0.0, columns[name])
        known = {name: column for name, column in columns.items() if _any_known(column)}
        for column in known.values():
            column.setflags(write=False)  # a workload need not copy it, then
        return known

    def utility(self) -> UtilityTable:
        """Table of the utility functions."""
        if not self._utility:
            return UtilityTable.empty(len(self))
        return UtilityTable.from_functions([self._utility.get(i) for i in range(len(self))])


def _type(name: str) -> Literal["int64", "float64"]:
    field = column_field(name)
    return field.dtype if field else "int64"  # the line is no column of a workload


def _column(name: str, unknown: int = 0) -> Growing:
    """Column that begins with so many jobs of which nothing is known."""
    column = Growing("q" if _type(name) == "int64" else "d")
    if unknown:
        column.extend([MISSING] * unknown)
    return column


def _any_known(column: npt.NDArray[Any]) -> bool:
    if not column.strides[0]:
        column = column[:1]
    return bool((column != MISSING).any())


def within_limit(job: LogJob, listing: Listing) -> bool:
    """Whether a workload can hold the numbers of a job; if not it is listed."""
    fixed: tuple[float, ...] = job[: len(_NAMES)]  # type: ignore[assignment]
    numbers = (*fixed, *job.extra.values())
    if min(numbers) >= -LIMIT and max(numbers) <= LIMIT:
        return True
    for name, value in zip((*_NAMES, *job.extra), numbers, strict=True):
        if abs(value) > LIMIT:
            listing.refuse(job.line, RecordError(BEYOND_LIMIT, f"{value:.0f}", name))
            return False
    return True
