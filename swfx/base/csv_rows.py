"""CSV out: a header and a row a line, as text and as files."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TextIO

from swfx.base.atomic import atomic_write

__all__ = ["csv_text", "write_csv"]


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
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(rows)
