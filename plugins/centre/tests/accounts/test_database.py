"""Where ledgers are: addresses, files that are none, and a database that refuses to be changed."""

from __future__ import annotations

import sqlite3
from multiprocessing import get_context
from pathlib import Path

import pytest
from sqlalchemy import text

from plugins.centre.tests.accounts.conftest import NOW
from plugins.centre.tests.accounts.issued import credit, invoices
from plugins.centre.tests.accounts.runs import EIGHT, SEVEN, claims
from swfx import InputError
from utilitysched_centre.accounts import Book, create
from utilitysched_centre.accounts.database import Database

TABLES = (
    "ledger",
    "ledger_account",
    "ledger_limit",
    "ledger_member",
    "ledger_posting",
    "ledger_entry",
    "ledger_closing",
    "ledger_closing_balance",
    "ledger_document",
    "ledger_document_line",
    "ledger_payment",
    "ledger_version",
)

CELL = {
    "ledger": "unit = '1'",
    "ledger_account": "name = 'x'",
    "ledger_posting": "memo = '1'",
    "ledger_entry": "kind = '1'",
    "ledger_closing": "closed_at = 'x'",
    "ledger_document": "net = 99999900",
    "ledger_document_line": "reason = 'x'",
    "ledger_payment": "paid_on = '2000-01-01'",
    "ledger_version": "version_num = '0005'",
}
"""What an attack writes into a table; else another account."""


def change(location: str, statement: str) -> None:
    """Do to a database what no ledger does."""
    database = Database(location)
    try:
        with database.writing() as connection:
            connection.execute(text(statement))
    finally:
        database.close()


@pytest.mark.parametrize("address", ["mysql://root:secret@host/db", "sqlite://", "x://", "a://b:c"])
def test_other_addresses_are_refused(address: str) -> None:
    with pytest.raises(InputError, match="is no address of a ledger; give the path of a file") as r:
        Database(address)

    assert "secret" not in str(r.value)


def test_an_address_of_a_file_is_its_path(tmp_path: Path) -> None:
    create(f"sqlite:///{tmp_path / 'a.db'}")

    with Book(tmp_path / "a.db") as book:
        assert book.source == str(tmp_path / "a.db")


def test_no_server_is_one_line() -> None:
    with pytest.raises(InputError, match=r"^postgresql://me:\*\*\*@/db.*the database says: ") as r:
        create("postgresql://me:secret@/db?host=/nowhere")

    assert "secret" not in str(r.value)
    assert "\n" not in str(r.value)


def test_reading_makes_no_file(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there is no ledger; make one with: utilitysched ledger"):
        Book(tmp_path / "a.db")

    assert list(tmp_path.iterdir()) == []


def test_a_file_of_something_else_is_refused(tmp_path: Path) -> None:
    (tmp_path / "notes").write_text("not a database at all, but long enough to look at" * 9)

    with pytest.raises(InputError, match="the database says: file is not a database"):
        Book(tmp_path / "notes")
    with pytest.raises(InputError, match="the database says: file is not a database"):
        create(tmp_path / "notes")


def test_a_folder_that_does_not_exist(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="the database says: unable to open database file"):
        create(tmp_path / "none" / "a.db")


def test_a_database_of_something_else_is_kept(location: str) -> None:
    change(location, "CREATE TABLE ledger_entry (mine INTEGER)")

    with pytest.raises(InputError, match="has a table 'ledger_entry' that is not a ledger's"):
        create(location)
    with pytest.raises(InputError, match="there is no ledger; make one with"):
        Book(location)


@pytest.mark.parametrize("other", ["0002", "9999"])
def test_a_ledger_of_another_version_is_refused(location: str, other: str) -> None:
    create(location)
    with Book(location) as open_before:
        change(location, "DROP TABLE ledger_version")
        change(location, f"CREATE TABLE ledger_version AS SELECT '{other}' AS version_num")

        said = f"the ledger has version {other}, this program needs 0004; use the utilitysched-cen"
        with pytest.raises(InputError, match=said):
            Book(location)
        with pytest.raises(InputError, match=said):
            open_before.endow(SEVEN, 1)


def test_a_ledger_has_one_version(book: Book, location: str) -> None:
    with pytest.raises(InputError, match="one_version"):
        change(location, "INSERT INTO ledger_version VALUES ('0003')")

    assert book.endow(SEVEN, 1).new


def test_a_killed_start_can_be_repeated(tmp_path: Path) -> None:
    (tmp_path / "a.db").touch()

    create(tmp_path / "a.db")

    with Book(tmp_path / "a.db") as book:
        assert book.balances() == []


@pytest.mark.parametrize("table", TABLES)
def test_tables_only_grow(book: Book, location: str, table: str) -> None:
    book.endow(SEVEN, 100, month="2000-05")
    book.set_limit(EIGHT, None)
    seven, _ = invoices(book, 300, 400)
    credit(book, seven, 1, 100)
    book.pay(seven.number, 1, on=NOW.date())
    book.assign(SEVEN, SEVEN._replace(kind="project"))
    book.close("2000-05")

    for statement in (
        f"DELETE FROM {table}",
        f"UPDATE {table} SET {CELL.get(table, 'account = 1')}",
    ):
        with pytest.raises(InputError, match=f"{table} only grows"):
            change(location, statement)


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ("(1, 1, 'endow', 1, 3, 0, '2000-06')", "amount_positive"),
        ("(1, 1, 'endow', 1, 3, -5, '2000-06')", "amount_positive"),
        ("(1, 1, 'endow', 3, 3, 5, '2000-06')", "two_accounts"),
        ("(1, 1, 'endow', 1, 99, 5, '2000-06')", "(?i)foreign key"),
        ("(99, 1, 'endow', 1, 3, 5, '2000-06')", "(?i)foreign key"),
        ("(1, 0, 'endow', 1, 3, 5, '2000-06')", "(?i)unique|only grows"),
        ("(1, 1, 'endow', 1, 3, 5, '2000-05')", "the month is closed"),
        ("(1, 1, 'endow', 1, 3, 5, '1999-12')", "the month is closed"),
    ],
)
def test_no_odd_entry_is_stored(book: Book, location: str, values: str, said: str) -> None:
    book.endow(SEVEN, 100)
    book.close("2000-05")

    with pytest.raises(InputError, match=said):
        change(
            location,
            "INSERT INTO ledger_entry (posting, line, kind, debit, credit, amount, month) "
            f"VALUES {values}",
        )


