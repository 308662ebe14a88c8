"""Options of lies, read from text."""

from swfx import InputError
from swfx.base.options import as_float


def read_factor(text: str) -> float:
    """Read a finite number above 0.

    Raises
    ------
    InputError
        Anything else.
    """
    factor = as_float(text, "lie", "factor")
    if factor <= 0:
        raise InputError(f"{text!r} is not above 0", source="lie", remedy="give more")
    return factor


def at_least(number: int, least: int, source: str, field: str) -> int:
    """Return the number.

    Raises
    ------
    InputError
        It is less.
    """
    if number < least:
        raise InputError(
            f"{number} is less than {least}", source=source, field=field, remedy="give more"
        )
    return number
