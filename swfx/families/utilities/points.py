"""Points of a utility function in one line of text."""

from __future__ import annotations

import re

from swfx.base.errors import InputError
from swfx.base.options import as_float, as_seconds
from swfx.utility import UtilityFunction

__all__ = ["read_points"]

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


def _point(text: str) -> tuple[str, str]:
    point = _POINT.fullmatch(text)
    if point is None:
        raise InputError(f"{text.strip()!r} is no point", remedy="write TIME:SU, as in 0:200,12h:0")
    return point[1], point[2]
