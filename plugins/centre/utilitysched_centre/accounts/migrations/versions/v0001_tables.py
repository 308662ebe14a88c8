"""Tables."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the tables."""
    _make_ledger()
    _make_accounts()
    _make_journal()
    _make_closings()


def _make_ledger() -> None:
    op.create_table(
        "ledger",
        sa.Column("id", sa.Integer, sa.CheckConstraint("id = 1", name="one_ledger")),
        sa.Column("unit", sa.String(16), nullable=False),
        sa.Column("decimals", sa.Integer, nullable=False),
        sa.Column("payer", sa.String(8), nullable=False),
        sa.Column("credit_limit", sa.BigInteger),
        sa.Column("opened_at", sa.String(20), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )


def _make_accounts() -> None:
    op.create_table(
        "ledger_account",
        sa.Column("id", sa.Integer, autoincrement=False),
        sa.Column("kind", sa.String(8), nullable=False),
        sa.Column("name", sa.String(64), nullable=False),
        sa.Column("part", sa.String(9), nullable=False),
        sa.Column("credit_limit", sa.BigInteger),
        sa.Column("opened_at", sa.String(20), nullable=False),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("kind", "name", "part", name="one_account"),
        sa.CheckConstraint("credit_limit >= 0", name="limit_not_negative"),
    )
    op.create_table(
        "ledger_limit",
        sa.Column("id", sa.Integer, autoincrement=False),
        sa.Column("account", sa.Integer, sa.ForeignKey("ledger_account.id"), nullable=False),
        sa.Column("credit_limit", sa.BigInteger),
        sa.Column("since", sa.String(20), nullable=False),
        sa.PrimaryKeyConstraint("id"),
        sa.CheckConstraint("credit_limit >= 0", name="later_limit_not_negative"),
    )
    op.create_table(
        "ledger_member",
        sa.Column("id", sa.Integer, autoincrement=False),
        sa.Column("kind", sa.String(8), nullable=False),
        sa.Column("name", sa.String(64), nullable=False),
        sa.Column("account", sa.Integer, sa.ForeignKey("ledger_account.id"), nullable=False),
        sa.Column("since", sa.String(20), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )


def _make_journal() -> None:
    op.create_table(
        "ledger_posting",
        sa.Column("id", sa.BigInteger, autoincrement=False),
        sa.Column("kind", sa.String(8), nullable=False),
        sa.Column("key", sa.String(80), nullable=False),
        sa.Column("memo", sa.String, nullable=False),
        sa.Column("posted_at", sa.String(20), nullable=False),
        sa.Column("reverses", sa.BigInteger, sa.ForeignKey("ledger_posting.id")),
        sa.Column("seal", sa.String(64), nullable=False),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("key", name="posted_once"),
        sa.UniqueConstraint("reverses", name="reversed_once"),
    )
    op.create_table(
        "ledger_entry",
        sa.Column("posting", sa.BigInteger, sa.ForeignKey("ledger_posting.id")),
        sa.Column("line", sa.Integer, autoincrement=False),
        sa.Column("kind", sa.String(8), nullable=False),
        sa.Column("debit", sa.Integer, sa.ForeignKey("ledger_account.id"), nullable=False),
        sa.Column("credit", sa.Integer, sa.ForeignKey("ledger_account.id"), nullable=False),
        sa.Column("amount", sa.BigInteger, nullable=False),
        sa.Column("month", sa.String(7), nullable=False),
        sa.Column("reference", sa.String(64)),
        sa.Column("job", sa.BigInteger),
        sa.PrimaryKeyConstraint("posting", "line"),
        sa.CheckConstraint("amount > 0", name="amount_positive"),
        sa.CheckConstraint("debit <> credit", name="two_accounts"),
    )
    for column in ("debit", "credit", "reference"):
        op.create_index(f"ix_ledger_entry_{column}", "ledger_entry", [column])


def _make_closings() -> None:
    op.create_table(
        "ledger_closing",
        sa.Column("month", sa.String(7)),
        sa.Column("closed_at", sa.String(20), nullable=False),
        sa.Column("posting", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("month"),
    )
    op.create_table(
        "ledger_closing_balance",
        sa.Column("month", sa.String(7), sa.ForeignKey("ledger_closing.month")),
        sa.Column("account", sa.Integer, sa.ForeignKey("ledger_account.id")),
        sa.Column("balance", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("month", "account"),
    )
