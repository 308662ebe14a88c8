"""Reports of a ledger: balances of accounts, what they paid by month, entry by entry."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import Connection, Row, or_, select

from utilitysched_centre.accounts.account import CENTRE, Account
from utilitysched_centre.accounts.chart import Chart
from utilitysched_centre.accounts.journal import TAKEN
from utilitysched_centre.accounts.schema import ENTRY, POSTING
from utilitysched_centre.accounts.sums import balances, halves, whole


class Balance(NamedTuple):
    """Balance of an account, in minor units.

    Attributes
    ----------
    account : Account
        Account.
    available : int
        Amount that can be spent.
    held : int
        Amount set aside for jobs that have not ended.
    limit : int or None
        How far below 0 `available` may go; None = any.
    """

    account: Account
    available: int
    held: int
    limit: int | None


def balances_of(
    connection: Connection, chart: Chart, accounts: Iterable[Account] | None
) -> list[Balance]:
    """Return balances of accounts; None = all payers."""
    chosen = chart.payers() if accounts is None else list(accounts)
    parts = [chart.find(account) for account in chosen]
    sums = balances(connection, (number for part in parts for number in part))
    return [
        Balance(
            account,
            sums.get(part.available, 0),
            sums.get(part.held, 0),
            chart.limits[part.available],
        )
        for account, part in zip(chosen, parts, strict=True)
    ]


class Income(NamedTuple):
    """Income from one account in one month, in minor units.

    Attributes
    ----------
    account : Account
        Payer.
    month : str
        ``YYYY-MM``.
    charged, refunded : int
        Charges less credits, and refunds.
    """

    account: Account
    month: str
    charged: int
    refunded: int


def income(connection: Connection, chart: Chart, month: str | None) -> list[Income]:
    """Return what accounts paid, by account and month."""
    incomes: dict[tuple[Account, str], Income] = {}
    for side, other, paid in (
        (ENTRY.c.credit, ENTRY.c.debit, 1),
        (ENTRY.c.debit, ENTRY.c.credit, -1),
    ):
        columns = other, ENTRY.c.month, ENTRY.c.kind
        query = select(*columns, *halves(ENTRY.c.amount)).where(side == chart.income)
        if month is not None:
            query = query.where(ENTRY.c.month == month)
        for number, when, kind, *sums in connection.execute(query.group_by(*columns)):
            key, units = (chart.accounts[number], when), paid * whole(*sums)
            one = incomes.get(key, Income(*key, 0, 0))
            if kind in TAKEN:
                incomes[key] = one._replace(charged=one.charged + units)
            else:
                incomes[key] = one._replace(refunded=one.refunded - units)
    return [incomes[key] for key in sorted(incomes)]


class HistoryLine(NamedTuple):
    """Entry in the history of a paying account, in minor units.

    Attributes
    ----------
    posting : int
        Number of the posting.
    posted_at : str
        Time of the posting, in UTC.
    month : str
        Month of the entry.
    kind : {"endow", "hold", "charge", "credit", "release", "refund", "reverse", "pay", "repay"}
        Kind of the entry.
    account : Account
        Paying account.
    available, held : int
        Change of the available and of the held part.
    job : int or None
        Number of the job in its log.
    reference : str or None
        Which job, or which invoice is paid.
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


class OpenHold(NamedTuple):
    """Open hold of a job, neither charged nor given back, in minor units.

    Attributes
    ----------
    reference : str
        Name of the job in ledgers.
    job : int or None
        Number of the job in its log.
    account : Account
        Account that holds.
    held : int
        Amount held.
    month : str
        Month of the hold.
    posting : int
        Latest posting that held an amount for the job.
    since : str
        Time of that posting, in UTC.
    days : int
        Age of the hold in whole days; 0 if the clock has gone back since.
    """

    reference: str
    job: int | None
    account: Account
    held: int
    month: str
    posting: int
    since: str
    days: int


def open_holds(connection: Connection, chart: Chart, now: datetime) -> list[OpenHold]:
    """Return what is held, the oldest first."""
    parts = chart.holds()
    enters, leaves = ENTRY.c.credit.in_(parts), ENTRY.c.debit.in_(parts)
    rows = connection.execute(
        select(ENTRY, POSTING.c.posted_at)
        .join_from(ENTRY, POSTING)
        .where(or_(enters, leaves))
        .order_by(ENTRY.c.posting, ENTRY.c.line)
    )
    held: Counter[tuple[int, str]] = Counter()
    latest: dict[tuple[int, str], Row[Any]] = {}
    for row in rows:
        is_hold = row.credit in parts
        key = (row.credit if is_hold else row.debit), row.reference
        held[key] += row.amount if is_hold else -row.amount
        if is_hold:
            latest[key] = row
    return [_open_hold(latest[key], chart, units, now) for key, units in held.items() if units]


def _open_hold(row: Row[Any], chart: Chart, held: int, now: datetime) -> OpenHold:
    age = now - datetime.fromisoformat(row.posted_at)
    return OpenHold(
        row.reference,
        row.job,
        chart.accounts[row.credit],
        held,
        row.month,
        row.posting,
        row.posted_at,
        max(age.days, 0),
    )
