"""Documents that a centre has issued: invoices and credit notes, rows of the ledger."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from sqlalchemy import Connection, or_, select

from utilitysched_centre.accounts.account import CENTRE, Account
from utilitysched_centre.accounts.chart import Chart
from utilitysched_centre.accounts.journal import TAKEN
from utilitysched_centre.accounts.schema import DOCUMENT, DOCUMENT_LINE, ENTRY, POSTING

INVOICE, CREDIT_NOTE = "invoice", "credit note"

LEDGER_ALONE = "posting:"
"""Start of the keys of credits for refunds that were made in the ledger without a document."""


class Document(NamedTuple):
    """An invoice or a credit note; amounts in minor units of the ledger.

    Attributes
    ----------
    number : str
        Prefix, month and place in the month, ``HPC-2026-10-0007``; no other document has it.
    kind : {"invoice", "credit note"}
        Kind of the document.
    month : str
        ``YYYY-MM`` of the use.
    account : Account
        Payer.
    net, tax : int
        Amount without tax, and tax on top; of a credit note what it gives back.
    issued, due : str
        Days, ``YYYY-MM-DD``; nothing is due on a credit note.
    corrects : str
        Number of the invoice that a credit note is about; empty on invoices.
    cancels : bool
        Whether a credit note gives back all that was left of its invoice.
    digest : str
        Digest of what an invoice charges before credits; empty on credit notes.
    content : str
        SHA-256 (hex) of its JSON file.
    posting : int
        Number of the posting that charges an invoice, or refunds what a credit note gives back.
    """

    number: str
    kind: str
    month: str
    account: Account
    net: int
    tax: int
    issued: str
    due: str = ""
    corrects: str = ""
    cancels: bool = False
    digest: str = ""
    content: str = ""
    posting: int = 0

    @property
    def amount(self) -> int:
        """Amount, tax included."""
        return self.net + self.tax

    @property
    def signed(self) -> int:
        """Amount added to the account's debt; below 0 for a credit note."""
        return -self.amount if self.kind == CREDIT_NOTE else self.amount


class DocumentLine(NamedTuple):
    """Credit for one job, on an invoice or a credit note.

    Attributes
    ----------
    document : str
        Number of the document.
    line : int
        Place on the document, from 0.
    key : str
        Adjustment that asks for the credit; see `refund_key` for refunds made in the ledger alone.
    reference : str
        Reference of the job in the ledger.
    job : str
        Job as Slurm prints it.
    net, tax : int
        Minor units given back.
    reason : str
        Reason, for people.
    """

    document: str
    line: int
    key: str
    reference: str
    job: str
    net: int
    tax: int
    reason: str

    @property
    def amount(self) -> int:
        """Amount, tax included."""
        return self.net + self.tax


def refund_key(posting: int, reference: str) -> str:
    """Return the key of a credit for a refund that was made in the ledger without a document."""
    return f"{LEDGER_ALONE}{posting}:{reference}"


def refunding(key: str) -> int | None:
    """Return the number of the posting in a key of `refund_key`; None for any other key."""
    return int(key.split(":")[1]) if key.startswith(LEDGER_ALONE) else None


def read_documents(connection: Connection, chart: Chart) -> tuple[Document, ...]:
    """Return all documents of a ledger, in the order of issue."""
    columns = [DOCUMENT.c[name] for name in Document._fields]
    rows = connection.execute(select(*columns).order_by(DOCUMENT.c.id))
    return tuple(
        Document(*row)._replace(
            account=chart.accounts.get(row.account) or Account(CENTRE, f"account {row.account}"),
            cancels=bool(row.cancels),
        )
        for row in rows
    )


def read_lines(connection: Connection) -> tuple[DocumentLine, ...]:
    """Return the credits on all documents of a ledger."""
    columns = [DOCUMENT_LINE.c[name] for name in DocumentLine._fields]
    order = DOCUMENT_LINE.c.document, DOCUMENT_LINE.c.line
    return tuple(
        DocumentLine(*row) for row in connection.execute(select(*columns).order_by(*order))
    )


def live_invoices(documents: Iterable[Document], month: str) -> dict[Account, Document]:
    """Return the invoice of each account for a month that no credit note cancels."""
    live: dict[Account, Document] = {}
    for one in documents:
        if one.month != month:
            continue
        if one.kind == INVOICE:
            live[one.account] = one
        elif one.cancels:
            live = {payer: each for payer, each in live.items() if each.number != one.corrects}
    return live


class InvoiceOfCharge:
    """Index of invoices by the charges that they are about.

    A charge belongs to the invoice of its posting and payer, and a refund to the invoice of the
    latest charge of the same job. So entries have to be asked for in the order of postings.

    Parameters
    ----------
    documents : iterable of Document
        Documents of a ledger.
    """

    def __init__(self, documents: Iterable[Document]) -> None:
        invoices = (one for one in documents if one.kind == INVOICE)
        self._charged: Mapping[tuple[int, Account], Document] = {
            (one.posting, one.account): one for one in invoices
        }
        self._latest: dict[str | None, Document | None] = {}

    def find(
        self, kind: str, posting: int, reference: str | None, payer: Account
    ) -> Document | None:
        """Return the invoice that an entry is about; None without one."""
        if kind in TAKEN:
            self._latest[reference] = self._charged.get((posting, payer))
        return self._latest.get(reference)


class LedgerRefund(NamedTuple):
    """Refunds of a job's charge in minor units.

    Attributes
    ----------
    posting : int
        Latest posting that refunds the job.
    reference : str
        Reference of the job in the ledger.
    job : int or None
        Number of the job in its log.
    units : int
        Minor units.
    memo : str
        Memo of the posting.
    """

    posting: int
    reference: str
    job: int | None
    units: int
    memo: str


def refunds_of(connection: Connection, chart: Chart, invoice: Document) -> dict[str, LedgerRefund]:
    """Return what of an invoice's charges was refunded, by reference."""
    parts = chart.find(invoice.account)
    index = InvoiceOfCharge([invoice])
    names = ("kind", "posting", "reference", "debit", "amount", "job")
    columns = [*(ENTRY.c[name] for name in names), POSTING.c.memo]
    rows = connection.execute(
        select(*columns)
        .join(POSTING, POSTING.c.id == ENTRY.c.posting)
        .where(ENTRY.c.posting >= invoice.posting)
        .where(or_(ENTRY.c.debit.in_(parts), ENTRY.c.credit.in_(parts)))
        .order_by(ENTRY.c.posting, ENTRY.c.line)
    )
    refunds: dict[str, LedgerRefund] = {}
    for kind, posting, reference, debit, amount, job, memo in rows:
        is_its = index.find(kind, posting, reference, invoice.account) is not None
        if is_its and kind == "refund":
            units = -amount if debit in parts else amount
            units += refunds[reference].units if reference in refunds else 0
            refunds[reference] = LedgerRefund(posting, reference, job, units, memo)
    return refunds
