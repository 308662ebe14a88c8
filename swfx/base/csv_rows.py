"""CSV out: a header and a row a line, as text and as files.

Spreadsheets take a cell that begins with ``=``, ``+``, ``-`` or ``@`` for a formula, and would do
what a user wrote into the name of a job. An apostrophe before it makes it text, there; `readable`
takes it away again. Numbers stay as they are.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TextIO

from swfx.base.atomic import atomic_write

__all__ = ["csv_text", "harmless", "readable", "write_csv"]

MARK = "'"
"""Makes what follows text."""

_MARKED = re.compile(r"'+[=+\-@\t\r]")
_BEGINS = tuple("'=+-@\t\r")
_FORMULA = re.compile(r"'*[=+\-@\t\r]")
_NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?|-inf")


def harmless(cell: object) -> object:
    """Return a cell that no spreadsheet takes for a formula.

    Examples
    --------
    >>> harmless("=HYPERLINK(1)"), harmless("-1.5"), harmless(-1.5)
    ("'=HYPERLINK(1)", '-1.5', -1.5)
    """
    if (
        isinstance(cell, str)
        and cell[:1] in _BEGINS
        and _FORMULA.match(cell)
        and not _NUMBER.fullmatch(cell)
    ):
        return MARK + cell
    return cell


def readable(cell: str) -> str:
    """Return what a cell said before it was made `harmless`.

    Examples
    --------
    >>> readable("'=HYPERLINK(1)"), readable("'tis")
    ('=HYPERLINK(1)', "'tis")
    """
    return cell[1:] if _MARKED.match(cell) else cell


def csv_text(header: Iterable[str], rows: Iterable[Iterable[object]]) -> str:
    r"""Return a header and rows; cells are quoted where they have to be.

    Examples
    --------
    >>> csv_text(["job", "who"], [(1, "a,b"), (2, None)])
    'job,who\n1,"a,b"\n2,\n'
    """
    text = io.StringIO()
    _write(text, header, rows)
    return text.getvalue()


def write_csv(
    path: Path, header: Sequence[str], rows: Iterable[Iterable[object]], *, parents: bool = False
) -> Path:
    """Write a header and rows, whole or not at all; see `swfx.base.atomic.atomic_write`.

    Raises
    ------
    InputError
        If the file cannot be written.
    """
    with (
        atomic_write(path, parents=parents) as stream,
        io.TextIOWrapper(stream, encoding="utf-8", newline="") as file,
    ):
        _write(file, header, rows)
    return path


def _write(file: TextIO, header: Iterable[str], rows: Iterable[Iterable[object]]) -> None:
    plain = csv.writer(file, lineterminator="\n")
    quoting = csv.writer(file, lineterminator="\n", quoting=csv.QUOTE_ALL)
    plain.writerow(header)
    for row in rows:
        cells = [harmless(cell) for cell in row]
        # to `csv` a carriage return needs no quotes, to those who read it does
        has_returns = "\r" in "".join([cell for cell in cells if isinstance(cell, str)])
        (quoting if has_returns else plain).writerow(cells)
