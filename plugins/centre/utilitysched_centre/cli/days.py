"""Days on command lines."""

from datetime import date

from swfx.base.errors import InputError

LAST_YEAR = 2999
"""Of days: the days until payment is due come after them."""


def day_of(text: str) -> date:
    """Return the day YYYY-MM-DD.

    Raises
    ------
    InputError
        The text is no day, or one after the year 2999.
    """
    try:
        day = date.fromisoformat(text)
    except ValueError:
        raise InputError(f"{text!r} is not YYYY-MM-DD, such as 2026-11-02") from None
    if day.year > LAST_YEAR:
        raise InputError(f"{text} is after {LAST_YEAR}")
    return day
