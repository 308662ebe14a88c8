"""Quotes that were made, so that they stand later beside the charge."""

from __future__ import annotations

import hashlib
import json
import re
import time
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from utilitysched_web.quoting import Document, MadeQuote, digest_of
from utilitysched_web.stores import opened

MOST = 1_000
"""Quotes of each user that are kept, the latest ones."""

_NAMED = re.compile(r"\bquote[ =#]([0-9]{1,18})\b")

_SCHEMA = """
PRAGMA journal_mode = wal;
CREATE TABLE IF NOT EXISTS moments (digest TEXT PRIMARY KEY, text TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS quotes (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    user TEXT NOT NULL,
    at REAL NOT NULL,
    digest TEXT NOT NULL,
    moment TEXT NOT NULL REFERENCES moments,
    task TEXT NOT NULL,
    answer TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS by_user ON quotes (user, number);
"""


class KeptQuote(NamedTuple):
    """A quote that was made.

    Attributes
    ----------
    number : int
        What people call it.
    user : str
        For whom.
    at : float
        When (s of Unix time).
    digest : str
        Of all that it rests on.
    made : MadeQuote
        Itself.
    """

    number: int
    user: str
    at: float
    digest: str
    made: MadeQuote


@dataclass(frozen=True)
class QuoteStore:
    """Quotes in a SQLite file, some of each user's; moments are in it once each."""

    path: Path
    most: int = MOST

    def keep(self, user: str, made: MadeQuote, number: int | None = None) -> int:
        """Keep a quote, in place of the one of this number; return its number."""
        task = dict(made.task)
        moment = task.pop("moment")
        name = hashlib.sha256(moment.encode()).hexdigest()
        row = (number, user, time.time(), digest_of(made.task), name, _text(task))
        with opened(self.path, _SCHEMA) as found:
            found.execute("INSERT OR IGNORE INTO moments VALUES (?, ?)", (name, moment))
            kept = found.execute(
                "INSERT OR REPLACE INTO quotes VALUES (?, ?, ?, ?, ?, ?, ?)",
                (*row, _text(made.answer)),
            ).lastrowid
            found.execute(
                "DELETE FROM quotes WHERE user = ? AND number NOT IN"
                " (SELECT number FROM quotes WHERE user = ? ORDER BY number DESC LIMIT ?)",
                (user, user, self.most),
            )
            found.execute("DELETE FROM moments WHERE digest NOT IN (SELECT moment FROM quotes)")
        assert kept is not None
        return kept

    def quotes_of(self, user: str) -> list[KeptQuote]:
        """Return a user's quotes, the latest first."""
        return self._found("WHERE user = ? ORDER BY number DESC", user)

    def find(self, number: int) -> KeptQuote | None:
        """Return the quote of a number, None if it is not kept."""
        return next(iter(self._found("WHERE number = ?", number)), None)

    def _found(self, which: str, value: object) -> list[KeptQuote]:
        columns = "number, user, at, quotes.digest, task, answer, text"
        joined = "quotes JOIN moments ON moments.digest = quotes.moment"
        with opened(self.path, _SCHEMA) as found:
            rows = found.execute(f"SELECT {columns} FROM {joined} {which}", (value,)).fetchall()
        return [
            KeptQuote(
                number,
                user,
                at,
                digest,
                MadeQuote(json.loads(task) | {"moment": moment}, json.loads(answer)),
            )
            for number, user, at, digest, task, answer, moment in rows
        ]


def named_quote(comment: str) -> int | None:
    """Return the number of the quote that the comment of a job names.

    Examples
    --------
    >>> named_quote("second try, quote 17"), named_quote("unquoted 17")
    (17, None)
    """
    found = _NAMED.search(comment)
    return int(found[1]) if found else None


def _text(value: Document) -> str:
    return json.dumps(value, sort_keys=True)
