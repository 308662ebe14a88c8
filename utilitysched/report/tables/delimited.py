"""Tables as CSV, for programs."""

from collections.abc import Iterator, Sequence
from typing import Any

from swfx.base.csv_rows import csv_text as rows_text
from utilitysched.analysis.documents import Column, ResultTable


def csv_text(table: ResultTable) -> str:
    """Return a header and a line per row, numbers to full precision, nothing where not known.

    Caption and notes are left out. A column's name is its heading in lower case with underscores,
    its unit behind it: ``mean_SU``.
    """
    header = (name for column in table.columns for name in _names(column))
    return rows_text(header, (_values(table.columns, row) for row in table.rows))


def _names(column: Column) -> tuple[str, ...]:
    if column.fields:
        return column.fields
    name = column.name.lower().replace(" ", "_")
    return (f"{name}_{column.unit.replace(' ', '_')}" if column.unit else name,)


def _values(columns: Sequence[Column], row: Sequence[Any]) -> Iterator[Any]:
    for column, cell in zip(columns, row, strict=True):
        if not column.fields:
            yield cell
        elif cell is None:
            yield from (None for _ in column.fields)
        else:
            yield from cell
