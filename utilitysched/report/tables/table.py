"""A table before it is known where it will be read."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Column:
    """What stands below each other.

    Attributes
    ----------
    name : str
        Heading.
    unit : str
        Of the cells, empty if they have none.
    write : callable
        From a cell to the text that people read.
    left : bool
        Whether the texts start at the left; numbers end at the right.
    fields : tuple of str
        Names in CSV where a cell is a tuple: one for each of its members. Otherwise the column's
        own name and unit are used.
    """

    name: str
    unit: str = ""
    write: Callable[[Any], str] = str
    left: bool = False
    fields: tuple[str, ...] = ()

    @property
    def heading(self) -> str:
        """The name, and the unit in brackets behind it."""
        return f"{self.name} ({self.unit})" if self.unit else self.name


@dataclass(frozen=True)
class Table:
    """Rows under columns, with what must be said about them.

    Attributes
    ----------
    columns : sequence of Column
        At least one.
    rows : sequence of sequence
        Cells in the unit of their column and to full precision; None is not known.
    caption : str
        One line.
    notes : sequence of str
        Below the table, each on its own.

    Raises
    ------
    ValueError
        If a row has not one cell per column.
    """

    columns: Sequence[Column]
    rows: Sequence[Sequence[Any]]
    caption: str = ""
    notes: Sequence[str] = ()

    def __post_init__(self) -> None:
        for row in self.rows:
            if len(row) != len(self.columns):
                raise ValueError(f"{len(row)} cells in a row of {len(self.columns)} columns: {row}")

    def texts(self) -> list[list[str]]:
        """Return what people read: the same wherever they read it."""
        return [
            [column.write(cell) for column, cell in zip(self.columns, row, strict=True)]
            for row in self.rows
        ]
