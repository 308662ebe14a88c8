"""Jobs of a log in columns: many more than would fit into memory one by one."""

from __future__ import annotations

from collections.abc import Container, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from swfx.base.columns import Ints
from swfx.fields import MISSING
from swfx.utility import UtilityFunction
from swfx.utility_table import UtilityTable
from swfx.workload import column_field

__all__ = ["JobColumns"]

Array = npt.NDArray[Any]

FURTHER = {"start": "float64", "ran": "float64", "amount": "float64"}
"""Types of columns that are none of a workload; of others int64, such as the line."""


class JobColumns:
    """Columns of a workload by name, and the `line` of each job; grows by parts of a log.

    A column is -1 for jobs that were added without it. Parts of equal numbers take no space.

    Examples
    --------
    >>> jobs = JobColumns()
    >>> jobs.extend({"line": np.array([2, 3]), "submit": np.array([30.0, 10.0])})
    >>> len(jobs), jobs.take(np.array([1]))["submit"].tolist(), jobs["wait"].tolist()
    (2, [10.0], [-1.0, -1.0])
    """

    def __init__(self) -> None:
        self._parts: dict[str, list[Array]] = {}
        self._curves: dict[int, UtilityFunction] = {}
        self._count = 0

    def extend(
        self, columns: Mapping[str, Array], curves: Mapping[int, UtilityFunction] | None = None
    ) -> None:
        """Add jobs: columns of shape (m,), `line` among them, and curves by place among these."""
        added = len(columns["line"])
        self._curves |= {self._count + place: curve for place, curve in (curves or {}).items()}
        for name, values in columns.items():
            if name not in self._parts and (values != MISSING).any():
                self._parts[name] = [_constant(name, MISSING, self._count)]
        for name, parts in self._parts.items():
            values = columns.get(name, _constant(name, MISSING, added))
            if added and (values == values[0]).all():
                parts.append(_constant(name, values[0], added))
            else:
                parts.append(np.array(values, _type(name)))
        self._count += added

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, name: str) -> Array:
        if name not in self._parts:
            return _constant(name, MISSING, len(self))
        parts = self._parts[name]
        if len(parts) > 1:
            parts[:] = [_joined(name, parts)]
        return parts[0]

    def put(self, name: str, values: npt.ArrayLike) -> None:
        """Have other values, (n,), in a column."""
        self._parts[name] = [np.asarray(values, _type(name))]

    def take(self, rows: Ints, keep: Container[str] = ()) -> JobColumns:
        """Return the jobs in these places, in this order; only columns to `keep` stay here."""
        taken = JobColumns()
        taken._count = len(rows)
        for name in [*self._parts]:
            column = self[name]
            if name == "line" or column_field(name):
                constant = not column.strides[0]
                part = np.broadcast_to(column[:1], len(rows)) if constant else column[rows]
                taken._parts[name] = [part]
            if name not in keep:
                del column, self._parts[name]
        place = {row: place for place, row in enumerate(rows.tolist()) if row in self._curves}
        taken._curves = {place[row]: curve for row, curve in self._curves.items() if row in place}
        return taken

    def settle_resources(self) -> None:
        """Set resources that a job does not have to 0 where any of the job is known.

        Energy, which is measured, nodes, of which every job has some, and amounts that could not be
        read (NaN) stay unknown.
        """
        held = {n: self[n] for n in self._parts if n.startswith("tres/") and n != "tres/energy"}
        any_known = np.any([amounts >= 0 for amounts in held.values()], axis=0)
        for name, amounts in held.items():
            none = any_known & (amounts == MISSING) & (name != "tres/node") & (amounts >= 0).any()
            self.put(name, np.select([none, np.isnan(amounts)], [0.0, MISSING], amounts))

    def known(self) -> dict[str, Array]:
        """Return the columns of the workload in which anything is known."""
        fields = [name for name in self._parts if column_field(name)]
        columns = {name: self[name] for name in fields}
        known = {name: column for name, column in columns.items() if _any_known(column)}
        for column in known.values():
            column.setflags(write=False)  # a workload need not copy it, then
        return known

    def utility(self) -> UtilityTable:
        """Return the table of the utility functions."""
        if not self._curves:
            return UtilityTable.empty(len(self))
        return UtilityTable.from_functions([self._curves.get(i) for i in range(len(self))])


def _type(name: str) -> str:
    field = column_field(name)
    return field.dtype if field else FURTHER.get(name, "int64")


def _constant(name: str, value: float, count: int) -> Array:
    return np.broadcast_to(np.array(value, _type(name)), count)


def _joined(name: str, parts: list[Array]) -> Array:
    known = [part for part in parts if len(part)]
    if known and all(not part.strides[0] and part[0] == known[0][0] for part in known):
        return _constant(name, known[0][0], sum(map(len, known)))
    return np.concatenate([np.empty(0, _type(name)), *known])


def _any_known(column: Array) -> bool:
    if not column.strides[0]:
        column = column[:1]
    return bool((column != MISSING).any())
