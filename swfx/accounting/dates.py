"""Dates of a log, as Unix times."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from datetime import datetime, tzinfo
from functools import lru_cache
from itertools import product

import numpy as np

from swfx.accounting.quantities import digits_of, number
from swfx.accounting.record_error import NOT_A_DATE, RecordError
from swfx.base.columns import Floats

__all__ = [
    "LOCAL",
    "instant",
    "instants",
    "is_certain",
    "is_local",
    "is_no_time",
    "ordered_instants",
    "unix_time",
]

LOCAL = "dates without offset are taken as UTC: give timezone=AREA/CITY"
"""Note on a log that has such, and of which the time zone is not told."""

_NO_TIME = re.compile(
    r"|unknown|none|n/a|invalid|na[nt]|\(?null\)?|-?inf(inity)?|1970-01-01|0000-00-00.*"
    r"|(-?0+|-1|429496729[45]|-?9223372036854\d{6}|1844674407370955\d{4})(\.0*)?"
    r"|(-?9\.22337203|1\.84467440)\d*e\+?1[89]",
    re.IGNORECASE,
)
"""Texts and numbers that stand in place of a time that is not known, or has not come yet.

In Slurm 2^32 - 2 is NO_VAL, 2^32 - 1 INFINITE; so are numbers of 64 bits, which programs round.
"""

_NO_TIMES = (-1, 0, 4_294_967_294, 4_294_967_295)
"""Those of the numbers that dates stand for."""

_QUARTER_HOUR, _DAY = 900.0, 86_400.0  # s; clocks differ by quarters of an hour

_END_OF_TIME = 253_402_300_800.0  # s: the year 10000

_DATE = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d([.,]\d{1,6})?)?(Z|[+-]\d\d:?\d\d)?")
_PLAIN = re.compile(r"(\d{4}-\d\d-\d\dT\d\d):([0-5]\d):([0-5]\d)", re.ASCII)
_MOST_TENS = 5  # of minutes and seconds
_LAST_SECOND = 3599  # of an hour
_SECONDS = re.compile(r"\d{1,12}(\.\d+)?")
_INSTANT = re.compile(r"\d+(\.\d*)?|.*:\d\d([.,]\d+)?(Z|[+-]\d\d:?\d\d)")
"""Unix time, or a date with offset."""


def instant(text: str, zone: tzinfo, field: str | None = None, *, fold: int = 0) -> float | None:
    """Read a date.

    Parameters
    ----------
    text : str
        Such as ``2024-03-07T09:30:00``, with a blank in place of the T, with an offset or Z at its
        end, or Unix time (s). What stands for no time gives none: see `is_no_time`.
    zone : tzinfo
        Of dates without offset.
    field : str, optional
        Column, for the message.
    fold : {0, 1}
        Which of the two instants is meant where clocks went back: the first or the second.

    Returns
    -------
    float or None
        Unix time (s).

    Raises
    ------
    RecordError
        It is no date.

    Examples
    --------
    >>> from zoneinfo import ZoneInfo
    >>> instant("2024-10-27T02:30:00", ZoneInfo("Europe/Paris"))
    1729989000.0
    >>> instant("2024-10-27T02:30:00", ZoneInfo("Europe/Paris"), fold=1)
    1729992600.0
    """
    if plain := _PLAIN.fullmatch(text):
        hour, minute, second = plain.groups()
        if (begins := _steady_hour(hour, zone)) is not None:
            return _unless_none(begins + 60 * int(minute) + int(second))
    text = text.strip()
    if is_no_time(text):
        return None
    if _SECONDS.fullmatch(text):
        return float(text)
    if not _DATE.fullmatch(text):
        raise RecordError(NOT_A_DATE, text, field)
    try:
        when = datetime.fromisoformat(text)
        time = (when if when.tzinfo else when.replace(tzinfo=zone, fold=fold)).timestamp()
    except (ValueError, OverflowError):
        raise RecordError(NOT_A_DATE, text, field) from None
    return _unless_none(time)


def is_no_time(text: str) -> bool:
    """Whether a text stands for no time: words such as ``Unknown``, 0, -1, Slurm's NO_VAL.

    On a clock of the log's own (SWF, Batsim, jobs.csv) 0 is a time all the same.

    Examples
    --------
    >>> is_no_time("NaT"), is_no_time("0.0"), is_no_time("18446744073709551615"), is_no_time("10")
    (True, True, True, False)
    """
    return _NO_TIME.fullmatch(text.strip()) is not None


def is_local(text: str) -> bool:
    """Whether a text is a date without offset, if it is any.

    >>> is_local("2024-03-07 09:30"), is_local("2024-03-07T09:30:00Z"), is_local("1709802000")
    (True, False, False)
    """
    text = text.strip()
    return not text.isdecimal() and not is_no_time(text) and not _INSTANT.fullmatch(text)


def _unless_none(time: float) -> float | None:
    """Return a date's Unix time (s), or None where it is a time that stands for none.

    It may have been written by the clock of another zone. No log is older than the epoch.
    """
    if _DAY <= time <= _NO_TIMES[-1] - _DAY:
        return time
    shifts = (abs(time - none) for none in _NO_TIMES)
    written = any(shift <= _DAY and shift % _QUARTER_HOUR == 0 for shift in shifts)
    return None if written or time < -_DAY else time


def instants(texts: Sequence[str], zone: tzinfo) -> Floats:
    """Read many dates of the form ``2024-03-07T09:30:00`` or Unix times, as `instant` does.

    Returns
    -------
    ndarray of float64, shape (n,)
        Unix time (s); infinite where `instant` gives none; NaN for other forms, what is no date,
        and hours in which clocks are changed.

    Examples
    --------
    >>> from zoneinfo import ZoneInfo
    >>> instants(["1970-01-02T01:00:00", "2024-10-27T02:30:00", "None"], ZoneInfo("Europe/Paris"))
    array([86400.,    nan,    inf])
    """
    digits, readable = digits_of(texts, "0000-00-00T00:00:00")
    readable &= (digits[:, [10, 12]] <= _MOST_TENS).all(axis=1)
    _, first, which = np.unique(
        digits[:, :10] @ 10 ** np.arange(9, -1, -1), return_index=True, return_inverse=True
    )
    began = [_steady_hour(texts[place][:13], zone) for place in first.tolist()]
    since = digits[:, 10:] @ np.array([600, 60, 10, 1])
    times = np.where(readable, np.array(began, np.float64)[which] + since, math.nan)
    for place in np.flatnonzero((times < _DAY) | (times > _NO_TIMES[-1] - _DAY)).tolist():
        if _unless_none(times[place]) is None:
            times[place] = math.inf
    for place in np.flatnonzero(~readable).tolist():
        text = texts[place].strip()
        if is_no_time(text):
            times[place] = math.inf
        elif _SECONDS.fullmatch(text):
            times[place] = float(text)
    return times


@lru_cache(maxsize=1 << 17)
def _steady_hour(hour: str, zone: tzinfo) -> float | None:
    """Unix time (s) at which an hour begins; None if clocks are changed in it, or there is none.

    Most dates of a log fall into few hours, and arithmetic takes a tenth of a date's reading.
    """
    try:
        first = datetime.fromisoformat(f"{hour}:00:00")
        ends = [
            when.replace(tzinfo=zone, fold=fold).timestamp()
            for when in (first, first.replace(minute=59, second=59))
            for fold in (0, 1)
        ]
    except (ValueError, OverflowError):
        return None
    began, ended = set(ends[:2]), set(ends[2:])
    return ends[0] if len(began | ended) == 2 and ends[2] - ends[0] == _LAST_SECOND else None


def unix_time(text: str, field: str | None = None) -> float | None:
    """Read Unix time (s); what stands for no time gives none: see `is_no_time`.

    Raises
    ------
    RecordError
        It is no number, or no time before the year 10000.
    """
    if is_no_time(text):
        return None
    time = number(text, field)
    if not 0 <= time < _END_OF_TIME:
        raise RecordError(NOT_A_DATE, text, field)
    return time


def is_certain(text: str, zone: tzinfo) -> bool:
    """Whether a date is one instant, not an hour that comes twice or is left out.

    Examples
    --------
    >>> from zoneinfo import ZoneInfo
    >>> is_certain("2024-03-31T02:30:00", ZoneInfo("Europe/Paris"))
    False
    """
    return instant(text, zone) == instant(text, zone, fold=1)


def ordered_instants(
    texts: tuple[str, ...],
    zone: tzinfo,
    fields: tuple[str, ...],
    lasting: float | None = None,
) -> tuple[float | None, ...]:
    """Read dates in ascending order, such as submission, start and end.

    Where clocks went back, a date may be either of two instants. Of the choices in which dates do
    not run backwards, the one is taken that fits `lasting` best; of these the earliest.

    Parameters
    ----------
    texts : tuple of str
        The dates.
    zone : tzinfo
        Of dates without offset.
    fields : tuple of str
        Their columns, for the message.
    lasting : float, optional
        Time (s) from the last date but one to the last, where that is known.

    Raises
    ------
    RecordError
        One is no date.
    """
    first = tuple(instant(t, zone, f) for t, f in zip(texts, fields, strict=True))
    if _ascending(first) and _misfit(first, lasting) == 0:
        return first
    second = tuple(instant(t, zone, f, fold=1) for t, f in zip(texts, fields, strict=True))
    choices = [first, *filter(_ascending, product(*zip(first, second, strict=True)))]
    return min(choices, key=lambda choice: (not _ascending(choice), _misfit(choice, lasting)))


def _misfit(times: tuple[float | None, ...], lasting: float | None) -> float:
    """Seconds by which the time between the last two dates is not what it should be."""
    before, last = times[-2:]
    if before is None or last is None or lasting is None:
        return 0.0
    return abs(last - before - lasting)


def _ascending(times: tuple[float | None, ...]) -> bool:
    known = [time for time in times if time is not None]
    return known == sorted(known)
