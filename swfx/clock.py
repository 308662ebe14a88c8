"""The clock on the wall where a log was recorded."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta, timezone, tzinfo

from swfx.base.errors import InputError
from swfx.base.options import as_seconds
from swfx.base.zones import find_zone
from swfx.header import Header

__all__ = [
    "Clock",
    "calendar_of",
    "clock_of",
    "has_relative_times",
    "instant",
    "next_time",
    "time_of_day",
    "unknown_zone",
    "zone_of",
]

_YEAR = 365 * 86_400  # s, all of 1970
_NUMBER = re.compile(r"[+-]?\d+(\.\d+)?")
_QUANTITY = re.compile(r"\d+(\.\d+)? ?[a-z]+")
_TIME_OF_DAY = re.compile(r"([01]?\d|2[0-3]):([0-5]\d)")


@dataclass(frozen=True)
class Clock:
    """Turns dates into seconds of a log and back.

    Parameters
    ----------
    start : int
        Unix time (s) of time 0 of the log.
    zone : tzinfo
        Of dates that name none.

    Examples
    --------
    >>> clock = Clock.of(Header((" UnixStartTime: 1078605840", " TimeZoneString: US/Pacific")))
    >>> clock.seconds("2004-03-07"), clock.date(0).isoformat()
    (40560.0, '2004-03-06T12:44:00-08:00')
    """

    start: int
    zone: tzinfo

    @classmethod
    def of(cls, header: Header) -> Clock:
        """Clock that a header tells of.

        Raises
        ------
        InputError
            The header does not say when the log began, or names a zone that is not known.
        """
        if header.unix_start_time is None:
            raise InputError(
                "the header does not say when the log began",
                field="UnixStartTime",
                remedy="give seconds since the start of the log in place of dates",
            )
        return cls(header.unix_start_time, zone_of(header))

    def seconds(self, date: str) -> float:
        """Seconds of the log at a date, such as 2004-03-07 or 2004-03-07T09:30.

        Raises
        ------
        InputError
            It is no date.
        """
        try:
            when = datetime.fromisoformat(date)
        except ValueError:
            raise InputError(
                f"{date!r} is neither seconds nor a date", remedy="write 2004-03-07T09:30"
            ) from None
        placed = when if when.tzinfo else when.replace(tzinfo=self.zone)
        return placed.timestamp() - self.start

    def date(self, seconds: float) -> datetime:
        """Date at a time of the log.

        Raises
        ------
        InputError
            The calendar, which ends with the year 9999, has no such date.
        """
        try:
            return datetime.fromtimestamp(self.start + seconds, self.zone)
        except (ValueError, OverflowError, OSError):
            raise InputError(
                f"{seconds:g} s after {self.start} there is no date",
                field="UnixStartTime",
                remedy="write the start in seconds since 1970, not milliseconds; look at the time",
            ) from None


def clock_of(header: Header) -> Clock | None:
    """Clock that a header tells of; None if it tells of none. UTC stands for an unknown zone."""
    if header.unix_start_time is None:
        return None
    return Clock(header.unix_start_time, UTC if unknown_zone(header) else zone_of(header))


def calendar_of(header: Header) -> Clock | None:
    """Clock for showing dates: None where a log has none, or begins in 1970, as relative times do.

    Examples
    --------
    >>> calendar_of(Header((" UnixStartTime: 0",))), calendar_of(Header(()))
    (None, None)
    """
    clock = clock_of(header)
    return None if clock is None or has_relative_times(header) else clock


def has_relative_times(header: Header) -> bool:
    """Whether a header puts time 0 of the log in 1970: its times have no known date."""
    start = header.unix_start_time
    return start is not None and 0 <= start < _YEAR


def instant(text: str, clock: Clock | None, option: str) -> float:
    """Read a time of a log: seconds, a time since its beginning with its unit, or a date.

    Parameters
    ----------
    text : str
        As typed.
    clock : Clock or None
        Of the log; None if it has none.
    option : str
        What was typed, for messages.

    Raises
    ------
    InputError
        It is none of these, or a date where the log has no clock.

    Examples
    --------
    >>> clock = Clock(1078605840, UTC)
    >>> [instant(text, clock, "--at") for text in ("90", "2d", "2004-03-07")]
    [90.0, 172800.0, 11760.0]
    """
    if is_number(text):
        return float(text)
    if has_unit(text):
        return as_seconds(text, option, "time")
    if clock is None:
        raise InputError(
            "the header does not say when the log began",
            field=f"{option}, UnixStartTime",
            remedy="give seconds since the start of the log in place of dates",
        )
    try:
        return clock.seconds(text)
    except InputError as error:
        raise InputError(error.message, field=option, remedy=error.remedy) from None


def time_of_day(text: str, field: str) -> time:
    """Read HH:MM.

    Raises
    ------
    InputError
        It is no time of the day.
    """
    parts = _TIME_OF_DAY.fullmatch(text)
    if not parts:
        raise InputError(
            f"{text!r} is no time of the day", field=field, remedy="write it as in 08:00"
        )
    return time(int(parts[1]), int(parts[2]))


def next_time(clock: Clock, now: float, at: time) -> float:
    """Next time of a log, after `now`, at which its clock shows a time of the day (s).

    Examples
    --------
    >>> from swfx.base.zones import find_zone
    >>> berlin = Clock(0, find_zone("Europe/Berlin"))
    >>> next_time(berlin, 0.0, time(8)), next_time(berlin, 25200.0, time(8))
    (25200.0, 111600.0)
    """
    today = clock.date(now).date()
    days = (today + timedelta(days=ahead) for ahead in range(3))
    moments = (datetime.combine(day, at, clock.zone).timestamp() - clock.start for day in days)
    return next(moment for moment in moments if moment > now)


def unknown_zone(header: Header) -> str:
    """Name that a header gives as that of its zone, and no zone has; empty otherwise.

    >>> unknown_zone(Header((" TimeZoneString: Foo/Bar",)))
    'Foo/Bar'
    """
    try:
        zone_of(header)
    except InputError:
        return header.get("TimeZoneString") or ""
    return ""


def zone_of(header: Header) -> tzinfo:
    """Time zone of a log: `TimeZoneString`, else `TimeZone` (s east of Greenwich), else UTC.

    Raises
    ------
    InputError
        `TimeZoneString` names no zone.
    """
    name = header.get("TimeZoneString")
    if name:
        return find_zone(name, "TimeZoneString")
    offset = header.get("TimeZone") or "0"
    if not _NUMBER.fullmatch(offset) or abs(float(offset)) >= 86_400:
        return UTC
    return timezone(timedelta(seconds=float(offset)))


def is_number(text: str) -> bool:
    """Whether a time is written in seconds."""
    return _NUMBER.fullmatch(text) is not None


def has_unit(text: str) -> bool:
    """Whether a time is written as a number and its unit."""
    return _QUANTITY.fullmatch(text) is not None
