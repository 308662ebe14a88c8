"""Readable twin of isotonic regression: pool adjacent violators."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction


def never_rising(values: Sequence[float], weights: Sequence[float]) -> list[Fraction]:
    """Return the values that never rise and are nearest by weighted squares, exactly.

    While a block is worth more than the one before it, the two become one, worth their mean.
    """
    blocks: list[tuple[Fraction, Fraction, int]] = []  # weighted sum, weight, points
    for value, weight in zip(values, weights, strict=True):
        blocks.append((Fraction(value) * Fraction(weight), Fraction(weight), 1))
        while len(blocks) > 1 and mean(blocks[-1]) > mean(blocks[-2]):
            last, before = blocks.pop(), blocks.pop()
            blocks.append((last[0] + before[0], last[1] + before[1], last[2] + before[2]))
    return [mean(block) for block in blocks for _ in range(block[2])]


def mean(block: tuple[Fraction, Fraction, int]) -> Fraction:
    """Mean value of a block."""
    return block[0] / block[1]
