"""Writer of SWF and extended SWF."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from itertools import pairwise
from pathlib import Path

import numpy as np

from swfx.base.atomic import atomic_write
from swfx.base.columns import Floats, Ints
from swfx.base.compression import packed
from swfx.base.errors import InputError
from swfx.extension import CHECKPOINT_FIELDS, EXTRA_FIELDS
from swfx.fields import FIELD_NAMES
from swfx.header import ENCODING, Header
from swfx.utility_table import UtilityTable
from swfx.workload import Workload

__all__ = ["to_bytes", "write", "write_stream"]

_CHUNK = 10_000  # jobs formatted at a time: bounds the memory that number texts take


def write(workload: Workload, target: str | Path) -> None:
    """Write a workload so that `read` gives it back.

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
    in_comment: bool = True,
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
    in_comment : bool
        Put a semicolon before the fields after the 18th: to other readers they are a comment, and
        those that want lines of 18 fields (evalys, pandas, numpy) read the file.

    Raises
    ------
    InputError
        If there is no job, one has something that is not announced, or the file cannot be written.
    """
    known = {field.name for field in EXTRA_FIELDS}
    extra_columns = tuple(name for name in header.extra_columns if name in known)
    extended = header.extended if extended is None else extended
    announcing = header.announcing(extended, extra_columns if extended else ())
    parts = _parts(announcing, chunks, in_comment)
    if str(target) == "-":
        sys.stdout.buffer.writelines(parts)
        sys.stdout.buffer.flush()
        return
    with atomic_write(target) as stream:
        stream.writelines(packed(parts, Path(target).suffix))


def to_bytes(workload: Workload, *, in_comment: bool = True) -> bytes:
    r"""Format a workload as `write` puts it into a plain file, or `write_stream` with this option.

    Examples
    --------
    >>> to_bytes(Workload.from_columns(submit=[0], run=[1.5], processors=[4]))
    b'1 0 -1 1.5 4 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1\n'
    """
    return b"".join(_parts(workload.header, [workload], in_comment))


def _parts(header: Header, chunks: Iterable[Workload], in_comment: bool) -> Iterator[bytes]:
    """Header, if a job follows, and the jobs."""
    empty = True
    comments = "".join(f";{line}\n" for line in header.lines).encode(*ENCODING)
    for chunk in chunks:
        _check_announced(header, chunk)
        for first in range(0, len(chunk), _CHUNK):
            lines = "\n".join(_lines(chunk, header, slice(first, first + _CHUNK), in_comment))
            yield comments + f"{lines}\n".encode("ascii")
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


def _lines(workload: Workload, header: Header, rows: slice, in_comment: bool) -> Iterator[str]:
    def texts(names: Iterable[str]) -> list[list[str]]:
        return [_texts(getattr(workload, name)[rows]) for name in names]

    columns = texts(FIELD_NAMES)
    if header.extended:
        mark = [[";"] * len(columns[0])] if in_comment else []
        checkpoints = texts(field.name for field in CHECKPOINT_FIELDS)
        curves = _curves(workload.utility, rows)
        columns += [*mark, *checkpoints, curves, *texts(header.extra_columns)]
    return map(" ".join, zip(*columns, strict=True))


def _curves(utility: UtilityTable, rows: slice) -> list[str]:
    """Format number of points and points of each job, as they stand at the end of its line."""
    offsets = utility.offsets[rows.start : rows.stop + 1]
    points = slice(offsets[0], offsets[-1])
    texts = _texts(np.column_stack([utility.times[points], utility.values[points]]).ravel())
    ends = (2 * (offsets - offsets[0])).tolist()
    return [
        " ".join([str((last - first) // 2), *texts[first:last]]) for first, last in pairwise(ends)
    ]


def _texts(numbers: Ints | Floats) -> list[str]:
    """Shortest text of each number that reads back as the same number, whole ones without point."""
    whole = numbers == np.floor(numbers)
    if whole.all():
        return list(map(str, numbers.astype(np.int64).tolist()))
    return [
        str(int(number)) if is_whole else repr(number)
        for number, is_whole in zip(numbers.tolist(), whole.tolist(), strict=True)
    ]
