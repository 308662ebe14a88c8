"""Recurring lines and shared costs: what invoices charge beside jobs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated, ClassVar, Literal, NamedTuple

import numpy as np

from pricing.ledger import in_units, positions
from pricing.outcome import SECONDS_PER_HOUR
from swfx import InputError, Workload
from swfx.base.document import DocumentError, DocumentTable
from swfx.base.document_values import made
from utilitysched_centre.accounts import read_month
from utilitysched_centre.rules import Invoice
from utilitysched_centre.rules.decimals import multiplied
from utilitysched_centre.rules.invoice import rounded
from utilitysched_centre.rules.lines import RECURRING, SHARED, InvoiceLine
from utilitysched_centre.rules.rules import Amount, Line

Month = Annotated[str, made(read_month)]

PROCESSOR_HOURS: Literal["processor-hours"] = "processor-hours"


@dataclass(frozen=True, kw_only=True)
class _InMonths(DocumentTable):
    """What is charged in some months.

    Attributes
    ----------
    name : str
        Text of the line.
    since, until : str
        First and last month, ``YYYY-MM``; empty: no bound.
    """

    name: Line
    since: Month = ""
    until: Month = ""

    def __post_init__(self) -> None:
        if self.since and self.until and self.until < self.since:
            raise DocumentError(f"is before {self.since}", "name a later month", at=("until",))

    def is_due(self, month: str) -> bool:
        """Return whether it is charged in a month."""
        return self.since <= month and (not self.until or month <= self.until)


@dataclass(frozen=True, kw_only=True)
class RecurringLine(_InMonths):
    """A line that an account is charged every month, such as storage.

    Attributes
    ----------
    account : str
        Account on the invoice.
    quantity : Fraction
        How much.
    unit : str
        Of what.
    unit_price : Fraction
        In the currency, without tax.
    """

    EXAMPLES: ClassVar[dict[str, str]] = {"unit_price": "add unit_price, such as 12.50"}

    account: Line
    quantity: Amount = Fraction(1)
    unit: Line
    unit_price: Amount


@dataclass(frozen=True, kw_only=True)
class SharedCost(_InMonths):
    """A cost that all accounts of a month share.

    Attributes
    ----------
    amount : Fraction, optional
        Cost in a month, in the currency, without tax.
    rate : Fraction, optional
        Price of a processor-hour in which the machine was idle; one of `amount` and `rate`.
    by : {"processor-hours", "charge"}
        What accounts have a share by: use, or amounts for jobs without tax.
    """

    amount: Amount | None = None
    rate: Amount | None = None
    by: Literal["processor-hours", "charge"] = PROCESSOR_HOURS

    def __post_init__(self) -> None:
        super().__post_init__()
        if (self.amount is None) == (self.rate is None):
            raise DocumentError("needs amount or rate", "give one of them", at=("name",))


class FurtherLines(NamedTuple):
    """Recurring lines and shared costs of a month by account, and the tax on each.

    Attributes
    ----------
    lines : mapping of str to tuple of InvoiceLine
        By account.
    tax : mapping of str to tuple of int
        Minor units, by account.
    """

    lines: Mapping[str, tuple[InvoiceLine, ...]]
    tax: Mapping[str, tuple[int, ...]]


def further_lines(
    bill: Invoice,
    recurring: Sequence[RecurringLine],
    shared: Sequence[SharedCost],
    idle_hours: Fraction,
) -> FurtherLines:
    """Return what accounts pay beside their jobs: those of a month's bill, and further ones.

    The tax of an account is rounded once over its jobs and these lines.

    Parameters
    ----------
    bill : Invoice
        Jobs of the month.
    recurring : sequence of RecurringLine
        Those that are due in the month.
    shared : sequence of SharedCost
        Those that are due in the month.
    idle_hours : Fraction
        Processor-hours in which the machine was idle in the month.

    Raises
    ------
    InputError
        Nobody has a share of a cost.
    """
    found: dict[str, list[InvoiceLine]] = {}
    for one in recurring:
        net = round(one.quantity * one.unit_price * 10**bill.decimals)
        line = InvoiceLine(RECURRING, one.name, 0, one.quantity, one.unit, one.unit_price, net)
        found.setdefault(one.account, []).append(line)
    for cost in shared:
        for account, line in _shares(cost, bill, idle_hours):
            found.setdefault(account, []).append(line)
    mine = positions(bill.payer)
    tax = {
        account: _tax(lines, bill, mine.get(account, []), bill.rules.tax_share)
        for account, lines in found.items()
    }
    return FurtherLines({account: tuple(lines) for account, lines in found.items()}, tax)


def idle_hours(processors: int, jobs: Workload, hours: Fraction) -> Fraction:
    """Return the processor-hours in which a machine was idle.

    Parameters
    ----------
    processors : int
        Size of the machine.
    jobs : Workload
        Jobs with their time in the period; see `utilitysched.runs.recorded.used_in`.
    hours : Fraction
        Length of the period.
    """
    held = Fraction(float((jobs.size * jobs.run).sum())) / int(SECONDS_PER_HOUR)
    return max(processors * hours - held, Fraction(0))


def _shares(cost: SharedCost, bill: Invoice, idle: Fraction) -> list[tuple[str, InvoiceLine]]:
    """Return the line of each account that has a share of a cost; they add up to it."""
    weights = _weights(cost.by, bill)
    whole = sum(weights.values(), Fraction(0))
    if not whole:
        raise InputError(
            f"no account has {cost.by} to share {cost.name!r} by",
            field="shared",
            remedy="share it by the other measure, or leave the month out",
        )
    shares = {account: weight / whole for account, weight in weights.items() if weight}
    if cost.rate is None:
        quantity, unit, price = Fraction(100), "%", (cost.amount or Fraction(0)) / 100
    else:
        quantity, unit, price = idle, "idle processor-hours", cost.rate
    scale = 10**bill.decimals
    nets = rounded([share * quantity * price * scale for share in shares.values()]).tolist()
    lines = []
    for account, net in zip(shares, nets, strict=True):
        # so many units as the rounded amount pays for: quantity x unit price is that
        mine = multiplied(Fraction(net, scale) / price, price, bill.decimals) if price else price
        lines.append((account, InvoiceLine(SHARED, cost.name, 0, mine, unit, price, net)))
    return lines


def _weights(by: str, bill: Invoice) -> dict[str, Fraction]:
    """Return what accounts have a share by, in the order of their names."""
    hours = bill.charges.outcome.processor_hours
    column = hours if by == PROCESSOR_HOURS else np.maximum(bill.net, 0)
    mine = sorted(positions(bill.payer).items())
    return {
        account: sum(map(Fraction, column[places].tolist()), Fraction(0))
        for account, places in mine
    }


def _tax(
    lines: Sequence[InvoiceLine], bill: Invoice, places: Sequence[int], share: Fraction
) -> tuple[int, ...]:
    """Return the tax on each line; with that on jobs it is the tax on all, rounded once."""
    nets, jobs = [line.net for line in lines], [*places]
    whole = round((sum(nets) + int(bill.net[jobs].sum())) * share) - int(bill.tax[jobs].sum())
    return tuple(in_units([net * share for net in nets], 0, whole).tolist())
