"""Workload: the jobs of a log as columns."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import TYPE_CHECKING, Any, SupportsIndex

import numpy as np
import numpy.typing as npt

from swfx.base.columns import Bools, Column, Floats, Ints, column
from swfx.base.displayed import Displayed
from swfx.base.errors import InputError
from swfx.extension import (
    CHECKPOINT_FIELDS,
    EXTRA_FIELDS,
    ExtensionField,
    extra_field,
    in_order,
)
from swfx.fields import FIELDS, MISSING, Field
from swfx.frames import named_columns, numbered_columns
from swfx.header import Header
from swfx.job_names import JobIds, job_names
from swfx.label_kinds import NUMBERED
from swfx.labels import FIELD_KINDS, Labels
from swfx.utility import UtilityFunction
from swfx.utility_table import UtilityTable

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["COLUMNS", "Workload", "column_field"]

FIXED: tuple[Field, ...] = FIELDS + CHECKPOINT_FIELDS
"""Columns that every workload has; the utility functions are beside them."""

COLUMNS: tuple[Field, ...] = FIXED + EXTRA_FIELDS
"""Columns whose names are attributes of a workload; labels and resources may come to them."""

_FIXED = {field.name: field for field in FIXED}


def column_field(name: str) -> Field | None:
    """Field of a column that a workload can have, by its name; None where it cannot.

    >>> column_field("run").unit, column_field("account").dtype, column_field("mood")
    ('s', 'int64', None)
    """
    return _FIXED.get(name) or extra_field(name)


@dataclass(frozen=True, eq=False)
class Workload(Displayed):
    """The jobs of a log, one read-only array of shape (n,) per field of `swfx.FIELDS`.

    What not every workload has stands in `extra`: `soft_estimate`, `confidence`, `original_job`,
    labels such as `account` (see `labels`), resources such as ``tres/node``.

    Columns hold what the file says (-1 = unknown); `size`, `request` and `effective_run` are what
    a scheduler and an engine use. Build one with `from_columns`, `from_frame` or `swfx.read`.

    Raises
    ------
    InputError
        If columns differ in length, hold NaN, infinite or enormous numbers, or impossible ones:
        a checkpoint interval or soft estimate that is neither -1 nor positive, a restart overhead
        neither -1 nor at least 0, a confidence neither -1 nor from 0 to 1, a broken label.

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
    utility: UtilityTable
    header: Header = field(default_factory=Header)
    extra: Mapping[str, Column] = field(default_factory=dict)
    """Extra columns that any job has, by name, in the order in which they are written."""

    def __post_init__(self) -> None:
        for f in FIXED:
            object.__setattr__(self, f.name, column(f.name, getattr(self, f.name), f.dtype))
        object.__setattr__(self, "extra", _extra(self.extra))
        self._check_lengths()
        for checkpoint in CHECKPOINT_FIELDS:
            if self._known(checkpoint.name):
                _check_possible(checkpoint, getattr(self, checkpoint.name))
        object.__setattr__(self, "extra", _known_of(self.extra))
        object.__setattr__(self, "header", self._announced(self.header))

    def _check_lengths(self) -> None:
        lengths = {name: len(values) for name, values in self.columns.items()}
        lengths["utility"] = len(self.utility)
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
            Columns of `swfx.FIELDS`, `checkpoint_interval`, `restart_overhead` (s), and extra
            columns (`swfx.extension.extra_field`), by name.

        Raises
        ------
        InputError
            If a name is unknown, no column is given, or the columns do not make a workload.
        """
        unknown = sorted(name for name in columns if column_field(name) is None)
        if unknown or not columns:
            names = ", ".join(f.name for f in COLUMNS)
            problem = f"unknown column {unknown[0]}" if unknown else "no column given"
            raise InputError(problem, remedy=f"the columns are {names}, labels and resources")
        jobs = len(np.atleast_1d(np.asarray(next(iter(columns.values())))))
        # read-only, so that all absent columns of a type can be one array
        missing = {kind: _readonly(np.full(jobs, MISSING, kind)) for kind in ("int64", "float64")}
        absent: dict[str, npt.ArrayLike] = {f.name: missing[f.dtype] for f in FIXED}
        absent["job_id"] = np.arange(1, jobs + 1)
        everything: dict[str, Any] = absent | columns
        everything["extra"] = {n: everything.pop(n) for n in columns if n not in _FIXED}
        table = UtilityTable.empty(jobs) if utility is None else utility
        return cls(**everything, utility=table, header=header or Header())

    @classmethod
    def from_frame(cls, frame: pd.DataFrame, header: Header | None = None) -> Workload:
        """Workload from a table with columns named as in `to_frame`; absent ones become -1.

        Of all else that a log has, such as the size of the machine, a table has nothing: that is
        in the header.

        Parameters
        ----------
        frame : pandas.DataFrame
            One row per job, in any order of columns. Labels (``user``, ``queue``, ``account``, ...)
            and jobs (``job_id``, ``preceding_job``, ``part_of``) are whole numbers, or names as
            text; None, NaN and ``unknown`` are -1 there. ``utility`` holds a `UtilityFunction` or
            None.
        header : Header, optional
            Comment lines, whose names keep their numbers; lines with other names are added.

        Raises
        ------
        InputError
            As by `from_columns`; there is no column ``submit``, or a cell is neither a name nor a
            whole number.

        Examples
        --------
        >>> import pandas as pd
        >>> table = pd.DataFrame({"submit": [0, 5], "run": [10, 10], "processors": [2, 4]})
        >>> jobs = Workload.from_frame(table.assign(user=["ann", "bob"]))
        >>> jobs.user.tolist(), jobs.labels.of("user").of_jobs()
        ([1, 2], ['ann', 'bob'])
        """
        if "submit" not in frame:
            raise InputError(
                "the table has no column submit",
                remedy="give the time (s) at which each job was submitted",
            )
        numbered, columns = numbered_columns(header or Header(), frame)
        utility = None
        if "utility" in columns:
            cells = [c if isinstance(c, UtilityFunction) else None for c in columns.pop("utility")]
            utility = UtilityTable.from_functions(cells)
        return cls.from_columns(header=numbered, utility=utility, **columns)

    def to_frame(self, *, names: bool = False) -> pd.DataFrame:
        """Table of one row per job: the fields, and if extended those that follow and `utility`.

        Extra columns are there if any job has one.

        Parameters
        ----------
        names : bool
            Names as text in place of numbers, in the columns of labels and of jobs that have
            names; `from_frame` takes both.
        """
        import pandas as pd  # noqa: PLC0415  slow to import, needed only here

        fields = [f.name for f in FIELDS]
        if self.extended:
            fields += [*(f.name for f in CHECKPOINT_FIELDS), *self.extra_columns]
        columns: dict[str, Any] = {name: self.column(name) for name in fields}
        frame = pd.DataFrame(columns | (named_columns(self.header, columns) if names else {}))
        if self.extended:
            frame["utility"] = pd.Series([self.utility[i] for i in range(len(self))], dtype=object)
        return frame

    def label_columns(self) -> dict[str, list[str]]:
        """Columns of names for tables of jobs, (n,) each.

        ``user_name``, ``group_name`` and ``queue_name`` beside the numbers, where any has a name;
        of other kinds the names alone, of fields of SWF only where they have names. ``job`` is
        first, where users know any job by another name than its number.
        """
        columns = {"job": self.job_names.of_jobs()} if self.job_names.names else {}
        for kind in self.labels.kinds:
            names = self.labels.of(kind)
            if names.names or kind not in FIELD_KINDS:
                columns[f"{kind}_name" if kind in NUMBERED else kind] = names.of_jobs()
        return columns

    def __len__(self) -> int:
        return len(self.job_id)

    def __getitem__(self, key: slice | Bools | Ints) -> Workload:
        """Jobs chosen by a slice, a bool mask of shape (n,) or an int array of positions."""
        if not isinstance(key, slice) and np.ndim(key) != 1:
            raise TypeError("index a workload with a slice, a bool mask or an int array")
        rows = np.arange(len(self))[key]
        where = key if isinstance(key, slice) else rows
        chosen = object.__new__(Workload)  # of columns that were checked when they entered this one
        for f in FIXED:
            object.__setattr__(chosen, f.name, _readonly(getattr(self, f.name)[where]))
        extra = {name: _readonly(values[where]) for name, values in self.extra.items()}
        object.__setattr__(chosen, "extra", _known_of(extra))
        object.__setattr__(chosen, "utility", self.utility.take(rows))
        object.__setattr__(chosen, "header", chosen._announced(self.header))
        return chosen

    def _announced(self, header: Header) -> Header:
        return header.announcing(self.extended, self.extra_columns)

    def replace(self, **changes: Any) -> Workload:
        """Workload with some columns, `header` or `utility` replaced; extra ones may be new."""
        known = [f.name for f in fields(self)]
        extra = {name: changes.pop(name) for name in [*changes] if name not in known}
        for name in extra:
            if extra_field(name) is None:
                names = ", ".join(dict.fromkeys([*(f.name for f in COLUMNS), *known]))
                raise InputError(f"unknown column {name}", remedy=f"the names are {names}")
        changes["extra"] = {**changes.get("extra", self.extra), **extra}
        return Workload(**({name: getattr(self, name) for name in known} | changes))

    def column(self, name: str) -> Column:
        """Column by name, (n,): -1 for every job if the workload lacks the column."""
        if name in _FIXED:
            array: Column = getattr(self, name)
            return array
        if name in self.extra:
            return self.extra[name]
        field = extra_field(name)
        if field is None:
            raise InputError(f"unknown column {name}")
        return self._absent[field.dtype]

    @cached_property
    def _absent(self) -> dict[str, Column]:
        return {kind: _readonly(np.full(len(self), MISSING, kind)) for kind in ("int64", "float64")}

    @property
    def columns(self) -> dict[str, Column]:
        """Columns by name: those that every workload has, and what is in `extra`."""
        return {name: getattr(self, name) for name in _FIXED} | dict(self.extra)

    @property
    def soft_estimate(self) -> Floats:
        """The users' own best guesses of run times (s), (n,)."""
        return self.column("soft_estimate")

    @property
    def confidence(self) -> Floats:
        """Trust of the users in these guesses, 0 to 1, (n,)."""
        return self.column("confidence")

    @property
    def original_job(self) -> Ints:
        """Numbers that the jobs have in the log they were drawn from, (n,)."""
        return self.column("original_job")

    @property
    def part_of(self) -> Ints:
        """Number of the first part of the heterogeneous job that each job is a part of, (n,)."""
        return self.column("part_of")

    @property
    def default_limit(self) -> Floats:
        """Limits of jobs whose users asked for none (s), (n,)."""
        return self.column("default_limit")

    @property
    def suspended(self) -> Floats:
        """Parts of the run times in which jobs were suspended, without processors (s), (n,)."""
        return self.column("suspended")

    @property
    def eligible(self) -> Floats:
        """Times from submission until jobs could start, after begin times and holds (s), (n,)."""
        return self.column("eligible")

    @property
    def submitted_before(self) -> Floats:
        """Times from users' submissions to those of jobs submitted when eligible (s), (n,)."""
        return self.column("submitted_before")

    @property
    def rerunnable(self) -> Bools:
        """Whether the user allows to kill the job and run it again, (n,); False if not said."""
        allowed: Bools = self.column("rerunnable") == 1
        return allowed

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Workload):
            return NotImplemented
        if self.header != other.header or self.utility != other.utility:
            return False
        mine, others = self.columns, other.columns
        return mine.keys() == others.keys() and all(
            np.array_equal(mine[name], others[name]) for name in mine
        )

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
        """Limit of each job (s), (n,): requested, else the system's, else the run time."""
        limit = np.where(self.default_limit > 0, self.default_limit, self.run)
        chosen: Floats = np.where(self.requested_time > 0, self.requested_time, limit)
        return _readonly(chosen)

    @cached_property
    def effective_run(self) -> Floats:
        """Run time of each job (s), (n,): a job is killed at its requested time."""
        return _readonly(np.minimum(self.run, self.request))

    @property
    def machine_size(self) -> int | None:
        """Processors of the machine: `MaxProcs` of the header, else `MaxNodes`, else None."""
        return self.header.machine_size

    @cached_property
    def labels(self) -> Labels:
        """Users, accounts, queues and other labels of the jobs, with their names."""
        return Labels(self.header, self.columns, len(self))

    @cached_property
    def job_names(self) -> JobIds:
        """Numbers of the jobs, and the names by which users know them."""
        return JobIds(job_names(self.header), self.job_id)

    def job_name(self, job: SupportsIndex) -> str:
        """Return the name of a job by position, such as ``103_1``, or the digits of its number."""
        return self.job_names.name(int(self.job_id[job]))

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
        """Names of the extra columns that any job has."""
        return tuple(self.extra)

    def _known(self, name: str) -> bool:
        return bool((getattr(self, name) != MISSING).any())

    def digest(self) -> str:
        """SHA-256 (hex) of columns that any job has, utility functions and the machine size."""
        return self._digest

    @cached_property
    def _digest(self) -> str:
        arrays: Mapping[str, npt.NDArray[Any]] = {
            **{f.name: getattr(self, f.name) for f in FIELDS + CHECKPOINT_FIELDS},
            "utility.offsets": self.utility.offsets,
            "utility.times": self.utility.times,
            "utility.values": self.utility.values,
            **self.extra,
        }
        sha = hashlib.sha256(f"machine_size {self.machine_size} jobs {len(self)}\n".encode())
        for name, array in arrays.items():
            sha.update(f"{name} {len(array)}\n".encode())
            sha.update(np.ascontiguousarray(array, array.dtype.newbyteorder("<")).tobytes())
        return sha.hexdigest()


def _extra(given: Mapping[str, npt.ArrayLike]) -> dict[str, Column]:
    """Extra columns, checked, in their order."""
    checked = {}
    for name in in_order(given):
        field = extra_field(name)
        if field is None:
            raise InputError(f"unknown column {name}")
        checked[name] = column(name, given[name], field.dtype)
        _check_possible(field, checked[name])
    return checked


def _known_of(columns: Mapping[str, Column]) -> dict[str, Column]:
    return {name: values for name, values in columns.items() if (values != MISSING).any()}


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
