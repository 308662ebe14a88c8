"""Closing of months: their balances are written down, and nothing can be posted into them."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from sqlalchemy import Connection, insert

from pricing.accounts import journal, periods
from pricing.accounts.chart import balances
from pricing.accounts.schema import CLOSING, CLOSING_BALANCE
from swfx import InputError


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


def close(connection: Connection, month: str, now: datetime) -> Closing:
    """Close a month and all before it.

    Raises
    ------
    InputError
        The month is not over, or a later one is closed.
    """
    closed = periods.closed_until(connection)
    number, _ = journal.last(connection)
    if month == closed:
        return Closing(month, new=False, posting=number)
    if closed is not None and month < closed:
        raise InputError(f"every month until {closed} is closed already", field="month")
    if month >= periods.month_of(now):
        raise InputError(
            f"{month} is not over", field="month", remedy="close it when nothing more can come"
        )
    row = {"month": month, "closed_at": periods.instant(now), "posting": number}
    connection.execute(insert(CLOSING), row)
    rows = [
        {"month": month, "account": account, "balance": balance}
        for account, balance in balances(connection, until=month).items()
    ]
    if rows:
        connection.execute(insert(CLOSING_BALANCE), rows)
    return Closing(month, new=True, posting=number)
