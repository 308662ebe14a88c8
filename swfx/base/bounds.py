"""Refusals of parameters that lie outside a model's bounds."""

from __future__ import annotations

import math
from numbers import Integral
from typing import Any

from swfx.base.errors import InputError
from swfx.base.options import as_float


def require_between(source: str, name: str, value: float, low: float, high: float) -> None:
    """Refuse a value outside [low, high], NaN included; `high` may be infinite.

    Raises
    ------
    InputError
        Naming the value and both bounds.

    Examples
    --------
    >>> require_between("lublin", "start_hour", 24, 0, 23)
    Traceback (most recent call last):
    swfx.base.errors.InputError: lublin: field start_hour: 24 is out of bounds; give 0 to 23
    """
    if low <= value <= high:
        return
    if high == math.inf:
        problem, limits = f"{value:g} is below {low:g}", f"give {low:g} or more"
    else:
        problem, limits = f"{value:g} is out of bounds", f"give {low:g} to {high:g}"
    raise InputError(problem, source=source, field=name, remedy=limits)


def float_between(source: str, name: str, text: str, low: float, high: float) -> float:
    """Read a number in [low, high].

    Raises
    ------
    InputError
        The text is no number, or one out of bounds.
    """
    value = as_float(text, source, name)
    require_between(source, name, value, low, high)
    return value


def require_whole(source: str, name: str, value: Any, low: float, high: float) -> None:
    """Refuse a value that is not a whole number in [low, high].

    Raises
    ------
    InputError
        Naming the value, and both bounds if it is outside them.
    """
    if isinstance(value, bool) or not isinstance(value, Integral):
        raise InputError(
            f"{value!r} is not a whole number",
            source=source,
            field=name,
            remedy="give a whole number",
        )
    require_between(source, name, int(value), low, high)
