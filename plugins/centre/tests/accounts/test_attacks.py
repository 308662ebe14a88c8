"""Attempts to bend money: by sums too large, replaced rows, edits behind its back."""

from __future__ import annotations

import sqlite3
from collections import Counter
from datetime import timedelta
from pathlib import Path
from random import Random

import pytest

from plugins.centre.tests.accounts.conftest import NOW, Opened
from plugins.centre.tests.accounts.issued import credit, invoices
from plugins.centre.tests.accounts.runs import EIGHT, SEVEN
from plugins.centre.tests.accounts.test_database import TABLES
from swfx import InputError
from utilitysched_centre.accounts import Account, Book, Money, Terms, create
from utilitysched_centre.accounts.journal import Entry

FINE = Terms(Money("SU", 12), credit_limit=None)


def refused(book: Book) -> dict[str, str]:
    """What does not hold, and why."""
    return {check.name: check.detail for check in book.verify() if not check.holds}


def test_five_million_endowed_twice_at_twelve_decimals(opened: Opened) -> None:
    book = opened(FINE)
    book.endow(SEVEN, 5_000_000)

    with pytest.raises(
        InputError,
        match=r"would have -?10000000\.0+ SU by the end of 2000-06, over the 9223372\.03",
    ):
        book.endow(SEVEN, 5_000_000)

    assert len(book.history()) == 1
    assert refused(book) == {}


def test_the_centre_has_no_more_room_than_others(opened: Opened) -> None:
    book = opened(FINE)
    book.endow(SEVEN, 5_000_000)

    with pytest.raises(InputError, match=r"centre:endowments would have -10000000\.0+ SU by the"):
        book.endow(EIGHT, 5_000_000)


def test_a_posting_that_leads_back_is_no_matter_of_bounds(opened: Opened) -> None:
    book = opened(FINE)
    for _ in range(3):  # what entered and left is thrice what 64 bits hold, the balance is not
        number = book.endow(SEVEN, 9_000_000).number
        book.undo(number)

    assert book.balances()[0].available == 0
    assert refused(book) == {}
    assert book.endow(SEVEN, 9_000_000).new


def overfull(location: str) -> None:
    """Make a ledger as earlier versions could: one account has more than 64 bits hold."""
    create(location, FINE)
    with Book(location, clock=lambda: NOW) as book:
        book.endow(SEVEN, 5_000_000)
        with book._writing() as ledger:
            (parts,) = [ledger.chart.find(SEVEN)]
            entry = ("endow", ledger.chart.endowments, parts.available, 5 * 10**18, "2000-06")
            ledger.store(ledger.heading("endow"), [Entry(*entry)])


def test_an_overfull_ledger_is_told_and_there_is_a_way_out(location: str) -> None:
    overfull(location)

    with Book(location, clock=lambda: NOW) as book:
        assert refused(book) == {
            "bounds": "user:7 has 10,000,000.00 SU by the end of 2000-06, more than 64 bits hold,"
            " 2 accounts in all; undo a posting in that month: ledger refund --posting"
        }
        assert book.balances()[0].available == 10**19
        book.undo(2)
        assert refused(book) == {}
        assert book.balances()[0].available == 5 * 10**18


REPLACED = (
    *(f"INSERT OR REPLACE INTO {table} SELECT * FROM {table}" for table in TABLES),
    """INSERT OR REPLACE INTO ledger (id, unit, decimals, payer, opened_at)
    VALUES (1, 'SU', 2, 'user', '')""",
    """INSERT OR REPLACE INTO ledger_entry
    (rowid, posting, line, kind, debit, credit, amount, month)
    VALUES (1, 1, 7, 'endow', 1, 3, 5, '2000-06')""",
    """INSERT OR REPLACE INTO ledger_posting
    SELECT id + 9, kind, key, 'x', posted_at, reverses, seal FROM ledger_posting""",
    """INSERT OR REPLACE INTO ledger_account (id, kind, name, part, opened_at)
    SELECT 99, kind, name, part, opened_at FROM ledger_account""",
    "REPLACE INTO ledger_closing SELECT * FROM ledger_closing",
    """INSERT OR REPLACE INTO ledger_document
    SELECT 99, number, kind, month, account, 99999900, tax, issued, due, corrects, cancels, digest,
    content, posting, sealed_by FROM ledger_document""",
    "UPDATE OR REPLACE ledger SET decimals = 2",
    "UPDATE OR IGNORE ledger_entry SET amount = 1",
)


