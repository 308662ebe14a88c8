"""Readable twin of `swfx/kernels/scan.py`: same names, same meaning, plain Python."""

from __future__ import annotations

import re
from fractions import Fraction

import numpy as np

EXACT = 2**53
NUMBER = re.compile(rb"([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?")
FIELD = re.compile(rb"[^ \t]+")


def lines_of(buffer: np.ndarray) -> list[tuple[int, int, int]]:
    """Number, begin and end of every line that is not blank, without the blanks before it."""
    text = buffer.tobytes()
    found, start = [], 0
    for line_number, raw in enumerate(text.split(b"\n"), start=1):
        body = raw.removesuffix(b"\r")
        begin = start + len(body) - len(body.lstrip(b" \t\r"))
        if begin < start + len(body):
            found.append((line_number, begin, start + len(body)))
        start += len(raw) + 1
    return found


def locate(buffer, line, begin, end, comment_begin, comment_end) -> tuple[int, int]:
    text = buffer.tobytes()
    found = lines_of(buffer)
    jobs = [entry for entry in found if text[entry[1] : entry[1] + 1] != b";"]
    comments = [entry for entry in found if text[entry[1] : entry[1] + 1] == b";"]
    line[: len(jobs)] = [number for number, _, _ in jobs]
    begin[: len(jobs)] = [first for _, first, _ in jobs]
    end[: len(jobs)] = [last for _, _, last in jobs]
    comment_begin[: len(comments)] = [first + 1 for _, first, _ in comments]
    comment_end[: len(comments)] = [last for _, _, last in comments]
    return len(jobs), len(comments)


def count_fields(buffer, begin, end, fields) -> None:
    text = buffer.tobytes()
    fields[:] = [
        len(FIELD.findall(text[first:last])) for first, last in zip(begin, end, strict=True)
    ]


def parse(
    buffer, begin, end, whole, ints, floats, extended, extra_columns, points, times, values,
    longer, wanted,
) -> int:  # fmt: skip
    text = buffer.tobytes()
    used = 0
    for row, (first, last) in enumerate(zip(begin, end, strict=True)):
        tokens = FIELD.findall(text[first:last])
        numbers = _read(tokens, whole, extended, extra_columns)
        wanted[row] = numbers is None
        longer[row] = numbers is not None and not extended and len(tokens) > 18
        points[row] = 0
        if numbers is None:
            continue
        ints[:, row] = [numbers[i] for i in range(18) if whole[i]]
        curve_end = len(numbers) - extra_columns if extended else len(numbers)
        reals = [numbers[i] for i in range(18) if not whole[i]]
        floats[:, row] = reals + numbers[18:20] + numbers[curve_end:]
        points[row] = len(numbers[21:curve_end]) // 2
        times[used : used + points[row]] = numbers[21:curve_end:2]
        values[used : used + points[row]] = numbers[22:curve_end:2]
        used += points[row]
    return used


def _read(tokens, whole, extended, extra_columns) -> list[float] | None:
    if extended and tokens[18:19] == [b";"]:
        tokens = tokens[:18] + tokens[19:]
    numbers = [number(token) for token in (tokens if extended else tokens[:18])]
    if len(numbers) < (21 if extended else 18) or None in numbers:
        return None
    if any(
        value != int(value) for value, is_whole in zip(numbers, whole, strict=False) if is_whole
    ):
        return None
    if extended and numbers[20] * 2 != len(numbers) - 21 - extra_columns:
        return None
    return numbers


def number(token: bytes) -> float | None:
    """Value of a decimal number, or None where the kernel declines."""
    match = NUMBER.fullmatch(token)
    if match is None or not (match[2] or match[3]):
        return None
    digits = (match[2] + (match[3] or b"")).lstrip(b"0")
    if len(digits) > 19:
        return None
    mantissa = int(digits or b"0")
    power = int(match[4] or 0) - len(match[3] or b"")
    small = mantissa <= EXACT and abs(power) <= 22
    if not small and not (mantissa and -27 <= power <= 0):
        return None
    value = mantissa * Fraction(10) ** power
    if value >= EXACT:
        return None
    return -float(value) if match[1] == b"-" and value else float(value)
