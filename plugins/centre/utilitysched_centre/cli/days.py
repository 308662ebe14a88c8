"""Days on command lines."""

from datetime import date

from swfx.base.errors import InputError


def day_of(text: str) -> date:
    """Return the day YYYY-MM-DD."""
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise InputError(f"{text!r} is not YYYY-MM-DD, such as 2026-11-02") from None
