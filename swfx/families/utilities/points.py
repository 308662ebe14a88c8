"""Points of a utility function in one line of text."""

from __future__ import annotations

import re

from swfx.base.errors import InputError
from swfx.base.options import SECONDS_IN, as_float, as_seconds, as_text
from swfx.utility import UtilityFunction

__all__ = ["points_text", "read_points", "tuples_text"]

SOURCE = "curve"

_POINT = re.compile(r"\s*([^:\s]+(?: [a-z]+)?)\s*:\s*([^:\s]+)\s*")


def read_points(text: str) -> UtilityFunction:
    """Read ``TIME:VALUE,TIME:VALUE,...``, times since submission in seconds or as ``4h``.

    Raises
    ------
    InputError
        It is no such text, or makes no utility function.

    Examples
    --------
    >>> read_points("0:8,1h:8,2h:0").times.tolist()
    [0.0, 3600.0, 7200.0]
    """
    try:
        pairs = [_point(part) for part in text.split(",")]
        return UtilityFunction(
            [as_seconds(time, SOURCE, "time") for time, _ in pairs],
            [as_float(value, SOURCE, "value") for _, value in pairs],
        )
    except InputError as error:
        raise InputError(
            error.message, source=f"{SOURCE} {text}", field=error.field, remedy=error.remedy
        ) from None


def points_text(curve: UtilityFunction) -> str:
    """Write a curve for `read_points` in its shortest exact form.

    Examples
    --------
    >>> points_text(read_points("0:8,14400:0.85,14401.5:0.5,2d:0"))
    '0:8,4h:0.85,14401.5:0.5,2d:0'
    """
    return ",".join(f"{_short(time)}:{as_text(value)}" for time, value in _pairs(curve))


def tuples_text(curve: UtilityFunction) -> str:
    """Write a curve as ``(time,value)`` tuples, which follow the 18 fields of a job (LEE 2.6.1).

    Examples
    --------
    >>> tuples_text(read_points("0:8,4h:0"))
    '(0,8) (14400,0)'
    """
    return " ".join(f"({as_text(time)},{as_text(value)})" for time, value in _pairs(curve))


def _pairs(curve: UtilityFunction) -> list[tuple[float, float]]:
    return list(zip(curve.times.tolist(), curve.values.tolist(), strict=True))


def _short(time: float) -> str:
    units = (unit for unit in ("d", "h", "min") if time and time % SECONDS_IN[unit] == 0)
    unit = next(units, "")
    return f"{as_text(time / SECONDS_IN.get(unit, 1))}{unit}"


def _point(text: str) -> tuple[str, str]:
    point = _POINT.fullmatch(text)
    if point is None:
        raise InputError(f"{text.strip()!r} is no point", remedy="write TIME:SU, as in 0:200,12h:0")
    return point[1], point[2]
