"""Payments of accounts by month: the figures that statements are reconciled with."""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import Connection, func, select

from pricing.accounts.account import Account
from pricing.accounts.chart import Chart
from pricing.accounts.schema import ENTRY


class Income(NamedTuple):
    """What one account paid in one month, in minor units.

    Attributes
    ----------
    account : Account
        Who.
    month : str
        ``YYYY-MM``.
    charged, refunded : int
        What was charged, and what of any charge was given back.
    """

    account: Account
    month: str
    charged: int
    refunded: int


def income(connection: Connection, chart: Chart, month: str | None) -> list[Income]:
    """Return what accounts paid, by account and month."""
    found: dict[tuple[Account, str], Income] = {}
    for side, other, name in (
        (ENTRY.c.credit, ENTRY.c.debit, "charged"),
        (ENTRY.c.debit, ENTRY.c.credit, "refunded"),
    ):
        query = select(other, ENTRY.c.month, func.sum(ENTRY.c.amount)).where(side == chart.income)
        if month is not None:
            query = query.where(ENTRY.c.month == month)
        for number, when, total in connection.execute(query.group_by(other, ENTRY.c.month)):
            key = chart.accounts[number], when
            one = found.get(key, Income(*key, 0, 0))
            found[key] = one._replace(**{name: getattr(one, name) + int(total)})
    return [found[key] for key in sorted(found)]
