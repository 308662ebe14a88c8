"""Statement of an account over a year: documents, payments and endowments by day."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

from sqlalchemy import Connection, or_, select

from utilitysched_centre.accounts.account import Account
from utilitysched_centre.accounts.chart import Chart
from utilitysched_centre.accounts.documents import InvoiceOfCharge, read_documents
from utilitysched_centre.accounts.journal import PAID
from utilitysched_centre.accounts.schema import ENTRY, PAYMENT, POSTING

WORDS = {
    "endow": "endowment",
    "reverse": "endowment taken back",
    "pay": "payment",
    "repay": "payment given back",
}
"""Words for kinds of entries, where the kind is not the word."""


class StatementRow(NamedTuple):
    """Change of an account, in minor units.

    Attributes
    ----------
    date : str
        Day of the document or of the payment; else of the posting.
    what : str
        Kind of the document or of the entries.
    document : str
        Number of the invoice or credit note; empty without one.
    charge, credit : int
        What the account loses or gains; one of them is 0.
    balance : int
        What it has afterwards: available and held.
    """

    date: str
    what: str
    document: str
    charge: int
    credit: int
    balance: int


class StatementKey(NamedTuple):
    """Day, kind and document of a change; changes of one posting without document are one row."""

    day: str
    what: str
    document: str
    posting: int = 0


class AccountStatement(NamedTuple):
    """Account over a year, in minor units.

    Attributes
    ----------
    account : Account
        Account.
    year : int
        Year of the dates.
    opening, closing : int
        What the account had before and after: available and held.
    rows : list of StatementRow
        Changes, by date.
    """

    account: Account
    year: int
    opening: int
    rows: list[StatementRow]
    closing: int


def statement(
    connection: Connection, chart: Chart, account: Account, year: int
) -> AccountStatement:
    """Return what has changed an account in a year; see `Book.statement`."""
    parts = chart.find(account)
    mine = [one for one in read_documents(connection, chart) if one.account == account]
    invoices = InvoiceOfCharge(mine)
    days = select(PAYMENT.c.sealed_by, PAYMENT.c.paid_on)
    paid_on = {row.sealed_by: row.paid_on for row in connection.execute(days)}
    rows = connection.execute(
        select(ENTRY, POSTING.c.posted_at)
        .join_from(ENTRY, POSTING)
        .where(or_(ENTRY.c.debit.in_(parts), ENTRY.c.credit.in_(parts)))
        .order_by(ENTRY.c.posting, ENTRY.c.line)
    )
    changes = Counter({StatementKey(one.issued, one.kind, one.number): -one.signed for one in mine})
    # entries that invoices and credit notes are about; what is left of these has no document yet
    left, latest = Counter[str](), dict[str, StatementKey]()
    for row in rows:
        invoice = invoices.find(row.kind, row.posting, row.reference, account)
        number = row.reference if row.kind in PAID else ""
        day = paid_on.get(row.posting, row.posted_at[:10])
        key = StatementKey(day, WORDS.get(row.kind, row.kind), number, row.posting)
        change = row.amount * ((row.credit in parts) - (row.debit in parts))
        if invoice is not None:
            left[invoice.number] += change
            latest[invoice.number] = key
        elif change:
            changes[key] += change
    for one in mine:
        left[one.corrects or one.number] += one.signed
    for number, key in latest.items():
        if left[number]:
            changes[key] += left[number]
    return _summed(AccountStatement(account, year, 0, [], 0), changes)


def _summed(empty: AccountStatement, changes: Mapping[StatementKey, int]) -> AccountStatement:
    """Return the statement of changes."""
    first, last = f"{empty.year:04}-01-01", f"{empty.year:04}-12-31"
    opening = balance = sum(units for key, units in changes.items() if key.day < first)
    rows = []
    for key, units in sorted(changes.items(), key=lambda change: change[0].day):
        if first <= key.day <= last:
            balance += units
            rows.append(StatementRow(*key[:3], max(-units, 0), max(units, 0), balance))
    return empty._replace(opening=opening, rows=rows, closing=balance)
