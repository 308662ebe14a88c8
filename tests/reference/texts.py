"""Readable twin of `swfx/kernels/texts.py`: same names, same meaning, plain Python."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np


def cells(numbers: np.ndarray, ends: np.ndarray, pointed: bool) -> tuple[np.ndarray, np.ndarray]:
    texts = [text(number, pointed) for number in numbers.tolist()]
    written = [" ".join(texts[first:last]) for first, last in pairwise([0, *ends.tolist()])]
    offsets = np.cumsum([0, *map(len, written)])
    return np.frombuffer("".join(written).encode("ascii"), np.uint8), offsets


def text(number: float, pointed: bool) -> str:
    if math.isnan(number):
        return ""
    return str(int(number)) if number.is_integer() and not pointed else repr(number)


def place(letters, begin, end, separator, lines, position) -> None:
    for line, (first, last) in enumerate(zip(begin.tolist(), end.tolist(), strict=True)):
        cell = [*letters[first:last].tolist(), separator]
        at = position[line]
        lines[at : at + len(cell)] = cell
        position[line] += len(cell)
