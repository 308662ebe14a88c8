"""A ledger: endowments, holds, charges, refunds, closings."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from decimal import Decimal
from pathlib import Path
from types import TracebackType
from typing import NamedTuple, Self
from uuid import uuid4

from sqlalchemy import Connection

from pricing.accounts import journal, moves, periods
from pricing.accounts.account import Account, read_account, require_short
from pricing.accounts.chart import Chart, balances
from pricing.accounts.claims import Claim, Claims, require_payable
from pricing.accounts.closing import Closing, close
from pricing.accounts.database import Database
from pricing.accounts.history import Line, history
from pricing.accounts.income import Income, income
from pricing.accounts.journal import Entry, Heading
from pricing.accounts.money import Money
from pricing.accounts.overdraft import require_funds
from pricing.accounts.standing import standing
from pricing.accounts.terms import read_terms
from pricing.accounts.upgrades import no_ledger, require_head
from pricing.accounts.verify import verify
from pricing.properties import Check
from swfx import InputError

Amount = str | int | Decimal

GIVEN_BACK = ("endow", "hold", "charge")
"""Kinds of entries that can be undone."""


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


class Balance(NamedTuple):
    """What an account has, in minor units.

    Attributes
    ----------
    account : Account
        Whose.
    available : int
        What can be spent.
    held : int
        What is set aside for jobs that have not ended.
    limit : int or None
        How far below 0 `available` may go; None = any.
    """

    account: Account
    available: int
    held: int
    limit: int | None


class Book:
    """An open ledger; a context manager that closes it.

    Amounts go in as numbers of the ledger's unit (text, int, Decimal) and come out in minor units,
    which `money` writes. Every method that writes does all or nothing, and returns when it is on
    the disk.

    Parameters
    ----------
    location : str or Path
        Path of an SQLite file, or ``postgresql://USER@HOST/DATABASE``.
    clock : callable
        Returns the time.

    Raises
    ------
    InputError
        There is no ledger, or its schema is of another version.
    """

    def __init__(self, location: str | Path, clock: Callable[[], datetime] = periods.now) -> None:
        self._database = Database(location)
        self._clock = clock
        if self._database.is_missing_file:
            raise no_ledger(self._database)
        try:
            with self._reading() as connection:
                self.terms = read_terms(connection)
        except BaseException:
            self._database.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close_connections()

    def close_connections(self) -> None:
        """Let go of the database."""
        self._database.close()

    @property
    def money(self) -> Money:
        """What the ledger counts in."""
        return self.terms.money

    @property
    def source(self) -> str:
        """Where the ledger is, without password."""
        return self._database.source

    def endow(
        self,
        account: Account,
        amount: Amount,
        *,
        month: str | None = None,
        memo: str = "",
        key: str | None = None,
    ) -> Posted:
        """Give an account something to spend; it is opened if need be.

        Parameters
        ----------
        account : Account
            Whose.
        amount : str, int or Decimal
            Above 0.
        month : str, optional
            To which it belongs; default: the present one.
        memo : str
            For people.
        key : str, optional
            A second call with the same key changes nothing.

        Raises
        ------
        InputError
            The amount cannot be used, or the month is closed.
        """
        units = self._above_zero(amount)
        if key is not None:
            require_short(key, "key")
        with self._writing() as (connection, chart):
            parts = chart.open(read_account(str(account)))
            entry = Entry("endow", chart.endowments, parts.available, units, self._month(month))
            heading = self._heading("endow", f"endow:{key}" if key is not None else None, memo)
            return self._post(connection, chart, heading, [entry])

    def set_limit(self, account: Account, amount: Amount | None) -> None:
        """Let an account go so far below 0; None = any.

        Raises
        ------
        InputError
            It is further below 0 already.
        """
        units = None if amount is None else self.money.units(amount)
        if units is not None and units < 0:
            raise InputError(f"{amount} is below 0", field="limit")
        with self._writing() as (connection, chart):
            number = chart.open(read_account(str(account))).available
            balance = balances(connection, [number]).get(number, 0)
            if units is not None and balance < -units:
                raise InputError(
                    f"{account} has {self.money.text(balance)} already",
                    field="limit",
                    remedy=f"endow it, or give at least {self.money.plain(-balance)}",
                )
            chart.limit(account, units)

    def assign(self, member: Account, account: Account) -> None:
        """Let an account pay for the jobs of a user or a group from now on."""
        with self._writing() as (_, chart):
            chart.assign(member, read_account(str(account)))

    def hold(
        self, account: Account, amount: Amount, reference: str, *, month: str | None = None
    ) -> Posted:
        """Set aside what a job can cost at most, when it is submitted.

        Parameters
        ----------
        account : Account
            Who pays.
        amount : str, int or Decimal
            Above 0.
        reference : str
            Names the job from now on; another hold under it changes nothing.
        month : str, optional
            To which it belongs; default: the present one.

        Raises
        ------
        OverdraftError
            The account does not have so much.
        InputError
            Something else is held for the job, or it was charged already.
        """
        units = self._above_zero(amount)
        require_short(reference, "reference")
        with self._writing() as (connection, chart):
            stand = standing(connection, chart, [reference]).get(reference)
            if stand is not None and (stand.held, stand.account) == (units, account):
                return Posted(stand.posting, new=False, entries=1)
            if stand is not None and (stand.held or stand.charged):
                raise InputError(
                    f"{reference} has {self.money.text(stand.held)} held and "
                    f"{self.money.text(stand.charged)} charged already",
                    field="reference",
                )
            parts = chart.open(read_account(str(account)))
            entry = Entry("hold", parts.available, parts.held, units, self._month(month), reference)
            return self._post(connection, chart, self._heading("hold"), [entry])

    def hold_run(self, claims: Claims, *, memo: str = "") -> Posted:
        """Set aside what each job of a run can cost at most; see `pricing.accounts.at_most`.

        What is held already is left as it is.
        """
        require_payable(claims)
        with self._writing() as (connection, chart):
            stands = standing(connection, chart, [job.reference for job in claims.jobs])
            entries = [
                entry for job in claims.jobs for entry in moves.hold(chart, job, stands, self.money)
            ]
            if not entries:
                return Posted(journal.last(connection)[0], new=False, entries=0)
            return self._post(connection, chart, self._heading("hold", memo=memo), entries)

    def capture(self, reference: str, amount: Amount, *, month: str | None = None) -> Posted:
        """Charge a job for which something is held, when it is complete; the rest is given back.

        Raises
        ------
        OverdraftError
            It costs more than is held and available.
        InputError
            Nothing is held under the reference.
        """
        units = self.money.units(amount)
        if units < 0:
            raise InputError(f"{amount} is below 0", field="amount")
        with self._writing() as (connection, chart):
            stands = standing(connection, chart, [reference])
            stand = stands.get(reference)
            if stand is not None and not stand.held and stand.charged == units:
                return Posted(stand.posting, new=False, entries=1)
            if stand is None or not stand.held:
                raise InputError(f"nothing is held for {reference!r}", field="reference")
            claim = Claim(reference, -1, -1, -1, self._month(month), units)
            entries = [
                entry._replace(job=stand.job) for entry in moves.charge(chart, claim, stands)
            ]
            return self._post(connection, chart, self._heading("charge"), entries)

    def post(self, claims: Claims, *, memo: str = "") -> Posted:
        """Charge the jobs of a run: the same claims a second time change nothing.

        What is held for a job is taken first, and its rest given back.

        Parameters
        ----------
        claims : Claims
            See `pricing.accounts.charged`.
        memo : str
            For people.

        Raises
        ------
        OverdraftError
            An account does not have what its jobs cost.
        InputError
            A job was charged by another posting, or a month is closed.
        """
        require_payable(claims)
        digest = claims.digest()
        with self._writing() as (connection, chart):
            key, before = _unused(connection, f"charge:{digest}")
            if before is not None:
                return Posted(before, new=False, entries=len(claims.jobs))
            stands = standing(connection, chart, [job.reference for job in claims.jobs])
            entries = [entry for job in claims.jobs for entry in moves.charge(chart, job, stands)]
            heading = self._heading("charge", key, memo or claims.mechanism)
            return self._post(connection, chart, heading, entries)

    def refund(
        self,
        reference: str,
        amount: Amount | None = None,
        *,
        month: str | None = None,
        memo: str = "",
    ) -> Posted:
        """Give back what is held for a job, and what it was charged, or a part of the charge.

        Raises
        ------
        InputError
            There is nothing, or not so much, to give back.
        """
        units = None if amount is None else self._above_zero(amount)
        with self._writing() as (connection, chart):
            stand = standing(connection, chart, [reference]).get(reference)
            if stand is None or not (stand.held or stand.charged):
                raise InputError(
                    f"there is nothing to give back for {reference!r}", field="reference"
                )
            if units is not None and (stand.held or units > stand.charged):
                raise InputError(
                    f"{reference} was charged {self.money.text(stand.charged)}, and "
                    f"{self.money.text(stand.held)} are held",
                    field="amount",
                    remedy="give back at most the charge, and what is held altogether",
                )
            entries = list(moves.give_back(chart, reference, stand, self._month(month), units))
            return self._post(connection, chart, self._heading("refund", memo=memo), entries)

    def undo(self, number: int, *, month: str | None = None, memo: str = "") -> Posted:
        """Give back all that a posting charged, held or endowed and that is not given back yet.

        A second time changes nothing. The same claims can be posted again afterwards.

        Raises
        ------
        OverdraftError
            An endowment is spent.
        InputError
            There is no such posting, or it is one that gives back.
        """
        with self._writing() as (connection, chart):
            entries = journal.entries_of(connection, number)
            before = journal.undone(connection, number)
            if before is not None:
                return Posted(before, new=False, entries=len(entries))
            if not any(entry.kind in GIVEN_BACK for entry in entries):
                raise InputError(
                    f"posting {number} gives nothing that could be taken back",
                    field="posting",
                    remedy="utilitysched ledger history lists postings",
                )
            back = list(_taken_back(connection, chart, number, self._month(month)))
            heading = self._heading("reverse", f"reverse:{number}", memo)
            return self._post(connection, chart, heading._replace(reverses=number), back)

    def close(self, month: str) -> Closing:
        """Close a month and all before it; a second time changes nothing.

        Raises
        ------
        InputError
            The month is not over, or a later one is closed.
        """
        now = self._clock()
        with self._writing() as (connection, _):
            return close(connection, periods.read_month(month), now)

    def balances(self, accounts: Iterable[Account] | None = None) -> list[Balance]:
        """Return what accounts have; default: all that pay."""
        with self._reading() as connection:
            chart = self._chart(connection)
            chosen = chart.payers() if accounts is None else list(accounts)
            parts = [chart.find(account) for account in chosen]
            sums = balances(connection, (number for part in parts for number in part))
            return [
                Balance(
                    account,
                    sums.get(part.available, 0),
                    sums.get(part.held, 0),
                    chart.limits[part.available],
                )
                for account, part in zip(chosen, parts, strict=True)
            ]

    def endowed(self) -> int:
        """Return what was given out and not taken back."""
        with self._reading() as connection:
            chart = self._chart(connection)
            return -balances(connection, [chart.endowments]).get(chart.endowments, 0)

    def income(self, month: str | None = None) -> list[Income]:
        """Return what accounts paid, by month."""
        with self._reading() as connection:
            return income(connection, self._chart(connection), month)

    def history(self, account: Account | None = None, *, latest: int | None = None) -> list[Line]:
        """Return entries, the oldest first: of an account or all, or only the latest so many."""
        with self._reading() as connection:
            return history(connection, self._chart(connection), account, latest)

    def verify(self) -> tuple[Check, ...]:
        """Check all that a ledger promises, from its tables alone."""
        with self._reading() as connection:
            return verify(connection, self._chart(connection), self.money)

    @contextmanager
    def _reading(self) -> Iterator[Connection]:
        with self._database.reading() as connection:
            require_head(connection, self._database)
            yield connection

    @contextmanager
    def _writing(self) -> Iterator[tuple[Connection, Chart]]:
        with self._database.writing() as connection:
            require_head(connection, self._database)
            yield connection, self._chart(connection)

    def _chart(self, connection: Connection) -> Chart:
        now = periods.instant(self._clock())
        return Chart(connection, self.terms.payer, self.terms.credit_limit, now)

    def _post(
        self, connection: Connection, chart: Chart, heading: Heading, entries: Sequence[Entry]
    ) -> Posted:
        before = journal.known(connection, heading.key)
        if before is not None:
            return Posted(before.id, new=False, entries=len(entries))
        periods.require_open(connection, {entry.month for entry in entries})
        require_funds(connection, chart, self.money, entries)
        number = journal.post(connection, heading, entries)
        return Posted(number, new=True, entries=len(entries))

    def _heading(self, kind: str, key: str | None = None, memo: str = "") -> Heading:
        unique = key or f"{kind}:{uuid4().hex}"
        writable = memo.encode(errors="replace").decode()  # a path may hold any bytes
        return Heading(kind, unique, writable, periods.instant(self._clock()))

    def _month(self, month: str | None) -> str:
        return periods.month_of(self._clock()) if month is None else periods.read_month(month)

    def _above_zero(self, amount: Amount) -> int:
        units = self.money.units(amount)
        if units <= 0:
            raise InputError(f"{amount} is not above 0", field="amount")
        return units


def _unused(connection: Connection, key: str) -> tuple[str, int | None]:
    """Return a key for what may have been posted and undone, or the posting that still counts."""
    candidate, times = key, 0
    while (found := journal.known(connection, candidate)) is not None:
        if journal.undone(connection, found.id) is None:
            return candidate, int(found.id)
        times += 1
        candidate = f"{key}:{times}"
    return candidate, None


def _taken_back(connection: Connection, chart: Chart, number: int, month: str) -> Iterator[Entry]:
    entries = journal.entries_of(connection, number)
    references = {entry.reference: None for entry in entries if entry.reference is not None}
    for reference, stand in standing(connection, chart, list(references)).items():
        yield from moves.give_back(chart, reference, stand.by(number), month)
    for entry in entries:
        if entry.kind == "endow":
            yield Entry("reverse", entry.credit, entry.debit, entry.amount, month)
