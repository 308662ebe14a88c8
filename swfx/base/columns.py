"""Columns: read-only numpy arrays of one of two types, checked when they enter a workload."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from swfx.base.errors import InputError

__all__ = ["LIMIT", "Bools", "Column", "Floats", "Ints", "column", "frozen", "taken"]

Ints: TypeAlias = npt.NDArray[np.int64]
Floats: TypeAlias = npt.NDArray[np.float64]
Bools: TypeAlias = npt.NDArray[np.bool_]
Column: TypeAlias = npt.NDArray[Any]

LIMIT = 2**53
"""Largest magnitude of any number: up to here float64 holds every integer exactly."""


def column(name: str, data: npt.ArrayLike, dtype: Literal["int64", "float64"]) -> npt.NDArray[Any]:
    """Make `data` a read-only column.

    Parameters
    ----------
    name : str
        Column name, for the message.
    data : array_like, shape (n,)
        Numbers; integral floats are accepted for an integer column.
    dtype : {"int64", "float64"}
        Type of the column.

    Returns
    -------
    ndarray, shape (n,)
        Read-only; `data` itself where it is such an array already.

    Raises
    ------
    InputError
        If `data` is not one-dimensional, holds text, NaN, infinity, a fraction in an integer
        column or a magnitude over `LIMIT`.
    """
    array = np.asarray(data)
    if array.ndim != 1:
        raise InputError(
            f"has {array.ndim} dimensions", field=name, remedy="give one value per job"
        )
    if array.size == 0:
        return frozen(np.empty(0, dtype))
    if array.dtype.kind not in "iufb":
        raise InputError(f"holds {array.dtype} values", field=name, remedy="give numbers")
    _check_range(name, array)
    if dtype == "int64" and array.dtype.kind == "f":
        _refuse(name, array, array != np.floor(array), "is not a whole number")
    array = array.astype(dtype, copy=False)
    if dtype == "float64" and np.any(np.signbit(array) & (array == 0)):
        array = array + 0.0  # -0.0 becomes 0.0: equal numbers must have equal bytes
    return frozen(array)


def frozen(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return `array` itself where nobody can write to it any more, else a read-only copy."""
    base: Any = array.base
    owned = base is None or (isinstance(base, np.ndarray) and not base.flags.writeable)
    if array.flags.writeable or not owned:
        array = array.copy()
        array.setflags(write=False)
    return array


def taken(offsets: Ints, rows: Ints) -> tuple[Ints, Ints]:
    """Return the offsets of some rows put one after another, and where their values stand.

    Parameters
    ----------
    offsets : ndarray of int64, shape (n + 1,)
        Of all rows.
    rows : ndarray of int64, shape (k,)
        Those wanted, from 0.

    Returns
    -------
    ndarray of int64, shape (k + 1,)
        Their offsets.
    ndarray of int64, shape (m,)
        Indices of their values among all values.

    Examples
    --------
    >>> [column.tolist() for column in taken(np.array([0, 2, 2, 5]), np.array([2, 0]))]
    [[0, 3, 5], [2, 3, 4, 0, 1]]
    """
    first = offsets[rows]
    counts = offsets[rows + 1] - first
    places = np.zeros(len(rows) + 1, np.int64)
    np.cumsum(counts, out=places[1:])
    return places, np.arange(places[-1]) + np.repeat(first - places[:-1], counts)


def _check_range(name: str, array: npt.NDArray[Any]) -> None:
    if array.dtype.kind == "f":
        _refuse(name, array, ~np.isfinite(array), "is not a finite number")
    low, high = array.min(), array.max()
    if low < -LIMIT or high > LIMIT:
        beyond = (array < -LIMIT) | (array > LIMIT)
        _refuse(name, array, beyond, f"is beyond the limit of 2^53 = {LIMIT}")


def _refuse(name: str, array: npt.NDArray[Any], bad: Bools, reason: str) -> None:
    if bad.any():
        first = int(np.argmax(bad))
        raise InputError(f"{array[first]} at position {first} {reason}", field=name)
