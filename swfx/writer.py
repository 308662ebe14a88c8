"""Writer of SWF and extended SWF."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import numpy as np

from swfx.atomic import atomic_write
from swfx.columns import Floats, Ints
from swfx.compression import compress
from swfx.errors import InputError
from swfx.extension import CHECKPOINT_FIELDS
from swfx.fields import FIELDS
from swfx.header import ENCODING
from swfx.utility_table import UtilityTable
from swfx.workload import Workload

__all__ = ["to_bytes", "write"]

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
    if str(target) == "-":
        sys.stdout.buffer.write(to_bytes(workload))
        sys.stdout.buffer.flush()
        return
    data = compress(to_bytes(workload), Path(target).suffix)
    with atomic_write(target) as stream:
        stream.write(data)


def to_bytes(workload: Workload) -> bytes:
    r"""Format a workload as `write` puts it into a plain file.

    Examples
    --------
    >>> to_bytes(Workload.from_columns(submit=[0], run=[1.5], processors=[4]))
    b'1 0 -1 1.5 4 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1\n'
    """
    if not len(workload):
        raise InputError("a workload without jobs cannot be written", remedy="keep at least one")
    header = "".join(f";{line}\n" for line in workload.header.lines)
    parts = [header.encode(*ENCODING)]
    for first in range(0, len(workload), _CHUNK):
        lines = "\n".join(_lines(workload, slice(first, first + _CHUNK)))
        parts.append(f"{lines}\n".encode("ascii"))
    return b"".join(parts)


def _lines(workload: Workload, rows: slice) -> Iterator[str]:
    fields = FIELDS + CHECKPOINT_FIELDS if workload.extended else FIELDS
    columns = [_texts(getattr(workload, field.name)[rows]) for field in fields]
    if workload.extended:
        columns.append(_curves(workload.utility, rows))
        extra = workload.header.extra_columns
        columns += [_texts(getattr(workload, name)[rows]) for name in extra]
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
