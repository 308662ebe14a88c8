"""Statement of an account over a year: documents, payments and endowments by day."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import Any, NamedTuple

from sqlalchemy import Connection, Row, or_, select

from utilitysched_centre.accounts.account import Account
from utilitysched_centre.accounts.chart import Chart
from utilitysched_centre.accounts.documents import (
    CREDIT_NOTE,
    INVOICE,
    Document,
    InvoiceOfCharge,
    read_documents,
    read_lines,
    refunding,
)
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


class DocumentOfEntry:
    """Index of an account's documents by entries, which come in the order of postings.

    A refund belongs to the credit lines of the invoice itself first, then to the credit note that
    was posted with it, or was issued for it later, and for others of the same job.
    """

    def __init__(self, connection: Connection, chart: Chart, account: Account) -> None:
        documents = read_documents(connection, chart)
        numbered = {one.number: one for one in documents}
        mine = [one for one in documents if one.account == account]
        self._account = account
        self._invoices = InvoiceOfCharge(mine)
        self._notes = {one.posting: one for one in mine if one.kind == CREDIT_NOTE}
        self._own: Counter[tuple[str, str]] = Counter()
        self._later: dict[str, list[tuple[int, Document]]] = defaultdict(list)
        for line in read_lines(connection):
            document = numbered[line.document]
            if document.kind == INVOICE:
                self._own[line.document, line.reference] += line.amount
            elif (posting := refunding(line.key)) is not None:
                self._later[line.reference].append((posting, document))

    def find(self, entry: Row[Any]) -> Document | None:
        """Return the document of an entry; None without one."""
        invoice = self._invoices.find(entry.kind, entry.posting, entry.reference, self._account)
        if invoice is None or entry.kind != "refund":
            return invoice
        own = (invoice.number, entry.reference)
        if self._own[own] > 0:
            self._own[own] -= entry.amount
            return invoice
        later = self._later[entry.reference]
        noted = (document for latest, document in later if latest >= entry.posting)
        return self._notes.get(entry.posting) or next(noted, None)


def statement(
    connection: Connection, chart: Chart, account: Account, year: int
) -> AccountStatement:
    """Return what has changed an account in a year; see `Book.statement`."""
    parts = chart.find(account)
    documents = DocumentOfEntry(connection, chart, account)
    days = select(PAYMENT.c.sealed_by, PAYMENT.c.paid_on)
    paid_on = {row.sealed_by: row.paid_on for row in connection.execute(days)}
    rows = connection.execute(
        select(ENTRY, POSTING.c.posted_at)
        .join_from(ENTRY, POSTING)
        .where(or_(ENTRY.c.debit.in_(parts), ENTRY.c.credit.in_(parts)))
        .order_by(ENTRY.c.posting, ENTRY.c.line)
    )
    changes: Counter[tuple[str, str, str, int]] = Counter()
    for row in rows:
        document = documents.find(row)
        change = row.amount * ((row.credit in parts) - (row.debit in parts))
        if document is not None:
            key = (document.issued, document.kind, document.number, 0)
        else:
            day = paid_on.get(row.posting, row.posted_at[:10])
            number = row.reference if row.kind in PAID else ""
            key = (day, WORDS.get(row.kind, row.kind), number, row.posting)
        if change:
            changes[key] += change
    return _summed(AccountStatement(account, year, 0, [], 0), changes)


def _summed(
    empty: AccountStatement, changes: Counter[tuple[str, str, str, int]]
) -> AccountStatement:
    """Return the statement of changes; keys are date, word, document and posting."""
    first, last = f"{empty.year:04}-01-01", f"{empty.year:04}-12-31"
    opening = balance = sum(units for key, units in changes.items() if key[0] < first)
    rows = []
    for key, units in sorted(changes.items(), key=lambda change: change[0][0]):
        if first <= key[0] <= last:
            balance += units
            rows.append(StatementRow(*key[:3], max(-units, 0), max(units, 0), balance))
    return empty._replace(opening=opening, rows=rows, closing=balance)
