"""Quotes that were made, to stand later beside the charge, and how many a user has asked for."""

from __future__ import annotations

import hashlib
import json
import math
import re
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from swfx import InputError
from swfx.base.numbers import plural, span
from swfx.base.row_file import RowFile
from utilitysched_web.quoting import Document, MadeQuote, digest_of

MOST = 1_000
"""Quotes of each user that are kept, the latest ones."""

PER_DAY = 50
"""Jobs that a user is quoted for within a day, unless the server is told otherwise.

On 99 of 100 days on which users of six real logs submit anything, they have at most 8 to 31 jobs
that differ in processors or requested time (`docs/security.md`).
"""

DAY = 86_400.0

_NAMED = re.compile(r"\bquote[ =#]([0-9]{1,18})\b")

VERSION = 1
"""Of the file of quotes."""


class KeptQuote(NamedTuple):
    """A quote that was made.

    Attributes
    ----------
    number : int
        Its number, by which comments of jobs name it.
    user : str
        The user it was made for.
    at : float
        Time (s of Unix time).
    digest : str
        Digest of the task.
    made : MadeQuote
        Task and answer.
    """

    number: int
    user: str
    at: float
    digest: str
    made: MadeQuote


class _Quote(NamedTuple):
    """Row of a quote: task and answer as JSON, the task's moment as a row of its own."""

    number: int
    user: str
    at: float
    digest: str
    moment: str
    task: str
    answer: str


class _Moment(NamedTuple):
    """Row of a moment, which many quotes are made from."""

    digest: str
    text: str


@dataclass(frozen=True)
class QuoteStore:
    """Quotes in a file, the latest `most` of each user; moments are in it once each."""

    path: Path
    most: int = MOST

    def keep(self, user: str, made: MadeQuote, number: int | None = None) -> int:
        """Keep a quote, in place of the one of this number; return its number."""
        task = dict(made.task)
        moment = task.pop("moment")
        name = hashlib.sha256(moment.encode()).hexdigest()
        with self._opened() as file, file.writing():
            if number is None:
                last = file.find(_Quote, last_by="number", most=1)
                number = 1 + max((each.number for each in last), default=0)
            rest = (digest_of(made.task), name, _text(task), _text(made.answer))
            file.put([_Moment(name, moment), _Quote(number, user, time.time(), *rest)])
            for old in file.find(_Quote, last_by="number", user=user)[self.most :]:
                file.drop(_Quote, number=old.number)
                if not file.find(_Quote, most=1, moment=old.moment):
                    file.drop(_Moment, digest=old.moment)
        return number

    def quotes_of(self, user: str, most: int = -1) -> list[KeptQuote]:
        """Return a user's quotes, the latest first, and so many at most."""
        with self._opened() as file:
            rows = file.find(_Quote, last_by="number", most=most, user=user)
            return [_kept(row, file) for row in rows]

    def find(self, number: int) -> KeptQuote | None:
        """Return the quote of a number, None if it is not kept."""
        with self._opened() as file:
            return next((_kept(each, file) for each in file.find(_Quote, number=number)), None)

    def _opened(self) -> RowFile:
        tables = {_Quote: ["number", "user number", "moment"], _Moment: ["digest"]}
        return RowFile(self.path, VERSION, tables)


class ExhaustedError(InputError):
    """A user has asked for as many quotes as anybody may within a day."""


class _Question(NamedTuple):
    """Row of a question: who asks, what about, and when for the first time (s, Unix time)."""

    user: str
    subject: str
    at: float


@dataclass(frozen=True)
class QuestionCount:
    """Count of what each user has asked about in the last 24 hours, in a file.

    Parameters
    ----------
    path : Path
        The file, made if there is none.
    most : int
        How many questions a user has.
    clock : callable
        The time (s, Unix time).
    """

    path: Path
    most: int = PER_DAY
    clock: Callable[[], float] = time.time

    def add(self, user: str, subject: str) -> None:
        """Count a question of a user; what was asked already counts once.

        Raises
        ------
        ExhaustedError
            There were as many within 24 hours.
        """
        now, digest = self.clock(), hashlib.sha256(subject.encode()).hexdigest()
        with RowFile(self.path, VERSION, {_Question: ["user subject"]}) as file, file.writing():
            rows = file.find(_Question, last_by="at", user=user)
            recent = [each for each in rows if each.at > now - DAY]
            for old in rows[len(recent) :]:
                file.drop(_Question, user=user, subject=old.subject)
            if digest in {each.subject for each in recent}:
                return
            if len(recent) < self.most:
                file.put([_Question(user, digest, now)])
                return
        again = recent[self.most - 1].at + DAY - now if self.most else DAY
        raise ExhaustedError(
            f"you were quoted for {plural(self.most, 'job')} within a day",
            remedy=f"ask again in {span(math.ceil(again))}",
        )


def _kept(row: _Quote, file: RowFile) -> KeptQuote:
    [moment] = file.find(_Moment, digest=row.moment)
    task = json.loads(row.task) | {"moment": moment.text}
    return KeptQuote(*row[:4], MadeQuote(task, json.loads(row.answer)))


def named_quote(comment: str) -> int | None:
    """Return the number of the quote that the comment of a job names.

    Examples
    --------
    >>> named_quote("second try, quote 17"), named_quote("unquoted 17")
    (17, None)
    """
    match = _NAMED.search(comment)
    return int(match[1]) if match else None


def _text(value: Document) -> str:
    return json.dumps(value, sort_keys=True)
