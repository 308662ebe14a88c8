"""Workload: the jobs of a log as columns."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from swfx.base.columns import Bools, Floats, Ints, column
from swfx.base.errors import InputError
from swfx.extension import CHECKPOINT_FIELDS, EXTENSION_FIELDS, EXTRA_FIELDS, ExtensionField
from swfx.fields import FIELDS, MISSING, Field
from swfx.header import Header
from swfx.utility import UtilityFunction
from swfx.utility_table import UtilityTable

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["COLUMNS", "Workload"]

COLUMNS: tuple[Field, ...] = FIELDS + EXTENSION_FIELDS
"""All columns of a workload; the utility functions are beside them."""


@dataclass(frozen=True, eq=False)
class Workload:
    """The jobs of a log, one read-only array of shape (n,) per field of `swfx.FIELDS`.

    Columns hold what the file says (-1 = unknown); `size`, `request` and `effective_run` are what
    a scheduler and an engine use. Build one with `from_columns`, `from_frame` or `swfx.read`.

    Raises
    ------
    InputError
        If columns differ in length, hold NaN, infinite or enormous numbers, or impossible ones:
        a checkpoint interval or soft estimate that is neither -1 nor positive, a restart overhead
        neither -1 nor at least 0, a confidence neither -1 nor from 0 to 1.

    Examples
    --------
    >>> w = Workload.from_columns(submit=[0, 5], run=[10, 10], processors=[2, -1],
    ...                           requested_processors=[2, 4], requested_time=[-1, 8])
    >>> w.size.tolist(), w.request.tolist(), w.effective_run.tolist()
    ([2, 4], [10.0, 8.0], [10.0, 8.0])
    """

    job_id: Ints
    submit: Floats
    wait: Floats
    run: Floats
    processors: Ints
    cpu_time: Floats
    memory: Floats
    requested_processors: Ints
    requested_time: Floats
    requested_memory: Floats
    status: Ints
    user: Ints
    group: Ints
    executable: Ints
    queue: Ints
    partition: Ints
    preceding_job: Ints
    think_time: Floats
    checkpoint_interval: Floats
    restart_overhead: Floats
    soft_estimate: Floats
    confidence: Floats
    original_job: Ints
    utility: UtilityTable
    header: Header = field(default_factory=Header)

    def __post_init__(self) -> None:
        for f in COLUMNS:
            object.__setattr__(self, f.name, column(f.name, getattr(self, f.name), f.dtype))
        self._check_lengths()
        for extension in EXTENSION_FIELDS:
            if self._known(extension.name):
                _check_possible(extension, getattr(self, extension.name))
        object.__setattr__(self, "header", self._announced(self.header))

    def _check_lengths(self) -> None:
        lengths = {f.name: len(getattr(self, f.name)) for f in COLUMNS} | {
            "utility": len(self.utility)
        }
        for name, length in lengths.items():
            if length != len(self):
                raise InputError(f"has {length} values for {len(self)} jobs", field=name)

    @classmethod
    def from_columns(
        cls,
        *,
        header: Header | None = None,
        utility: UtilityTable | None = None,
        **columns: npt.ArrayLike,
    ) -> Workload:
        """Workload from the columns at hand; absent ones become -1, absent job numbers 1..n.

        Parameters
        ----------
        header : Header, optional
            Comment lines; none by default.
        utility : UtilityTable, optional
            Utility functions; none by default.
        **columns : array_like, shape (n,)
            Columns of `swfx.FIELDS`, `checkpoint_interval`, `restart_overhead` and
            `soft_estimate` (s), `confidence` and `original_job`, by name.

        Raises
        ------
        InputError
            If a name is unknown, no column is given, or the columns do not make a workload.
        """
        unknown = sorted(set(columns) - {f.name for f in COLUMNS})
        if unknown or not columns:
            names = ", ".join(f.name for f in COLUMNS)
            problem = f"unknown column {unknown[0]}" if unknown else "no column given"
            raise InputError(problem, remedy=f"the columns are {names}")
        jobs = len(np.atleast_1d(np.asarray(next(iter(columns.values())))))
        # read-only, so that all absent columns of a type can be one array
        missing = {kind: _readonly(np.full(jobs, MISSING, kind)) for kind in ("int64", "float64")}
        absent: dict[str, npt.ArrayLike] = {f.name: missing[f.dtype] for f in COLUMNS}
        absent["job_id"] = np.arange(1, jobs + 1)
        everything: dict[str, Any] = absent | columns
        table = UtilityTable.empty(jobs) if utility is None else utility
        return cls(**everything, utility=table, header=header or Header())

    @classmethod
    def from_frame(cls, frame: pd.DataFrame, header: Header | None = None) -> Workload:
        """Workload from a table with columns named as in `to_frame`; absent ones become -1.

        A column `utility` holds a `UtilityFunction` or None per row.
        """
        columns = {str(name): frame[name].to_numpy() for name in frame.columns if name != "utility"}
        utility = None
        if "utility" in frame.columns:
            cells = [
                cell if isinstance(cell, UtilityFunction) else None for cell in frame["utility"]
            ]
            utility = UtilityTable.from_functions(cells)
        return cls.from_columns(header=header, utility=utility, **columns)

    def to_frame(self) -> pd.DataFrame:
        """Table of one row per job: the fields, and if extended those that follow and `utility`.

        Soft estimate, confidence and original job are there if any job has one.
        """
        import pandas as pd  # noqa: PLC0415  slow to import, needed only here

        names = [f.name for f in FIELDS]
        if self.extended:
            names += [*(f.name for f in CHECKPOINT_FIELDS), *self.extra_columns]
        frame = pd.DataFrame({name: getattr(self, name) for name in names})
        if self.extended:
            frame["utility"] = pd.Series([self.utility[i] for i in range(len(self))], dtype=object)
        return frame

    def __len__(self) -> int:
        return len(self.job_id)

    def __getitem__(self, key: slice | Bools | Ints) -> Workload:
        """Jobs chosen by a slice, a bool mask of shape (n,) or an int array of positions."""
        if not isinstance(key, slice) and np.ndim(key) != 1:
            raise TypeError("index a workload with a slice, a bool mask or an int array")
        rows = np.arange(len(self))[key]
        where = key if isinstance(key, slice) else rows
        columns = {f.name: _readonly(getattr(self, f.name)[where]) for f in COLUMNS}
        return self._with(columns, self.utility.take(rows))

    def _with(self, columns: Mapping[str, npt.NDArray[Any]], utility: UtilityTable) -> Workload:
        """Workload of columns that were checked when they entered this one."""
        chosen = object.__new__(Workload)
        for name, value in {**columns, "utility": utility}.items():
            object.__setattr__(chosen, name, value)
        object.__setattr__(chosen, "header", chosen._announced(self.header))
        return chosen

    def _announced(self, header: Header) -> Header:
        return header.announcing(self.extended, self.extra_columns)

    def replace(self, **changes: Any) -> Workload:
        """Workload with some columns, `header` or `utility` replaced."""
        known = [f.name for f in fields(self)]
        for name in changes:
            if name not in known:
                raise InputError(
                    f"unknown column {name}", remedy=f"the names are {', '.join(known)}"
                )
        return Workload(**({name: getattr(self, name) for name in known} | changes))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Workload):
            return NotImplemented
        if self.header != other.header or self.utility != other.utility:
            return False
        return all(np.array_equal(getattr(self, f.name), getattr(other, f.name)) for f in COLUMNS)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        kind = "extended " if self.extended else ""
        return f"<{kind}Workload: {len(self)} jobs, machine size {self.machine_size}>"

    @cached_property
    def size(self) -> Ints:
        """Processors of each job, (n,): allocated where positive, else requested."""
        chosen: Ints = np.where(self.processors > 0, self.processors, self.requested_processors)
        return _readonly(chosen)

    @cached_property
    def request(self) -> Floats:
        """Requested time of each job (s), (n,): the run time where none is recorded."""
        chosen: Floats = np.where(self.requested_time > 0, self.requested_time, self.run)
        return _readonly(chosen)

    @cached_property
    def effective_run(self) -> Floats:
        """Run time of each job (s), (n,): a job is killed at its requested time."""
        return _readonly(np.minimum(self.run, self.request))

    @property
    def machine_size(self) -> int | None:
        """Processors of the machine: `MaxProcs` of the header, else `MaxNodes`, else None."""
        return self.header.machine_size

    @property
    def has_utilities(self) -> bool:
        """Whether any job has a utility function."""
        return len(self.utility.times) > 0

    @cached_property
    def extended(self) -> bool:
        """Whether the workload needs extended SWF: a job has something beyond the 18 fields."""
        further = [f.name for f in CHECKPOINT_FIELDS if self._known(f.name)]
        return self.has_utilities or bool(further) or bool(self.extra_columns)

    @cached_property
    def extra_columns(self) -> tuple[str, ...]:
        """Names of the columns of `swfx.extension.EXTRA_FIELDS` that any job has."""
        return tuple(f.name for f in EXTRA_FIELDS if self._known(f.name))

    def _known(self, name: str) -> bool:
        return bool((getattr(self, name) != MISSING).any())

    def digest(self) -> str:
        """SHA-256 (hex) of all columns, utility functions and the machine size; same everywhere.

        Soft estimates, confidences and original jobs count only if any job has one.
        """
        return self._digest

    @cached_property
    def _digest(self) -> str:
        arrays: Mapping[str, npt.NDArray[Any]] = {
            **{f.name: getattr(self, f.name) for f in FIELDS + CHECKPOINT_FIELDS},
            "utility.offsets": self.utility.offsets,
            "utility.times": self.utility.times,
            "utility.values": self.utility.values,
            **{name: getattr(self, name) for name in self.extra_columns},
        }
        sha = hashlib.sha256(f"machine_size {self.machine_size} jobs {len(self)}\n".encode())
        for name, array in arrays.items():
            sha.update(f"{name} {len(array)}\n".encode())
            sha.update(np.ascontiguousarray(array, array.dtype.newbyteorder("<")).tobytes())
        return sha.hexdigest()


def _check_possible(field: ExtensionField, numbers: Floats | Ints) -> None:
    impossible = field.impossible(numbers)
    if impossible.any():
        first = int(np.argmax(impossible))
        raise InputError(
            f"{numbers[first]}{field.unit and ' ' + field.unit} at position {first}",
            field=field.name,
            remedy=f"it must be {field.bounds}, or -1 for none",
        )


def _readonly(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    array.setflags(write=False)
    return array
