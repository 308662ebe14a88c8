"""Certificates: whatever somebody changed behind the ledger's back is found."""

from __future__ import annotations

import shutil
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Column, Table

from plugins.centre.tests.accounts.conftest import NOW, cents
from plugins.centre.tests.accounts.forging import forge
from plugins.centre.tests.accounts.issued import credit, invoices
from plugins.centre.tests.accounts.runs import EIGHT, SEVEN, claims
from swfx import InputError
from utilitysched_centre.accounts import Book, create
from utilitysched_centre.accounts.schema import METADATA

ALL = [
    "entries",
    "balance",
    "bounds",
    "seals",
    "limits",
    "holds",
    "months",
    "documents",
    "database",
]


@pytest.fixture(scope="module")
def unguarded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A ledger with something in it, one month closed, and no guards."""
    path = tmp_path_factory.mktemp("ledger") / "a.db"
    create(path, cents())
    with Book(path, clock=lambda: NOW) as book:
        book.endow(SEVEN, 100, month="2000-03")
        book.endow(EIGHT, 100, month="2000-03")
        book.close("2000-03")
        book.hold_run(claims(500, 500, 500))
        book.post(claims(300, 400))
        book.refund("job-1", 1)
        assert [check.name for check in book.verify() if check.holds] == ALL
    with sqlite3.connect(path) as connection:
        triggers = connection.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'")
        for (name,) in triggers.fetchall():
            connection.execute(f"DROP TRIGGER {name}")
    connection.close()
    return path


@pytest.fixture
def ledger(unguarded: Path, tmp_path: Path) -> Path:
    """One of one's own."""
    return Path(shutil.copy(unguarded, tmp_path))


def broken(ledger: Path, statement: str) -> dict[str, str]:
    """Change a ledger; what then does not hold, and why."""
    connection = sqlite3.connect(ledger)
    connection.execute("PRAGMA ignore_check_constraints = ON")
    with connection:
        connection.execute(statement)
    connection.close()
    with Book(ledger) as book:
        return {check.name: check.detail for check in book.verify() if not check.holds}


def test_missing_guards_are_found(ledger: Path) -> None:
    found = broken(ledger, "SELECT 1")

    assert list(found) == ["database"]
    assert found["database"].startswith("ledger can be changed; ledger_account can be changed; ")


@pytest.mark.parametrize(
    ("statement", "names"),
    [
        ("UPDATE ledger_entry SET amount = amount + 1 WHERE posting = 5 AND line = 0", {"seals"}),
        ("UPDATE ledger_entry SET amount = 999999 WHERE posting = 4", {"seals", "limits"}),
        ("UPDATE ledger_entry SET amount = -5 WHERE posting = 6", {"seals", "entries"}),
        ("UPDATE ledger_entry SET amount = 400 WHERE posting = 6", {"seals", "holds"}),
        ("UPDATE ledger_entry SET credit = debit WHERE posting = 6", {"seals", "entries"}),
        ("UPDATE ledger_entry SET job = 9 WHERE posting = 5", {"seals"}),
        ("UPDATE ledger_entry SET month = '2000-03' WHERE posting = 6", {"seals", "months"}),
        ("UPDATE ledger_entry SET amount = 10001 WHERE posting = 1", {"seals", "months"}),
        ("UPDATE ledger_posting SET memo = 'x' WHERE id = 2", {"seals"}),
        ("UPDATE ledger_posting SET posted_at = 'x' WHERE id = 6", {"seals"}),
        ("DELETE FROM ledger_entry WHERE posting = 6", {"seals"}),
        ("DELETE FROM ledger_posting WHERE id = 2", {"seals"}),
        ("DELETE FROM ledger_posting WHERE id = 6", set()),
        ("UPDATE ledger_closing_balance SET balance = 1 WHERE account = 4", {"months"}),
        ("UPDATE ledger_account SET credit_limit = 0 WHERE id = 1", {"limits"}),
        ("UPDATE ledger_entry SET debit = 99 WHERE posting = 1", {"seals", "months"}),
    ],
)
def test_changes_are_found(ledger: Path, statement: str, names: set[str]) -> None:
    found = broken(ledger, statement)

    assert names <= set(found)
    assert "database" in found


def test_rows_that_point_nowhere_are_found(ledger: Path) -> None:
    found = broken(ledger, "DELETE FROM ledger_posting WHERE id = 6")

    assert found["database"].endswith("a row of ledger_entry points nowhere")


def test_a_damaged_file_is_found(tmp_path: Path) -> None:
    create(tmp_path / "a.db", cents())
    with Book(tmp_path / "a.db") as book:
        book.endow(SEVEN, 100, month="2000-03")
    connection = sqlite3.connect(tmp_path / "a.db")
    connection.execute("PRAGMA writable_schema = ON")
    with connection:
        connection.execute(
            "UPDATE sqlite_master SET rootpage = 2 WHERE name = 'ix_ledger_entry_debit'"
        )
    connection.close()

    with (
        Book(tmp_path / "a.db") as book,
        pytest.raises(InputError, match="the database says: database disk image is malformed"),
    ):
        book.verify()


