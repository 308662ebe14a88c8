"""Lines of text made of columns, compiled."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from swfx.base.columns import Floats, Ints

__all__ = ["MANY", "TextColumn", "constant_column", "joined", "number_column", "text_column"]

MANY = 20_000
"""So many cells take longer to be written by Python than compiled code takes to be loaded."""


class TextColumn(NamedTuple):
    """A text for each line.

    Attributes
    ----------
    letters : ndarray of uint8
        The texts, somewhere.
    begin, end : ndarray of int64, shape (lines,)
        Where in it each begins and ends.
    """

    letters: npt.NDArray[np.uint8]
    begin: Ints
    end: Ints


def number_column(
    numbers: Ints | Floats, ends: Ints | None = None, *, pointed: bool = False
) -> TextColumn:
    """Write numbers in the shortest form that reads back to the same number.

    Parameters
    ----------
    numbers : ndarray of int64 or float64, shape (n,)
        At most 2^53 in magnitude; the text of what is not a number is empty.
    ends : ndarray of int64, shape (lines,), optional
        Where the numbers of each line end, if they are not one for each; blanks are between them.
    pointed : bool
        Write 1 as `1.0`.
    """
    from swfx.kernels.texts import cells  # noqa: PLC0415  numba is slow to import

    if ends is None:
        ends = np.arange(1, len(numbers) + 1)
    letters, offsets = cells(np.array(numbers, np.float64), ends, pointed)
    return TextColumn(letters, offsets[:-1], offsets[1:])


def text_column(texts: Sequence[str]) -> TextColumn:
    """Return a column of ASCII texts."""
    ends = np.cumsum(np.fromiter(map(len, texts), np.int64, len(texts)))
    return TextColumn(_letters("".join(texts)), np.concatenate([[0], ends[:-1]]), ends)


def constant_column(text: str, lines: int) -> TextColumn:
    """Return a column of one text."""
    begin = np.zeros(lines, np.int64)
    return TextColumn(_letters(text), begin, begin + len(text))


def joined(columns: Sequence[TextColumn], separator: str) -> bytes:
    """Return the lines, with an ASCII separator between the columns and line ends."""
    from swfx.kernels.texts import place  # noqa: PLC0415  numba is slow to import

    length = np.sum([column.end - column.begin + 1 for column in columns], axis=0)
    ends = np.cumsum(length)
    lines, position = np.empty(int(ends[-1]), np.uint8), ends - length
    for column in columns:
        place(*column, ord(separator), lines, position)
    lines[ends - 1] = ord("\n")
    return lines.tobytes()


def _letters(text: str) -> npt.NDArray[np.uint8]:
    return np.frombuffer(bytearray(text, "ascii"), np.uint8)
