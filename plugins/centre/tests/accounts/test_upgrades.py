"""Versions of the schema: steps lead to what the program writes, and other versions are told."""

from __future__ import annotations

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import text

from plugins.centre.tests.accounts.runs import SEVEN
from swfx import InputError
from utilitysched_centre.accounts import Book, create, upgrade
from utilitysched_centre.accounts.database import Database
from utilitysched_centre.accounts.journal import Entry, Heading, sealed
from utilitysched_centre.accounts.schema import METADATA
from utilitysched_centre.accounts.upgrades import HEAD, VERSION_TABLE, VERSIONS, migrate

FIRST = (
    "INSERT INTO ledger VALUES (1, 'SU', 6, 'user', 0, '2000-01-01T00:00:00Z')",
    "INSERT INTO ledger_account VALUES (1, 'centre', 'endowments', 'available', NULL, '2000')",
    "INSERT INTO ledger_account VALUES (2, 'centre', 'income', 'available', NULL, '2000')",
)
"""What earlier versions laid down in a new ledger."""

SECOND = (
    "INSERT INTO ledger_account VALUES (3, 'user', '7', 'available', 0, '2000')",
    "INSERT INTO ledger_account VALUES (4, 'user', '7', 'held', 0, '2000')",
    """INSERT INTO ledger_posting
    VALUES (1, 'endow', 'endow:k', '', '2000-05-15T12:00:00Z', NULL, '{seal}')""",
    "INSERT INTO ledger_entry VALUES (1, 0, 'endow', 1, 3, 100, '2000-05', NULL, NULL)",
    "INSERT INTO ledger_closing VALUES ('2000-05', '2000-06-15T12:00:00Z', 1)",
    "INSERT INTO ledger_closing_balance VALUES ('2000-05', 1, -100), ('2000-05', 3, 100)",
)
"""An endowment and a closed month, as the second version wrote them."""


def old_ledger(location: str, to: str = "0001") -> None:
    """Make a ledger of an earlier version."""
    database = Database(location)
    with database.writing() as connection:
        migrate(connection, to)
        for statement in FIRST:
            connection.execute(text(statement))
    database.close()


def test_the_steps_lead_to_the_tables_that_are_written(location: str) -> None:
    create(location)
    database = Database(location)

    with database.reading() as connection:
        context = MigrationContext.configure(connection, opts={"version_table": VERSION_TABLE})
        assert compare_metadata(context, METADATA) == []
    database.close()


def test_a_new_ledger_has_the_last_version(location: str) -> None:
    create(location)

    assert upgrade(location) == (HEAD, HEAD)
    assert VERSIONS.get_heads() == [HEAD]


def test_an_old_ledger_is_refused_until_it_is_upgraded(location: str) -> None:
    old_ledger(location)

    with pytest.raises(InputError, match=f"has version 0001, this program needs {HEAD}; copy it, "):
        Book(location)
    assert upgrade(location) == ("0001", HEAD)
    with Book(location) as book:
        book.endow(SEVEN, 1)
        assert all(check.holds for check in book.verify())


def test_a_newer_ledger_is_refused(location: str) -> None:
    create(location)
    database = Database(location)
    with database.writing() as connection:
        connection.execute(text(f"UPDATE {VERSION_TABLE} SET version_num = '9999'"))
    database.close()

    for attempt in (Book, upgrade):
        with pytest.raises(InputError, match="has version 9999, this program knows them up to 00"):
            attempt(location)


def test_an_upgrade_under_way_is_seen(location: str) -> None:
    create(location)
    with Book(location) as book:
        database = Database(location)
        with database.writing() as connection:
            connection.execute(text(f"UPDATE {VERSION_TABLE} SET version_num = '9999'"))
        database.close()

        with pytest.raises(InputError, match="has version 9999"):
            book.endow(SEVEN, 1)


def test_nothing_to_upgrade(location: str) -> None:
    with pytest.raises(InputError, match="there is no ledger; make one with"):
        upgrade(location)


ENTRIES = [Entry("endow", 1, 3, 100, "2000-05")]
SEAL = sealed("", Heading("endow", "endow:k", "", "2000-05-15T12:00:00Z"), ENTRIES, [], None)


def test_what_was_not_sealed_is_when_a_ledger_is_upgraded(location: str) -> None:
    old_ledger(location, "0002")
    database = Database(location)
    with database.writing() as connection:
        for statement in SECOND:
            connection.execute(text(statement.format(seal=SEAL)))
    database.close()

    assert upgrade(location) == ("0002", HEAD)
    with Book(location) as book:
        assert [check for check in book.verify() if not check.holds] == []
        assert book.anchor().posting == 2
        assert book.endow(SEVEN, 1).number == 3
        assert [check for check in book.verify() if not check.holds] == []
