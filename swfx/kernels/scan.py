"""SWF text to columns: find the lines, count their fields, read their numbers.

A line is a job, a comment (its first character but blanks is `;`) or empty. Fields are separated by
blanks and tabs. `parse` reads what it can read exactly and leaves every other line, sound or not,
to Python: `wanted[row]` is set and the row is not complete. The readable twin is
`tests/reference/scan.py`.
"""

from __future__ import annotations

import math
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
from numba import njit

from swfx.base.columns import Bools, Floats, Ints

__all__ = ["count_fields", "locate", "number", "parse"]

Bytes: TypeAlias = npt.NDArray[np.uint8]
Counts: TypeAlias = npt.NDArray[np.int32]

TAB, NEWLINE, RETURN, BLANK = 9, 10, 13, 32
PLUS, MINUS, POINT, ZERO, NINE, SEMICOLON = 43, 45, 46, 48, 57, 59
UPPER_E, LOWER_E = 69, 101

SWF_FIELDS = 18
EXACT = 2**53  # integers up to here are exact in float64
EXACT_POWER = 22  # and so are powers of ten up to here
FAR = 2**40  # an exponent that no number of digits brings back
SHORT = 15  # so many digits are below 2^53: nearly every field of a log
DIGITS = 19  # 10**19 fits 64 bits, and twice 10**18 does
DIVISOR_POWER = 18
POWERS = np.array([10.0**k for k in range(EXACT_POWER + 1)])
WHOLE_POWERS = np.array([10**k for k in range(DIVISOR_POWER + 1)], np.uint64)
FIVE_POWER = 27  # 5**27 fits 63 bits
POWERS_OF_FIVE = np.array([5**k for k in range(FIVE_POWER + 1)], np.uint64)


@njit(cache=True)
def locate(
    buffer: Bytes, line: Ints, begin: Ints, end: Ints, comment_begin: Ints, comment_end: Ints
) -> tuple[int, int]:
    """Find where job lines and comments begin and end.

    Parameters
    ----------
    buffer : ndarray of uint8, shape (bytes,)
        The text.
    line, begin, end : ndarray of int64, shape (lines,), the first written
        Line number from 1; first byte that is no blank; byte after the last, without line end.
    comment_begin, comment_end : ndarray of int64, shape (lines,), the first written
        Byte after the `;`, byte after the last.

    Returns
    -------
    tuple of int
        Job lines and comment lines.
    """
    jobs = comments = 0
    number = 0
    position = 0
    while position < len(buffer):
        number += 1
        first = position
        while position < len(buffer) and buffer[position] != NEWLINE:
            position += 1
        last = position
        position += 1
        if last > first and buffer[last - 1] == RETURN:
            last -= 1
        while first < last and _skipped(buffer[first]):
            first += 1
        if first == last:
            continue
        if buffer[first] == SEMICOLON:
            comment_begin[comments] = first + 1
            comment_end[comments] = last
            comments += 1
        else:
            line[jobs] = number
            begin[jobs] = first
            end[jobs] = last
            jobs += 1
    return jobs, comments


@njit(cache=True)
def _skipped(byte: int) -> bool:
    return byte in (BLANK, TAB, RETURN)


@njit(cache=True)
def _blank(byte: int) -> bool:
    return byte in (BLANK, TAB)


@njit(cache=True)
def _skip_blanks(buffer: Bytes, position: int, last: int) -> int:
    while position < last and _blank(buffer[position]):
        position += 1
    return position


@njit(cache=True)
def count_fields(buffer: Bytes, begin: Ints, end: Ints, fields: Counts) -> None:
    """Count the fields of every job line into `fields`, ndarray of int32, shape (job lines,)."""
    for row in range(len(begin)):
        fields[row] = 0
        within = False
        for position in range(begin[row], end[row]):
            blank = _blank(buffer[position])
            if within == blank:
                within = not blank
                fields[row] += within


