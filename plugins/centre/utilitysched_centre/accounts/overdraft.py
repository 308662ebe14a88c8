"""Credit limits: no balance falls below them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from swfx import InputError
from utilitysched_centre.accounts.account import Account
from utilitysched_centre.accounts.chart import Chart
from utilitysched_centre.accounts.journal import Entry
from utilitysched_centre.accounts.money import Money
from utilitysched_centre.accounts.sums import RunningSums


class Shortage(NamedTuple):
    """Shortage of an account, in minor units.

    Attributes
    ----------
    account : Account
        Payer.
    balance : int
        Available amount.
    held : int
        Amount set aside for jobs that have not ended; not part of the balance.
    limit : int
        Credit limit: how far below 0 the balance may go.
    needed : int
        Amount to be paid or held, less what the same posting gives back.
    """

    account: Account
    balance: int
    held: int
    limit: int
    needed: int

    @property
    def missing(self) -> int:
        """Minor units by which balance and credit limit fall short."""
        return self.needed - self.balance - self.limit


class OverdraftError(InputError):
    """Accounts do not have what a posting takes.

    Attributes
    ----------
    shortages : tuple of Shortage
        Of every account, the largest first.
    """

    def __init__(self, shortages: Sequence[Shortage], money: Money) -> None:
        self.shortages = tuple(sorted(shortages, key=lambda one: -one.missing))
        super().__init__(
            _said(self.shortages, money),
            remedy="endow the account, or raise its limit: utilitysched ledger endow, limit",
        )


def require_funds(sums: RunningSums, chart: Chart, money: Money, entries: Sequence[Entry]) -> None:
    """Refuse entries that take an account below its limit.

    Raises
    ------
    OverdraftError
        With the figures.
    """
    change = _changes(entries)
    limited = {
        number: limit
        for number, by in change.items()
        if by < 0 and (limit := chart.limits[number]) is not None
    }
    before = {number: sums.balance(number) for number in limited}
    shortages = [
        Shortage(
            chart.accounts[number],
            before[number],
            sums.balance(chart.find(chart.accounts[number]).held),
            limit,
            -change[number],
        )
        for number, limit in limited.items()
        if before[number] + change[number] < -limit
    ]
    if shortages:
        raise OverdraftError(shortages, money)


def _changes(entries: Sequence[Entry]) -> Counter[int]:
    """Return by how many minor units entries change each balance."""
    change: Counter[int] = Counter()
    for entry in entries:
        change[entry.debit] -= entry.amount
        change[entry.credit] += entry.amount
    return change


def _said(shortages: Sequence[Shortage], money: Money) -> str:
    one = shortages[0]
    text = (
        f"{one.account} has {money.text(one.balance)} ({money.text(one.held)} held besides, "
        f"credit limit {money.text(one.limit)}) and needs {money.text(one.needed)}: "
        f"{money.text(one.missing)} missing"
    )
    if len(shortages) > 1:
        total = money.text(sum(shortage.missing for shortage in shortages))
        text += f"; {len(shortages)} accounts are short, of {total} in all"
    return text
