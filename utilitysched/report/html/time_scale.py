"""Horizontal scale of charts over time."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta

import numpy as np

from swfx.clock import Clock, clock_of
from utilitysched.model.state import Floats
from utilitysched.runs import RunResults

DAY = 86_400.0
PROBES = 100
"""Instants at which a clock is asked whether it has been put forward."""


@dataclass(frozen=True)
class TimeScale:
    """A scale that grows evenly: clocks are not put forward or back on it.

    Attributes
    ----------
    origin : float
        First second of the log that is shown; columns of times are counted from it.
    length : float
        Seconds that are shown.
    first : float
        Where the origin is: ms since 1970 on the clock of the machine's place, or 0.
    per_second : float
        Units of the scale in a second: milliseconds, or days.
    dates : bool
        Whether the units are milliseconds, to be written as dates.
    label : str
        What the scale shows, with its unit or time zone.
    """

    origin: float
    length: float
    first: float
    per_second: float
    dates: bool
    label: str

    def place(self, times: Floats) -> Floats:
        """Return where times of the log's clock (s) are."""
        return self.first + (times - self.origin) * self.per_second

    @property
    def last(self) -> float:
        """Where the last second is."""
        return self.first + self.length * self.per_second

    def to_dict(self) -> dict[str, float | bool | str]:
        """Return what the page's script must know."""
        return asdict(self)


def time_scale(runs: Sequence[RunResults]) -> TimeScale:
    """Return a scale from the first submission to the last end in any of the runs.

    Dates are those of the clock at the machine's place, where the log tells when it began; days
    since the first submission otherwise.
    """
    begin = min(_least(run.schedule.submitted(run.workload)) for run in runs)
    end = max(float(np.max(run.schedule.end, initial=begin + 1)) for run in runs)
    clock = clock_of(runs[0].workload.header)
    if clock is not None:
        with suppress(OverflowError, ValueError):  # beyond the year 9999
            return _dated(clock, begin, end)
    return TimeScale(begin, end - begin, 0.0, 1 / DAY, False, "time since the first submission (d)")


def _least(times: Floats) -> float:
    return float(np.min(times)) if len(times) else 0.0


def _dated(clock: Clock, begin: float, end: float) -> TimeScale:
    dates = [clock.date(time) for time in np.linspace(begin, end, PROBES).tolist()]
    standard = _standard_offset(dates[0])
    first = 1000 * (clock.start + begin + standard.total_seconds())
    zone = str(clock.zone)
    changed = any(date.utcoffset() != standard for date in dates)
    told = f"{zone}, summer time ignored" if changed else zone
    return TimeScale(begin, end - begin, first, 1000.0, True, f"time ({told})")


def _standard_offset(date: datetime) -> timedelta:
    return (date.utcoffset() or timedelta()) - (date.dst() or timedelta())
