"""Triggers by which the database itself refuses to change what is posted.

Tables only grow, and nothing is posted into a closed month.
"""

from __future__ import annotations

from collections.abc import Iterator

from sqlalchemy import Connection, text

KEYS = {
    "ledger": ("id = NEW.id",),
    "ledger_account": (
        "id = NEW.id",
        "kind = NEW.kind AND name = NEW.name AND part = NEW.part",
    ),
    "ledger_limit": ("id = NEW.id",),
    "ledger_member": ("id = NEW.id",),
    "ledger_posting": ("id = NEW.id", "key = NEW.key", "reverses = NEW.reverses"),
    "ledger_entry": ("posting = NEW.posting AND line = NEW.line",),
    "ledger_closing": ("month = NEW.month",),
    "ledger_closing_balance": ("month = NEW.month AND account = NEW.account",),
    "ledger_document": ("id = NEW.id", "number = NEW.number"),
    "ledger_document_line": ("document = NEW.document AND line = NEW.line",),
    "ledger_payment": ("id = NEW.id",),
    "ledger_version": ("version_num = NEW.version_num",),
}
"""Tables that only grow, and which rows INSERT OR REPLACE of SQLite would delete without asking the
triggers on DELETE."""

CLOSED = "NEW.month <= (SELECT max(month) FROM ledger_closing)"

GROWS = " BEGIN RAISE EXCEPTION '% only grows', TG_TABLE_NAME; END "

OPEN = f" BEGIN IF {CLOSED} THEN RAISE EXCEPTION 'the month is closed'; END IF; RETURN NEW; END "

_IN_DATABASE = {
    "sqlite": "SELECT tbl_name, name, sql FROM sqlite_master WHERE type = 'trigger'",
    "postgresql": "SELECT relname, tgname, prosrc FROM pg_trigger JOIN pg_class ON"
    " pg_class.oid = tgrelid JOIN pg_proc ON pg_proc.oid = tgfoid"
    " WHERE NOT tgisinternal AND tgenabled <> 'D'",
}
"""How to ask for triggers: table, name, and what they do."""


def make_guards(connection: Connection) -> None:
    """Make the triggers of a new ledger."""
    if connection.dialect.name == "sqlite":
        statements = [statement for _, _, statement in _of_files()]
    else:
        statements = list(_statements_on_servers())
    for statement in statements:
        connection.execute(text(statement))


def guards_of(connection: Connection) -> set[tuple[str, ...]]:
    """Return the triggers of a database on a ledger's tables: table, name, and body."""
    rows = connection.execute(text(_IN_DATABASE[connection.dialect.name]))
    return {tuple(row) for row in rows if row[0] in KEYS}  # a database may have other tables


def guards_wanted(connection: Connection) -> set[tuple[str, ...]]:
    """Return the triggers of a new ledger: table, name, and body."""
    if connection.dialect.name == "sqlite":
        return set(_of_files())
    return {
        *((table, f"{table}_only_grows", GROWS) for table in KEYS),
        ("ledger_entry", "ledger_entry_open_month", OPEN),
    }


def _of_files() -> Iterator[tuple[str, str, str]]:
    """Yield the triggers of SQLite: table, name, and the statement that makes each."""
    # SQLite fires the trigger that was made last first: a row that would be replaced is refused so
    name = "ledger_entry_open_month"
    statement = (
        f"CREATE TRIGGER {name} BEFORE INSERT ON ledger_entry WHEN {CLOSED} "
        "BEGIN SELECT RAISE(ABORT, 'the month is closed'); END"
    )
    yield "ledger_entry", name, statement
    for table, keys in KEYS.items():
        known = " OR ".join(
            f"EXISTS (SELECT 1 FROM {table} WHERE {key})" for key in ("rowid = NEW.rowid", *keys)
        )
        for name, when in (
            ("no_update", f"BEFORE UPDATE ON {table}"),
            ("no_delete", f"BEFORE DELETE ON {table}"),
            ("no_replace", f"BEFORE INSERT ON {table} WHEN {known}"),
        ):
            refused = f"BEGIN SELECT RAISE(ABORT, '{table} only grows'); END"
            yield table, f"{table}_{name}", f"CREATE TRIGGER {table}_{name} {when} {refused}"


def _statements_on_servers() -> Iterator[str]:
    for name, body in (("ledger_only_grows", GROWS), ("ledger_open_month", OPEN)):
        yield f"CREATE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS $${body}$$"
    for table in KEYS:
        yield (
            f"CREATE TRIGGER {table}_only_grows BEFORE UPDATE OR DELETE OR TRUNCATE ON {table} "
            "FOR EACH STATEMENT EXECUTE FUNCTION ledger_only_grows()"
        )
    yield (
        "CREATE TRIGGER ledger_entry_open_month BEFORE INSERT ON ledger_entry "
        "FOR EACH ROW EXECUTE FUNCTION ledger_open_month()"
    )