@njit(cache=True)
def parse(
    buffer: Bytes,
    begin: Ints,
    end: Ints,
    whole: Bools,
    ints: Ints,
    floats: Floats,
    extended: bool,
    extra_columns: int,
    points: Ints,
    times: Floats,
    values: Floats,
    longer: Bools,
    wanted: Bools,
) -> int:
    """Read the numbers of every job line.

    Parameters
    ----------
    buffer : ndarray of uint8, shape (bytes,)
        The text.
    begin, end : ndarray of int64, shape (rows,)
        Where the lines to read begin and end, from `locate`.
    whole : ndarray of bool, shape (18,)
        Which fields are integers.
    ints, floats : ndarray of int64, shape (integer fields, rows), and of float64, shape (others
        and, if extended, checkpoint interval, restart overhead and extra columns, rows), written
        The columns.
    extended : bool
        Whether the fields after the 18th are those of extended SWF; if not they are skipped.
    extra_columns : int
        Fields behind the points of an extended line.
    points : ndarray of int64, shape (rows,), written
        Points of each row's utility function.
    times, values : ndarray of float64, shape (points of all rows,), written
        Points of all rows, one after the other.
    longer : ndarray of bool, shape (rows,), written
        Rows with fields after the 18th, unless extended.
    wanted : ndarray of bool, shape (rows,), written
        Rows that Python must look at; they leave no points.

    Returns
    -------
    int
        Points written.
    """
    # numba would compile _parse_extension anew for a literal number
    used: Any = np.int64(0)
    for row in range(len(begin)):
        position = begin[row]
        last = end[row]
        integers = reals = 0
        sound = True
        for field in range(SWF_FIELDS):
            position, value, sound = number(buffer, position, last)
            if not sound:
                break
            if whole[field]:
                sound = value == math.floor(value)
                ints[integers, row] = np.int64(value)
                integers += 1
            else:
                floats[reals, row] = value
                reals += 1
            if not sound:
                break
        count = 0
        if sound and extended:
            position, count, sound = _parse_extension(
                buffer, position, last, row, floats[reals:], extra_columns, times, values, used
            )
        longer[row] = sound and not extended and _skip_blanks(buffer, position, last) < last
        wanted[row] = not sound
        points[row] = count if sound else 0
        used += points[row]
    return used


@njit(cache=True)
def _parse_extension(
    buffer: Bytes,
    position: int,
    last: int,
    row: int,
    floats: Floats,
    extra_columns: int,
    times: Floats,
    values: Floats,
    used: int,
) -> tuple[int, int, bool]:
    """Read the fields after the 18th: position behind them, number of points, whether sound."""
    position = _skip_mark(buffer, position, last)
    for column in range(2):
        position, value, sound = number(buffer, position, last)
        if not sound:
            return position, 0, False
        floats[column, row] = value
    position, value, sound = number(buffer, position, last)
    if not sound or value != math.floor(value) or value < 0 or value > len(times) - used:
        return position, 0, False
    count = int(value)
    for point in range(used, used + count):
        position, time, sound = number(buffer, position, last)
        if not sound:
            return position, 0, False
        position, value, sound = number(buffer, position, last)
        if not sound:
            return position, 0, False
        times[point] = time
        values[point] = value
    for column in range(2, 2 + extra_columns):
        position, value, sound = number(buffer, position, last)
        if not sound:
            return position, 0, False
        floats[column, row] = value
    position = _skip_blanks(buffer, position, last)
    return position, count, position == last


@njit(cache=True)
def _skip_mark(buffer: Bytes, position: int, last: int) -> int:
    """Position behind a semicolon that stands alone before the fields after the 18th, if any."""
    mark = _skip_blanks(buffer, position, last)
    alone = mark + 1 < last and buffer[mark] == SEMICOLON and _blank(buffer[mark + 1])
    return mark + 1 if alone else position


