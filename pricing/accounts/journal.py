"""Postings: what was done at once, sealed so that nobody changes it unnoticed.

The seal of a posting is the sha256 of the seal before it and of all that the posting holds. To
change or leave out anything that was posted, every later seal would have to be made anew.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from typing import Any, NamedTuple

from sqlalchemy import Connection, Row, func, insert, select

from pricing.accounts.schema import ENTRY, POSTING

FIRST_SEAL = ""

ENTRY_COLUMNS = ("kind", "debit", "credit", "amount", "month", "reference", "job")


class Entry(NamedTuple):
    """An amount that moves from one account to another.

    Attributes
    ----------
    kind : {"endow", "hold", "charge", "release", "refund", "reverse"}
        Why.
    debit, credit : int
        Accounts, by number: which it leaves, which it enters.
    amount : int
        Minor units, above 0.
    month : str
        ``YYYY-MM`` to which it belongs.
    reference : str, optional
        Which job it is for; see `pricing.accounts.references`.
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
    """What a posting is.

    Attributes
    ----------
    kind : {"endow", "hold", "charge", "refund", "reverse"}
        What was done.
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


def post(connection: Connection, heading: Heading, entries: Sequence[Entry]) -> int:
    """Store a posting after all others.

    Returns
    -------
    int
        Its number; the first is 1, and none is left out.
    """
    number, before = last(connection)
    seal = sealed(before, heading, entries)
    connection.execute(insert(POSTING), {"id": number + 1, **heading._asdict(), "seal": seal})
    if entries:
        rows = [
            {"posting": number + 1, "line": line, **entry._asdict()}
            for line, entry in enumerate(entries)
        ]
        connection.execute(insert(ENTRY), rows)
    return number + 1


def last(connection: Connection) -> tuple[int, str]:
    """Return the number and the seal of the last posting."""
    found = connection.execute(
        select(POSTING.c.id, POSTING.c.seal).order_by(POSTING.c.id.desc()).limit(1)
    ).first()
    return (int(found.id), str(found.seal)) if found else (0, FIRST_SEAL)


def known(connection: Connection, key: str) -> Row[Any] | None:
    """Return the posting with a key, if there is one."""
    return connection.execute(select(POSTING).where(POSTING.c.key == key)).first()


def latest(connection: Connection, memo: str) -> int | None:
    """Return the number of the latest posting with a memo."""
    found = connection.scalar(select(func.max(POSTING.c.id)).where(POSTING.c.memo == memo))
    return None if found is None else int(found)


def undone(connection: Connection, number: int) -> int | None:
    """Return the number of the posting that undid another."""
    found = connection.scalar(select(POSTING.c.id).where(POSTING.c.reverses == number))
    return None if found is None else int(found)


def sealed(before: str, heading: Heading, entries: Sequence[Entry]) -> str:
    """Return the seal of a posting behind another."""
    content = json.dumps([before, heading, entries], separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(content.encode()).hexdigest()


def entries_of(connection: Connection, number: int) -> list[Entry]:
    """Return the entries of a posting, in order."""
    rows = connection.execute(
        select(*(ENTRY.c[name] for name in ENTRY_COLUMNS))
        .where(ENTRY.c.posting == number)
        .order_by(ENTRY.c.line)
    )
    return [Entry(*row) for row in rows]
