"""Fields of a job: which columns of a log tell them, and how their texts are read."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from swfx.accounting.annotations import annotations_of
from swfx.accounting.dates import unix_time
from swfx.accounting.jobs import times_of
from swfx.accounting.names import JobNames, Names, number_of
from swfx.accounting.quantities import MEMOISED, number, per_processor, whole
from swfx.accounting.record_error import BEYOND_LIMIT, NEVER_STARTED, UNREADABLE, RecordError
from swfx.accounting.table import Table, stripped
from swfx.base.columns import LIMIT, Floats, Ints
from swfx.fields import MISSING
from swfx.reading.report import Rule
from swfx.slurm.states import status_of
from swfx.utility import UtilityFunction

__all__ = [
    "Declaration",
    "FieldReader",
    "FieldsRead",
    "Label",
    "LogField",
    "Reading",
    "amount",
    "count",
    "total",
    "unix_times",
]

Arrays = Mapping[str, npt.NDArray[Any]]
Times = tuple[tuple[str, ...], Callable[..., tuple[float | None, ...]]]


@dataclass(frozen=True)
class LogField:
    """A number of a job, and the columns of a log that tell it.

    Parameters
    ----------
    columns : tuple of str
        Names in the log; a column that the log lacks has empty texts.
    read : callable
        Takes the text of each column, without blanks around it, and the numbers `given`. Returns
        None for an unknown number, and raises `RecordError` for texts that cannot be read.
    given : tuple of str
        Columns of the job that are read before; ``size`` is its number of processors.
    needed : bool
        Drop a record with unreadable texts; otherwise the number is unknown.
    """

    columns: tuple[str, ...]
    read: Callable[..., float | None]
    given: tuple[str, ...] = ()
    needed: bool = False


def _first(*texts: str) -> str:
    return next(filter(None, texts), "")


@dataclass(frozen=True)
class Label:
    """A label of a job, and the columns of a log that tell its name.

    Parameters
    ----------
    columns : tuple of str
        Names in the log.
    read : callable
        Makes the name from the text of each column and the numbers `given`, by default the first
        text that is not empty; raises `RecordError`.
    given : tuple of str
        Columns of the job that are read before.
    """

    columns: tuple[str, ...]
    read: Callable[..., str] = _first
    given: tuple[str, ...] = ()


@dataclass(frozen=True)
class Declaration:
    """Meaning of the columns of a log.

    Parameters
    ----------
    fields : mapping of str to LogField or tuple of LogField
        Columns of a workload but for times and labels (`eligible` as Unix time), each after those
        that its `LogField.given` reads; of several fields the first that is known counts.
    labels : mapping of str to Label
        Labels by kind.
    means : mapping of str to str
        Kinds of label that fields of SWF hold which are named after another kind.
    times : tuple
        Names of columns, and a callable that makes submission, wait and run time (s) from their
        texts, None where unknown, or raises `RecordError`.
    comments : tuple of str
        Columns of comments, which may hold utility functions and checkpoints.
    noted : mapping of Rule to LogField
        Rules under which kept jobs are listed where a number is above 0.
    origin : str
        What the log is, for the header line ``Conversion``.
    job : Label, optional
        What users call a job; a name of digits alone is its number.
    """

    fields: Mapping[str, LogField | tuple[LogField, ...]]
    labels: Mapping[str, Label] = field(default_factory=dict)
    means: Mapping[str, str] = field(default_factory=dict)
    times: Times = ((), tuple)
    comments: tuple[str, ...] = ()
    noted: Mapping[Rule, LogField] = field(default_factory=dict)
    origin: str = ""
    job: Label | None = None

    @property
    def columns(self) -> tuple[str, ...]:
        """All columns of the log that are read."""
        sources: list[LogField | Label] = [*self.noted.values(), *self.labels.values()]
        sources += chain(*map(_sources, self.fields.values()), [self.job] if self.job else ())
        names = (name for source in sources for name in source.columns)
        return tuple(dict.fromkeys([*self.times[0], *names, *self.comments]))


def _sources(fields: LogField | tuple[LogField, ...]) -> tuple[LogField, ...]:
    return fields if isinstance(fields, tuple) else (fields,)


class Reading(dict[Any, Any]):
    """Numbers that the texts of some columns tell; each combination of texts is read once.

    Examples
    --------
    >>> from swfx.accounting.table import Columns, Row
    >>> nodes = Reading(count("NNodes"))
    >>> log = Table.of(Columns(["NNodes"]), [Row(2, ["4"]), Row(3, ["four"])])
    >>> nodes.numbers(log).tolist(), len(nodes)
    ([4.0, nan], 2)
    """

    def __init__(self, source: LogField) -> None:
        super().__init__()
        self.source = source
        self._present: tuple[str, ...] = ()
        self._alone = False

    def numbers(self, table: Table, given: Sequence[Floats] = ()) -> Floats:
        """Return the number of each record, (n,): -1 where it is unknown, NaN where unreadable.

        Parameters
        ----------
        table : Table
            n records.
        given : sequence of ndarray
            Numbers that the field needs besides, (n,) each.
        """
        self._present = tuple(name for name in self.source.columns if name in table.columns)
        columns = [*(table[name] for name in self._present), *(each.tolist() for each in given)]
        if not columns:
            return np.full(len(table), self[()], np.float64)
        self._alone = len(columns) == 1
        keys = columns[0] if self._alone else zip(*columns, strict=True)
        return np.array(list(map(self.__getitem__, keys)), np.float64)

    def error(self, table: Table, place: int, given: Sequence[Floats] = ()) -> RecordError:
        """Return the error of a record with unreadable texts."""
        texts = (table.cell(place, name) for name in self.source.columns)
        try:
            self.source.read(*map(stripped, texts), *(float(each[place]) for each in given))
        except RecordError as error:
            return error
        raise AssertionError("the texts can be read")

    def __missing__(self, key: Any) -> float:
        """Read a combination of texts that is new."""
        cells = (key,) if self._alone else key
        cell_of = dict(zip(self._present, map(stripped, cells), strict=False))
        texts = (cell_of.get(name, "") for name in self.source.columns)
        try:
            value = self.source.read(*texts, *cells[len(self._present) :])
        except RecordError:
            value = math.nan
        if len(self) >= MEMOISED:
            self.clear()
        self[key] = number = MISSING if value is None else value
        return number


class FieldsRead(NamedTuple):
    """Columns of the m jobs of n records.

    Attributes
    ----------
    kept : ndarray of int64, shape (m,)
        Places of the records that are jobs, ascending.
    columns : dict of str to ndarray
        Numbers by column of a workload, (m,) each; -1 is unknown.
    curves : dict of int to UtilityFunction
        Utility functions by the position of a job.
    refused : list of tuple of (int, Rule)
        Places of the records in which something needed is unreadable, and the rule.
    doubts : list of tuple of (int, Rule)
        Places of kept records in which something else is unreadable or impossible, and the rule.
    """

    kept: Ints
    columns: dict[str, npt.NDArray[Any]]
    curves: dict[int, UtilityFunction]
    refused: list[tuple[int, Rule]]
    doubts: list[tuple[int, Rule]]


class FieldReader:
    """Reads the fields, labels and comments of a declaration.

    Parameters
    ----------
    declaration : Declaration
        What columns mean.
    names : JobNames, optional
        Names of labels that other columns of the same log have given.

    Attributes
    ----------
    names : JobNames
        Names of the labels.
    jobs : Names
        Names of the jobs that are no numbers; a job of such a name n has the number -1 - n.
    """

    def __init__(self, declaration: Declaration, names: JobNames | None = None) -> None:
        self.names, self.jobs = names or JobNames(**declaration.means), Names("Job")
        self._fields = {
            name: [Reading(source) for source in _sources(fields)]
            for name, fields in declaration.fields.items()
        }
        for kind, label in declaration.labels.items():
            source = LogField(label.columns, partial(self._label, kind, label), label.given)
            self._fields[self.names.column(kind)] = [Reading(source)]
        if declaration.job:
            source = LogField(declaration.job.columns, partial(self._job, declaration.job.read))
            self._fields["job_id"] = [Reading(replace(source, needed=True))]
        self._comments = declaration.comments

    def _job(self, read: Callable[..., str], *texts: str) -> int:
        name = read(*texts)
        number = number_of(name)
        return -1 - self.jobs.number(name) if number < 0 and name else number

    def _label(self, kind: str, label: Label, *texts: str) -> int:
        return self.names.label(kind, label.read(*texts))

    def read(
        self, table: Table, known: Arrays, refused: Mapping[int, RecordError] | None = None
    ) -> FieldsRead:
        """Return the jobs of n records.

        Parameters
        ----------
        table : Table
            The records.
        known : mapping of str to ndarray
            Columns that are read already, (n,) each, such as the times.
        refused : mapping of int to RecordError, optional
            Errors of the records without such columns, by place.
        """
        columns, errors = {**known}, dict[int, RecordError]()
        doubts, curves = list[tuple[int, Rule]](), dict[int, UtilityFunction]()
        for name, readings in self._fields.items():
            columns[name] = _first_known(table, readings, columns, errors, doubts)
        if "state" in columns:
            columns["status"] = _statuses(columns["state"], self.names)
        for place, comment, rules in annotations_of(table, self._comments):
            doubts.extend((place, rule) for rule in rules)
            for name, value in comment._asdict().items():
                if name == "utility" and value is not None:
                    curves[place] = value
                elif name != "utility" and value != MISSING:
                    unknown = np.full(len(table), float(MISSING))
                    columns.setdefault(name, unknown)[place] = value
        doubts.sort(key=lambda doubt: doubt[1] is UNREADABLE)
        errors = {**dict(_beyond_limit(columns)), **errors, **(refused or {})}
        kept = np.delete(np.arange(len(table)), list(errors))
        position = {place: position for position, place in enumerate(kept.tolist())}
        return FieldsRead(
            kept,
            {name: column[kept] for name, column in columns.items()},
            {position[place]: curve for place, curve in curves.items() if place in position},
            [(place, error.rule) for place, error in errors.items()],
            [(place, rule) for place, rule in doubts if place in position],
        )


def _first_known(
    table: Table,
    readings: Sequence[Reading],
    columns: Arrays,
    errors: dict[int, RecordError],
    doubts: list[tuple[int, Rule]],
) -> Floats:
    """Return the first known number of each record; `errors` and `doubts` get the unreadable."""
    first = np.full(len(table), float(MISSING))
    for reading in readings:
        given = [_given(columns, name) for name in reading.source.given]
        values = reading.numbers(table, given)
        for place in np.flatnonzero(np.isnan(values)).tolist():
            error = reading.error(table, place, given)
            if reading.source.needed:
                errors.setdefault(place, error)
            else:
                repaired = error.rule.action == "repaired"
                doubts.append((place, error.rule if repaired else UNREADABLE))
            values[place] = MISSING
        first = np.where(first < 0, values, first)
    return first


def _statuses(states: npt.NDArray[Any], names: JobNames) -> Ints:
    """Return the status in SWF of each label of a state, (n,)."""
    by_number = np.array([*map(status_of, names.of("state")), MISSING])
    return by_number[np.where(states > 0, states - 1, -1).astype(np.int64)]


def _beyond_limit(columns: Arrays) -> Iterator[tuple[int, RecordError]]:
    """Yield places of numbers that no workload can hold, each with an error."""
    for name, values in columns.items():
        for place in np.flatnonzero(np.abs(values) > LIMIT).tolist():
            yield place, RecordError(BEYOND_LIMIT, f"{values[place]:.0f}", name)


def _given(columns: Arrays, name: str) -> Floats:
    """Return a column, or the size of each job: processors, else those that it asked for."""
    if name == "size":
        processors = columns["processors"]
        return np.where(processors > 0, processors, columns["requested_processors"])
    return columns[name]


def count(column: str, *, needed: bool = False, above_zero: bool = False) -> LogField:
    """Return the field of a whole number; with `above_zero` 0 is unknown."""

    def read(cell: str) -> float | None:
        value = whole(cell, column) if cell or needed else None
        return None if above_zero and not value else value

    return LogField((column,), read, needed=needed)


def amount(
    column: str,
    *,
    of: str = "",
    read: Callable[[str, str], float | None] = number,
    above_zero: bool = False,
    needed: bool = False,
) -> LogField:
    """Return a field that is an amount, or the share in it of each of as many as `of` says."""

    def share(cell: str, *shares: float) -> float | None:
        value = read(cell, column) if cell else None
        if shares and value is not None:
            value = per_processor(value, *shares)
        return None if above_zero and not value else value

    return LogField((column,), share, (of,) if of else (), needed)


def total(*columns: str, of: str) -> LogField:
    """Return a field that is a share in a sum, which is unknown unless all addends are known."""

    def read(*cells: Any) -> float | None:
        *texts, shares = cells
        if not all(texts):
            return None
        addends = [number(cell, name) for cell, name in zip(texts, columns, strict=True)]
        return per_processor(sum(addends), shares) if min(addends) >= 0 else None

    return LogField(columns, read, (of,))


def unix_times(*columns: str) -> Times:
    """Return the times of a log that tells submission, start and end as Unix times (s)."""

    def read(*texts: str) -> tuple[float, float, float]:
        start, end, submit = (unix_time(texts[place], columns[place]) for place in (1, 2, 0))
        if start is None or end is None:
            raise RecordError(NEVER_STARTED, texts[1], columns[1])
        return times_of(submit, start, end)

    return columns, read
