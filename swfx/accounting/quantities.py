"""Lengths of time, sizes of memory and numbers as resource managers write them."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Literal, NamedTuple, TypeAlias

import numpy as np

from swfx.accounting.record_error import NOT_A_DURATION, NOT_A_NUMBER, NOT_A_SIZE, RecordError
from swfx.base.columns import LIMIT, Bools, Floats, Ints
from swfx.base.options import SECONDS_IN
from swfx.fields import MISSING

__all__ = [
    "DURATION_UNITS",
    "MemoryAmount",
    "Share",
    "digits_of",
    "duration",
    "durations",
    "memory",
    "number",
    "per_processor",
    "whole",
]

Share: TypeAlias = Literal["processor", "node", "job"]

MEMOISED = 1 << 15
"""Texts whose numbers are remembered: in a log most come again and again."""

NO_NUMBER = frozenset({"", "none", "nan", "null", "nat", "n/a", "unknown"})
"""Texts of no number, in small letters."""

UNBOUNDED = NO_NUMBER | {
    "unlimited", "infinite", "partition_limit", "partitionlimit", "invalid", "not_set", "(null)",
    "-1", "4294967294", "4294967295",
}  # fmt: skip
"""Texts that give no length of time: the last two are Slurm's NO_VAL and INFINITE."""

DURATION_UNITS = {**SECONDS_IN, "ms": 1e-3, "us": 1e-6, "ns": 1e-9}
"""Units of time in logs, in s."""

_NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]{1,3})?")
_DURATION = re.compile(r"(?:(\d{1,9})-)?(\d{1,15})(?::(\d{1,2}))?(?::(\d{1,2}))?(\.\d+)?")
_SIZE = re.compile(r"([0-9]{1,15}(?:\.[0-9]+)?)\s*([kmgtpe]?)(?:i?b)?([cn]?)", re.IGNORECASE)
_KILOBYTES = {unit: 1024.0**power for power, unit in enumerate(("", *"kmgtpe"), -1)}
_SHARES: dict[str, Share] = {"": "job", "c": "processor", "n": "node"}


class MemoryAmount(NamedTuple):
    """A size of memory (KB, of 1024 bytes), and what has as much."""

    kilobytes: float
    share: Share = "job"


@lru_cache(maxsize=MEMOISED)
def number(text: str, field: str | None = None) -> float:
    """Read a number.

    Raises
    ------
    RecordError
        Not a number, or one beyond 2^53.

    Examples
    --------
    >>> number("12.5")
    12.5
    """
    text = text.strip()
    if not _NUMBER.fullmatch(text) or abs(float(text)) > LIMIT:
        raise RecordError(NOT_A_NUMBER, text, field)
    return float(text)


@lru_cache(maxsize=MEMOISED)
def whole(text: str, field: str | None = None) -> int:
    """Return a whole number, which may be written as 12.0.

    Raises
    ------
    RecordError
        Not a whole number, or one beyond 2^53.
    """
    value = number(text, field)
    if not value.is_integer():
        raise RecordError(NOT_A_NUMBER, text, field)
    return int(value)


@lru_cache(maxsize=MEMOISED)
def duration(text: str, field: str | None = None, *, alone: float = 1.0) -> float | None:
    """Read a length of time.

    Parameters
    ----------
    text : str
        ``D-H``, ``D-H:M``, ``D-H:M:S``, ``H:M:S``, ``M:S`` or a number alone; the last may have a
        fraction. ``UNLIMITED``, ``Partition_Limit`` and their like give none.
    field : str, optional
        Column, for the message.
    alone : float
        Seconds in a number that stands alone: 60 for Slurm's time limits.

    Returns
    -------
    float or None
        Seconds.

    Raises
    ------
    RecordError
        None of these forms, or beyond 2^53 s.

    Examples
    --------
    >>> duration("1-02:03:04"), duration("02:03"), duration("45", alone=60.0)
    (93784.0, 123.0, 2700.0)
    >>> duration("1-12"), duration("00:02.500"), duration("UNLIMITED")
    (129600.0, 2.5, None)
    """
    text = text.strip()
    if text.casefold() in UNBOUNDED:
        return None
    match = _DURATION.fullmatch(text)
    if match is None:
        raise RecordError(NOT_A_DURATION, text, field)
    days, *parts, fraction = match.groups()
    numbers = [int(part) for part in parts if part is not None]
    units = _units(len(numbers), days is not None, alone)
    seconds = int(days or 0) * 86_400 + sum(
        n * unit for n, unit in zip(numbers, units, strict=True)
    )
    if fraction:
        seconds += float(fraction) * units[-1]
    if seconds > LIMIT:
        raise RecordError(NOT_A_DURATION, text, field)
    return seconds


