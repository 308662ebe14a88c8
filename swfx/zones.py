"""Time zones by name."""

from __future__ import annotations

import difflib
from zoneinfo import ZoneInfo, available_timezones

from swfx.errors import InputError

__all__ = ["find_zone"]


def find_zone(name: str, field: str = "timezone", source: str | None = None) -> ZoneInfo:
    """Time zone by its IANA name, such as Europe/Paris.

    Parameters
    ----------
    name : str
        Of the zone.
    field, source : str
        Where the name stands, for the message.

    Raises
    ------
    InputError
        No zone has the name; the nearest is suggested.

    Examples
    --------
    >>> find_zone("Europe/Paris").key
    'Europe/Paris'
    """
    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        close = difflib.get_close_matches(name, sorted(available_timezones()), 1)
        remedy = f"did you mean {close[0]!r}?" if close else "names are such as Europe/Paris"
        raise InputError(
            f"no time zone is named {name!r}", source=source, field=field, remedy=remedy
        ) from None
