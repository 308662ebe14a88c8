"""Many whole numbers as a short text."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from swfx.base.columns import Ints

__all__ = ["ranges_text"]

_TOLD = 2**14  # ranges made text at a time: as Python numbers they take ten times the space


def ranges_text(numbers: Ints) -> str:
    """Write numbers as ranges.

    Parameters
    ----------
    numbers : ndarray of int64, shape (n,)
        Ascending, none negative.

    Examples
    --------
    >>> ranges_text(np.array([12, 13, 14, 57]))
    '12-14 57'
    """
    if not len(numbers):
        return ""
    ends = np.append(np.flatnonzero(np.diff(numbers) > 1), len(numbers) - 1)
    starts = np.append(0, ends[:-1] + 1)
    return " ".join(_pieces(numbers[starts], numbers[ends]))


def _pieces(low: Ints, high: Ints) -> Iterator[str]:
    for first in range(0, len(low), _TOLD):
        some = slice(first, first + _TOLD)
        pairs = zip(low[some].tolist(), high[some].tolist(), strict=True)
        yield " ".join(str(a) if a == b else f"{a}-{b}" for a, b in pairs)
