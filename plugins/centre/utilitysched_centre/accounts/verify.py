"""Certificates of a ledger: what it promises, checked from its tables alone.

Nothing here relies on how entries were made, nor on triggers and constraints of the database.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from sqlalchemy import Connection, select, text

from pricing.properties import Check
from utilitysched_centre.accounts.anchors import Anchor, check_anchors
from utilitysched_centre.accounts.chart import Chart
from utilitysched_centre.accounts.document_check import DocumentTally
from utilitysched_centre.accounts.documents import read_documents, read_lines
from utilitysched_centre.accounts.guards import guards_of, guards_wanted
from utilitysched_centre.accounts.journal import (
    ENTRY_COLUMNS,
    FIRST_SEAL,
    Entry,
    Heading,
    LaidDown,
    laid_down,
    sealed,
)
from utilitysched_centre.accounts.keys import VARIABLE, check_of
from utilitysched_centre.accounts.money import Money
from utilitysched_centre.accounts.schema import (
    CLOSING,
    CLOSING_BALANCE,
    ENTRY,
    POSTING,
)
from utilitysched_centre.accounts.sums import balances_in, excess
from utilitysched_centre.accounts.terms import key_check

AT_ONCE = 10_000
"""Entries fetched at once."""


class Posting(NamedTuple):
    """Stored posting: number, seal, heading and entries."""

    number: int
    seal: str
    heading: Heading
    entries: list[Entry]
    is_whole: bool  # lines are numbered from 0 without gaps


def verify(
    connection: Connection,
    chart: Chart,
    money: Money,
    key: bytes | None = None,
    anchors: Sequence[Anchor] | None = None,
) -> tuple[Check, ...]:
    """Check a ledger.

    Returns
    -------
    tuple of Check
        ``entries``: every entry moves an amount above 0 between two accounts. ``balance``: all
        accounts add up to 0. ``bounds``: none has more than 64 bits hold. ``seals``: postings are
        numbered without gaps, each is as it was sealed, with all that was laid down beside it, and
        by the key if the ledger has one. ``anchors``, if any are given: seals are those that were
        kept elsewhere. ``limits``: no account is further below 0 than it may be. ``holds``: what is
        held is the sum of what is held for jobs, and no job was given back more than was held or
        charged. ``months``: closed months have the balances that they were closed with, and nothing
        was posted into them since. ``documents``: invoices and credit notes are numbered without
        gaps, and state what their postings charge and give back; nothing was given back without
        one. ``database``: tables have the triggers that keep them from being changed, as they were
        made; a file is not damaged.
    """
    documents = DocumentTally(
        read_documents(connection, chart), read_lines(connection), chart.accounts
    )
    tally = CheckTally(chart, key, documents)
    rows = laid_down(connection)
    for posting in _postings(connection):
        tally.add(posting, rows.pop(posting.number, []))
    return (
        Check("entries", not tally.odd, tally.told("odd entry", tally.odd, tally.entries)),
        _balanced(tally, money),
        _bounded(tally, chart, money),
        _sealed(tally, rows, key, key_check(connection)),
        *([] if anchors is None else [check_anchors(anchors, tally.seals)]),
        _within_limits(tally, chart, money),
        _held(tally, chart, money),
        _months(connection, tally),
        documents.check(money),
        _database(connection),
    )


class CheckTally:
    """What is counted while all postings go by."""

    def __init__(self, chart: Chart, key: bytes | None, documents: DocumentTally) -> None:
        self._holds, self._income, self._key = chart.holds(), chart.income, key
        self._documents = documents
        self.entries = 0
        self.seals: dict[int, str] = {}
        self.odd: list[int] = []
        self.broken: list[int] = []
        self.sums: Counter[int] = Counter()
        self.months: dict[int, Counter[str]] = defaultdict(Counter)
        self.latest: dict[str, int] = {}
        self.held: Counter[tuple[int, str | None]] = Counter()
        self.charged: Counter[str | None] = Counter()
        self.credited: Counter[str | None] = Counter()
        self._seal = FIRST_SEAL

    def add(self, posting: Posting, rows: LaidDown) -> None:
        """Check the seal of one posting and add up the amounts of its entries."""
        before = max(self.seals, default=None)
        follows = posting.number == (before + 1 if before is not None else min(posting.number, 1))
        seal = sealed(self._seal, posting.heading, posting.entries, rows, self._key)
        if not follows or not posting.is_whole or posting.seal != seal:
            self.broken.append(posting.number)
        self._seal = self.seals[posting.number] = posting.seal
        for entry in posting.entries:
            self._add(entry, posting.number)

    def told(self, what: str, numbers: list[int], of: int) -> str:
        """Return the result of one check: entries checked, or the first posting that fails."""
        if not numbers:
            return f"{of:,} checked"
        return f"{what} in posting {numbers[0]}, {len(numbers):,} in all"

    def _add(self, entry: Entry, posting: int) -> None:
        self.entries += 1
        whole = all(type(each) is int for each in (entry.debit, entry.credit, entry.amount))
        if not whole or entry.amount <= 0 or entry.debit == entry.credit:
            self.odd.append(posting)
        if not whole:
            return
        self._documents.add(entry, posting)
        self.latest[str(entry.month)] = posting
        self.credited[entry.reference] += entry.amount * (entry.kind == "credit")
        for account, amount in ((entry.debit, -entry.amount), (entry.credit, entry.amount)):
            self.sums[account] += amount
            self.months[account][str(entry.month)] += amount
            if account in self._holds:
                self.held[account, entry.reference] += amount
            elif account == self._income:
                self.charged[entry.reference] += amount


def _postings(connection: Connection) -> Iterator[Posting]:
    headings = connection.execute(select(POSTING).order_by(POSTING.c.id)).all()
    columns = [ENTRY.c[name] for name in ("posting", "line", *ENTRY_COLUMNS)]
    rows = connection.execution_options(yield_per=AT_ONCE).execute(
        select(*columns).order_by(ENTRY.c.posting, ENTRY.c.line)
    )
    row = next(rows, None)
    for found in headings:
        entries, lines = [], []
        while row is not None and row.posting == found.id:
            lines.append(row.line)
            entries.append(Entry(*row[2:]))
            row = next(rows, None)
        heading = Heading(*(getattr(found, name) for name in Heading._fields))
        yield Posting(found.id, found.seal, heading, entries, lines == list(range(len(lines))))


def _balanced(tally: CheckTally, money: Money) -> Check:
    total = sum(tally.sums.values())
    return Check("balance", total == 0, f"accounts add up to {money.text(total)}")


def _bounded(tally: CheckTally, chart: Chart, money: Money) -> Check:
    over = {
        account: surplus for account in tally.months if (surplus := excess(tally.months[account]))
    }
    if not over:
        return Check("bounds", holds=True, detail="all sums fit 64 bits")
    pays = [account for account in over if account not in (chart.endowments, chart.income)]
    first = (pays or list(over))[0]
    return Check(
        "bounds",
        holds=False,
        detail=f"{chart.name(first)} has {money.text(over[first].units)} by the end of"
        f" {over[first].month}, more than 64 bits hold, {len(over):,} accounts in all; undo a"
        " posting in that month: ledger refund --posting",
    )


def _sealed(
    tally: CheckTally, left: Mapping[int | None, LaidDown], key: bytes | None, check: str | None
) -> Check:
    """Say whether seals hold; `left` are rows that no posting seals."""
    sentence = tally.told("broken seal", tally.broken, len(tally.seals))
    if check_of(key) != check:
        sentence = (
            f"sealed with another key than {VARIABLE} has" if check else "sealed without a key"
        )
    elif not tally.broken and left:
        table = next(iter(left.values()))[0][0]
        sentence = f"a row of {table} that no posting seals"
    elif not tally.broken:
        return Check("seals", holds=True, detail=sentence)
    return Check("seals", holds=False, detail=sentence)


def _within_limits(tally: CheckTally, chart: Chart, money: Money) -> Check:
    below = [
        number
        for number, limit in chart.limits.items()
        if limit is not None and tally.sums[number] < -limit
    ]
    if not below:
        return Check("limits", holds=True, detail=f"{len(chart.payers()):,} accounts within them")
    first = below[0]
    return Check(
        "limits",
        holds=False,
        detail=f"{chart.name(first)} has {money.text(tally.sums[first])}, "
        f"{len(below):,} accounts are below theirs",
    )


def _held(tally: CheckTally, chart: Chart, money: Money) -> Check:
    wrong = [reference for (_, reference), units in tally.held.items() if units < 0]
    wrong += [
        reference
        for reference, units in tally.charged.items()
        if units < -tally.credited[reference]
    ]
    total = sum(tally.sums[number] for number in chart.holds())
    jobs = sum(units > 0 for units in tally.held.values())
    if wrong:
        return Check("holds", holds=False, detail=f"{wrong[0]} was given back more than it paid")
    return Check("holds", holds=True, detail=f"{money.text(total)} held for {jobs:,} jobs")


def _months(connection: Connection, tally: CheckTally) -> Check:
    closings = connection.execute(select(CLOSING).order_by(CLOSING.c.month)).all()
    for closing in closings:
        late = [
            month
            for month, posting in tally.latest.items()
            if month <= closing.month and posting > closing.posting
        ]
        if late:
            return Check("months", holds=False, detail=f"{late[0]} was posted into when closed")
        if _closed_balances(connection, closing.month) != _without_zeros(tally, closing.month):
            return Check("months", holds=False, detail=f"{closing.month} has other balances now")
    return Check("months", holds=True, detail=f"{len(closings):,} closed")


def _closed_balances(connection: Connection, month: str) -> dict[int, int]:
    table = CLOSING_BALANCE.c
    rows = connection.execute(select(table.account, table.balance).where(table.month == month))
    return {account: balance for account, balance in rows if balance}


def _without_zeros(tally: CheckTally, month: str) -> dict[int, int]:
    sums = balances_in(tally.months, until=month)
    return {account: balance for account, balance in sums.items() if balance}


def _database(connection: Connection) -> Check:
    guards, wanted = guards_of(connection), guards_wanted(connection)
    sentences = [f"{name} can be changed" for name in sorted({row[0] for row in wanted - guards})]
    sentences += [f"{row[0]} has a strange trigger {row[1]}" for row in sorted(guards - wanted)]
    if connection.dialect.name == "sqlite":
        sentences += _file_damage(connection)
    return Check("database", not sentences, "; ".join(sentences) or "guards are in place")


def _file_damage(connection: Connection) -> list[str]:
    pages = connection.execute(text("PRAGMA integrity_check")).scalars()
    astray = connection.execute(text("PRAGMA foreign_key_check")).all()
    return [str(page) for page in pages if page != "ok"] + [
        f"a row of {row[0]} points nowhere" for row in astray
    ]
