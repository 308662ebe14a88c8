"""Many whole numbers as a short text."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from swfx.base.columns import Ints

__all__ = ["bounds_in", "numbers_in", "ranges_text"]

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


def bounds_in(text: str) -> tuple[Ints, Ints]:
    """Read ranges: the first of each, and one more than its last.

    Raises
    ------
    ValueError
        The text holds anything but ranges.

    Examples
    --------
    >>> low, high = bounds_in("12-14 57")
    >>> low.tolist(), high.tolist()
    ([12, 57], [15, 58])
    """
    ends = [part.partition("-") for part in text.split()]
    low = np.array([first for first, _, _ in ends], np.int64)
    high = np.array([last or first for first, _, last in ends], np.int64)
    return low, high + 1


def numbers_in(text: str) -> Ints:
    """Read the numbers that ranges hold.

    Raises
    ------
    ValueError
        As `bounds_in`.

    Examples
    --------
    >>> numbers_in("12-14 57").tolist()
    [12, 13, 14, 57]
    """
    low, high = bounds_in(text)
    return np.concatenate([np.arange(0), *map(np.arange, low, high)])


def _pieces(low: Ints, high: Ints) -> Iterator[str]:
    for first in range(0, len(low), _TOLD):
        some = slice(first, first + _TOLD)
        pairs = zip(low[some].tolist(), high[some].tolist(), strict=True)
        yield " ".join(str(a) if a == b else f"{a}-{b}" for a, b in pairs)
