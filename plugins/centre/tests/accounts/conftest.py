"""Ledgers in files and on a server."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import psycopg
import pytest

from utilitysched_centre.accounts import Book, Terms, create

NOW = datetime(2000, 6, 15, 12, tzinfo=UTC)

Opened = Callable[..., Book]


OTHERS = """
SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity
WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'
"""


@pytest.fixture(scope="session")
def database(postgresql: str) -> str:
    """A database for all tests: one for each would cost the server most of its time."""
    with psycopg.connect(postgresql.format("postgres"), autocommit=True) as connection:
        connection.execute("CREATE DATABASE empty TEMPLATE template0")
    return postgresql.format("empty")


@pytest.fixture
def postgresql_database(database: str) -> str:
    """The database, with nothing in it and nobody else connected to it."""
    with psycopg.connect(database, autocommit=True) as connection:
        connection.execute(OTHERS)
        connection.execute("DROP SCHEMA public CASCADE")
        connection.execute("CREATE SCHEMA public")
    return database


@pytest.fixture(params=["sqlite", "postgresql"])
def location(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Where a ledger can be made."""
    if request.param == "sqlite":
        return str(tmp_path / "ledger.db")
    return str(request.getfixturevalue("postgresql_database"))


@pytest.fixture
def opened(location: str) -> Iterator[Opened]:
    """Make a ledger and open it; the clock stands still."""
    books = []

    def make(terms: Terms | None = None) -> Book:
        create(location, terms)
        books.append(Book(location, clock=lambda: NOW))
        return books[-1]

    yield make
    for book in books:
        book.close_connections()


@pytest.fixture
def book(opened: Opened) -> Book:
    """A ledger in SU and cents."""
    return opened(cents())


def cents(**terms: object) -> Terms:
    """Terms of a ledger with two decimals."""
    from utilitysched_centre.accounts import Money

    return Terms(Money("SU", 2))._replace(**terms)
