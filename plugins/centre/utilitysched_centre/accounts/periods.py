"""Months of a ledger: which are open, and what closes them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import NamedTuple

from sqlalchemy import Connection, func, select

from pricing.months import UNKNOWN
from swfx import InputError
from utilitysched_centre.accounts.schema import CLOSING


def now() -> datetime:
    """Return the time in UTC."""
    return datetime.now(UTC)


def instant(time: datetime) -> str:
    """Write a time to the second.

    Examples
    --------
    >>> instant(datetime(2026, 11, 21, 8, tzinfo=UTC))
    '2026-11-21T08:00:00Z'
    """
    return time.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def month_of(time: datetime) -> str:
    """Return the month of a time in UTC."""
    return instant(time)[:7]


def read_month(text: str) -> str:
    """Read ``YYYY-MM``.

    Raises
    ------
    InputError
        The text is not of that form.
    """
    if not re.fullmatch("[0-9]{4}-(0[1-9]|1[0-2])", text):
        raise InputError(
            f"{text!r} is no month", field="month", remedy="write YYYY-MM, as in 2026-11"
        )
    return text


def closed_until(connection: Connection) -> str | None:
    """Return the last month that is closed; all before it are, too."""
    month = connection.scalar(select(func.max(CLOSING.c.month)))
    return None if month is None else str(month)


def require_open(connection: Connection, months: Iterable[str]) -> None:
    """Refuse to post into a closed month, or one that is not known.

    Raises
    ------
    InputError
        Naming the month.
    """
    wanted = set(months)
    if UNKNOWN in wanted:
        raise InputError(
            "the log does not say in which month jobs completed: it has no UnixStartTime, or one"
            " outside the years 1970 to 9999",
            remedy="name the month: --month YYYY-MM",
        )
    closed = closed_until(connection)
    if closed is not None and wanted and min(wanted) <= closed:
        raise InputError(
            f"{min(wanted)} is closed, as is every month until {closed}",
            field="month",
            remedy="name a later one: --month YYYY-MM",
        )


class Closing(NamedTuple):
    """A closed month.

    Attributes
    ----------
    month : str
        ``YYYY-MM``; all months before it are closed, too.
    new : bool
        False if it was closed before: then nothing has changed.
    posting : int
        The last one before it was closed.
    """

    month: str
    new: bool
    posting: int