def durations(texts: Sequence[str]) -> Floats:
    """Read many lengths of time, as `duration` does; -1 for none, NaN where one cannot be read.

    Returns
    -------
    ndarray of float64, shape (n,)
        Seconds.

    Examples
    --------
    >>> durations(["00:01:05", "1-00:00:00", "UNLIMITED", "soon"])
    array([ 6.50e+01,  8.64e+04, -1.00e+00,       nan])
    """
    digits, readable = digits_of(texts, "00:00:00")
    lengths: Floats = digits @ np.array([36_000.0, 3600.0, 600.0, 60.0, 10.0, 1.0])
    for place in np.flatnonzero(~readable).tolist():
        try:
            seconds = duration(texts[place])
        except RecordError:
            seconds = math.nan
        lengths[place] = MISSING if seconds is None else seconds
    return lengths


def digits_of(texts: Sequence[str], form: str) -> tuple[Ints, Bools]:
    """Take texts of one form apart.

    Parameters
    ----------
    texts : sequence of str
        n of them.
    form : str
        Has d zeros where digits stand, and all other characters.

    Returns
    -------
    tuple
        Digits, (n, d), and which texts have the form, (n,).

    Examples
    --------
    >>> [found.tolist() for found in digits_of(["12:30", "soon"], "00:00")]
    [[[1, 2, 3, 0], [0, 0, 0, 0]], [True, False]]
    """
    size = len(form)
    same_size = "".join([text if len(text) == size else " " * size for text in texts])
    characters = np.frombuffer(same_size.encode("ascii", "replace"), np.uint8).reshape(-1, size)
    expected = np.frombuffer(form.encode(), np.uint8)
    is_digit = expected == ord("0")
    digits = characters[:, is_digit] - ord("0")
    has_form = (digits <= 9).all(axis=1)  # what is below "0" is far above 9 now
    has_form &= (characters[:, ~is_digit] == expected[~is_digit]).all(axis=1)
    return np.where(has_form[:, np.newaxis], digits, 0).astype(np.int64), has_form


def _units(parts: int, after_days: bool, alone: float) -> tuple[float, ...]:
    if after_days:
        return (3600.0, 60.0, 1.0)[:parts]
    return {1: (alone,), 2: (60.0, 1.0), 3: (3600.0, 60.0, 1.0)}[parts]


@lru_cache(maxsize=MEMOISED)
def memory(text: str, field: str | None = None, *, unit: str = "") -> MemoryAmount | None:
    """Read a size of memory.

    Parameters
    ----------
    text : str
        For instance ``187000M``, ``1.5T``, ``2gb``, ``4000Mc`` (for each processor) or ``2Gn`` (for
        each node). An empty text gives none.
    field : str, optional
        Column, for the message.
    unit : str
        Unit of a number without one: ``K``, ``M``, ...; bytes by default.

    Raises
    ------
    RecordError
        Not a size.

    Examples
    --------
    >>> memory("4000Mc")
    MemoryAmount(kilobytes=4096000.0, share='processor')
    >>> memory("1.5T")
    MemoryAmount(kilobytes=1610612736.0, share='job')
    >>> memory("2", unit="M")
    MemoryAmount(kilobytes=2048.0, share='job')
    """
    text = text.strip()
    if not text:
        return None
    match = _SIZE.fullmatch(text)
    if match is None:
        raise RecordError(NOT_A_SIZE, text, field)
    kilobytes = float(match[1]) * _KILOBYTES[(match[2] or unit).casefold()]
    if kilobytes > LIMIT:
        raise RecordError(NOT_A_SIZE, text, field)
    return MemoryAmount(kilobytes, _SHARES[match[3].casefold()])


def per_processor(total: float, processors: float) -> float:
    """Share of each processor in an amount; -1 where either is unknown.

    >>> per_processor(10.0, 4), per_processor(-1.0, 4), per_processor(10.0, -1)
    (2.5, -1, -1)
    """
    return total / processors if total >= 0 and processors > 0 else MISSING
