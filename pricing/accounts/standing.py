"""Standing of jobs: money held for them, and charged."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from sqlalchemy import Connection, select

from pricing.accounts.account import Account
from pricing.accounts.chart import Chart
from pricing.accounts.schema import ENTRY

AT_ONCE = 5000
"""References asked for in one statement."""


class Stand(NamedTuple):
    """How one job stands.

    Attributes
    ----------
    account : Account
        Who pays.
    held : int
        Minor units set aside.
    charged : int
        Minor units paid and not given back.
    posting : int
        Latest posting that held or charged something.
    job : int or None
        Number of the job in its log.
    """

    account: Account
    held: int
    charged: int
    posting: int
    job: int | None

    def by(self, posting: int) -> Stand:
        """Return what of it comes from one posting: all or nothing."""
        return self if self.posting == posting else self._replace(held=0, charged=0)


def standing(connection: Connection, chart: Chart, references: Sequence[str]) -> dict[str, Stand]:
    """Return how jobs stand that the ledger knows."""
    holds, income = chart.holds(), chart.income
    found: dict[str, Stand] = {}
    for reference, debit, credit, amount, posting, job in _entries(connection, references):
        takes = credit == income or credit in holds
        payer = chart.accounts[credit if debit == income else debit]
        one = found.get(reference, Stand(payer, 0, 0, posting, job))
        found[reference] = Stand(
            payer,
            one.held + amount * ((credit in holds) - (debit in holds)),
            one.charged + amount * ((credit == income) - (debit == income)),
            posting if takes else one.posting,
            job,
        )
    return found


def _entries(connection: Connection, references: Sequence[str]) -> Iterator[Any]:
    names = ("reference", "debit", "credit", "amount", "posting", "job")
    columns = [ENTRY.c[name] for name in names]
    for i in range(0, len(references), AT_ONCE):
        yield from connection.execute(
            select(*columns)
            .where(ENTRY.c.reference.in_(references[i : i + AT_ONCE]))
            .order_by(ENTRY.c.posting, ENTRY.c.line)
        )
