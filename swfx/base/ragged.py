"""Ragged columns: row i is ``values[offsets[i]:offsets[i + 1]]``."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]


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
