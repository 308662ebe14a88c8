"""Postings: what was done at once, sealed so that nobody changes it unnoticed.

The seal of a posting is the sha256 of the seal before it, of all that the posting holds, and of
the rows that were laid down with it: terms, accounts, limits, assignments, closings. To change or
leave out anything, every later seal would have to be made anew; in a ledger with a key seals are
HMACs, which nobody can make who does not have the key.
"""

from __future__ import annotations

import hashlib
import hmac
import json
from collections import defaultdict
from collections.abc import Sequence
from typing import Any, NamedTuple

from sqlalchemy import Connection, Row, insert, select

from utilitysched_centre.accounts.schema import CLOSING, CLOSING_BALANCE, ENTRY, POSTING, SEALED

FIRST_SEAL = ""

NONE_YET = -1
"""Number of the last posting where there is none: the first is 0, and opens the ledger."""

LaidDown = list[list[Any]]
"""Rows with the names of their tables first; behind the row of a closing stand its balances."""

TAKEN = ("charge", "credit")
"""Kinds of entries between those who pay and the income: a credit gives where others take."""

PAY, REPAY = "pay", "repay"

PAID = (PAY, REPAY)
"""Kinds of entries between those who pay and the payments that came in for invoices."""

ENTRY_COLUMNS = ("kind", "debit", "credit", "amount", "month", "reference", "job")


class Entry(NamedTuple):
    """An amount that moves from one account to another.

    Attributes
    ----------
    kind : {"endow", "hold", "charge", "credit", "release", "refund", "reverse", "pay", "repay"}
        Why.
    debit, credit : int
        Accounts, by number: which it leaves, which it enters.
    amount : int
        Minor units, above 0.
    month : str
        ``YYYY-MM`` to which it belongs.
    reference : str, optional
        Which job it is for; see `utilitysched_centre.accounts.references`. Of payments: number of
        the invoice.
    job : int, optional
        Number of the job in its log.
    """

    kind: str
    debit: int
    credit: int
    amount: int
    month: str
    reference: str | None = None
    job: int | None = None


class Heading(NamedTuple):
    """Heading of a posting: kind, key, note and time.

    Attributes
    ----------
    kind : str
        What was done: ``endow``, ``hold``, ``charge``, ``refund``, ``reverse``, ``pay`` or
        ``repay``; without entries ``open``, ``limit``, ``assign``, ``issue`` or ``close``.
    key : str
        No other posting has it: what is posted under a known key was posted before.
    memo : str
        For people.
    posted_at : str
        When, in UTC.
    reverses : int, optional
        Number of the posting that this one undoes.
    """

    kind: str
    key: str
    memo: str
    posted_at: str
    reverses: int | None = None


def post(
    connection: Connection,
    heading: Heading,
    entries: Sequence[Entry],
    key: bytes | None,
    *,
    has_rows: bool = True,
) -> tuple[int, str]:
    """Append a posting, sealed with the rows laid down beside it.

    Parameters
    ----------
    connection, heading, entries, key
        What is stored where, and what it is sealed with.
    has_rows : bool
        Whether anything was laid down for it.

    Returns
    -------
    tuple of int and str
        Its number, of which none is left out, and its seal.
    """
    latest, before = last(connection)
    number = latest + 1
    rows = laid_down(connection, number).get(number, []) if has_rows else []
    seal = sealed(before, heading, entries, rows, key)
    connection.execute(insert(POSTING), {"id": number, **heading._asdict(), "seal": seal})
    if entries:
        lines = [
            {"posting": number, "line": line, **entry._asdict()}
            for line, entry in enumerate(entries)
        ]
        connection.execute(insert(ENTRY), lines)
    return number, seal


def last(connection: Connection) -> tuple[int, str]:
    """Return the number and the seal of the last posting."""
    row = connection.execute(
        select(POSTING.c.id, POSTING.c.seal).order_by(POSTING.c.id.desc()).limit(1)
    ).first()
    return (int(row.id), str(row.seal)) if row else (NONE_YET, FIRST_SEAL)


def next_number(connection: Connection) -> int:
    """Return the number that the next posting will have."""
    return last(connection)[0] + 1


def seal_of(connection: Connection, number: int) -> str | None:
    """Return the seal of a posting; None if there is no such posting."""
    seal = connection.scalar(select(POSTING.c.seal).where(POSTING.c.id == number))
    return None if seal is None else str(seal)


def seals(connection: Connection) -> dict[int, str]:
    """Return the seals of all postings by number."""
    rows = connection.execute(select(POSTING.c.id, POSTING.c.seal))
    return {int(number): str(seal) for number, seal in rows}


def laid_down(connection: Connection, number: int | None = None) -> dict[int | None, LaidDown]:
    """Return the rows that postings seal beside their entries, by posting: of one or of all."""
    parts: dict[int | None, LaidDown] = defaultdict(list)
    for table in SEALED:
        query = select(table).order_by(*table.primary_key.columns)
        if number is not None:
            query = query.where(table.c.sealed_by == number)
        for row in connection.execute(query).mappings():
            cells = [row[name] for name in table.c.keys() if name != "sealed_by"]  # noqa: SIM118
            parts[row["sealed_by"]].append([table.name, *cells])
            if table is CLOSING:
                parts[row["sealed_by"]][-1].append(_closing_balances(connection, row["month"]))
    return parts


def _closing_balances(connection: Connection, month: str) -> list[list[int]]:
    columns = CLOSING_BALANCE.c
    rows = connection.execute(
        select(columns.account, columns.balance)
        .where(columns.month == month)
        .order_by(columns.account)
    )
    return [list(row) for row in rows]


def known(connection: Connection, key: str) -> Row[Any] | None:
    """Return the posting with a key, if there is one."""
    return connection.execute(select(POSTING).where(POSTING.c.key == key)).first()


def undone(connection: Connection, number: int) -> int | None:
    """Return the number of the posting that undid another."""
    reversal = connection.scalar(select(POSTING.c.id).where(POSTING.c.reverses == number))
    return None if reversal is None else int(reversal)


def sealed(
    before: str,
    heading: Heading,
    entries: Sequence[Entry],
    rows: LaidDown,
    key: bytes | None,
) -> str:
    """Return the seal of a posting behind another."""
    parts = [before, heading, entries, *([rows] if rows else [])]
    content = json.dumps(parts, separators=(",", ":"), ensure_ascii=True).encode()
    if key is None:
        return hashlib.sha256(content).hexdigest()
    return hmac.digest(key, content, "sha256").hex()


def entries_of(connection: Connection, number: int) -> list[Entry]:
    """Return the entries of a posting, in order."""
    rows = connection.execute(
        select(*(ENTRY.c[name] for name in ENTRY_COLUMNS))
        .where(ENTRY.c.posting == number)
        .order_by(ENTRY.c.line)
    )
    return [Entry(*row) for row in rows]
