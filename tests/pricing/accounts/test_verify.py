"""Certificates: whatever somebody changed behind the ledger's back is found."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from pricing.accounts import Book, create
from swfx import InputError
from tests.pricing.accounts.conftest import NOW, cents
from tests.pricing.accounts.runs import EIGHT, SEVEN, claims

ALL = ["entries", "balance", "seals", "limits", "holds", "months", "database"]


@pytest.fixture
def ledger(tmp_path: Path) -> Path:
    """A ledger with something in it, one month closed, and no guards."""
    create(tmp_path / "a.db", cents())
    with Book(tmp_path / "a.db", clock=lambda: NOW) as book:
        book.endow(SEVEN, 100, month="2000-03")
        book.endow(EIGHT, 100, month="2000-03")
        book.close("2000-03")
        book.hold_run(claims(500, 500, 500))
        book.post(claims(300, 400))
        book.refund("job-1", 1)
        assert [check.name for check in book.verify() if check.holds] == ALL
    with sqlite3.connect(tmp_path / "a.db") as connection:
        triggers = connection.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'")
        for (name,) in triggers.fetchall():
            connection.execute(f"DROP TRIGGER {name}")
    connection.close()
    return tmp_path / "a.db"


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
        ("UPDATE ledger_entry SET amount = amount + 1 WHERE posting = 4 AND line = 0", {"seals"}),
        ("UPDATE ledger_entry SET amount = 999999 WHERE posting = 3", {"seals", "limits"}),
        ("UPDATE ledger_entry SET amount = -5 WHERE posting = 5", {"seals", "entries"}),
        ("UPDATE ledger_entry SET amount = 400 WHERE posting = 5", {"seals", "holds"}),
        ("UPDATE ledger_entry SET credit = debit WHERE posting = 5", {"seals", "entries"}),
        ("UPDATE ledger_entry SET job = 9 WHERE posting = 4", {"seals"}),
        ("UPDATE ledger_entry SET month = '2000-03' WHERE posting = 5", {"seals", "months"}),
        ("UPDATE ledger_entry SET amount = 10001 WHERE posting = 1", {"seals", "months"}),
        ("UPDATE ledger_posting SET memo = 'x' WHERE id = 2", {"seals"}),
        ("UPDATE ledger_posting SET posted_at = 'x' WHERE id = 5", {"seals"}),
        ("DELETE FROM ledger_entry WHERE posting = 5", {"seals"}),
        ("DELETE FROM ledger_posting WHERE id = 2", {"seals"}),
        ("DELETE FROM ledger_posting WHERE id = 5", set()),
        ("UPDATE ledger_closing_balance SET balance = 1 WHERE account = 3", {"months"}),
        ("UPDATE ledger_account SET credit_limit = 0 WHERE id = 1", {"limits"}),
        ("UPDATE ledger_entry SET debit = 99 WHERE posting = 1", {"seals", "months"}),
    ],
)
def test_changes_are_found(ledger: Path, statement: str, names: set[str]) -> None:
    found = broken(ledger, statement)

    assert names <= set(found)
    assert "database" in found


def test_rows_that_point_nowhere_are_found(ledger: Path) -> None:
    found = broken(ledger, "DELETE FROM ledger_posting WHERE id = 5")

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
