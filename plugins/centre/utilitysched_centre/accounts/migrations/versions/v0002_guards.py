"""The database itself refuses to change what is posted, and to post into a closed month."""

from __future__ import annotations

from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

KEPT = (
    "ledger",
    "ledger_account",
    "ledger_limit",
    "ledger_member",
    "ledger_posting",
    "ledger_entry",
    "ledger_closing",
    "ledger_closing_balance",
)
"""Tables that only grow."""

CLOSED = "NEW.month <= (SELECT max(month) FROM ledger_closing)"


def upgrade() -> None:
    """Make the triggers."""
    if op.get_bind().dialect.name == "sqlite":
        _guard_sqlite()
    else:
        _guard_postgresql()


def _guard_sqlite() -> None:
    for table in KEPT:
        for change in ("UPDATE", "DELETE"):
            op.execute(
                f"CREATE TRIGGER {table}_no_{change.lower()} BEFORE {change} ON {table} "
                f"BEGIN SELECT RAISE(ABORT, '{table} only grows'); END"
            )
    op.execute(
        f"CREATE TRIGGER ledger_entry_open_month BEFORE INSERT ON ledger_entry WHEN {CLOSED} "
        "BEGIN SELECT RAISE(ABORT, 'the month is closed'); END"
    )


GROWS = " BEGIN RAISE EXCEPTION '% only grows', TG_TABLE_NAME; END "

OPEN = f" BEGIN IF {CLOSED} THEN RAISE EXCEPTION 'the month is closed'; END IF; RETURN NEW; END "


def on_servers() -> set[tuple[str, ...]]:
    """Return the triggers of PostgreSQL: table, name, and what they do."""
    return {
        *((table, f"{table}_only_grows", GROWS) for table in KEPT),
        ("ledger_entry", "ledger_entry_open_month", OPEN),
    }


def _guard_postgresql() -> None:
    for name, body in (("ledger_only_grows", GROWS), ("ledger_open_month", OPEN)):
        op.execute(f"CREATE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS $${body}$$")
    for table in KEPT:
        op.execute(
            f"CREATE TRIGGER {table}_only_grows BEFORE UPDATE OR DELETE OR TRUNCATE ON {table} "
            "FOR EACH STATEMENT EXECUTE FUNCTION ledger_only_grows()"
        )
    op.execute(
        "CREATE TRIGGER ledger_entry_open_month BEFORE INSERT ON ledger_entry "
        "FOR EACH ROW EXECUTE FUNCTION ledger_open_month()"
    )
