"""Columns of numbers in as few bytes as they need."""

import numpy as np
from bokeh.models import ColumnDataSource
from numpy.typing import NDArray

SMALL = (np.uint8, np.uint16, np.int32)
"""Whole numbers that browsers have arrays of, the smallest first."""


def compact(column: NDArray[np.generic]) -> NDArray[np.generic]:
    """Return whole numbers in the smallest type that holds them, others as they are.

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
    """Return numbers that are only looked at: whole ones compact, others to seven digits."""
    found = compact(column)
    return found.astype(np.float32) if found.dtype.kind == "f" else found


def stored(name: str, **columns: NDArray[np.generic]) -> ColumnDataSource:
    """Return columns for the page's script, which finds them by name."""
    return ColumnDataSource(data=columns, name=name)