def test_a_write_that_fails_leaves_nothing(book: Book, monkeypatch: pytest.MonkeyPatch) -> None:
    book.endow(SEVEN, 100)

    def fails(*_: object) -> None:
        raise RuntimeError("power cut")

    monkeypatch.setattr("utilitysched_centre.accounts.journal.insert", fails)
    with pytest.raises(RuntimeError):
        book.post(claims(100))
    monkeypatch.undo()

    assert [line.kind for line in book.history()] == ["endow"]
    assert book.post(claims(100)).new


def test_others_that_write_are_waited_for_and_then_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("utilitysched_centre.accounts.database.PATIENCE", 0.1)
    create(tmp_path / "a.db")
    other = sqlite3.connect(tmp_path / "a.db", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")

    with (
        Book(tmp_path / "a.db") as book,
        pytest.raises(InputError, match=r"others have been writing for over 0.1 s; try again"),
    ):
        book.endow(SEVEN, 1)
    other.close()


def test_so_it_is_on_a_server(postgresql_database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("utilitysched_centre.accounts.database.PATIENCE", 0.1)
    create(postgresql_database)
    other = Database(postgresql_database)

    with (
        Book(postgresql_database) as book,
        other.writing(),
        pytest.raises(InputError, match=r"others have been writing for over 0.1 s; try again"),
    ):
        book.endow(SEVEN, 1)
    other.close()


def test_a_ledger_that_may_not_be_written_can_be_read(tmp_path: Path) -> None:
    create(tmp_path / "a.db")
    with Book(tmp_path / "a.db") as book:
        book.endow(SEVEN, 1)

    with Book(f"sqlite:///file:{tmp_path / 'a.db'}?mode=ro&uri=true") as book:
        assert len(book.balances()) == 1
        with pytest.raises(InputError, match="attempt to write a readonly database"):
            book.endow(SEVEN, 1)


def test_a_file_put_in_place_of_an_open_ledger_is_the_one_that_is_written(tmp_path: Path) -> None:
    path, copy = tmp_path / "books.db", tmp_path / "copy.db"
    create(path)
    with Book(path) as book:
        book.endow(SEVEN, 1)
        copy.write_bytes(path.read_bytes())
        book.endow(SEVEN, 10)
        copy.replace(path)
        book.endow(SEVEN, 100)

        (found,) = book.balances()

    assert found.available == book.money.units(101)
    with Book(path) as again:
        assert again.balances() == [found]
        assert all(check.holds for check in again.verify())


def test_a_process_that_is_forked_off_opens_the_ledger_anew(tmp_path: Path) -> None:
    path = tmp_path / "books.db"
    create(path)
    with Book(path) as book:
        book.endow(SEVEN, 1)
        child = get_context("fork").Process(target=book.endow, args=(SEVEN, 10))
        child.start()
        child.join()
        book.endow(SEVEN, 100)

        assert child.exitcode == 0
        assert book.balances()[0].available == book.money.units(111)
        assert all(check.holds for check in book.verify())
