"""Sums of accounts, exact beyond 64 bits and bounded by them.

SQLite refuses a sum that leaves 64 bits on its way, wherever it ends. So the upper and the lower
half of every amount are added up apart, and put together here. What a posting leads to is bounded
before it is stored: no account has more than 64 bits hold, now or by the end of any month.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate
from typing import NamedTuple

from sqlalchemy import ColumnElement, Connection, Integer, func, literal_column, select, union_all

from pricing.ledger import MOST_UNITS
from swfx import InputError
from utilitysched_centre.accounts.account import Account
from utilitysched_centre.accounts.journal import FIRST_SEAL, NONE_YET, Entry, last, seal_of
from utilitysched_centre.accounts.money import Money
from utilitysched_centre.accounts.schema import ENTRY

HALF = 32
"""Bits of the lower half of an amount: a billion of either half add up within 64 bits."""

LAST_MONTH, BEYOND = "9999-12", "9999-13"

Months = Mapping[str, int]
"""What entered less what left an account, minor units, by month."""


def halves(amount: ColumnElement[int]) -> tuple[ColumnElement[int], ColumnElement[int]]:
    """Return the sums of the upper and of the lower halves of amounts, for `whole`."""
    upper = amount.op(">>")(literal_column(f"{HALF}", Integer))
    lower = amount.op("&")(literal_column(f"{2**HALF - 1}", Integer))
    return func.sum(upper), func.sum(lower)


def whole(upper: int, lower: int) -> int:
    """Return the sum of amounts whose halves add up to these."""
    return (int(upper) << HALF) + int(lower)


def by_month(
    connection: Connection, numbers: Iterable[int] | None = None, *, after: int | None = None
) -> dict[int, Counter[str]]:
    """Sum what entered and left accounts in each month.

    Parameters
    ----------
    connection : Connection
        In whose transaction.
    numbers : iterable of int, optional
        Of which accounts; default: all.
    after : int, optional
        Only entries of later postings than this one.

    Returns
    -------
    dict of int to Counter of str
        Minor units by account and month; accounts without entries are left out.
    """
    sides = [
        select(ENTRY.c.credit.label("account"), ENTRY.c.month, ENTRY.c.amount.label("amount")),
        select(ENTRY.c.debit, ENTRY.c.month, -ENTRY.c.amount),
    ]
    wanted = None if numbers is None else sorted(set(numbers))
    for i, column in enumerate((ENTRY.c.credit, ENTRY.c.debit)):
        if wanted is not None:
            sides[i] = sides[i].where(column.in_(wanted))
        if after is not None:
            sides[i] = sides[i].where(ENTRY.c.posting > after)
    moved = union_all(*sides).subquery()
    rows = connection.execute(
        select(moved.c.account, moved.c.month, *halves(moved.c.amount)).group_by(
            moved.c.account, moved.c.month
        )
    )
    sums: dict[int, Counter[str]] = defaultdict(Counter)
    for account, month, upper, lower in rows:
        sums[int(account)][month] = whole(upper, lower)
    return dict(sums)


def balances(
    connection: Connection,
    numbers: Iterable[int] | None = None,
    *,
    until: str = LAST_MONTH,
    before: str = BEYOND,
) -> dict[int, int]:
    """Sum what entered and left accounts.

    Parameters
    ----------
    connection : Connection
        In whose transaction.
    numbers : iterable of int, optional
        Of which accounts; default: all.
    until, before : str, optional
        Only entries of this month and earlier ones; only of earlier months.

    Returns
    -------
    dict of int to int
        Minor units by account; those without such entries are left out.
    """
    return balances_in(by_month(connection, numbers), until=until, before=before)


def balances_in(
    sums: Mapping[int, Months], *, until: str = LAST_MONTH, before: str = BEYOND
) -> dict[int, int]:
    """Add up months as `balances` does."""
    balances = {
        account: [units for month, units in months.items() if month <= until and month < before]
        for account, months in sums.items()
    }
    return {account: sum(units) for account, units in balances.items() if units}


class RunningSums:
    """Sums of all accounts up to a posting, brought up to date by what was posted since."""

    def __init__(self) -> None:
        self._posting, self._seal = NONE_YET, FIRST_SEAL
        self._months: dict[int, Counter[str]] = {}

    def advance(self, connection: Connection) -> bool:
        """Take in what was posted since; all if the last posting known is not as it was.

        Returns
        -------
        bool
            Whether nothing was posted since.
        """
        latest = last(connection)
        if latest == (self._posting, self._seal):
            return True
        is_known = seal_of(connection, self._posting) == self._seal
        if not is_known:  # another history, or none yet
            self._posting, self._months = NONE_YET, {}
        later = by_month(connection, after=self._posting)
        for account, months in later.items():
            self._months.setdefault(account, Counter()).update(months)
        self._posting, self._seal = latest
        return False

    def take_in(self, number: int, seal: str, entries: Sequence[Entry]) -> None:
        """Take in a posting that is stored; should it not be committed, `advance` will find out."""
        for entry in entries:
            self._months.setdefault(entry.debit, Counter())[entry.month] -= entry.amount
            self._months.setdefault(entry.credit, Counter())[entry.month] += entry.amount
        self._posting, self._seal = number, seal

    def months(self, account: int) -> Months:
        """Return the sums of an account by month."""
        return self._months.get(account, {})

    def balances(self, until: str) -> dict[int, int]:
        """Return what accounts with entries had by the end of a month."""
        return balances_in(self._months, until=until)

    def balance(self, account: int) -> int:
        """Return what an account has."""
        return sum(self.months(account).values())


class Excess(NamedTuple):
    """An account with more than 64 bits hold, by the end of a month."""

    month: str
    units: int


def excess(months: Months, before: Months | None = None) -> Excess | None:
    """Return the first month by whose end an account has more than 64 bits hold, if any.

    Parameters
    ----------
    months : mapping of str to int
        What it has gained in each month.
    before : mapping of str to int, optional
        The same before a change: one that leads back from an excess is none.
    """
    names = sorted({*months, *(before or {})})
    after, earlier = (
        accumulate([each.get(month, 0) for month in names]) for each in (months, before or {})
    )
    for month, units, was in zip(names, after, earlier, strict=True):
        if abs(units) > max(MOST_UNITS, abs(was)):
            return Excess(month, units)
    return None


def require_bounded(
    sums: RunningSums, accounts: Mapping[int, Account], money: Money, entries: Sequence[Entry]
) -> None:
    """Refuse entries after which an account would have more than 64 bits hold.

    Raises
    ------
    InputError
        Naming the account, the figure and the bound.
    """
    changes: dict[int, Counter[str]] = defaultdict(Counter)
    for entry in entries:
        changes[entry.debit][entry.month] -= entry.amount
        changes[entry.credit][entry.month] += entry.amount
    for number, change in changes.items():
        before = sums.months(number)
        after = Counter(before)
        after.update(change)
        if over := excess(after, before):
            raise out_of_bounds(accounts[number], over, money)


def out_of_bounds(account: Account, over: Excess, money: Money) -> InputError:
    """Return the refusal of a sum that is too large."""
    return InputError(
        f"{account} would have {money.plain(over.units)} {money.unit} by the end of {over.month},"
        f" over the {money.plain(MOST_UNITS)} that a ledger with {money.decimals} decimals holds",
        field="amount",
        remedy="keep accounts of this size in a ledger with fewer decimals, or give back first",
    )
