"""Calendar months and days of a log's clock.

A job belongs to the month in which it completed: only then is its charge known. Months are those of
the log's time zone, UTC if it has none, counted from the header's ``UnixStartTime``; without it
they are `UNKNOWN`.
"""

from __future__ import annotations

from datetime import UTC, datetime, tzinfo
from typing import Literal

import numpy as np
import numpy.typing as npt

from swfx.base.columns import Floats
from swfx.clock import Clock

UNKNOWN = "unknown"

LAST_SECOND = 253_402_300_799
"""Unix time of the end of the year 9999; later times have no date that reads as one."""
LAST_DAY = np.datetime64("9999-12-31")

Dates = npt.NDArray[np.datetime64]


def months(times: Floats, clock: Clock | None) -> npt.NDArray[np.str_]:
    """Month of each time, as ``YYYY-MM``.

    Parameters
    ----------
    times : ndarray of float64, shape (n,)
        Seconds on the log's clock.
    clock : Clock or None
        The log's clock; None or one that begins before 1970 = not known.

    Returns
    -------
    ndarray of str, shape (n,)

    Examples
    --------
    >>> months(np.array([0.0, 31 * 86400.0]), Clock(946684800, UTC)).tolist()
    ['2000-01', '2000-02']
    """
    dates = _local(times, clock, "M")
    return np.where(np.isnat(dates), UNKNOWN, dates.astype(str))


def days(times: Floats, clock: Clock | None) -> Dates:
    """Day of each time by the log's clock, shape (n,); NaT where it is not known.

    Parameters
    ----------
    times : ndarray of float64, shape (n,)
        Seconds on the log's clock.
    clock : Clock or None
        The log's clock; None or one that begins before 1970 = not known.

    Examples
    --------
    >>> days(np.array([0.0, 86400.0]), Clock(946684800, UTC)).astype(str).tolist()
    ['2000-01-01', '2000-01-02']
    """
    return _local(times, clock, "D")


def _local(times: Floats, clock: Clock | None, unit: Literal["M", "D"]) -> Dates:
    """Return months or days by the clock's zone; NaT where they are not known."""
    if clock is None or clock.start < 0:
        return np.full(len(times), "NaT", f"datetime64[{unit}]")
    seconds = np.floor(times) + clock.start
    known = (seconds >= 0) & (seconds <= LAST_SECOND)
    stamps = np.where(known, seconds, 0).astype("int64")
    dates = _in_zone(stamps, clock.zone, unit)
    dates[~known] = "NaT"
    return dates


def _in_zone(stamps: npt.NDArray[np.int64], zone: tzinfo, unit: Literal["M", "D"]) -> Dates:
    """Months or days of Unix times (s) by the clocks of a zone: UTC's, or one before or after."""
    by_utc: Dates = stamps.astype("datetime64[s]").astype(f"datetime64[{unit}]")
    if zone is UTC or not len(stamps):
        return by_utc
    every, place = np.unique(by_utc, return_inverse=True)
    begins = np.array([_begin(date, zone) for date in every])
    ends = np.array([_begin(date, zone) for date in every + np.timedelta64(1, unit)])
    shift = (stamps >= ends[place]).astype(np.int64) - (stamps < begins[place])
    local: Dates = by_utc + shift.astype(f"timedelta64[{unit}]")
    return local


def _begin(date: np.datetime64, zone: tzinfo) -> float:
    """Unix time (s) at which a month or a day begins by the clocks of a zone."""
    first = date.astype("datetime64[D]")
    if first > LAST_DAY:
        return np.inf
    return datetime.fromisoformat(str(first)).replace(tzinfo=zone).timestamp()
