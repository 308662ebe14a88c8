"""Time zones by name."""

from __future__ import annotations

import difflib
import re
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from zoneinfo import ZoneInfo, available_timezones

from swfx.base.errors import InputError

__all__ = ["find_zone", "read_zone", "zone_text"]


def find_zone(name: str, field: str = "timezone", source: str | None = None) -> ZoneInfo:
    """Return a time zone by IANA name, such as Europe/Paris.

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


_OFFSET = re.compile(r"([+-])([01]\d|2[0-3]):([0-5]\d)(:[0-5]\d)?")


def read_zone(text: str, field: str = "timezone", source: str | None = None) -> tzinfo:
    """Return a time zone by IANA name or distance from UTC, such as +01:00.

    Raises
    ------
    InputError
        It is neither.

    Examples
    --------
    >>> zone_text(read_zone("-08:00"))
    '-08:00'
    """
    parts = _OFFSET.fullmatch(text)
    if not parts:
        return find_zone(text, field, source)
    sign, hours, minutes, seconds = parts.groups()
    east = timedelta(hours=int(hours), minutes=int(minutes), seconds=int((seconds or ":0")[1:]))
    return timezone(east if sign == "+" else -east)


def zone_text(zone: tzinfo) -> str:
    """Text from which `read_zone` makes the zone again."""
    if isinstance(zone, ZoneInfo) and zone.key:
        return zone.key
    return "UTC" if zone is UTC else datetime(2000, 1, 1, tzinfo=zone).isoformat()[19:]
