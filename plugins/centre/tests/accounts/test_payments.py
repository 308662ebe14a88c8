"""Payments of invoices, what is open, and the statement of a year."""

from __future__ import annotations

from datetime import date

import pytest

from plugins.centre.tests.accounts.conftest import NOW, Opened, cents
from plugins.centre.tests.accounts.issued import (
    cancel,
    credit,
    document_refund,
    invoices,
    unsound,
)
from plugins.centre.tests.accounts.runs import EIGHT, SEVEN, claims
from swfx import InputError
from utilitysched_centre.accounts import INVOICE, Book, Document, OverdraftError, StatementRow

JUNE = date(2000, 6, 10)
ONE, TWO = "HPC-2000-04-0001", "HPC-2000-04-0002"


@pytest.fixture
def book(opened: Opened) -> Book:
    """A ledger in SU and cents whose accounts may owe anything."""
    return opened(cents(credit_limit=None))


def open_amounts(book: Book) -> dict[str, int]:
    return {item.number: item.open for item in book.open_items(JUNE)}


def test_an_invoice_is_paid_in_parts(book: Book) -> None:
    seven, _ = invoices(book, 300, 400)
    credit(book, seven, 1, 50)

    posted = book.pay(ONE, "1.25", on=JUNE, memo="bank")

    item = book.open_items(JUNE)[0]
    assert item[:6] == (ONE, SEVEN, "2000-05-02", "2000-06-01", 39, 9)
    assert item[6:] == (300, 50, 125, 0, 125)
    (line,) = [line for line in book.history(SEVEN) if line.kind == "pay"]
    assert line[:4] == (posted.number, "2000-06-15T12:00:00Z", "2000-06", "pay")
    assert (line.available, line.reference, line.memo) == (125, ONE, "bank")
    assert book.pay(ONE, on=JUNE).new
    assert open_amounts(book) == {TWO: 400}
    assert book.balances()[0].available == 0
    assert unsound(book) == {}


def test_no_more_is_paid_than_is_open(book: Book) -> None:
    invoices(book, 300, 400)
    book.pay(ONE, 3, on=JUNE)

    said = r"has 0\.00 SU open: 3\.00 SU, less 0\.00 SU credited and 3\.00 SU paid"
    with pytest.raises(InputError, match=said):
        book.pay(ONE, 3, on=JUNE)
    with pytest.raises(InputError, match=said):
        book.pay(ONE, on=JUNE)
    with pytest.raises(InputError, match=r"has 4\.00 SU open"):
        book.pay(TWO, "4.01", on=JUNE)
    assert len([line for line in book.history() if line.kind == "pay"]) == 1


def test_a_payment_with_a_key_is_entered_once(book: Book) -> None:
    invoices(book, 300, 400)

    first = book.pay(ONE, on=JUNE, key="bank-17")

    assert book.pay(ONE, on=JUNE, key="bank-17") == (first.number, False, 1)
    assert book.pay(ONE, 3, on=NOW.date(), key="bank-17") == (first.number, False, 1)
    for number, amount, back in ((ONE, 2, False), (TWO, None, False), (ONE, None, True)):
        with pytest.raises(InputError, match=r"has this key: pay 3\.00 SU of HPC-2000-04-0001"):
            book.pay(number, amount, on=JUNE, back=back, key="bank-17")


def test_money_goes_back(book: Book) -> None:
    seven, _ = invoices(book, 300, 400)
    book.pay(ONE, on=JUNE)
    credit(book, seven, 1, 50)
    assert open_amounts(book) == {ONE: -50, TWO: 400}

    book.pay(ONE, on=JUNE, back=True)  # what was paid too much

    assert open_amounts(book) == {TWO: 400}
    book.pay(ONE, on=JUNE, back=True)  # by mistake: all that was paid
    assert open_amounts(book) == {ONE: 250, TWO: 400}
    with pytest.raises(InputError, match=r"has 0\.00 SU to pay back"):
        book.pay(ONE, on=JUNE, back=True)
    assert unsound(book) == {}


def test_what_an_account_does_not_have_does_not_go_back(opened: Opened) -> None:
    book = opened(cents())
    for account in (SEVEN, EIGHT):
        book.endow(account, 4)
    invoices(book, 300, 400)
    book.pay(ONE, on=JUNE)
    book.hold(SEVEN, 4, "job-9")

    with pytest.raises(OverdraftError, match=r"user:7 has 0\.00 SU \(4\.00 SU held besides"):
        book.pay(ONE, on=JUNE, back=True)


