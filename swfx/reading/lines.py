"""One job line at a time: the reader's way for lines that the compiled scan declines.

What is wrong with a line is found here, so that every message has one home; sound numbers that need
more than 64 bits are read here too.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from decimal import Decimal

from swfx.base.columns import LIMIT
from swfx.base.errors import InputError
from swfx.fields import FIELDS, field_label, point_label

__all__ = ["JobLine", "LineError", "extended_label", "parse_line", "parse_tuples"]

_NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_NOT_FINITE = re.compile(r"[+-]?(?:nan|inf|infinity)", re.IGNORECASE)
_TUPLE = re.compile(r"\s*\(\s*([^\s,()]+)\s*,\s*([^\s,()]+)\s*\)")
_SHOWN = 40  # characters of a field that a message repeats
_REMEDY = "correct the line, or read leniently to drop it"
_MARK = ";"  # may stand before the fields after the 18th, which are a comment to other readers
_FIRST_POINT = 21  # position of the first point of an extended line


class LineError(InputError):
    """A job line that cannot be read; `rule` names the entry of the load report."""

    def __init__(self, rule: str, message: str, field: str | None = None) -> None:
        super().__init__(message, field=field, remedy=_REMEDY)
        self.rule = rule


@dataclass(frozen=True)
class JobLine:
    """Numbers of one job line: the 18 of SWF, and in extended SWF what follows.

    `further` are checkpoint interval, restart overhead and the extra columns.
    """

    fields: tuple[float, ...]
    further: tuple[float, ...] = ()
    times: tuple[float, ...] = ()
    values: tuple[float, ...] = ()


def parse_line(text: str, extended: bool, extra_columns: tuple[str, ...] = ()) -> JobLine:
    """Return the numbers of a job line.

    Parameters
    ----------
    text : str
        The line, without its end.
    extended : bool
        Whether fields after the 18th are those of extended SWF; if not they are left alone.
    extra_columns : tuple of str
        Names of the fields behind the points of an extended line.

    Raises
    ------
    LineError
        With the first field that is wrong.

    Examples
    --------
    >>> parse_line("1 0 -1 9 1 -1 -1 1 9 -1 1 1 1 -1 1 -1 -1 -1", False).fields[3]
    9.0
    """
    tokens = re.split(r"[ \t]+", text.strip(" \t"))
    if extended and tokens[len(FIELDS) : len(FIELDS) + 1] == [_MARK]:
        del tokens[len(FIELDS)]
    fields = tuple(
        _number(token, field_label(position), FIELDS[position].dtype == "int64")
        for position, token in enumerate(tokens[: len(FIELDS)])
    )
    needed = _FIRST_POINT + len(extra_columns) if extended else len(FIELDS)
    if len(fields) < len(FIELDS):
        raise LineError("too-few-fields", f"the line has {len(fields)} of {needed} fields")
    return _extended(fields, tokens, extra_columns) if extended else JobLine(fields)


def _extended(fields: tuple[float, ...], tokens: list[str], extra: tuple[str, ...]) -> JobLine:
    """Read the fields after the 18th of an extended line."""
    head = [
        _number(token, field_label(position), position == _FIRST_POINT - 1)
        for position, token in enumerate(tokens[:_FIRST_POINT])
        if position >= len(FIELDS)
    ]
    if len(tokens) < _FIRST_POINT:
        needed = _FIRST_POINT + len(extra)
        raise LineError("too-few-fields", f"the line has {len(tokens)} of {needed} fields")
    curve_end = _FIRST_POINT + 2 * int(max(head[2], 0))
    rest = [
        _number(token, extended_label(position, curve_end, extra), whole=False)
        for position, token in enumerate(tokens)
        if position >= _FIRST_POINT
    ]
    _check_count(head[2], len(extra), len(rest))
    points = rest[: len(rest) - len(extra)]
    further = (*head[:2], *rest[len(points) :])
    return JobLine(fields, further, tuple(points[::2]), tuple(points[1::2]))


def extended_label(position: int, curve_end: int, extra_columns: tuple[str, ...]) -> str:
    """Name of a field of an extended line whose curve ends before position `curve_end`.

    >>> extended_label(25, 25, ("soft_estimate",))
    'soft_estimate (26)'
    """
    if curve_end <= position < curve_end + len(extra_columns):
        return f"{extra_columns[position - curve_end]} ({position + 1})"
    return field_label(position)


def parse_tuples(text: str) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Read what follows the 18th field as `(time,value)` tuples.

    Examples
    --------
    >>> parse_tuples("(0,100) (3600,0)")
    ((0.0, 3600.0), (100.0, 0.0))
    """
    times: list[float] = []
    values: list[float] = []
    position = 0
    while text[position:].strip():
        match = _TUPLE.match(text, position)
        if match is None:
            shown = text[position:].strip()
            raise LineError(
                "broken-utility", f"is not a (time,value) tuple: {_show(shown)}", "utility"
            )
        point = len(times)
        times.append(_number(match[1], point_label(point, is_value=False), whole=False))
        values.append(_number(match[2], point_label(point, is_value=True), whole=False))
        position = match.end()
    return tuple(times), tuple(values)


def _check_count(count: float, extra: int, present: int) -> None:
    field = field_label(_FIRST_POINT - 1)
    if count < 0:
        raise LineError("broken-utility", f"{count:.0f} points are impossible", field)
    if 2 * count + extra != present:
        columns = f" and {extra} extra columns" if extra else ""
        raise LineError(
            "broken-utility",
            f"{count:.0f} points{columns} take {2 * count + extra:.0f} fields,"
            f" the line has {present} more",
            field,
        )


def _number(token: str, field: str, whole: bool) -> float:
    if not _NUMBER.fullmatch(token):
        if _NOT_FINITE.fullmatch(token):
            raise LineError("not-finite", f"is not finite: {_show(token)}", field)
        raise LineError("not-a-number", f"is not a decimal number: {_show(token)}", field)
    value = float(token)
    if abs(value) > LIMIT or (token.lstrip("+-").isdigit() and abs(Decimal(token)) > LIMIT):
        message = f"is beyond the limit of 2^53 = {LIMIT}: {_show(token)}"
        raise LineError("beyond-limit", message, field)
    if whole and value != math.floor(value):
        raise LineError("not-whole", f"is not a whole number: {_show(token)}", field)
    return value + 0.0


def _show(token: str) -> str:
    return ascii(token if len(token) <= _SHOWN else token[:_SHOWN] + "...")
