"""Balances of accounts."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from sqlalchemy import Connection

from pricing.accounts.account import Account
from pricing.accounts.chart import Chart, balances


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


def balances_of(
    connection: Connection, chart: Chart, accounts: Iterable[Account] | None
) -> list[Balance]:
    """Return what accounts have; None = all that pay."""
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
