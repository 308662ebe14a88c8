"""Versions of the schema: steps lead to what the program writes, and other versions are told."""

from __future__ import annotations

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import text

from pricing.accounts import Book, Terms, create, upgrade
from pricing.accounts.chart import Chart
from pricing.accounts.database import Database
from pricing.accounts.schema import METADATA
from pricing.accounts.terms import write_terms
from pricing.accounts.upgrades import HEAD, VERSION_TABLE, VERSIONS, migrate
from swfx import InputError
from tests.pricing.accounts.runs import SEVEN


def old_ledger(location: str) -> None:
    """Make a ledger of the first version."""
    database = Database(location)
    with database.writing() as connection:
        migrate(connection, "0001")
        write_terms(connection, Terms(), "2000-01-01T00:00:00Z")
        Chart(connection, "user", 0, "2000-01-01T00:00:00Z").open_centre()
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
