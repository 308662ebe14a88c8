"""Tables of a ledger.

An *entry* is one row: an amount, the account that it leaves (``debit``) and the one that it enters
(``credit``). Debit and credit are the same number, so that no entry can fail to balance, and the
balances of all accounts add up to 0. A *posting* is what was done at once: its entries are stored
together or not at all, and it seals the rows of other tables that were laid down with it
(``sealed_by``). Nothing is ever changed or deleted, see `utilitysched_centre.accounts.migrations`.

An account has two rows: what is *available*, and what is *held* for jobs that have not ended.
"""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    Column,
    ForeignKey,
    Integer,
    MetaData,
    String,
    Table,
    UniqueConstraint,
)

METADATA = MetaData()

MONTH = String(7)
"""``2026-11``; such texts sort as months do."""

INSTANT = String(20)
"""``2026-11-21T08:00:00Z``."""


def _sealed_by() -> Column[int]:
    """Return the column that says which posting seals a row that is no entry."""
    return Column("sealed_by", BigInteger, index=True)


LEDGER = Table(
    "ledger",
    METADATA,
    Column("id", Integer, CheckConstraint("id = 1", name="one_ledger"), primary_key=True),
    Column("unit", String(16), nullable=False),
    Column("decimals", Integer, nullable=False),
    Column("payer", String(8), nullable=False),
    Column("credit_limit", BigInteger),  # of new accounts; null: any
    Column("opened_at", INSTANT, nullable=False),
    Column("key_check", String(64)),  # of a ledger with a key; null: without
    _sealed_by(),
)

ACCOUNT = Table(
    "ledger_account",
    METADATA,
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("kind", String(8), nullable=False),
    Column("name", String(64), nullable=False),
    Column("part", String(9), nullable=False),
    Column("credit_limit", BigInteger),  # when it was opened; null: any
    Column("opened_at", INSTANT, nullable=False),
    _sealed_by(),
    UniqueConstraint("kind", "name", "part", name="one_account"),
    CheckConstraint("credit_limit >= 0", name="limit_not_negative"),
)

LIMIT = Table(
    "ledger_limit",
    METADATA,
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("account", Integer, ForeignKey("ledger_account.id"), nullable=False),
    Column("credit_limit", BigInteger),
    Column("since", INSTANT, nullable=False),
    _sealed_by(),
    CheckConstraint("credit_limit >= 0", name="later_limit_not_negative"),
)
"""Later credit limits; the latest row of an account counts."""

MEMBER = Table(
    "ledger_member",
    METADATA,
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("kind", String(8), nullable=False),
    Column("name", String(64), nullable=False),
    Column("account", Integer, ForeignKey("ledger_account.id"), nullable=False),
    Column("since", INSTANT, nullable=False),
    _sealed_by(),
)
"""For whom another account pays; the latest row of a member counts."""

POSTING = Table(
    "ledger_posting",
    METADATA,
    Column("id", BigInteger, primary_key=True, autoincrement=False),
    Column("kind", String(8), nullable=False),
    Column("key", String(80), nullable=False),
    Column("memo", String, nullable=False),
    Column("posted_at", INSTANT, nullable=False),
    Column("reverses", BigInteger, ForeignKey("ledger_posting.id")),
    Column("seal", String(64), nullable=False),
    UniqueConstraint("key", name="posted_once"),
    UniqueConstraint("reverses", name="reversed_once"),
)

ENTRY = Table(
    "ledger_entry",
    METADATA,
    Column("posting", BigInteger, ForeignKey("ledger_posting.id"), primary_key=True),
    Column("line", Integer, primary_key=True, autoincrement=False),
    Column("kind", String(8), nullable=False),
    Column("debit", Integer, ForeignKey("ledger_account.id"), nullable=False, index=True),
    Column("credit", Integer, ForeignKey("ledger_account.id"), nullable=False, index=True),
    Column("amount", BigInteger, nullable=False),
    Column("month", MONTH, nullable=False),
    Column("reference", String(64), index=True),
    Column("job", BigInteger),
    CheckConstraint("amount > 0", name="amount_positive"),
    CheckConstraint("debit <> credit", name="two_accounts"),
)

CLOSING = Table(
    "ledger_closing",
    METADATA,
    Column("month", MONTH, primary_key=True),
    Column("closed_at", INSTANT, nullable=False),
    Column("posting", BigInteger, nullable=False),  # the last one before it
    _sealed_by(),
)
"""The posting that closes it seals its balances, too."""

CLOSING_BALANCE = Table(
    "ledger_closing_balance",
    METADATA,
    Column("month", MONTH, ForeignKey("ledger_closing.month"), primary_key=True),
    Column("account", Integer, ForeignKey("ledger_account.id"), primary_key=True),
    Column("balance", BigInteger, nullable=False),
)

SEALED = (LEDGER, ACCOUNT, LIMIT, MEMBER, CLOSING)
"""Tables whose rows postings seal beside their entries."""
