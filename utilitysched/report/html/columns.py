"""Columns as they stand in a page: few bytes, and the same ones each time."""

from __future__ import annotations

import base64
import zlib
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

SMALL = (np.uint8, np.uint16, np.int32)
"""Whole numbers that browsers have arrays of, the smallest first."""


class StoredColumns(NamedTuple):
    """Columns for the page's script by name, numbers or texts; and the name of them all."""

    name: str
    data: Mapping[str, NDArray[np.generic] | Sequence[str]]


def compact(column: NDArray[np.generic]) -> NDArray[np.generic]:
    """Return whole numbers in the smallest sufficient type, floats unchanged.

    Examples
    --------
    >>> compact(np.array([0.0, 300.0])).dtype, compact(np.array([0.5])).dtype
    (dtype('uint16'), dtype('float64'))
    """
    if column.dtype.kind == "f" and not np.array_equal(column, np.trunc(column)):
        return column
    low, high = (np.min(column), np.max(column)) if len(column) else (0, 0)
    for kind in SMALL:
        if np.iinfo(kind).min <= low and high <= np.iinfo(kind).max:
            return column.astype(kind)
    return column.astype(np.float64)


def single(column: NDArray[np.generic]) -> NDArray[np.generic]:
    """Return numbers for display: whole numbers compact, fractions as float32."""
    packed = compact(column)
    return packed.astype(np.float32) if packed.dtype.kind == "f" else packed


def packed(stored: Iterable[StoredColumns]) -> tuple[list[dict[str, object]], str]:
    """Return the index of the columns, and their bytes, deflated, in base 64.

    Whole numbers are stored as differences, and of each column first the lowest byte of all
    numbers, then the next: neighbours are alike, and deflate finds that.
    """
    index: list[dict[str, object]] = []
    parts: list[bytes] = []
    begin = 0
    for each in stored:
        columns: dict[str, object] = {}
        for name, column in each.data.items():
            if isinstance(column, np.ndarray):
                columns[name] = [column.dtype.name, begin, len(column)]
                parts.append(_planes(column))
                begin += len(parts[-1])
            else:
                columns[name] = list(column)
        index.append({"name": each.name, "columns": columns})
    text = base64.b64encode(zlib.compress(b"".join(parts), 9)).decode()
    return index, text


def _planes(column: NDArray[np.generic]) -> bytes:
    if column.dtype.kind in "iu":
        column = np.diff(column, prepend=column.dtype.type(0))
    little = np.ascontiguousarray(column, column.dtype.newbyteorder("<"))
    return little.view(np.uint8).reshape(-1, column.itemsize).T.tobytes()
