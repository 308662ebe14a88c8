"""A bill beside its posting: equal to the minor unit, or an error with the figures."""

from __future__ import annotations

import sqlite3
from fractions import Fraction
from pathlib import Path

import pytest

from plugins.centre.tests.accounts.conftest import cents
from plugins.centre.tests.accounts.runs import EIGHT, SEVEN
from swfx import InputError
from tests.pricing.jobs import three_charges
from utilitysched_centre.accounts import Account, Book, Period, charged, create, invoiced
from utilitysched_centre.rules import Rules, invoice
from utilitysched_centre.rules.rules import (
    Accounts,
    Currency,
    Discount,
    JobSelection,
    Tax,
)

PHYSICS = Account("project", "physics")

RULES = Rules(
    exempt=JobSelection(users=frozenset({8})),
    discount=(Discount(name="all", percent=Fraction(50)),),
    tax=Tax("VAT", Fraction(19)),
    accounts=Accounts({7: "physics"}),
)


def test_the_account_of_a_bill_month_by_month(book: Book) -> None:
    book.endow(SEVEN, 10, month="2000-03")
    book.endow(EIGHT, 5, month="2000-04")
    claims = charged(three_charges("single-price"), book.money)
    number = book.post(claims).number
    book.refund(claims.jobs[0].reference, "0.50")

    found = book.reconcile(claims)

    assert (found.posting, found.total) == (number, 700)
    # user 7 paid 2 SU in April and 1 in May, and got half an SU back in June
    assert found.periods == [
        Period(SEVEN, "2000-04", 1000, 0, 200, 0, 0, 0, 800),
        Period(SEVEN, "2000-05", 800, 0, 100, 0, 0, 0, 700),
        Period(SEVEN, "2000-06", 700, 0, 0, 0, 50, 0, 750),
        Period(EIGHT, "2000-04", 0, 500, 400, 0, 0, 0, 100),
    ]


def test_other_charges_are_told_from_those_of_the_bill(book: Book) -> None:
    book.endow(SEVEN, 10, month="2000-04")
    book.endow(EIGHT, 10, month="2000-04")
    book.hold(SEVEN, 4, "another-run", month="2000-04")
    book.capture("another-run", 3, month="2000-04")
    claims = charged(three_charges("single-price"), book.money)
    book.post(claims)

    (april, *_) = book.reconcile(claims).periods

    assert april == Period(SEVEN, "2000-04", 0, 1000, 200, 300, 0, 0, 500)


def test_what_is_posted_is_what_the_invoice_says(book: Book) -> None:
    book.endow(PHYSICS, 10, month="2000-03")
    bill = invoice(
        three_charges("single-price"), RULES, payer=["physics", "user 8", "physics"], finest=2
    )
    claims = invoiced(bill, book.money)

    # (1 + 0.5) SU and 19%: 1.785, half to even
    assert (str(bill.total), bill.net.tolist(), bill.tax.tolist()) == (
        "1.78", [100, 0, 50], [19, 0, 9],
    )  # fmt: skip
    assert book.post(claims).entries == 2
    found = book.reconcile(claims)
    assert found.total == 178
    assert [period[2:] for period in found.periods if period.account == PHYSICS] == [
        (1000, 0, 119, 0, 0, 0, 881),
        (881, 0, 59, 0, 0, 0, 822),
    ]
    assert book.post(claims) == (2, False, 3)


def test_an_exempt_user_gets_back_what_was_held(book: Book) -> None:
    for account in (PHYSICS, SEVEN, EIGHT):
        book.endow(account, 10, month="2000-03")
    charges = three_charges("single-price")
    book.hold_run(charged(charges, book.money))
    free = Rules(exempt=JobSelection(users=frozenset({8})))

    book.post(invoiced(invoice(charges, free, finest=2), book.money))

    assert [(b.available, b.held) for b in book.balances([SEVEN, EIGHT])] == [(700, 0), (1000, 0)]


def test_a_ledger_in_another_unit_is_refused(book: Book) -> None:
    charges = three_charges("single-price")
    euro = invoice(charges, Rules(currency=Currency("EUR", Fraction(1), 2)))
    fine = invoice(charges)

    with pytest.raises(InputError, match=r"the bill is in EUR with 2 decimals, the ledger in SU"):
        invoiced(euro, book.money)
    with pytest.raises(InputError, match=r"with 6 decimals.*with 2; write decimals below"):
        invoiced(fine, book.money)


def test_a_bill_that_is_not_posted(book: Book) -> None:
    with pytest.raises(InputError, match="the bill is not posted"):
        book.reconcile(charged(three_charges("single-price"), book.money))


def test_nothing_is_posted_when_the_block_fails(book: Book) -> None:
    for account in (SEVEN, EIGHT):
        book.endow(account, 10)
    claims = charged(three_charges("single-price"), book.money)

    with pytest.raises(OSError, match="disk"), book.posting(claims):
        raise OSError("disk")

    assert [b.available for b in book.balances()] == [1000, 1000]
    assert book.post(claims).new


def test_a_posting_with_other_figures_is_an_error_that_names_them(tmp_path: Path) -> None:
    path = tmp_path / "ledger.db"
    create(path, cents(credit_limit=None))
    claims = charged(three_charges("single-price"), cents().money)
    with Book(path) as book:
        book.post(claims)
    with sqlite3.connect(path) as connection:
        connection.execute("DROP TRIGGER ledger_entry_no_update")
        connection.execute("UPDATE ledger_entry SET amount = 199 WHERE amount = 200")
    connection.close()

    with Book(path) as book, pytest.raises(InputError) as error:
        book.post(claims)

    assert str(error.value) == (
        "job 1: the bill says 2.00 SU, posting 1 has 1.99 SU; see whether the ledger is sound: "
        "utilitysched ledger verify LEDGER"
    )
