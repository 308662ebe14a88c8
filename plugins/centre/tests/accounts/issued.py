"""Invoices and credit notes that the tests of ledgers share."""

from __future__ import annotations

from plugins.centre.tests.accounts.runs import EIGHT, SEVEN, claims
from utilitysched_centre.accounts import CREDIT_NOTE, INVOICE, Book, Document, DocumentLine

MONTH, DAY, DUE = "2000-04", "2000-05-02", "2000-06-01"


def invoices(book: Book, *units: int) -> list[Document]:
    """Charge jobs 1, 2, ... and issue an invoice for each of the two payers."""
    with book.issuing() as issue:
        numbers = issue.numbers(MONTH, "HPC")
        blank = Document("", INVOICE, MONTH, SEVEN, 0, 0, DAY, DUE)
        issue.charge(claims(*units), "invoices")
        return [
            issue.add(blank._replace(number=next(numbers), account=account, net=sum(units[i::2])))
            for i, account in enumerate((SEVEN, EIGHT))
        ]


def credit(book: Book, invoice: Document, job: int, units: int) -> Document:
    """Give back a part of a job's charge by a credit note."""
    with book.issuing() as issue:
        number = next(issue.numbers(MONTH, "HPC"))
        issue.give_back(invoice, {f"job-{job}": units}, "node failure")
        note = Document(number, CREDIT_NOTE, MONTH, invoice.account, units, 0, DAY)
        line = DocumentLine(number, 0, "k", f"job-{job}", str(job), units, 0, "node failure")
        return issue.add(note._replace(corrects=invoice.number), [line])


def cancel(book: Book, invoice: Document, units: int) -> Document:
    """Give back what is left of an invoice by a credit note."""
    with book.issuing() as issue:
        number = next(issue.numbers(MONTH, "HPC"))
        issue.give_back(invoice, None, "cancelled")
        note = Document(number, CREDIT_NOTE, MONTH, invoice.account, units, 0, DAY, cancels=True)
        return issue.add(note._replace(corrects=invoice.number))
