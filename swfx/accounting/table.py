"""Tables of a log: its records by column, some thousand at a time."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from typing import Any, NamedTuple

import numpy as np

from swfx.accounting.record_error import TOO_FEW_FIELDS, TOO_MANY_FIELDS, RecordError
from swfx.base.columns import Ints
from swfx.base.errors import InputError
from swfx.base.options import nearest

__all__ = ["LARGEST", "Columns", "Row", "Table", "read_csv", "stripped"]

LARGEST = 2048
"""Records of a table: more take more memory, and hardly less time."""


class Row(NamedTuple):
    """A record of a log: the line on which it begins, and its cells."""

    line: int
    cells: list[Any]


class Columns:
    """Names of the columns of a table; capitals do not matter.

    Parameters
    ----------
    names : iterable of str
        In the order of the table.

    Examples
    --------
    >>> columns = Columns(["JobID", "State"])
    >>> columns.position("state"), "User" in columns
    (1, False)
    """

    def __init__(self, names: Iterable[str]) -> None:
        self.names = tuple(name.strip() for name in names)
        folded = [name.casefold() for name in self.names]
        self._folded = {name: i for i, name in reversed(list(enumerate(folded)))}

    def __contains__(self, name: str) -> bool:
        return name.casefold() in self._folded

    def __len__(self) -> int:
        return len(self.names)

    def position(self, name: str) -> int:
        """Return the position of a column of the table by its name."""
        return self._folded[name.casefold()]

    def first(self, names: Iterable[str]) -> str | None:
        """Return the first name of a column among `names`; None for none."""
        return next((name for name in names if name in self), None)

    def require(self, names: Iterable[str], source: str) -> None:
        """Refuse a table that lacks one of these columns.

        Raises
        ------
        InputError
            Naming the column, and the one that may be meant.
        """
        for name in names:
            if name not in self:
                remedy = nearest(name, self.names)
                raise InputError(f"has no column {name!r}", source=source, line=1, remedy=remedy)

    def check(self, cells: Sequence[str]) -> None:
        """Refuse a record whose number of cells is not that of the columns.

        Raises
        ------
        RecordError
            Too few or too many.
        """
        if len(cells) != len(self):
            rule = TOO_FEW_FIELDS if len(cells) < len(self) else TOO_MANY_FIELDS
            raise RecordError(rule, f"{len(cells)} of {len(self)}")


@dataclass(frozen=True, eq=False)
class Table:
    """Records of a log by column.

    Parameters
    ----------
    columns : Columns
        Names of the columns.
    line : ndarray of int64, shape (n,)
        Line on which each record begins.
    cells : sequence of sequence
        Cells of the n records, for each column.

    Examples
    --------
    >>> table = Table.of(Columns(["JobID", "User"]), [Row(2, ["17", "alice"]), Row(3, ["18", ""])])
    >>> table["user"], table.cell(1, "jobid"), table.cell(0, "account")
    (('alice', ''), '18', '')
    """

    columns: Columns
    line: Ints
    cells: Sequence[Sequence[Any]]

    @classmethod
    def of(cls, columns: Columns, rows: Iterable[Row]) -> Table:
        """Return the table of at least one row."""
        lines, cells = zip(*rows, strict=True)
        return cls(columns, np.array(lines, np.int64), list(zip(*cells, strict=True)))

    @classmethod
    def in_parts(cls, columns: Columns, rows: Iterator[Row]) -> Iterator[Table]:
        """Yield the tables of `LARGEST` rows each."""
        while part := list(islice(rows, LARGEST)):
            yield cls.of(columns, part)

    def __len__(self) -> int:
        return len(self.line)

    def __getitem__(self, name: str) -> Sequence[Any]:
        return self.cells[self.columns.position(name)]

    def cell(self, place: int, name: str) -> Any:
        """Cell of a record in a column; empty if there is no such column."""
        return self[name][place] if name in self.columns else ""

    def texts(self, names: Sequence[str]) -> Iterator[tuple[Any, ...]]:
        """Yield the cells of each record in these columns, without blanks around them."""
        nothing = [""] * len(self)
        columns = (self[name] if name in self.columns else nothing for name in names)
        return zip(*(map(stripped, column) for column in columns), strict=True)

    def take(self, places: Ints) -> Table:
        """Return the table of the records in these places."""
        chosen = places.tolist()
        cells = [[column[place] for place in chosen] for column in self.cells]
        return Table(self.columns, self.line[places], cells)


def stripped(cell: Any) -> Any:
    """Return a cell without blanks around it, if it is a text."""
    return cell.strip() if isinstance(cell, str) else cell


def read_csv(
    lines: Iterable[str], separator: str, source: str, *, header: bool = True
) -> tuple[Columns, Iterator[Row]]:
    r"""Read comma-separated values; empty lines do not count.

    Cells may stand in quotes, and hold line breaks if they do. Rows are read one by one.

    Parameters
    ----------
    lines : iterable of str
        Lines without line feeds at their ends.
    separator : str
        Character between cells.
    source : str
        What to call the table in messages.
    header : bool
        Whether the first row has the names of the columns, which are numbered from 1 otherwise.

    Raises
    ------
    InputError
        If there is no row, or, also while rows are read, the quoting breaks all limits.

    Examples
    --------
    >>> columns, rows = read_csv(["job,name", '1,"a,b"'], ",", "log.csv")
    >>> columns.names, list(rows)
    (('job', 'name'), [Row(line=2, cells=['1', 'a,b'])])
    """
    rows = _csv_rows(lines, separator, source)
    first = next(rows, None)
    if first is None:
        raise InputError("is empty", source=source, remedy="give a table with column names")
    if header:
        return Columns(first.cells), rows
    return Columns(str(number + 1) for number in range(len(first.cells))), chain((first,), rows)


def _csv_rows(lines: Iterable[str], separator: str, source: str) -> Iterator[Row]:
    """Yield the rows of comma-separated values that are not empty."""
    reader = csv.reader((f"{line}\n" for line in lines), delimiter=separator)
    line = 1
    try:
        for cells in reader:
            if any(cell.strip() for cell in cells):
                yield Row(line, cells)
            line = reader.line_num + 1
    except csv.Error as error:
        raise InputError(
            f"is no table of comma-separated values: {error}",
            source=source,
            remedy="quote cells that hold separators or line breaks",
        ) from error
