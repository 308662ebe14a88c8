"""Calendar months of a log's clock.

A job belongs to the month in which it completed: only then is its charge known. Months are those of
UTC, counted from the header's ``UnixStartTime``; without it they are `UNKNOWN`.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from swfx.base.columns import Floats

UNKNOWN = "unknown"

LAST_SECOND = 253_402_300_799
"""Unix time of the end of the year 9999; later times have no month that reads as one."""


def months(times: Floats, unix_start_time: int | None) -> npt.NDArray[np.str_]:
    """Month of each time, as ``YYYY-MM``.

    Parameters
    ----------
    times : ndarray of float64, shape (n,)
        Seconds on the log's clock.
    unix_start_time : int or None
        Unix time (s) of the clock's zero; None or negative = not known.

    Returns
    -------
    ndarray of str, shape (n,)

    Examples
    --------
    >>> months(np.array([0.0, 31 * 86400.0]), 946684800).tolist()
    ['2000-01', '2000-02']
    """
    if unix_start_time is None or unix_start_time < 0:
        return np.full(len(times), UNKNOWN)
    seconds = np.floor(times) + unix_start_time
    known = (seconds >= 0) & (seconds <= LAST_SECOND)
    stamps = np.where(known, seconds, 0).astype("int64").astype("datetime64[s]")
    return np.where(known, stamps.astype("datetime64[M]").astype(str), UNKNOWN)
