"""The next time that a clock on the wall shows a time of the day."""

import re
from datetime import datetime, time, timedelta

from swfx import InputError
from swfx.clock import Clock


def time_of_day(text: str, field: str) -> time:
    """Read HH:MM."""
    parts = re.fullmatch(r"([01]?\d|2[0-3]):([0-5]\d)", text)
    if not parts:
        raise InputError(
            f"{text!r} is no time of the day", field=field, remedy="write it as in 08:00"
        )
    return time(int(parts[1]), int(parts[2]))


def next_time(clock: Clock, now: float, at: time) -> float:
    """Return when it is next so late, after `now` (s on the log's clock).

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