@pytest.fixture
def filled(tmp_path: Path) -> Path:
    """A ledger with a row in every table, its guards in place."""
    create(tmp_path / "a.db", Terms())
    with Book(tmp_path / "a.db", clock=lambda: NOW) as book:
        book.endow(SEVEN, 100, month="2000-03")
        book.set_limit(EIGHT, None)
        seven, eight = invoices(book, 300, 400)
        credit(book, seven, 1, 100)
        book.pay(eight.number, on=NOW.date())
        book.assign(EIGHT, Account("project", "ice"))
        book.close("2000-03")
        book.hold(SEVEN, 5, "job-9")
    return tmp_path / "a.db"


@pytest.mark.parametrize("statement", REPLACED)
def test_guards_hold_for_replace(filled: Path, statement: str) -> None:
    connection = sqlite3.connect(filled)  # without foreign keys and recursive triggers
    with pytest.raises(sqlite3.IntegrityError, match="only grows"), connection:
        connection.execute(statement)
    connection.close()


def test_a_clock_that_goes_back_changes_no_order(location: str) -> None:
    create(location, Terms(Money("SU", 2)))
    clock = [NOW]
    with Book(location, clock=lambda: clock[0]) as book:
        book.endow(SEVEN, 100)
        book.hold(SEVEN, 5, "job-1")
        book.close("2000-05")
        clock[0] = NOW - timedelta(days=45)
        with pytest.raises(InputError, match="2000-05 is closed, as is every month until 2000-05"):
            book.endow(SEVEN, 1)
        with pytest.raises(InputError, match="every month until 2000-05 is closed already"):
            book.close("2000-03")
        book.endow(SEVEN, 1, month="2000-06")
        book.set_limit(SEVEN, 9)
        book.set_limit(SEVEN, 5)

        assert [line.posting for line in book.history()] == [1, 2, 4]
        assert [hold.days for hold in book.holds()] == [0]
        assert book.balances()[0].limit == 500
        assert refused(book) == {}


def test_a_hold_grows_old(location: str) -> None:
    create(location, Terms(Money("SU", 2)))
    clock = [NOW]
    with Book(location, clock=lambda: clock[0]) as book:
        book.endow(SEVEN, 100)
        for job in ("job-1", "job-2"):
            book.hold(SEVEN, 5, job)
            clock[0] += timedelta(days=45)
        book.refund("job-2")

        (hold,) = book.holds()
        assert (hold.reference, hold.account, hold.held) == ("job-1", SEVEN, 500)
        assert (hold.since, hold.days) == ("2000-06-15T12:00:00Z", 90)


@pytest.mark.slow
def test_many_postings_do_not_drift(tmp_path: Path) -> None:
    create(tmp_path / "a.db", Terms(Money("SU", 12), credit_limit=None))
    random, expected = Random(3), Counter[str]()
    with Book(tmp_path / "a.db", clock=lambda: NOW) as book:
        for job in range(60):
            account, units = Account("user", str(job % 7)), random.randrange(1, 10**15)
            cost = random.randrange(0, 2 * units)
            book.hold(account, book.money.plain(units), f"job-{job}")
            book.capture(f"job-{job}", book.money.plain(cost))
            expected[account.name] -= cost

        assert {one.account.name: one.available for one in book.balances()} == expected
        assert refused(book) == {}
