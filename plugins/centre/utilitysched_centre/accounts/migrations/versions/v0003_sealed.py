"""Seals of what gives amounts their meaning, and guards against rows that are replaced."""

from __future__ import annotations

from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

SEALED = ("ledger", "ledger_account", "ledger_limit", "ledger_member", "ledger_closing")
"""Tables whose rows a posting seals."""

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
}
"""Rows that INSERT OR REPLACE would delete without asking the triggers on DELETE."""

NEXT = "SELECT coalesce(max(id), -1) + 1 FROM ledger_posting"
"""Number of the posting that the upgrade ends with: it seals what there is."""


def upgrade() -> None:
    """Add the columns, and the guards."""
    is_file = op.get_bind().dialect.name == "sqlite"
    op.execute("ALTER TABLE ledger ADD COLUMN key_check VARCHAR(64)")
    for table in SEALED:
        op.execute(f"ALTER TABLE {table} ADD COLUMN sealed_by BIGINT")
        op.create_index(f"ix_{table}_sealed_by", table, ["sealed_by"])
        _unguard(table, is_file=is_file)
        op.execute(f"UPDATE {table} SET sealed_by = ({NEXT})")
        _guard(table, is_file=is_file)
    if is_file:
        _guard_against_replacing()


def _unguard(table: str, *, is_file: bool) -> None:
    if is_file:
        op.execute(f"DROP TRIGGER {table}_no_update")
    else:
        op.execute(f"ALTER TABLE {table} DISABLE TRIGGER {table}_only_grows")


def _guard(table: str, *, is_file: bool) -> None:
    if is_file:
        op.execute(
            f"CREATE TRIGGER {table}_no_update BEFORE UPDATE ON {table} "
            f"BEGIN SELECT RAISE(ABORT, '{table} only grows'); END"
        )
    else:
        op.execute(f"ALTER TABLE {table} ENABLE TRIGGER {table}_only_grows")


def _guard_against_replacing() -> None:
    for table, keys in KEYS.items():
        known = " OR ".join(
            f"EXISTS (SELECT 1 FROM {table} WHERE {key})" for key in ("rowid = NEW.rowid", *keys)
        )
        op.execute(
            f"CREATE TRIGGER {table}_no_replace BEFORE INSERT ON {table} WHEN {known} "
            f"BEGIN SELECT RAISE(ABORT, '{table} only grows'); END"
        )
