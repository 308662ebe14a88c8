"""Where tables are printed, and how they look."""

import sys
from collections.abc import Sequence

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from utilitysched.runs.files import json_pieces

WIDTH = 100
"""Columns that every table of ours fits in."""


WIDEST = 10_000


def console() -> Console:
    """Return a console on standard output that never cuts a table to a narrow terminal.

    No colour when standard output is no terminal, or when NO_COLOR is set.
    """
    found = Console(file=sys.stdout, markup=False, highlight=False, emoji=False)
    found.width = max(found.width, WIDTH)
    return found


def grid(headers: Sequence[str], *, left: int = 1, title: str | None = None) -> Table:
    """Return an empty table: the first `left` columns to the left, the others to the right."""
    table = Table(
        box=box.SIMPLE_HEAD,
        show_edge=False,
        pad_edge=False,
        padding=(0, 1, 0, 0),
        title=title,
        title_style="",
    )
    for i, header in enumerate(headers):
        if i < left:
            table.add_column(Text(header), overflow="fold")
        else:
            table.add_column(Text(header), justify="right", no_wrap=True)
    return table


def column(header: str, cells: Sequence[str], *, left: bool = False) -> Table:
    """Return a table of one column."""
    table = grid([header], left=int(left))
    for cell in cells:
        table.add_row(cell)
    return table


def beside(*tables: Table) -> Table:
    """Put tables of equally many rows next to each other, their headers at one height."""
    height = max(_header_lines(table) for table in tables)
    row = Table.grid(padding=(0, 2, 0, 0))
    for table in tables:
        row.add_column(no_wrap=True)
        _raise_header(table, height)
    row.add_row(*tables)
    return row


def show(to: Console, table: Table, *, uncut: bool = False) -> None:
    """Print a table without the blanks that pad its last column.

    Parameters
    ----------
    to : Console
        Where to print.
    table : Table
        What to print.
    uncut : bool, default False
        Print it as wide as it is, rather than broken to the console's width.
    """
    if uncut:
        widest = to.measure(table, options=to.options.update(width=WIDEST)).maximum
        to.width = max(to.width, widest)
    with to.capture() as capture:
        to.print(table)
    for line in capture.get().splitlines():
        print(line.rstrip(), file=to.file)


def _header_lines(table: Table) -> int:
    names = [str(column.header) for column in table.columns]
    return (table.title is not None) + max(name.count("\n") + 1 for name in names)


def _raise_header(table: Table, height: int) -> None:
    missing = height - _header_lines(table)
    if missing:
        first = table.columns[0]
        first.header = Text("\n" * missing + str(first.header))


def print_json(document: object) -> None:
    """Print one JSON object on standard output."""
    sys.stdout.writelines(json_pieces(document))
    sys.stdout.write("\n")
