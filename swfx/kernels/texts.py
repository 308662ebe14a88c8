"""Columns of numbers to text: the shortest that reads back to the same number, then lines of cells.

What has no fraction is written digit by digit. For the rest the shortest decimal of an interval is
found with 128-bit integers, as in Giulietti's Schubfach (The Schubfach way to render doubles,
2020). The readable twin is Python's own `repr`: `tests/reference/texts.py`.
"""

from __future__ import annotations

import math
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
from numba import njit

from swfx.base.columns import Floats, Ints
from swfx.kernels.scan import BLANK, LOWER_E, MINUS, POINT, ZERO, Bytes

__all__ = ["cells", "place", "write_digits"]

Words: TypeAlias = npt.NDArray[np.uint64]

LONGEST = 25  # -2.2250738585072014e-308 and a blank
SMALLEST = -324  # decimal exponent of the least number above 0
FIRST_FIXED, LAST_FIXED = -3, 16  # places of the point that repr writes without an exponent
FRACTION, BIAS, HIDDEN = 52, 1075, 2**52  # of float64
ROUNDING, HALF = np.uint64(2), np.uint64(32)
LOW = np.uint64(2**32 - 1)


def _powers() -> Words:
    """10^0 to 10^-`SMALLEST`, the leading 128 bits of each, rounded up: high and low words."""
    words = np.empty((2, 2 - SMALLEST), np.uint64)
    for power in range(words.shape[1]):
        exact = 10**power
        shift = exact.bit_length() - 128
        bits = -(-exact // 2**shift) if shift > 0 else exact << -shift
        words[:, power] = bits >> 64, bits % 2**64
    return words


POWER_HIGH, POWER_LOW = _powers()


@njit(cache=True, nogil=True)
def cells(numbers: Floats, ends: Ints, pointed: bool) -> tuple[Bytes, Ints]:
    """Write the numbers of each cell, with blanks between them.

    Parameters
    ----------
    numbers : ndarray of float64, shape (n,)
        At most 2^53 in magnitude; nothing is written for what is not a number.
    ends : ndarray of int64, shape (cells,)
        Where the numbers of each cell end.
    pointed : bool
        Whether 1 is written as `1.0`.

    Returns
    -------
    letters : ndarray of uint8
        All cells, one after the other.
    offsets : ndarray of int64, shape (cells + 1,)
        Where each begins.
    """
    letters = np.empty(LONGEST * len(numbers) + 1, np.uint8)
    offsets = np.zeros(len(ends) + 1, np.int64)
    bits = numbers.view(np.int64)
    at = first = 0
    for cell in range(len(ends)):
        for i in range(first, ends[cell]):
            if i > first:
                letters[at] = BLANK
                at += 1
            if not math.isnan(numbers[i]):
                at = _write(numbers[i], bits[i], pointed, letters, at)
        first = ends[cell]
        offsets[cell + 1] = at
    return letters[:at], offsets


@njit(cache=True, nogil=True)
def place(
    letters: Bytes, begin: Ints, end: Ints, separator: int, lines: Bytes, position: Ints
) -> None:
    """Write a column of cells into lines, each cell and a separator where its line has come to.

    Parameters
    ----------
    letters : ndarray of uint8
        Text of the cells.
    begin, end : ndarray of int64, shape (lines,)
        Where each begins and ends in it.
    separator : int
        The byte behind each.
    lines : ndarray of uint8, written
        All lines.
    position : ndarray of int64, shape (lines,), written
        Where in `lines` the cell of each line belongs; then where the next one does.
    """
    for line in range(len(begin)):
        at = position[line]
        for i in range(begin[line], end[line]):
            lines[at] = letters[i]
            at += 1
        lines[at] = separator
        position[line] = at + 1


@njit(cache=True, nogil=True)
def _write(number: float, bits: int, pointed: bool, letters: Bytes, at: int) -> int:
    """Write a number, and return where it ends."""
    whole = number == math.floor(number)
    if number < 0 or (pointed and bits < 0):
        letters[at] = MINUS
        at += 1
    if not whole:
        digits, power = _shortest(bits)
        return _write_decimal(digits, power, letters, at)
    at = write_digits(np.uint64(abs(number)), letters, at)
    if pointed:
        letters[at], letters[at + 1] = POINT, ZERO
        at += 2
    return at


@njit(cache=True, nogil=True)
def write_digits(number: np.uint64, letters: Bytes, at: int) -> int:
    """Write a whole number into `letters`, and return where it ends."""
    end = at + _length(number)
    for i in range(end - 1, at - 1, -1):
        letters[i] = np.uint64(ZERO) + number % np.uint64(10)
        number //= np.uint64(10)
    return end


@njit(cache=True, nogil=True)
def _length(number: np.uint64) -> int:
    """Return how many digits a number has, one if it is 0."""
    length = 1
    while number >= np.uint64(10):
        number //= np.uint64(10)
        length += 1
    return length


@njit(cache=True, nogil=True)
def _write_decimal(digits: np.uint64, power: int, letters: Bytes, at: int) -> int:
    """Write digits x 10^power, which is no integer, as `repr` does."""
    length = _length(digits)
    point = length + power  # digits before the point
    if not FIRST_FIXED <= point <= LAST_FIXED:
        end = _write_split(digits, length, 1, letters, at)
        letters[end], letters[end + 1] = LOWER_E, MINUS
        if 1 - point < 10:
            letters[end + 2] = ZERO
            end += 1
        return write_digits(np.uint64(1 - point), letters, end + 2)
    if point > 0:
        return _write_split(digits, length, point, letters, at)
    letters[at], letters[at + 1] = ZERO, POINT
    for i in range(at + 2, at + 2 - point):
        letters[i] = ZERO
    return write_digits(digits, letters, at + 2 - point)


@njit(cache=True, nogil=True)
def _write_split(digits: np.uint64, length: int, point: int, letters: Bytes, at: int) -> int:
    """Write digits with a point behind the first `point` of them, and none behind the last."""
    if point == length:
        return write_digits(digits, letters, at)
    write_digits(digits, letters, at + 1)
    for i in range(at, at + point):
        letters[i] = letters[i + 1]
    letters[at + point] = POINT
    return at + 1 + length


@njit(cache=True, nogil=True)
def _shortest(bits: int) -> tuple[np.uint64, int]:
    """Return digits and power of ten of the shortest decimal that reads back to these bits.

    Of several, the nearest one. The number is a fraction below 2^53; its sign is not looked at.
    """
    fraction, exponent = bits & (HIDDEN - 1), (bits >> FRACTION) & (2**11 - 1)
    # the number is c x 2^q; what is nearer to it than to its neighbours is read as it
    c = np.uint64(fraction | HIDDEN if exponent > 0 else fraction)
    q = max(exponent, 1) - BIAS
    closer_below = fraction == 0 and exponent > 1
    # k: so that 10^k is about as long as the interval between the two bounds
    k = (q * 1262611 - (524031 if closer_below else 0)) >> 22
    h = np.uint64(q + ((-k * 1741647) >> 19) + 1)
    # the number and the bounds in quarters of 10^k
    scaled = _scaled(c << ROUNDING, h, -k)
    odd = c & np.uint64(1)
    below = np.uint64(1) if closer_below else np.uint64(2)
    lower = _scaled((c << ROUNDING) - below, h, -k) + odd
    upper = _scaled((c << ROUNDING) + np.uint64(2), h, -k) - odd
    s = scaled >> ROUNDING
    # one digit less, if exactly one such decimal lies within
    if s >= np.uint64(10):
        tens = s // np.uint64(10)
        floor_within = lower <= np.uint64(40) * tens
        ceiling_within = np.uint64(40) * tens + np.uint64(40) <= upper
        if floor_within != ceiling_within:
            return _stripped(tens + np.uint64(ceiling_within), k + 1)
    floor_within = lower <= s << ROUNDING
    ceiling_within = (s << ROUNDING) + np.uint64(4) <= upper
    if floor_within != ceiling_within:
        return _stripped(s + np.uint64(ceiling_within), k)
    # both: the nearer one, the even one halfway
    middle = (s << ROUNDING) + np.uint64(2)
    up = scaled > middle or (scaled == middle and s & np.uint64(1) == np.uint64(1))
    return _stripped(s + np.uint64(up), k)


@njit(cache=True, nogil=True)
def _stripped(digits: np.uint64, power: int) -> tuple[np.uint64, int]:
    """Take the zeros off the end."""
    while digits % np.uint64(10) == np.uint64(0):
        digits //= np.uint64(10)
        power += 1
    return digits, power


@njit(cache=True, nogil=True)
def _scaled(number: np.uint64, shift: np.uint64, power: int) -> np.uint64:
    """Return number x 2^shift x 10^power in the units of the table, odd if it is no integer."""
    number <<= shift
    low_high, _ = _product(POWER_LOW[power], number)
    high, high_low = _product(POWER_HIGH[power], number)
    rest = high_low + low_high
    high += np.uint64(rest < high_low)
    return high | np.uint64(rest > np.uint64(1))


@njit(cache=True, nogil=True)
def _product(a: np.uint64, b: np.uint64) -> tuple[np.uint64, np.uint64]:
    """Return the high and low words of a x b."""
    a_high, a_low, b_high, b_low = a >> HALF, a & LOW, b >> HALF, b & LOW
    low = a_low * b_low
    middle = a_high * b_low + (low >> HALF)
    other = a_low * b_high + (middle & LOW)
    return a_high * b_high + (middle >> HALF) + (other >> HALF), (other << HALF) | (low & LOW)
