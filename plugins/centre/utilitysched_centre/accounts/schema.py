"""Tables of a ledger.

An *entry* is one row: an amount, the account that it leaves (``debit``) and the one that it enters
(``credit``). Debit and credit are the same number, so that no entry can fail to balance, and the
balances of all accounts add up to 0. A *posting* is what was done at once: its entries are stored
together or not at all, and it seals the rows of other tables that were laid down with it
(``sealed_by``). Nothing is ever changed or deleted, see `utilitysched_centre.accounts.guards`.

An account has two rows: what is *available*, and what is *held* for jobs that have not ended.
"""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    Column,
    Connection,
    ForeignKey,
    Integer,
    MetaData,
    String,
    Table,
    UniqueConstraint,
    insert,
    inspect,
    select,
)

from swfx import InputError
from utilitysched_centre.accounts.database import Database
from utilitysched_centre.accounts.guards import make_guards

METADATA = MetaData()

VERSION = "0004"
"""Of these tables and their guards; a ledger of any other version is refused."""

VERSION_TABLE = Table(
    "ledger_version",
    METADATA,
    Column("version_num", String(32), primary_key=True),
    CheckConstraint(f"version_num = '{VERSION}'", name="one_version"),
)

MONTH = String(7)
"""``2026-11``; such texts sort as months do."""

DAY = String(10)
"""``2026-11-21``."""

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

DOCUMENT = Table(
    "ledger_document",
    METADATA,
    Column("id", Integer, primary_key=True, autoincrement=False),  # place in the order of issue
    Column("number", String(64), nullable=False),
    Column("kind", String(12), nullable=False),
    Column("month", MONTH, nullable=False),
    Column("account", Integer, ForeignKey("ledger_account.id"), nullable=False),
    Column("net", BigInteger, nullable=False),
    Column("tax", BigInteger, nullable=False),
    Column("issued", DAY, nullable=False),
    Column("due", DAY, nullable=False),
    Column("corrects", String(64), nullable=False),
    Column("cancels", Integer, nullable=False),
    Column("digest", String(64), nullable=False),
    Column("content", String(64), nullable=False),
    Column("posting", BigInteger, nullable=False),
    _sealed_by(),
    UniqueConstraint("number", name="numbered_once"),
)
"""Invoices and credit notes; see `utilitysched_centre.accounts.documents`."""

DOCUMENT_LINE = Table(
    "ledger_document_line",
    METADATA,
    Column("document", String(64), ForeignKey("ledger_document.number"), primary_key=True),
    Column("line", Integer, primary_key=True, autoincrement=False),
    Column("key", String(128), nullable=False),
    Column("reference", String(64), nullable=False),
    Column("job", String, nullable=False),
    Column("net", BigInteger, nullable=False),
    Column("tax", BigInteger, nullable=False),
    Column("reason", String, nullable=False),
    _sealed_by(),
)
"""Credits for single jobs, on invoices and on credit notes."""

PAYMENT = Table(
    "ledger_payment",
    METADATA,
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("paid_on", DAY, nullable=False),
    _sealed_by(),
)
"""Days on which money came in or went out; the amount is the entry of the posting that seals it."""

SEALED = (LEDGER, ACCOUNT, LIMIT, MEMBER, CLOSING, DOCUMENT, DOCUMENT_LINE, PAYMENT)
"""Tables whose rows postings seal beside their entries."""


def version(connection: Connection) -> str | None:
    """Return the version of a database's tables; None where there is no ledger."""
    if not inspect(connection).has_table(VERSION_TABLE.name):
        return None
    number = connection.scalar(select(VERSION_TABLE.c.version_num))
    return None if number is None else str(number)


def require_version(connection: Connection, database: Database) -> None:
    """Refuse a database without ledger, or with one of another version.

    Raises
    ------
    InputError
        Says how to get on.
    """
    stored = version(connection)
    if stored is None:
        raise no_ledger(database)
    if stored != VERSION:
        raise InputError(
            f"the ledger has version {stored}, this program needs {VERSION}",
            source=database.source,
            remedy="use the utilitysched-centre that made it",
        )


def no_ledger(database: Database) -> InputError:
    """Return the refusal of a database without a ledger."""
    return InputError(
        "there is no ledger",
        source=database.source,
        remedy=f"make one with: utilitysched ledger init {database.source}",
    )


def make_tables(connection: Connection) -> None:
    """Make the tables of a new ledger, and their guards.

    Raises
    ------
    InputError
        The database has a table of that name without being a ledger.
    """
    strange = set(inspect(connection).get_table_names()) & set(METADATA.tables)
    if strange:
        raise InputError(f"the database has a table {min(strange)!r} that is not a ledger's")
    METADATA.create_all(connection, checkfirst=False)
    make_guards(connection)
    connection.execute(insert(VERSION_TABLE), {"version_num": VERSION})
