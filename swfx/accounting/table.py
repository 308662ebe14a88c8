"""Tables with a line of column names: comma-separated, or with any separator."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from swfx.accounting.record_error import TOO_FEW_FIELDS, TOO_MANY_FIELDS, RecordError
from swfx.accounting.text import LogText
from swfx.base.errors import InputError
from swfx.base.options import nearest

__all__ = ["Columns", "Row", "Table", "read_csv"]


class Row(NamedTuple):
    """One record: the line it begins on, and its cells."""

    line: int
    cells: list[str]


class Columns:
    """Names of the columns of a table; capitals do not matter.

    Parameters
    ----------
    names : iterable of str
        In the order of the table.

    Examples
    --------
    >>> columns = Columns(["JobID", "State"])
    >>> columns.cell(["17", " COMPLETED"], "state"), "User" in columns
    ('COMPLETED', False)
    """

    def __init__(self, names: Iterable[str]) -> None:
        self.names = tuple(name.strip() for name in names)
        folded = [name.casefold() for name in self.names]
        self._folded = {name: i for i, name in reversed(list(enumerate(folded)))}
        self._position: dict[str, int | None] = {}

    def __contains__(self, name: str) -> bool:
        return self._find(name) is not None

    def __len__(self) -> int:
        return len(self.names)

    def cell(self, cells: list[str], name: str) -> str:
        """Text in the column of this name, without blanks around it; empty if there is none."""
        try:
            position = self._position[name]
        except KeyError:
            position = self._find(name)
        return "" if position is None else cells[position].strip()

    def position(self, name: str) -> int:
        """Position of the column of this name, which must be there."""
        return self._folded[name.casefold()]

    def _find(self, name: str) -> int | None:
        if name not in self._position:  # asked for in every row: found once
            self._position[name] = self._folded.get(name.casefold())
        return self._position[name]

    def first(self, names: Iterable[str]) -> str | None:
        """Give the first of these names that a column has."""
        return next((name for name in names if name in self), None)

    def require(self, name: str, source: str, remedy: str = "") -> None:
        """Refuse a table without a column.

        Raises
        ------
        InputError
            There is no column of this name.
        """
        if name not in self:
            raise InputError(
                f"has no column {name}",
                source=source,
                line=1,
                remedy=remedy or nearest(name, self.names),
            )

    def check(self, cells: list[str]) -> None:
        """Refuse a record whose number of cells is not that of the columns.

        Raises
        ------
        RecordError
            Too few or too many.
        """
        if len(cells) != len(self):
            rule = TOO_FEW_FIELDS if len(cells) < len(self) else TOO_MANY_FIELDS
            raise RecordError(rule, f"{len(cells)} of {len(self)}")


class Table(NamedTuple):
    """A table: its column names, and its records, to be read once."""

    columns: Columns
    rows: Iterator[Row]


def read_csv(text: LogText, separator: str = ",") -> Table:
    r"""Read comma-separated values with a line of column names; empty lines do not count.

    Cells may stand in quotes, and hold line breaks if they do. Rows are read when they are asked
    for.

    Raises
    ------
    InputError
        If there is no line of column names, or, also while rows are read, the quoting breaks all
        limits.

    Examples
    --------
    >>> table = read_csv(LogText([b'job,name\n1,"a,b"\n'], "log.csv"))
    >>> table.columns.names, list(table.rows)
    (('job', 'name'), [Row(line=2, cells=['1', 'a,b'])])
    """
    records = _records(text, separator)
    names = next(records, None)
    if names is None:
        raise InputError("is empty", source=text.name, remedy="give a table with column names")
    return Table(Columns(names.cells), records)


def _records(text: LogText, separator: str) -> Iterator[Row]:
    reader = csv.reader((f"{line}\n" for line in text.raw()), delimiter=separator)
    line = 1
    try:
        for cells in reader:
            if any(cell.strip() for cell in cells):
                yield Row(line, cells)
            line = reader.line_num + 1
    except csv.Error as error:
        raise InputError(
            f"is no table of comma-separated values: {error}",
            source=text.name,
            remedy="quote cells that hold separators or line breaks",
        ) from error
