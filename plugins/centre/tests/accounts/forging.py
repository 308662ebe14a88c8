"""Changes of a ledger's tables by their owner, who can lift the guards and put them back."""

from __future__ import annotations

import sqlite3

import psycopg


def forge(location: str, *statements: str) -> None:
    """Change a ledger as somebody would who knows it: guards are back in place afterwards."""
    assert (_forge_server if "://" in location else _forge_file)(location, statements)


def _forge_server(address: str, statements: tuple[str, ...]) -> int:
    with psycopg.connect(address) as connection:
        connection.execute("SET LOCAL session_replication_role = replica")
        return sum(connection.execute(statement).rowcount for statement in statements)


def _forge_file(path: str, statements: tuple[str, ...]) -> int:
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA ignore_check_constraints = ON")
    guards = connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
    known = guards.fetchall()
    with connection:
        for name, _ in known:
            connection.execute(f"DROP TRIGGER {name}")
        changed = sum(connection.execute(statement).rowcount for statement in statements)
        for _, sql in known:
            connection.execute(sql)
    connection.close()
    return changed
