"""Invoices and credit notes that the tests of ledgers share."""

from __future__ import annotations

from plugins.centre.tests.accounts.runs import EIGHT, SEVEN, claims
from utilitysched_centre.accounts import (
    CREDIT_NOTE,
    INVOICE,
    Book,
    Document,
    DocumentLine,
    refund_key,
)

MONTH, DAY, DUE = "2000-04", "2000-05-02", "2000-06-01"


def invoices(book: Book, *units: int, own: int = 0) -> list[Document]:
    """Charge jobs 1, 2, ... and issue an invoice for each of the two payers.

    `own` minor units are given back for the first job on its invoice itself.
    """
    with book.issuing() as issue:
        numbers = issue.numbers(MONTH, "HPC")
        blank = Document("", INVOICE, MONTH, SEVEN, 0, 0, DAY, DUE)
        memo = f"invoices from {len(issue.documents())} on"
        posting = issue.charge(claims(*units), memo)
        one, two = (
            blank._replace(number=next(numbers), account=account, net=sum(units[i::2]))
            for i, account in enumerate((SEVEN, EIGHT))
        )
        lines = []
        if own:
            issue.give_back(one._replace(posting=posting), {"job-1": own}, "credit")
            lines = [DocumentLine(one.number, 0, "k", "job-1", "1", own, 0, "node failure")]
            one = one._replace(net=one.net - own)
        return [issue.add(one, lines), issue.add(two)]


def credit(book: Book, invoice: Document, job: int, units: int, key: str = "k") -> Document:
    """Give back a part of a job's charge by a credit note, unless it was given back before."""
    with book.issuing() as issue:
        number = next(issue.numbers(MONTH, "HPC"))
        if key == "k":
            issue.give_back(invoice, {f"job-{job}": units}, "node failure")
        note = Document(number, CREDIT_NOTE, MONTH, invoice.account, units, 0, DAY)
        line = DocumentLine(number, 0, key, f"job-{job}", str(job), units, 0, "node failure")
        return issue.add(note._replace(corrects=invoice.number), [line])


def document_refund(book: Book, invoice: Document, posting: int, job: int, units: int) -> Document:
    """Issue a credit note for a refund that was made in the ledger alone."""
    return credit(book, invoice, job, units, refund_key(posting, f"job-{job}"))


def cancel(book: Book, invoice: Document) -> Document:
    """Give back what is left of an invoice by a credit note."""
    with book.issuing() as issue:
        number = next(issue.numbers(MONTH, "HPC"))
        issue.give_back(invoice, None, "cancelled")
        notes = [one.amount for one in issue.documents() if one.corrects == invoice.number]
        left = invoice.amount - sum(notes)
        note = Document(number, CREDIT_NOTE, MONTH, invoice.account, left, 0, DAY, cancels=True)
        return issue.add(note._replace(corrects=invoice.number))


def given_back(book: Book, invoice: Document) -> dict[str, int]:
    """What of an invoice's charges was refunded, with a document or without."""
    with book.issuing() as issue:
        return {one.reference: one.units for one in issue.refunds(invoice)}


def unsound(book: Book) -> dict[str, str]:
    """What does not hold, and why."""
    return {check.name: check.detail for check in book.verify() if not check.holds}
