"""Documents: invoices and credit notes as rows of the ledger."""

from __future__ import annotations

import pytest

from plugins.centre.tests.accounts.conftest import Opened, cents
from plugins.centre.tests.accounts.issued import DAY, MONTH, cancel, credit, invoices
from plugins.centre.tests.accounts.runs import EIGHT, SEVEN, claims
from swfx import InputError
from utilitysched_centre.accounts import INVOICE, Book, Document


@pytest.fixture
def book(opened: Opened) -> Book:
    """A ledger in SU and cents whose accounts may owe anything."""
    return opened(cents(credit_limit=None))


def test_invoices_and_credit_notes(book: Book) -> None:
    seven, eight = invoices(book, 300, 400, 500)

    assert [one.number for one in (seven, eight)] == ["HPC-2000-04-0001", "HPC-2000-04-0002"]
    note = credit(book, seven, 3, 200)
    assert (note.number, note.signed) == ("HPC-2000-04-0003", -200)
    assert book.documents() == (seven, eight, note)
    assert book.live(MONTH) == {SEVEN: seven, EIGHT: eight}
    cancel(book, seven, 600)
    assert book.live(MONTH) == {EIGHT: eight}
    assert {one.account: one.available for one in book.balances()} == {SEVEN: 0, EIGHT: -400}
    assert [check.name for check in book.verify() if not check.holds] == []


def test_an_issue_that_breaks_off_leaves_nothing(book: Book) -> None:
    before = book.anchor()

    def issue_and_break() -> None:
        with book.issuing() as issue:
            issue.charge(claims(300, 400), "invoices")
            blank = Document("2000-04-0001", INVOICE, MONTH, SEVEN, 300, 0, DAY)
            issue.add(blank)
            raise RuntimeError("broke off")

    with pytest.raises(RuntimeError, match="broke off"):
        issue_and_break()

    assert book.anchor() == before
    assert book.documents() == ()
    assert len(invoices(book, 300, 400)) == 2
    assert [check.name for check in book.verify() if not check.holds] == []


def test_no_more_is_given_back_than_is_left(book: Book) -> None:
    seven, _ = invoices(book, 300, 400)
    book.refund("job-1", 1)

    with pytest.raises(InputError, match=r"2\.01 SU cannot be given back for job-1 of HPC-2000-04"):
        credit(book, seven, 1, 201)
    with pytest.raises(InputError, match=r"0\.00 SU are left of it"):
        credit(book, seven, 9, 1)
    assert len(book.documents()) == 2
