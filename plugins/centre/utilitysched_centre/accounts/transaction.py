"""A transaction of a ledger: what is posted in it, once and within everybody's means."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import NamedTuple
from uuid import uuid4

from sqlalchemy import Connection

from swfx import InputError
from utilitysched_centre.accounts import journal, periods
from utilitysched_centre.accounts.chart import Chart
from utilitysched_centre.accounts.journal import Entry, Heading
from utilitysched_centre.accounts.money import Money
from utilitysched_centre.accounts.overdraft import require_funds
from utilitysched_centre.accounts.sums import RunningSums, require_bounded

Amount = str | int | Decimal
"""In the ledger's unit."""


class Posted(NamedTuple):
    """What a call has led to.

    Attributes
    ----------
    number : int
        Of the posting.
    new : bool
        False if it was posted before: then nothing has changed.
    entries : int
        How many it has.
    """

    number: int
    new: bool
    entries: int


@dataclass(frozen=True)
class Transaction:
    """What every change of a ledger needs.

    Attributes
    ----------
    connection : Connection
        In a transaction that others who write wait for.
    chart : Chart
        The accounts.
    money : Money
        What the ledger counts in.
    now : datetime
        When.
    month : str
        To which entries belong, if nothing else says so.
    memo : str
        For people.
    sums : RunningSums
        What accounts have, up to the last posting.
    key : bytes or None
        That seals are made with.
    """

    connection: Connection
    chart: Chart
    money: Money
    now: datetime
    month: str
    memo: str
    sums: RunningSums
    key: bytes | None

    def post(self, heading: Heading, entries: Sequence[Entry]) -> Posted:
        """Store entries under a heading; nothing if one with its key is stored already.

        Raises
        ------
        OverdraftError
            An account does not have what they take.
        InputError
            A month is closed.
        """
        before = journal.known(self.connection, heading.key)
        if before is not None:
            return Posted(before.id, new=False, entries=len(entries))
        self.require_possible(entries)
        return self.store(heading, entries)

    def repeated(self, heading: Heading, **wanted: object) -> Posted | None:
        """Return the posting of one entry that has a heading's key; None without.

        Raises
        ------
        InputError
            Its entry is another than is wanted.
        """
        before = journal.known(self.connection, heading.key)
        if before is None:
            return None
        (entry,) = journal.entries_of(self.connection, before.id)
        if any(getattr(entry, name) != value for name, value in wanted.items()):
            owner = entry.reference or self.chart.name(entry.credit)
            raise InputError(
                f"posting {before.id} has this key: {entry.kind} {self.money.text(entry.amount)}"
                f" of {owner}",
                field="key",
                remedy="name another key",
            )
        return Posted(before.id, new=False, entries=1)

    def require_possible(self, entries: Sequence[Entry]) -> None:
        """Refuse entries in closed months, beyond 64 bits, and below an account's limit.

        Raises
        ------
        OverdraftError
            An account does not have what they take.
        InputError
            A month is closed, or an account would have more than 64 bits hold.
        """
        periods.require_open(self.connection, {entry.month for entry in entries})
        require_bounded(self.sums, self.chart.accounts, self.money, entries)
        require_funds(self.sums, self.chart, self.money, entries)

    def store(self, heading: Heading, entries: Sequence[Entry]) -> Posted:
        """Store entries that are possible."""
        grown = self.chart.has_grown
        number, seal = journal.post(self.connection, heading, entries, self.key, has_rows=grown)
        self.chart.seal()
        self.sums.take_in(number, seal, entries)
        return Posted(number, new=True, entries=len(entries))

    def record(self, kind: str) -> None:
        """Seal what was laid down and has no posting of its own yet, by one without entries."""
        if self.chart.has_grown:
            self.store(self.heading(kind), [])

    def heading(self, kind: str, key: str | None = None, memo: str | None = None) -> Heading:
        """Return the heading of a posting; without a key every posting is unique."""
        unique = key or f"{kind}:{uuid4().hex}"
        note = self.memo if memo is None else memo
        writable = note.encode(errors="replace").decode()  # a path may hold any bytes
        return Heading(kind, unique, writable.replace("\0", "\ufffd"), periods.instant(self.now))

    def above_zero(self, amount: Amount) -> int:
        """Return an amount in minor units.

        Raises
        ------
        InputError
            It is 0, below, or none.
        """
        units = self.money.units(amount)
        if units <= 0:
            raise InputError(f"{amount} is not above 0", field="amount")
        return units
