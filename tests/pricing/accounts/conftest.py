"""Ledgers in files and on a server."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import psycopg
import pytest

from pricing.accounts import Book, Terms, create

NOW = datetime(2000, 6, 15, 12, tzinfo=UTC)

Opened = Callable[..., Book]


@pytest.fixture
def postgresql_database(postgresql: str, request: pytest.FixtureRequest) -> str:
    """An empty database."""
    with psycopg.connect(postgresql.format("postgres"), autocommit=True) as connection:
        connection.execute("DROP DATABASE IF EXISTS empty WITH (FORCE)")
        connection.execute("CREATE DATABASE empty TEMPLATE template0")
    return postgresql.format("empty")


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
    from pricing.accounts import Money

    return Terms(Money("SU", 2))._replace(**terms)
