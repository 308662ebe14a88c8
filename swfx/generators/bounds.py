"""Refusals of parameters that lie outside a model's bounds."""

from __future__ import annotations

import math

from swfx.errors import InputError


def require_between(source: str, name: str, value: float, low: float, high: float) -> None:
    """Refuse a value outside [low, high], NaN included; an infinite bound is open.

    Raises
    ------
    InputError
        Naming the value and both bounds.

    Examples
    --------
    >>> require_between("lublin", "start_hour", 24, 0, 23)
    Traceback (most recent call last):
    swfx.errors.InputError: lublin: field start_hour: 24 is out of bounds; give 0 to 23
    """
    if low <= value <= high and math.isfinite(value):
        return
    limit = f"give {low:g} to {high:g}" if math.isfinite(high) else f"give at least {low:g}"
    raise InputError(f"{value:g} is out of bounds", source=source, field=name, remedy=limit)


def require_positive(source: str, name: str, value: float) -> None:
    """Refuse a value that is not finite and above 0.

    Raises
    ------
    InputError
        Naming the value and the bound.
    """
    if not (value > 0 and math.isfinite(value)):
        raise InputError(
            f"{value:g} is out of bounds",
            source=source,
            field=name,
            remedy="give a finite number above 0",
        )


def require_whole(source: str, name: str, value: object) -> None:
    """Refuse a value that is not a whole number.

    Raises
    ------
    InputError
        Naming the value.
    """
    if isinstance(value, bool) or not isinstance(value, int):
        raise InputError(
            f"{value!r} is not a whole number",
            source=source,
            field=name,
            remedy="give a whole number",
        )
