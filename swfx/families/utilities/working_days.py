"""Working days of a calendar, and when the clock shows a time on them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

import numpy as np

from swfx.base.columns import Floats
from swfx.base.errors import InputError

__all__ = ["DAYS", "LATEST", "WorkingDays", "days_text", "read_days", "read_time"]

DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")

LATEST = 7_258_118_400.0
"""Last Unix time (s) of a deadline: the year 2200. What lies behind it is no date but an error."""


@dataclass(frozen=True)
class WorkingDays:
    """The working days of a calendar.

    Parameters
    ----------
    days : tuple of int
        Days of the week that are worked, 0 is Monday.
    zone : ZoneInfo
        Whose clocks count, daylight saving included.
    """

    days: tuple[int, ...]
    zone: ZoneInfo

    def between(self, first: float, last: float) -> list[date]:
        """All working days from the date of one Unix time (s) to two working days after another."""
        begin, end = (datetime.fromtimestamp(when, self.zone).date() for when in (first, last))
        count = (end - begin).days + 2 * len(DAYS) + 1
        every = (begin + timedelta(days=day) for day in range(count))
        return [day for day in every if day.weekday() in self.days and self._exists(day)]

    def moments(self, dates: Sequence[date], at: time) -> Floats:
        """Unix times (s) when clocks show `at` on these dates, shape (len(dates),).

        When clocks show it twice, the first; when they skip it, as much later as they skip.
        """
        when = (datetime.combine(day, at, self.zone).timestamp() for day in dates)
        return np.fromiter(when, np.float64, len(dates))

    def _exists(self, day: date) -> bool:
        """Whether calendars have the day: Samoa went from 29 to 31 December 2011."""
        noon = datetime.combine(day, time(12), self.zone).timestamp()
        return datetime.fromtimestamp(noon, self.zone).date() == day


def read_time(text: str, source: str, field: str) -> time:
    """Read a time of the day, HH:MM.

    Raises
    ------
    InputError
        Anything else.
    """
    try:
        return datetime.strptime(text, "%H:%M").time()
    except ValueError:
        raise InputError(
            f"{text!r} is not a time of the day",
            source=source,
            field=field,
            remedy="give HH:MM, such as 09:00",
        ) from None


def read_days(text: str, source: str, field: str) -> tuple[int, ...]:
    """Read days of the week, ``mon-fri`` or ``mon,wed,fri``; ``sat-tue`` are four days.

    Raises
    ------
    InputError
        Something in it is no day.

    Examples
    --------
    >>> read_days("sun-tue,thu", "diurnal", "days")
    (0, 1, 3, 6)
    """
    days: set[int] = set()
    for part in text.casefold().split(","):
        first, dash, last = part.strip().partition("-")
        for name in (first, last) if dash else (first,):
            _check_day(name, source, field)
        begin, end = DAYS.index(first), DAYS.index(last if dash else first)
        days.update(day % len(DAYS) for day in range(begin, begin + (end - begin) % len(DAYS) + 1))
    return tuple(sorted(days))


def days_text(days: Sequence[int]) -> str:
    """Return the text of working days, as `read_days` reads it."""
    return ",".join(DAYS[day] for day in days)


def _check_day(name: str, source: str, field: str) -> None:
    if name not in DAYS:
        raise InputError(
            f"{name!r} is no day",
            source=source,
            field=field,
            remedy="give days such as mon-fri or mon,wed",
        )
