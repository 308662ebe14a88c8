"""Statements of what is to be paid: per payer, user, queue, month and so on."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import NamedTuple

from pricing.keys import ANY, StatementKeys, keys, written_kinds
from pricing.ledger import positions
from utilitysched_centre.rules.invoice import Invoice

ACCOUNT = "account"
"""Who pays, by the rules; without any, the account of the log."""

KINDS: tuple[str, ...] = tuple(dict.fromkeys((*ANY, ACCOUNT)))
"""What a statement of what is to be paid can be made per, where the log says it."""


class StatementLine(NamedTuple):
    """What jobs come to together.

    Attributes
    ----------
    key : int or str
        Number of a user, group or queue (-1 = not known), month, or name of another label.
    jobs : int
        Jobs that ran, of several parts or runs once.
    charged : int
        Those of them that are charged.
    charge : Decimal
        By the mechanism, net of what is due for displaced jobs (SU).
    net, tax, amount : Decimal
        Without tax, tax, and what is to be paid.
    name : str
        Of a key that is a number, where the log names any of them.
    """

    key: int | str
    jobs: int
    charged: int
    charge: Decimal
    net: Decimal
    tax: Decimal
    amount: Decimal
    name: str = ""

    @property
    def money(self) -> tuple[Decimal, ...]:
        """Charge, net, tax and amount."""
        return self.charge, self.net, self.tax, self.amount


def payers_or_keys(bill: Invoice, by: str) -> StatementKeys:
    """Return for each job to which statement of a kind it belongs.

    Raises
    ------
    InputError
        The log does not say.
    """
    return StatementKeys(bill.payer, {}) if by == ACCOUNT else keys(bill.charges, by)


def written(bill: Invoice) -> tuple[str, ...]:
    """Kinds of which a statement is written."""
    return tuple(dict.fromkeys((*written_kinds(bill.charges.workload), ACCOUNT)))


def lines(bill: Invoice, by: str) -> list[StatementLine]:
    """Sum up what is to be paid, ascending by key; lines add up to the total exactly.

    Raises
    ------
    InputError
        The log does not say.
    """
    owners = payers_or_keys(bill, by)
    return [
        _line(bill, key, mine)._replace(name=owners.names.get(key, ""))
        for key, mine in sorted(positions(owners.of).items())
    ]


def together(name: str, some: Sequence[StatementLine]) -> StatementLine:
    """Return the sum of lines."""
    jobs, charged = (sum(getattr(line, count) for line in some) for count in ("jobs", "charged"))
    columns = zip(*(line.money for line in some), strict=True)
    charge, net, tax, total = (sum(column, Decimal(0)) for column in columns)
    return StatementLine(name, jobs, charged, charge, net, tax, total)


def charged_jobs(bill: Invoice, places: Sequence[int]) -> int:
    """Return how many of the jobs in some places are charged; see `Invoice.jobs`."""
    reason = bill.steps.reason
    return bill.jobs(place for place in places if reason[place].startswith("charged"))


def _line(bill: Invoice, key: int | str, mine: list[int]) -> StatementLine:
    net, tax = bill.money(bill.net[mine]), bill.money(bill.tax[mine])
    charge = bill.service_units(bill.charges.ledger.units[mine])
    return StatementLine(
        key, bill.jobs(mine), charged_jobs(bill, mine), charge, net, tax, net + tax
    )
