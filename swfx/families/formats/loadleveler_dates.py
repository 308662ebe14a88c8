"""Dates as LoadLeveler prints them."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from swfx.accounting.record_error import NOT_A_DATE, RecordError

__all__ = ["Dates"]

_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_DAY = r"(?P<day>\d\d?)"
_MONTH = r"(?P<month>[A-Z][a-z][a-z])"
_YEAR = r"(?P<year>\d{4})"
_TIME = r"(?P<hour>\d\d?):(?P<minute>\d\d):(?P<second>\d\d)(?: (?P<half>[AP]M))?"
_ZONE = r"(?: (?P<zone>[A-Z+-]\S*))?"
_FORMS = tuple(
    re.compile(rf"(?:[A-Z][a-z][a-z] )?{form}", re.ASCII)
    for form in (
        rf"{_MONTH} {_DAY} {_TIME}{_ZONE} {_YEAR}",
        rf"{_DAY} {_MONTH} {_YEAR} {_TIME}{_ZONE}",
    )
)


class Dates:
    """Reader of dates, all of one time zone.

    Parameters
    ----------
    zone : ZoneInfo
        Of the dates. `UTC` and `GMT` in a date overrule it; other abbreviations are not unique, and
        only say which of two instants is meant where clocks went back.

    Attributes
    ----------
    strange_zones : set of str
        Abbreviations met that the zone does not have at that time.

    Examples
    --------
    >>> dates = Dates(ZoneInfo("America/Chicago"))
    >>> dates.instant("Tue Jul 24 10:19:37 CDT 2007", "Queue Date")
    1185290377.0
    >>> dates.instant("Sun 04 Nov 2007 01:30:00 AM CST", "Queue Date")
    1194161400.0
    """

    def __init__(self, zone: ZoneInfo) -> None:
        self.zone = zone
        self.strange_zones: set[str] = set()

    def instant(self, text: str, field: str) -> float:
        """Unix time (s) of a date.

        Raises
        ------
        RecordError
            It is none, or one that does not exist.
        """
        words = " ".join(text.split())
        match = next((m for form in _FORMS if (m := form.fullmatch(words))), None)
        if match is None or match["month"] not in _MONTHS:
            raise RecordError(NOT_A_DATE, text, field)
        try:
            return self._placed(_plain(match), match["zone"]).timestamp()
        except (ValueError, OverflowError):
            raise RecordError(NOT_A_DATE, text, field) from None

    def _placed(self, when: datetime, abbreviation: str | None) -> datetime:
        if abbreviation in {"UTC", "GMT"}:
            return when.replace(tzinfo=UTC)
        first, second = (when.replace(tzinfo=self.zone, fold=fold) for fold in (0, 1))
        if abbreviation not in {None, first.tzname(), second.tzname()}:
            self.strange_zones.add(str(abbreviation))
        return second if abbreviation == second.tzname() != first.tzname() else first


def _plain(match: re.Match[str]) -> datetime:
    hour = int(match["hour"])
    if match["half"]:
        hour = hour % 12 + (12 if match["half"] == "PM" else 0)
    return datetime(
        int(match["year"]),
        _MONTHS.index(match["month"]) + 1,
        int(match["day"]),
        hour,
        int(match["minute"]),
        int(match["second"]),
    )
