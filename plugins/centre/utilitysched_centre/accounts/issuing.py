"""Issue of documents: numbers, charges, refunds and rows in one transaction of a ledger."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from sqlalchemy import select

from swfx import InputError
from utilitysched_centre.accounts import operations
from utilitysched_centre.accounts.claims import Claims
from utilitysched_centre.accounts.document_check import DocumentTally
from utilitysched_centre.accounts.documents import (
    CREDIT_NOTE,
    Document,
    DocumentLine,
    LedgerRefund,
    read_documents,
    read_lines,
    refunds_of,
)
from utilitysched_centre.accounts.journal import ENTRY_COLUMNS, Entry
from utilitysched_centre.accounts.schema import DOCUMENT, DOCUMENT_LINE, ENTRY
from utilitysched_centre.accounts.standing import Stand, giving_back, standing
from utilitysched_centre.accounts.transaction import Transaction


class Issue:
    """Issue of documents that is stored as a whole, or not at all.

    Parameters
    ----------
    ledger : Transaction
        Transaction that others who write wait for.
    """

    def __init__(self, ledger: Transaction) -> None:
        self._ledger = ledger
        self._documents = read_documents(ledger.connection, ledger.chart)
        self._lines = read_lines(ledger.connection)
        self._used = Counter(one.month for one in self._documents)
        self._charged = self._refunded = 0
        self._new: list[Document] = []

    def documents(self) -> tuple[Document, ...]:
        """Return all documents of the ledger, in the order of issue."""
        return self._documents

    def lines(self) -> tuple[DocumentLine, ...]:
        """Return the credits on all documents of the ledger."""
        return self._lines

    def _of(self, month: str) -> Iterator[Document]:
        return (one for one in self._documents if one.month == month)

    def numbers(self, month: str, prefix: str = "") -> Iterator[str]:
        """Yield the next numbers of a month, each once: every number has to be used."""
        while True:
            self._used[month] += 1
            yield "-".join([*filter(None, [prefix]), month, f"{self._used[month]:04}"])

    def charge(self, claims: Claims, memo: str) -> int:
        """Charge the jobs of new invoices, as `Book.post` does.

        Parameters
        ----------
        claims : Claims
            Debts of the jobs; a memo that names new documents tells them from equal claims that
            were charged and undone before.
        memo : str
            Note, for people.

        Returns
        -------
        int
            Number of the posting.
        """
        ledger = replace(self._ledger, memo=memo)
        with operations.posting(ledger, claims._replace(mechanism=memo)) as posted:
            self._charged = posted.number
        return posted.number

    def give_back(self, document: Document, units: Mapping[str, int] | None, memo: str) -> int:
        """Refund jobs of an invoice.

        Parameters
        ----------
        document : Document
            The invoice.
        units : mapping of str to int, optional
            Minor units by reference of the job; default: all that is not given back yet.
        memo : str
            Note, for people.

        Returns
        -------
        int
            Number of the posting.

        Raises
        ------
        InputError
            More is to be given back than the invoice charges and nobody has given back yet.
        """
        ledger = replace(self._ledger, memo=memo)
        if units is None:
            posted = operations.undo(ledger, document.posting, document.account)
        else:
            stands = standing(ledger.connection, ledger.chart, list(units))
            entries: list[Entry] = []
            for reference, wanted in units.items():
                nothing = Stand(document.account, 0, 0, 0, None)
                stand = stands.get(reference, nothing).by(document.posting)
                if not 0 < wanted * (1 if stand.charged > 0 else -1) <= abs(stand.charged):
                    raise InputError(
                        f"{ledger.money.text(wanted)} cannot be given back for {reference} of"
                        f" {document.number}: {ledger.money.text(stand.charged)} are left of it"
                    )
                entries += giving_back(ledger.chart, reference, stand, ledger.month, wanted)
            posted = ledger.post(ledger.heading("refund"), entries)
        self._refunded = posted.number
        return posted.number

    def refunds(self, invoice: Document) -> list[LedgerRefund]:
        """Return what of an invoice's charges was given back, with a document or without."""
        found = refunds_of(self._ledger.connection, self._ledger.chart, invoice)
        return list(found.values())

    def add(self, document: Document, lines: Sequence[DocumentLine] = ()) -> Document:
        """Lay a document down, with the credits on it.

        Parameters
        ----------
        document : Document
            The document; without a posting, that of the latest charges or refunds is its own.
        lines : sequence of DocumentLine
            Credits; those of a credit note add up to its amount, unless it cancels its invoice.

        Returns
        -------
        Document
            The document as it is stored.

        Raises
        ------
        InputError
            It is dated before one of its month that has a lower number.
        """
        latest_day = max((one.issued for one in self._of(document.month)), default="")
        if document.issued < latest_day:
            raise InputError(
                f"{document.number} would be issued on {document.issued}, and documents of"
                f" {document.month} were issued on {latest_day}",
                field="day of issue",
                remedy="issue it on that day or later",
            )
        latest = self._refunded if document.kind == CREDIT_NOTE else self._charged
        document = document._replace(posting=document.posting or latest)
        chart = self._ledger.chart
        row = document._asdict() | {
            "account": chart.find(document.account).available,
            "cancels": int(document.cancels),
        }
        chart.number_and_lay_down(DOCUMENT, row)
        for line in lines:
            chart.lay_down(DOCUMENT_LINE, line._asdict())
        self._new.append(document)
        self._documents += (document,)
        self._lines += tuple(lines)
        return document

    def require_sound(self) -> None:
        """Refuse new documents that do not state what their postings charge and give back.

        Raises
        ------
        InputError
            Naming the document and the amounts: once stored it could never be put right.
        """
        if not self._new:
            return
        ledger = self._ledger
        numbers = {one.corrects or one.number for one in self._new}
        postings = [one.posting for one in self._documents if one.number in numbers]
        tally = DocumentTally(self._documents, self._lines, ledger.chart.accounts)
        columns = [ENTRY.c[name] for name in ("posting", *ENTRY_COLUMNS)]
        rows = ledger.connection.execute(
            select(*columns)
            .where(ENTRY.c.posting >= min(postings, default=0))
            .order_by(ENTRY.c.posting, ENTRY.c.line)
        )
        for posting, *cells in rows:
            tally.add(Entry(*cells), posting)
        for fault in tally.faults(numbers, ledger.money):
            raise InputError(f"documents and ledger would differ: {fault}")
