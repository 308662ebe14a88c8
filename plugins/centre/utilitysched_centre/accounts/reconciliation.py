"""Reconciliation: a bill beside what the ledger has charged for it, to the minor unit."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping
from typing import NamedTuple

from sqlalchemy import Connection, select

from swfx import InputError
from utilitysched_centre.accounts import journal
from utilitysched_centre.accounts.account import Account
from utilitysched_centre.accounts.chart import AccountParts, Chart
from utilitysched_centre.accounts.claims import Claim, Claims
from utilitysched_centre.accounts.journal import PAID, TAKEN, Entry
from utilitysched_centre.accounts.money import Money
from utilitysched_centre.accounts.schema import ENTRY
from utilitysched_centre.accounts.sums import balances, halves, whole
from utilitysched_centre.accounts.transaction import Transaction


class Period(NamedTuple):
    """An account in a month, in minor units: what can be spent and what is held, together.

    Attributes
    ----------
    account : Account
        Whose.
    month : str
        ``YYYY-MM``.
    opening : int
        What it had when the month began.
    endowed : int
        What it was given, less what was taken back of that.
    billed : int
        What the bill has charged it, less what it has credited it with.
    other : int
        What else it was charged, likewise.
    refunded : int
        What of charges was given back.
    paid : int
        What was paid for invoices, less what of that went back.
    closing : int
        What it had when the month ended: opening + endowed - billed - other + refunded + paid.
    """

    account: Account
    month: str
    opening: int
    endowed: int
    billed: int
    other: int
    refunded: int
    paid: int
    closing: int


class Reconciliation(NamedTuple):
    """Totals of a bill and of its posting, which are equal, and balances of the payers.

    Attributes
    ----------
    posting : int
        Number of the posting.
    total : int
        Total of bill and posting, minor units.
    periods : list of Period
        Balances by account and month, from the first month of the bill to the present.
    """

    posting: int
    total: int
    periods: list[Period]


_KINDS: dict[str, Callable[[Claim], object]] = {
    "job": lambda claim: claim.job,
    "user": lambda claim: claim.user,
    "group": lambda claim: claim.group,
    "account": lambda claim: claim.account,
    "month": lambda claim: claim.month,
}
"""What totals of a bill and of its posting are compared by."""


def reconciled(
    connection: Connection, chart: Chart, claims: Claims, posting: int, money: Money
) -> Reconciliation:
    """Follow the accounts that pay a bill from its first month on.

    Raises
    ------
    InputError
        What an account had, was given and paid does not come to what it has.
    """
    charged = _charged(chart, journal.entries_of(connection, posting))
    months = [claim.month for claim in claims.jobs]
    first = min(months, default="")
    periods = []
    named = {claim.account for claim in claims.jobs if claim.account is not None}
    for account in sorted(named.union(account for account, _ in charged)):
        periods += _periods(connection, chart, account, first, charged)
    for period in periods:
        _require_chain(period, money)
    return Reconciliation(posting, claims.total, periods)


def require_equal(ledger: Transaction, claims: Claims, posting: int) -> None:
    """Refuse a bill that its posting does not charge by job, user, group, account and month.

    Raises
    ------
    InputError
        With the figures.
    """
    claimed = {claim.reference: claim for claim in claims.jobs}
    stated, posted = Counter[tuple[str, object]](), Counter[tuple[str, object]]()
    for claim in claims.jobs:
        _count(stated, claim, claim.units)
    for entry in journal.entries_of(ledger.connection, posting):
        if entry.kind in TAKEN:
            payer, units = _taken(ledger.chart, entry)
            claim = claimed.get(str(entry.reference)) or _stray(entry)
            named = claim.account and payer
            _count(posted, claim._replace(account=named, month=entry.month), units)
    for kind, key in [*stated, *posted]:
        bill, book = stated[kind, key], posted[kind, key]
        if bill != book:
            of = key if isinstance(key, Account) else f"{kind} {key}"
            raise InputError(
                f"{of}: the bill says {ledger.money.text(bill)}, posting {posting} has "
                f"{ledger.money.text(book)}",
                remedy="see whether the ledger is sound: utilitysched ledger verify LEDGER",
            )


def _count(sums: Counter[tuple[str, object]], claim: Claim, units: int) -> None:
    for kind, key in _KINDS.items():
        sums[kind, key(claim)] += units


def _stray(entry: Entry) -> Claim:
    return Claim(str(entry.reference), entry.job or -1, -1, -1, entry.month, 0)


def _charged(chart: Chart, entries: list[Entry]) -> Counter[tuple[Account, str]]:
    """Sum what a posting charges, by account and month."""
    charged = Counter[tuple[Account, str]]()
    for entry in entries:
        if entry.kind in TAKEN:
            payer, units = _taken(chart, entry)
            charged[payer, entry.month] += units
    return charged


def _taken(chart: Chart, entry: Entry) -> tuple[Account, int]:
    """Return payer and amount of a charge; a credit is below 0."""
    if entry.debit == chart.income:
        return chart.accounts[entry.credit], -entry.amount
    return chart.accounts[entry.debit], entry.amount


def _periods(
    connection: Connection,
    chart: Chart,
    account: Account,
    first: str,
    charged: Mapping[tuple[Account, str], int],
) -> list[Period]:
    parts = chart.find(account)
    moved = _moved(connection, parts, first)
    periods: list[Period] = []
    opening = sum(balances(connection, parts, before=first).values())
    for month in sorted(moved):
        kinds, billed = moved[month], charged.get((account, month), 0)
        endowed = kinds.get("endow", 0) + kinds.get("reverse", 0)
        other = -sum(kinds.get(kind, 0) for kind in TAKEN) - billed
        closing = sum(balances(connection, parts, until=month).values())
        paid = sum(kinds.get(kind, 0) for kind in PAID)
        figures = (opening, endowed, billed, other, kinds.get("refund", 0), paid, closing)
        periods.append(Period(account, month, *figures))
        opening = closing
    return periods


def _moved(connection: Connection, parts: AccountParts, first: str) -> dict[str, dict[str, int]]:
    """Sum what entered less what left an account, by month from `first` on and kind of entry."""
    moved: dict[str, dict[str, int]] = defaultdict(lambda: defaultdict(int))
    for column, sign in ((ENTRY.c.credit, 1), (ENTRY.c.debit, -1)):
        rows = connection.execute(
            select(ENTRY.c.month, ENTRY.c.kind, *halves(ENTRY.c.amount))
            .where(column.in_(parts), ENTRY.c.month >= first)
            .group_by(ENTRY.c.month, ENTRY.c.kind)
        )
        for month, kind, *sums in rows:
            moved[month][kind] += sign * whole(*sums)
    return moved


def _require_chain(period: Period, money: Money) -> None:
    gained = period.endowed + period.refunded + period.paid
    came_to = period.opening + gained - period.billed - period.other
    if came_to != period.closing:
        raise InputError(
            f"{period.account} in {period.month}: {money.text(period.opening)} + "
            f"{money.text(period.endowed)} endowed - {money.text(period.billed + period.other)} "
            f"charged + {money.text(period.refunded)} given back + {money.text(period.paid)} paid "
            f"come to {money.text(came_to)}, but the ledger has {money.text(period.closing)}",
            remedy="see whether the ledger is sound: utilitysched ledger verify LEDGER",
        )
