"""History of accounts, entry by entry."""

from __future__ import annotations

from typing import Any, NamedTuple

from sqlalchemy import Connection, Row, or_, select

from pricing.accounts.account import CENTRE, Account
from pricing.accounts.chart import Chart
from pricing.accounts.schema import ENTRY, POSTING


class HistoryLine(NamedTuple):
    """One entry, as the account that pays sees it; amounts in minor units.

    Attributes
    ----------
    posting : int
        Number of the posting.
    posted_at : str
        When, in UTC.
    month : str
        To which it belongs.
    kind : {"endow", "hold", "charge", "release", "refund", "reverse"}
        What was done.
    account : Account
        Whose.
    available, held : int
        What that added to either part.
    job : int or None
        Number of the job in its log.
    reference : str or None
        Which job.
    memo : str
        Of the posting.
    """

    posting: int
    posted_at: str
    month: str
    kind: str
    account: Account
    available: int
    held: int
    job: int | None
    reference: str | None
    memo: str


def history(
    connection: Connection, chart: Chart, account: Account | None, latest: int | None
) -> list[HistoryLine]:
    """Return entries, the oldest first.

    Parameters
    ----------
    connection, chart
        Where to look.
    account : Account or None
        Whose; None = all.
    latest : int or None
        Only the latest so many.
    """
    query = select(ENTRY, POSTING.c.posted_at, POSTING.c.memo).join_from(ENTRY, POSTING)
    if account is not None:
        parts = chart.find(account)
        query = query.where(or_(ENTRY.c.debit.in_(parts), ENTRY.c.credit.in_(parts)))
    query = query.order_by(ENTRY.c.posting.desc(), ENTRY.c.line.desc()).limit(latest)
    return [_line(row, chart) for row in reversed(connection.execute(query).all())]


def _line(row: Row[Any], chart: Chart) -> HistoryLine:
    moved = {row.debit: -row.amount, row.credit: row.amount}
    account = next(
        chart.accounts[number] for number in moved if chart.accounts[number].kind != CENTRE
    )
    parts = chart.find(account)
    return HistoryLine(
        row.posting,
        row.posted_at,
        row.month,
        row.kind,
        account,
        moved.get(parts.available, 0),
        moved.get(parts.held, 0),
        row.job,
        row.reference,
        row.memo,
    )