@njit(cache=True)
def number(buffer: Bytes, position: int, last: int) -> tuple[int, float, bool]:
    """Read the decimal number that comes next, correctly rounded, or decline.

    Declined are fields that are no decimal number, and the rare ones that are but need more than
    64 bits: over 19 digits, or far from 1, or 2^53 and more.

    Parameters
    ----------
    buffer : ndarray of uint8
        The text.
    position, last : int
        Where to look from, and the byte after the line's last.

    Returns
    -------
    tuple
        Position behind the field, value, and whether it was read.
    """
    position = _skip_blanks(buffer, position, last)
    negative = False
    if position < last and (buffer[position] == MINUS or buffer[position] == PLUS):
        negative = buffer[position] == MINUS
        position += 1
    first = position
    short = 0
    while position < min(last, first + SHORT) and ZERO <= buffer[position] <= NINE:
        short = short * 10 + int(buffer[position] - ZERO)
        position += 1
    if position > first and (position == last or _blank(buffer[position])):
        return position, float(-short if negative else short), True
    position = first
    mantissa = np.uint64(0)
    seen = digits = power = 0
    fraction = False
    while position < last:
        byte = buffer[position]
        if ZERO <= byte <= NINE:
            seen += 1
            digits += digits > 0 or byte != ZERO
            power -= fraction
            if digits > DIGITS:
                return position, 0.0, False
            mantissa = mantissa * np.uint64(10) + np.uint64(byte - ZERO)
        elif byte == POINT and not fraction:
            fraction = True
        else:
            break
        position += 1
    if (
        seen > 0
        and position < last
        and (buffer[position] == LOWER_E or buffer[position] == UPPER_E)
    ):
        position, exponent = _exponent(buffer, position + 1, last)
        power += exponent
    stopped = position < last and not _blank(buffer[position])
    if seen == 0 or stopped:
        return position, 0.0, False
    value = _scaled(mantissa, power)
    if value < 0 or value >= EXACT:
        return position, 0.0, False
    return position, -value if negative and value > 0 else value, True


@njit(cache=True)
def _exponent(buffer: Bytes, position: int, last: int) -> tuple[int, int]:
    """Read the digits after an `e`; a far exponent where there are none makes `number` decline."""
    negative = False
    if position < last and (buffer[position] == MINUS or buffer[position] == PLUS):
        negative = buffer[position] == MINUS
        position += 1
    exponent = digits = 0
    while position < last and ZERO <= buffer[position] <= NINE:
        exponent = min(exponent * 10 + int(buffer[position] - ZERO), FAR)
        digits += 1
        position += 1
    if digits == 0:
        return position, FAR
    return position, -exponent if negative else exponent


@njit(cache=True)
def _scaled(mantissa: np.uint64, power: int) -> float:
    """Value of mantissa x 10^power, correctly rounded; -1 where that takes more than 64 bits."""
    if mantissa <= np.uint64(EXACT) and -EXACT_POWER <= power <= EXACT_POWER:
        scale = float(POWERS[abs(power)])
        return float(mantissa) / scale if power < 0 else float(mantissa) * scale
    if -DIVISOR_POWER <= power <= 0:
        return _divided(mantissa, WHOLE_POWERS[-power])
    if -FIVE_POWER <= power <= 0 and mantissa > 0:
        return math.ldexp(_divided(mantissa, POWERS_OF_FIVE[-power]), power)
    return -1.0


@njit(cache=True)
def _divided(mantissa: np.uint64, divisor: np.uint64) -> float:
    """Quotient of two integers below 2^64 and 2^63, rounded half to even; -1 from 2^53 on.

    Long division to 54 significant bits: 53 for the result and one to round by.
    """
    quotient = mantissa // divisor
    rest = mantissa % divisor
    if quotient >= np.uint64(EXACT):
        return -1.0
    shift = 0
    while quotient < np.uint64(EXACT):
        rest = rest << np.uint64(1)
        quotient = quotient << np.uint64(1)
        if rest >= divisor:
            rest -= divisor
            quotient += np.uint64(1)
        shift += 1
    half = quotient & np.uint64(1)
    quotient = quotient >> np.uint64(1)
    if half and (rest > 0 or quotient & np.uint64(1)):
        quotient += np.uint64(1)
    return math.ldexp(float(quotient), 1 - shift)
