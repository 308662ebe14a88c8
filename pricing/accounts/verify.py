"""Certificates of a ledger: what it promises, checked from its tables alone.

Nothing here relies on how entries were made, nor on triggers and constraints of the database.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from sqlalchemy import Connection, select, text

from pricing.accounts.chart import Chart
from pricing.accounts.journal import (
    ENTRY_COLUMNS,
    FIRST_SEAL,
    Entry,
    Heading,
    sealed,
)
from pricing.accounts.money import Money
from pricing.accounts.schema import (
    CLOSING,
    CLOSING_BALANCE,
    ENTRY,
    METADATA,
    POSTING,
)
from pricing.properties import Check

AT_ONCE = 10_000
"""Entries fetched at once."""

GUARDED = {
    "sqlite": "SELECT tbl_name FROM sqlite_master WHERE type = 'trigger'",
    "postgresql": "SELECT relname FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid "
    "WHERE NOT tgisinternal AND tgenabled <> 'D'",
}
"""How to ask which tables have triggers."""


class Posting(NamedTuple):
    """A posting as it is stored."""

    number: int
    seal: str
    heading: Heading
    entries: list[Entry]


def verify(connection: Connection, chart: Chart, money: Money) -> tuple[Check, ...]:
    """Check a ledger.

    Returns
    -------
    tuple of Check
        ``entries``: every entry moves an amount above 0 between two accounts. ``balance``: all
        accounts add up to 0. ``seals``: postings are numbered without gaps, and each is as it was
        sealed. ``limits``: no account is further below 0 than it may be. ``holds``: what is held is
        the sum of what is held for jobs, and no job was given back more than was held or charged.
        ``months``: closed months have the balances that they were closed with, and nothing was
        posted into them since. ``database``: tables have the triggers that keep them from being
        changed; a file is not damaged.
    """
    tally = CheckTally(chart)
    for posting in _postings(connection):
        tally.add(posting)
    return (
        Check("entries", not tally.odd, tally.told("odd entry", tally.odd, tally.entries)),
        _balanced(tally, money),
        Check("seals", not tally.broken, tally.told("broken seal", tally.broken, tally.postings)),
        _within_limits(tally, chart, money),
        _held(tally, chart, money),
        _months(connection, tally),
        _database(connection),
    )


class CheckTally:
    """What is counted while all postings go by."""

    def __init__(self, chart: Chart) -> None:
        self._holds, self._income = chart.holds(), chart.income
        self.postings = self.entries = 0
        self.odd: list[int] = []
        self.broken: list[int] = []
        self.sums: Counter[int] = Counter()
        self.by_month: Counter[tuple[str, int]] = Counter()
        self.latest: dict[str, int] = {}
        self.held: Counter[tuple[int, str | None]] = Counter()
        self.charged: Counter[str | None] = Counter()
        self._seal = FIRST_SEAL

    def add(self, posting: Posting) -> None:
        """Count one posting."""
        self.postings += 1
        found = sealed(self._seal, posting.heading, posting.entries)
        if posting.number != self.postings or posting.seal != found:
            self.broken.append(posting.number)
        self._seal = posting.seal
        for entry in posting.entries:
            self._add(entry, posting.number)

    def told(self, what: str, numbers: list[int], of: int) -> str:
        """Say how many there are and where the first is."""
        if not numbers:
            return f"{of:,} checked"
        return f"{what} in posting {numbers[0]}, {len(numbers):,} in all"

    def _add(self, entry: Entry, posting: int) -> None:
        self.entries += 1
        if entry.amount <= 0 or entry.debit == entry.credit:
            self.odd.append(posting)
        self.latest[entry.month] = posting
        for account, amount in ((entry.debit, -entry.amount), (entry.credit, entry.amount)):
            self.sums[account] += amount
            self.by_month[entry.month, account] += amount
            if account in self._holds:
                self.held[account, entry.reference] += amount
            elif account == self._income:
                self.charged[entry.reference] += amount


def _postings(connection: Connection) -> Iterator[Posting]:
    headings = connection.execute(select(POSTING).order_by(POSTING.c.id)).all()
    columns = [ENTRY.c[name] for name in ("posting", *ENTRY_COLUMNS)]
    rows = connection.execution_options(yield_per=AT_ONCE).execute(
        select(*columns).order_by(ENTRY.c.posting, ENTRY.c.line)
    )
    row = next(rows, None)
    for found in headings:
        entries = []
        while row is not None and row.posting == found.id:
            entries.append(Entry(*row[1:]))
            row = next(rows, None)
        heading = Heading(*(getattr(found, name) for name in Heading._fields))
        yield Posting(found.id, found.seal, heading, entries)


def _balanced(tally: CheckTally, money: Money) -> Check:
    total = sum(tally.sums.values())
    return Check("balance", total == 0, f"accounts add up to {money.text(total)}")


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
        detail=f"{chart.accounts[first]} has {money.text(tally.sums[first])}, "
        f"{len(below):,} accounts are below theirs",
    )


def _held(tally: CheckTally, chart: Chart, money: Money) -> Check:
    wrong = [reference for (_, reference), units in tally.held.items() if units < 0]
    wrong += [reference for reference, units in tally.charged.items() if units < 0]
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
        if _closed_balances(connection, closing.month) != _sums_until(tally, closing.month):
            return Check("months", holds=False, detail=f"{closing.month} has other balances now")
    return Check("months", holds=True, detail=f"{len(closings):,} closed")


def _closed_balances(connection: Connection, month: str) -> dict[int, int]:
    table = CLOSING_BALANCE.c
    rows = connection.execute(select(table.account, table.balance).where(table.month == month))
    return {account: balance for account, balance in rows if balance}


def _sums_until(tally: CheckTally, month: str) -> dict[int, int]:
    sums: Counter[int] = Counter()
    for (when, account), amount in tally.by_month.items():
        if when <= month:
            sums[account] += amount
    return {account: balance for account, balance in sums.items() if balance}


def _database(connection: Connection) -> Check:
    backend = connection.dialect.name
    guarded = set(connection.execute(text(GUARDED[backend])).scalars())
    said = [f"{name} can be changed" for name in sorted(METADATA.tables) if name not in guarded]
    if backend == "sqlite":
        said += _file_damage(connection)
    return Check("database", not said, "; ".join(said) or "guards are in place")


def _file_damage(connection: Connection) -> list[str]:
    pages = connection.execute(text("PRAGMA integrity_check")).scalars()
    astray = connection.execute(text("PRAGMA foreign_key_check")).all()
    return [str(page) for page in pages if page != "ok"] + [
        f"a row of {row[0]} points nowhere" for row in astray
    ]
