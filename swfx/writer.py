"""Writer of SWF and extended SWF."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np

from swfx.base.atomic import atomic_write
from swfx.base.columns import Floats, Ints
from swfx.base.compression import packed
from swfx.base.errors import InputError
from swfx.extension import CHECKPOINT_FIELDS, extra_field
from swfx.fields import FIELD_NAMES
from swfx.header import ENCODING, Header
from swfx.utility_table import UtilityTable
from swfx.workload import Workload

__all__ = ["to_bytes", "write", "write_stream"]

_CHUNK = 10_000  # jobs formatted at a time: bounds the memory that number texts take


def write(workload: Workload, target: str | Path) -> None:
    """Write a workload for `read`, without loss.

    Plain SWF without utility functions and checkpoints, extended SWF with them. Numbers are in
    shortest round-trip form; equal workloads give equal bytes.

    Parameters
    ----------
    workload : Workload
        At least one job.
    target : str or Path
        File, packed by its suffix (`.gz`, `.xz`, `.zst`), that appears complete or not at all;
        `-` is standard output.

    Raises
    ------
    InputError
        If the workload is empty or the file cannot be written.
    """
    write_stream(workload.header, [workload], target)


def write_stream(
    header: Header,
    chunks: Iterable[Workload],
    target: str | Path,
    *,
    extended: bool | None = None,
) -> None:
    """Write a workload that comes in parts: the bytes are those of `write` with the whole.

    Parameters
    ----------
    header : Header
        Comment lines; those of the parts are not looked at. What it announces must do for all jobs:
        `header.announcing(True, ("confidence",))`.
    chunks : iterable of Workload
        The parts, at least one job in all.
    target : str or Path
        As of `write`.
    extended : bool, optional
        Announce extended SWF, or do not; by default the header is taken as it is.

    Raises
    ------
    InputError
        If there is no job, one has something that is not announced, or the file cannot be written.
    """
    extra_columns = tuple(name for name in header.extra_columns if extra_field(name))
    extended = header.extended if extended is None else extended
    announcing = header.announcing(extended, extra_columns if extended else ())
    parts = _parts(announcing, chunks)
    if str(target) == "-":
        sys.stdout.buffer.writelines(parts)
        sys.stdout.buffer.flush()
        return
    with atomic_write(target) as stream:
        stream.writelines(packed(parts, Path(target).suffix))


def to_bytes(workload: Workload) -> bytes:
    r"""Format a workload as `write` puts it into a plain file.

    Examples
    --------
    >>> to_bytes(Workload.from_columns(submit=[0], run=[1.5], processors=[4]))
    b'1 0 -1 1.5 4 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1\n'
    """
    return b"".join(_parts(workload.header, [workload]))


def _parts(header: Header, chunks: Iterable[Workload]) -> Iterator[bytes]:
    """Header, if a job follows, and the jobs."""
    empty = True
    comments = "".join(f";{line}\n" for line in header.lines).encode(*ENCODING)
    for chunk in chunks:
        _check_announced(header, chunk)
        for first in range(0, len(chunk), _CHUNK):
            rows = slice(first, min(first + _CHUNK, len(chunk)))
            yield comments + _lines(_columns(chunk, header, rows))
            comments, empty = b"", False
    if empty:
        raise InputError("a workload without jobs cannot be written", remedy="keep at least one")


def _check_announced(header: Header, chunk: Workload) -> None:
    if chunk.extended > header.extended:
        missing = "extended SWF"
    elif extra := set(chunk.extra_columns) - set(header.extra_columns):
        missing = f"the extra column {min(extra)}"
    else:
        return
    raise InputError(
        f"jobs need {missing}, which the header does not announce",
        remedy="pass header.announcing(True, ...) with what all of them need",
    )


class _Numbers(NamedTuple):
    """A column of one number for each line, or of those up to its `ends`."""

    numbers: Ints | Floats
    ends: Ints | None = None


def _columns(workload: Workload, header: Header, rows: slice) -> list[_Numbers | str]:
    """Columns of the lines, in order; a text is in all of them.

    A semicolon stands before the fields after the 18th: to other readers they are a comment.
    """

    def named(names: Iterable[str]) -> list[_Numbers | str]:
        return [_Numbers(workload.column(name)[rows]) for name in names]

    if not header.extended:
        return named(FIELD_NAMES)
    checkpoints = named(field.name for field in CHECKPOINT_FIELDS)
    curves = _curves(workload.utility, rows)
    return [*named(FIELD_NAMES), ";", *checkpoints, curves, *named(header.extra_columns)]


def _curves(utility: UtilityTable, rows: slice) -> _Numbers:
    """Points of each job, behind their number."""
    offsets = utility.offsets[rows.start : rows.stop + 1]
    points = slice(offsets[0], offsets[-1])
    flat = np.column_stack([utility.times[points], utility.values[points]]).ravel()
    begin = 2 * (offsets - offsets[0])
    counts = np.diff(offsets)
    return _Numbers(np.insert(flat, begin[:-1], counts), begin[1:] + np.arange(1, len(begin)))


def _lines(columns: Sequence[_Numbers | str]) -> bytes:
    lines = len(columns[0][0])
    texts = (_texts(column, lines) for column in columns)
    return "".join(f"{' '.join(line)}\n" for line in zip(*texts, strict=True)).encode("ascii")


def _texts(column: _Numbers | str, lines: int) -> list[str]:
    """Return the text of a column in each line: numbers in the shortest exact form."""
    if isinstance(column, str):
        return [column] * lines
    whole = column.numbers.astype(np.int64)
    texts = list(map(str, whole.tolist()))
    for place in np.flatnonzero(column.numbers != whole).tolist():
        texts[place] = repr(column.numbers.item(place))
    if column.ends is None:
        return texts
    return [" ".join(texts[first:last]) for first, last in pairwise([0, *column.ends.tolist()])]
