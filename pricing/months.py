"""Calendar months of a log's clock.

A job belongs to the month in which it completed: only then is its charge known. Months are those of
the log's time zone, UTC if it has none, counted from the header's ``UnixStartTime``; without it
they are `UNKNOWN`.
"""

from __future__ import annotations

from datetime import UTC, datetime, tzinfo

import numpy as np
import numpy.typing as npt

from swfx.base.columns import Floats
from swfx.clock import Clock

UNKNOWN = "unknown"

LAST_SECOND = 253_402_300_799
"""Unix time of the end of the year 9999; later times have no month that reads as one."""
LAST_MONTH = np.datetime64("9999-12")


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
    if clock is None or clock.start < 0:
        return np.full(len(times), UNKNOWN)
    seconds = np.floor(times) + clock.start
    known = (seconds >= 0) & (seconds <= LAST_SECOND)
    stamps = np.where(known, seconds, 0).astype("int64")
    return np.where(known, _local_months(stamps, clock.zone).astype(str), UNKNOWN)


def _local_months(stamps: npt.NDArray[np.int64], zone: tzinfo) -> npt.NDArray[np.datetime64]:
    """Month of Unix times (s) by the clocks of a zone: that of UTC, or one before or after it."""
    by_utc = stamps.astype("datetime64[s]").astype("datetime64[M]")
    if zone is UTC or not len(stamps):
        return by_utc
    every = np.unique(by_utc)
    begins = np.array([_begin(month, zone) for month in every])
    ends = np.array([_begin(month + 1, zone) for month in every])
    place = np.searchsorted(every, by_utc)
    shift = (stamps >= ends[place]).astype(np.int64) - (stamps < begins[place])
    local: npt.NDArray[np.datetime64] = by_utc + shift.astype("timedelta64[M]")
    return local


def _begin(month: np.datetime64, zone: tzinfo) -> float:
    """Unix time (s) at which a month begins by the clocks of a zone."""
    if month > LAST_MONTH:
        return np.inf
    return datetime.fromisoformat(f"{month}-01").replace(tzinfo=zone).timestamp()
