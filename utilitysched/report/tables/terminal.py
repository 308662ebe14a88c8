"""Tables on a terminal."""

import textwrap
from collections.abc import Sequence

import rich.table

from utilitysched.report.console import WIDTH, console, grid, show
from utilitysched.report.tables.table import Table


def print_table(table: Table) -> None:
    """Print caption, table and notes on standard output; columns are never cut."""
    to = console()
    if table.caption:
        to.print(table.caption, soft_wrap=True)
        to.print()
    show(to, _grown(table), uncut=True)
    if table.notes:
        to.print()
    for note in table.notes:
        to.print(textwrap.fill(note, WIDTH), soft_wrap=True)


def _grown(table: Table) -> rich.table.Table:
    texts = table.texts()
    headings = [
        _broken(column.heading, [row[i] for row in texts]) for i, column in enumerate(table.columns)
    ]
    grown = grid(headings, left=0)
    for column, drawn in zip(table.columns, grown.columns, strict=True):
        drawn.justify = "left" if column.left else "right"
    for row in texts:
        grown.add_row(*row)
    return grown


def _broken(heading: str, cells: Sequence[str]) -> str:
    """Break a heading between words where it would be wider than what stands below it."""
    width = max(map(len, (*heading.split(), *cells)))
    return "\n".join(textwrap.wrap(heading, width, break_on_hyphens=False))
