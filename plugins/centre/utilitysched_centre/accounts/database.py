"""Connections to a ledger's database: SQLite files and PostgreSQL.

Everything that writes does so in one transaction that waits for all others that write: on SQLite it
begins with ``BEGIN IMMEDIATE``, on PostgreSQL with an advisory lock. What is read before it writes
therefore still holds when it has written, and a process that is killed leaves nothing behind.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url, text
from sqlalchemy.exc import ArgumentError, DBAPIError, DisconnectionError
from sqlalchemy.pool import ConnectionPoolEntry, SingletonThreadPool

from swfx import InputError
from swfx.base.missing import importing

PATIENCE = 60
"""How long (s) to wait for others that write."""

LOCK = int.from_bytes(b"accounts")
"""Number of the advisory lock."""

WRITES, OPENED = "ledger_writes", "ledger_opened"

FILE, SERVER = "sqlite", "postgresql"


class Database:
    """A database that has a ledger, or may have one.

    Parameters
    ----------
    location : str or Path
        Path of an SQLite file, ``sqlite:///FILE`` or ``postgresql://USER@HOST/DATABASE``.

    Raises
    ------
    InputError
        It is neither.
    """

    def __init__(self, location: str | Path) -> None:
        self.url = _url(str(location))
        self.source = (
            str(self.url.database)
            if self.url.get_backend_name() == FILE
            else self.url.set(drivername=SERVER).render_as_string(hide_password=True)
        )
        self._engine = _engine(self.url)

    def close(self) -> None:
        """Close all connections."""
        self._engine.dispose()

    @property
    def is_missing_file(self) -> bool:
        """Whether it is a file that does not exist; SQLite would make it."""
        path = str(self.url.database)
        is_uri = path.startswith("file:")  # SQLite's own, as in file:books.db?mode=ro
        return self.url.get_backend_name() == FILE and not is_uri and not Path(path).exists()

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """Open a connection that reads a snapshot of the ledger.

        Raises
        ------
        InputError
            The database cannot be reached or read.
        """
        with self._told(), self._engine.connect() as connection:
            if connection.dialect.name == SERVER:
                connection.execution_options(isolation_level="REPEATABLE READ")
            with connection.begin():
                yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """Write all or nothing, one process at a time.

        Raises
        ------
        InputError
            The database cannot be reached or written, or is busy for too long.
        """
        with self._told(), self._engine.connect() as connection:
            connection.execution_options(**{WRITES: True})
            with connection.begin():
                if connection.dialect.name == SERVER:
                    connection.execute(text(f"SET LOCAL lock_timeout = '{PATIENCE}s'"))
                    connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": LOCK})
                yield connection

    @contextmanager
    def _told(self) -> Iterator[None]:
        try:
            yield
        except DBAPIError as error:
            raise _refusal(self.source, error) from error


def _url(location: str) -> URL:
    if "://" not in location:
        return URL.create(FILE, database=location)
    try:
        url = make_url(location)
        backend = url.get_backend_name()
    except (ArgumentError, ValueError) as error:
        raise _no_address(location) from error
    if backend == SERVER:
        return url.set(drivername=f"{SERVER}+psycopg")
    if backend != FILE or not url.database:
        raise _no_address(url.render_as_string(hide_password=True))
    return url


def _no_address(shown: str) -> InputError:
    return InputError(
        f"{shown!r} is no address of a ledger",
        remedy="give the path of a file, or postgresql://USER@HOST/DATABASE",
    )


def _engine(url: URL) -> Engine:
    if url.get_backend_name() == SERVER:
        return _server(url)
    engine = create_engine(url, poolclass=SingletonThreadPool, connect_args={"timeout": PATIENCE})

    # sqlite3 would begin transactions by itself, too late and without waiting
    @event.listens_for(engine, "connect")
    def connected(connection: Any, record: ConnectionPoolEntry) -> None:
        connection.isolation_level = None
        connection.execute("PRAGMA foreign_keys = ON")
        record.info[OPENED] = _opened(url)

    # a process that was forked off, and another file in place of this one, are opened anew
    @event.listens_for(engine, "checkout")
    def checked_out(_: Any, record: ConnectionPoolEntry, __: object) -> None:
        if record.info[OPENED] != _opened(url):
            raise DisconnectionError

    @event.listens_for(engine, "begin")
    def begun(connection: Connection) -> None:
        writes = connection.get_execution_options().get(WRITES)
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")

    return engine


def _server(url: URL) -> Engine:
    with importing("a ledger in PostgreSQL", "psycopg"):
        return create_engine(url, connect_args={"connect_timeout": 10})


def _opened(url: URL) -> tuple[int, ...]:
    """Return what tells whether a connection is still this process's, and to this file."""
    try:
        status = Path(str(url.database)).stat()
    except OSError:  # a URI of SQLite's own, or no file any more
        return (os.getpid(),)
    return os.getpid(), status.st_dev, status.st_ino


def _refusal(source: str, error: DBAPIError) -> InputError:
    message = " ".join(str(error.orig).split())
    if "database is locked" in message or "lock timeout" in message:
        return InputError(
            f"others have been writing for over {PATIENCE} s", source=source, remedy="try again"
        )
    return InputError(f"the database says: {message}", source=source)