@pytest.mark.parametrize(
    ("number", "day", "said"),
    [
        ("HPC-2000-04-0003", JUNE, "there is no invoice HPC-2000-04-0003; utilitysched ledger ope"),
        ("x", JUNE, "there is no invoice x"),
        (ONE, date(2000, 6, 16), "field day of payment: 2000-06-16 is yet to come"),
    ],
)
def test_payments_of_no_use(book: Book, number: str, day: date, said: str) -> None:
    seven, _ = invoices(book, 300, 400)
    credit(book, seven, 1, 50)

    with pytest.raises(InputError, match=said):
        book.pay(number, on=day)
    for amount in ("0", "-1", "nan"):
        with pytest.raises(InputError, match="field amount"):
            book.pay(ONE, amount, on=JUNE)


def test_endowments_cover_the_oldest_invoices_first(book: Book) -> None:
    first, eight = invoices(book, 300, 400)
    for one in (first, eight):
        cancel(book, one)
    invoices(book, 100, 400)
    invoices_of_seven = [item for item in book.open_items(JUNE) if item.account == SEVEN]
    assert [(item.number, item.open) for item in invoices_of_seven] == [("HPC-2000-04-0005", 100)]

    book.endow(SEVEN, "0.6")

    (item,) = [item for item in book.open_items(JUNE) if item.account == SEVEN]
    assert (item.covered, item.open) == (60, 40)
    book.endow(SEVEN, 9)
    assert [item.account for item in book.open_items(JUNE)] == [EIGHT]


def test_a_payment_in_a_closed_month_belongs_to_the_present_one(book: Book) -> None:
    invoices(book, 300, 400)
    book.close("2000-05")

    book.pay(ONE, on=date(2000, 5, 20))

    assert book.history()[-1].month == "2000-06"
    assert book.statement(SEVEN).rows[-1].date == "2000-05-20"


def test_the_statement_of_a_year_adds_up(book: Book) -> None:
    book.endow(SEVEN, 1, month="2000-03")
    seven, _ = invoices(book, 300, 400, own=100)
    book.refund("job-1", "0.2")
    posting = book.refund("job-1", "0.3").number  # one credit note is about both
    credit(book, seven, 1, 25)
    document_refund(book, seven, posting, 1, 50)
    book.hold(SEVEN, "0.1", "job-9")
    book.refund("job-9")
    book.pay(ONE, on=JUNE)
    book.pay(ONE, "0.05", on=NOW.date(), back=True)

    statement = book.statement(SEVEN)

    three, four = "HPC-2000-04-0003", "HPC-2000-04-0004"
    assert statement.rows == [
        StatementRow("2000-05-02", "invoice", ONE, 200, 0, -200),
        StatementRow("2000-05-02", "credit note", three, 0, 25, -175),
        StatementRow("2000-05-02", "credit note", four, 0, 50, -125),
        StatementRow("2000-06-10", "payment", ONE, 0, 125, 0),
        StatementRow("2000-06-15", "endowment", "", 0, 100, 100),
        StatementRow("2000-06-15", "payment given back", ONE, 5, 0, 95),
    ]
    assert (statement.opening, statement.closing) == (0, 95)
    later, earlier = book.statement(SEVEN, 2001), book.statement(SEVEN, 1999)
    assert (later.opening, later.rows, later.closing) == (95, [], 95)
    assert (earlier.opening, earlier.rows, earlier.closing) == (0, [], 0)
    assert book.balances()[0].available == 95


def test_a_statement_has_refunds_that_no_document_states_yet(book: Book) -> None:
    invoices(book, 300, 400)
    book.refund("job-1", "0.2")
    book.refund("job-1", "0.3")

    statement = book.statement(SEVEN)

    assert statement.rows == [
        StatementRow("2000-05-02", "invoice", ONE, 300, 0, -300),
        StatementRow("2000-06-15", "refund", "", 0, 50, -250),
    ]


def test_payments_are_part_of_the_reconciliation(book: Book) -> None:
    run = claims(300, 400)
    book.post(run)
    invoice = Document("2000-04-0001", INVOICE, "2000-04", SEVEN, 300, 0, "2000-05-02", posting=1)
    with book.issuing() as issue:
        issue.add(invoice)
    book.pay(invoice.number, 2, on=JUNE)

    june = [period for period in book.reconcile(run).periods if period.month == "2000-06"]

    assert [(period.opening, period.paid, period.closing) for period in june] == [(-300, 200, -100)]