KEY = b"0123456789abcdef"

CELLS = [column for table in METADATA.sorted_tables for column in table.columns]


@pytest.fixture(scope="module")
def full(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A ledger with rows in every table, none of whose cells is empty or the same as another."""
    path = tmp_path_factory.mktemp("ledger") / "full.db"
    create(path, cents(), key=KEY)
    with Book(path, clock=lambda: NOW, key=KEY) as book:
        book.set_limit(EIGHT, None)
        book.endow(SEVEN, 100, month="2000-03", memo="grant")
        seven, eight = invoices(book, 300, 400)
        credit(book, seven, 1, 100)
        book.pay(eight.number, 1, on=NOW.date(), memo="bank", key="once")
        book.set_limit(SEVEN, 7)
        book.assign(EIGHT, SEVEN._replace(kind="project"))
        book.close("2000-03")
        book.undo(book.hold(SEVEN, 5, "job-9").number)
        assert all(check.holds for check in book.verify())
    return path


def bent(full: Path, copy: Path, *statements: str) -> list[str]:
    """Change a copy of a ledger; what does not hold then."""
    forge(str(shutil.copy(full, copy)), *statements)
    try:
        with Book(copy, key=KEY) as book:
            return [check.name for check in book.verify() if not check.holds]
    except InputError as error:
        return [str(error)]


@pytest.mark.parametrize("column", CELLS, ids=str)
def test_every_cell_counts(full: Path, tmp_path: Path, column: Column[Any]) -> None:
    other = "x" if column.type.python_type is str else 41
    table = column.table.name
    assert bent(
        full,
        tmp_path / "a.db",
        f"UPDATE {table} SET {column.name} = coalesce({column.name}, '') || '{other}'"
        f" WHERE rowid = (SELECT max(rowid) FROM {table})",
    )


@pytest.mark.parametrize("table", METADATA.sorted_tables, ids=str)
def test_every_row_counts(full: Path, tmp_path: Path, table: Table) -> None:
    last = f"rowid = (SELECT max(rowid) FROM {table})"
    assert bent(full, tmp_path / "a.db", f"DELETE FROM {table} WHERE {last}")


@pytest.mark.parametrize(
    "statements",
    [
        ["UPDATE ledger SET decimals = 6"],
        ["UPDATE ledger SET decimals = 'x'"],
        ["UPDATE ledger SET unit = 'EUR', payer = 'group'"],
        ["UPDATE ledger SET key_check = NULL"],
        ["UPDATE ledger_account SET credit_limit = 10000"],
        ["UPDATE ledger_account SET name = '9' WHERE name = '7'"],
        ["UPDATE ledger_account SET sealed_by = NULL"],
        ["UPDATE ledger_limit SET credit_limit = NULL"],
        ["INSERT INTO ledger_limit VALUES (9, 4, 10000, '2000-06-15T12:00:00Z', 1)"],
        ["INSERT INTO ledger_limit VALUES (9, 4, 10000, '2000-06-15T12:00:00Z', NULL)"],
        ["INSERT INTO ledger_member VALUES (9, 'user', '9', 4, '2000-06-15T12:00:00Z', 5)"],
        ["INSERT INTO ledger_entry VALUES (1, 1, 'endow', 1, 4, 900, '2000-06', NULL, NULL)"],
        ["UPDATE ledger_entry SET amount = 'x'"],
        ["UPDATE ledger_entry SET amount = 0.5"],
        ["UPDATE ledger_entry SET amount = -9223372036854775808"],
        ["UPDATE ledger_entry SET month = 7"],
        ["UPDATE ledger_entry SET debit = credit, credit = debit"],
        ["UPDATE ledger_posting SET seal = ''"],
        ["DELETE FROM ledger_closing_balance", "DELETE FROM ledger_closing"],
        ["DELETE FROM ledger_entry", "DELETE FROM ledger_posting WHERE id > 0"],
        ["DELETE FROM ledger_entry", "DELETE FROM ledger_posting"],
        ["DELETE FROM ledger_account", "DELETE FROM ledger"],
    ],
    ids=str,
)
def test_raw_edits_are_found(full: Path, tmp_path: Path, statements: list[str]) -> None:
    assert bent(full, tmp_path / "a.db", *statements)


def test_a_guard_that_guards_nothing_is_found(full: Path, tmp_path: Path) -> None:
    connection = sqlite3.connect(shutil.copy(full, tmp_path / "a.db"))
    connection.execute("DROP TRIGGER ledger_no_update")
    connection.execute(
        "CREATE TRIGGER ledger_no_update BEFORE UPDATE ON ledger BEGIN SELECT 1; END"
    )
    connection.close()

    with Book(tmp_path / "a.db", key=KEY) as book:
        found = {check.name: check.detail for check in book.verify() if not check.holds}
    assert found == {
        "database": "ledger can be changed; ledger has a strange trigger ledger_no_update"
    }
