"""Lines of an invoice: quantity, unit price and amount of each thing that jobs pay for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from pricing.resources import CPU, ENERGY, GPU, MEMORY, amounts_of, resource_hours
from swfx import InputError
from utilitysched_centre.rules.decimals import HOUR_DECIMALS, in_decimals, multiplied
from utilitysched_centre.rules.invoice import Invoice
from utilitysched_centre.rules.list_price import MEGABYTES, ListPrice, in_gigabytes
from utilitysched_centre.rules.steps import (
    ALLOWANCE,
    DISCOUNT,
    DISPLACED,
    DISPLACING,
    IDLE,
    LET_OFF,
    MINIMUM,
    SHARE,
    RuleChange,
)

USE, RULE, CREDIT, RECURRING, SHARED = "use", "rule", "credit", "recurring", "shared"
"""Kinds of lines."""

PRICES = 8
"""Unit prices of a resource that have a line each; of more there is one line for all."""

ROUNDING = "Rounding"
"""Text of the line that makes lines add up to the sum of the jobs, each of which is rounded."""

JOBS = "jobs"
"""Unit of lines of jobs that have no price by the hour."""

_NAMES = {CPU: "CPU", MEMORY: "Memory", "node": "Nodes", ENERGY: "Energy"}
_UNITS = {CPU: "CPU-hours", MEMORY: "GB-hours"}


class InvoiceLine(NamedTuple):
    """A line of an invoice.

    Attributes
    ----------
    kind : str
        `USE`, `RULE`, `CREDIT`, `RECURRING` or `SHARED`.
    text : str
        What is charged for, or the rule that adds to charges or takes from them.
    jobs : int
        Jobs that the line is about, of several parts or runs once; 0 if it is about none.
    quantity : Fraction or None
        In the unit, with the few decimals that give the amount: quantity x unit price is `net`,
        rounded half to even.
    unit : str
        ``CPU-hours``, ``GPU-hours``, ``jobs``, ``TB``, ...; empty without a quantity.
    unit_price : Fraction or None
        Of the unit, in the currency.
    net : int
        Amount without tax, in minor units of the currency; below 0 where a rule takes.
    """

    kind: str
    text: str
    jobs: int
    quantity: Fraction | None
    unit: str
    unit_price: Fraction | None
    net: int


class _Item(NamedTuple):
    """Heading of amounts that are summed up in one line."""

    kind: str
    place: int
    text: str
    unit: str = ""
    rate: Fraction | None = None


@dataclass
class _Sum:
    """Sum of the amounts of an item (SU)."""

    amount: Fraction = Fraction(0)
    quantity: Fraction = Fraction(0)
    jobs: set[int] = field(default_factory=set)

    def add(self, job: int, amount: Fraction, quantity: Fraction) -> None:
        self.amount += amount
        self.quantity += quantity
        self.jobs.add(job)

    def merge(self, other: _Sum) -> None:
        self.amount += other.amount
        self.quantity += other.quantity
        self.jobs |= other.jobs


_Entry = tuple[_Item, Fraction, Fraction]
"""Item, amount (SU) and quantity."""


def invoice_lines(bill: Invoice, places: Sequence[int]) -> list[InvoiceLine]:
    """Return the lines of the invoice of some jobs; they add up to the sum of these jobs, net.

    Resources come first, then what the rules add and take, then what rounding the jobs adds.

    Parameters
    ----------
    bill : Invoice
        The bill.
    places : sequence of int
        Places of the jobs.
    """
    sums: dict[_Item, _Sum] = {}
    job_of = bill.job_keys
    for place in places:
        for item, amount, quantity in _entries(bill, place):
            sums.setdefault(item, _Sum()).add(job_of[place], amount, quantity)
    sums = _merged(sums)
    lines = [
        _line(bill, item, sums[item])
        for item in sorted(sums, key=lambda item: (item.place, item.text, -(item.rate or 0)))
        if item.kind == USE or sums[item].amount
    ]
    rest = int(bill.net[[*places]].sum()) - sum(line.net for line in lines) if places else 0
    return [*lines, InvoiceLine(RULE, ROUNDING, 0, None, "", None, rest)] if rest else lines


def usage(bill: Invoice, places: Sequence[int]) -> list[tuple[str, Fraction]]:
    """Return the hours of resources that some jobs used, by the names of Slurm's TRES.

    As by sreport: ``cpu``, ``mem`` (GB), ``node``, ``gres/gpu``, as far as the log tells of them.
    """
    outcome, chosen, hours = bill.charges.outcome, [*places], []
    for name in (CPU, MEMORY, "node", GPU):
        with suppress(InputError):  # the log does not tell of it
            amounts = amounts_of(outcome.workload, name)[chosen]
            if np.isnan(amounts).all():
                continue
            pairs = zip(np.nan_to_num(amounts), outcome.held_of(name)[chosen], strict=True)
            total = sum((Fraction(held) * Fraction(time) for held, time in pairs), Fraction(0))
            total /= 3600 * (MEGABYTES if name == MEMORY else 1)
            hours.append((name, total))
    return hours


def _line(bill: Invoice, item: _Item, total: _Sum) -> InvoiceLine:
    price, scale, jobs = bill.price, 10**bill.decimals, len(total.jobs)
    net = round(total.amount * price * scale)
    if item.unit == JOBS:
        return InvoiceLine(item.kind, item.text, jobs, Fraction(jobs), JOBS, None, net)
    if not item.unit:
        return InvoiceLine(item.kind, item.text, jobs, None, "", None, net)
    if item.rate is None:
        quantity = round(total.quantity, HOUR_DECIMALS)
        return InvoiceLine(item.kind, item.text, jobs, quantity, item.unit, None, net)
    unit_price = item.rate * price
    quantity = multiplied(total.quantity, unit_price, bill.decimals)
    net = round(quantity * unit_price * scale)
    return InvoiceLine(item.kind, item.text, jobs, quantity, item.unit, unit_price, net)


def _merged(sums: dict[_Item, _Sum]) -> dict[_Item, _Sum]:
    """Put items that differ in their unit prices alone into one where there are too many."""
    prices: dict[_Item, int] = {}
    for item in sums:
        one = item._replace(rate=None)
        prices[one] = prices.get(one, 0) + 1
    merged: dict[_Item, _Sum] = {}
    for item, total in sums.items():
        one = item._replace(rate=None)
        if prices[one] > PRICES:
            one = one._replace(text=f"{one.text}, at {prices[one]:,} prices")
        else:
            one = item
        merged.setdefault(one, _Sum()).merge(total)
    return merged


def _entries(bill: Invoice, place: int) -> Iterator[_Entry]:
    """Yield what a job adds to each line."""
    price = bill.list_prices.of(place)
    if price is None:
        text = f"{bill.list_prices.mechanism}: {bill.list_prices.why(place)}"
        yield _Item(USE, 0, text, JOBS), bill.steps.base[place], Fraction(1)
    else:
        yield from _list_price(bill, price)
    for change in bill.steps.trail[place]:
        yield _change(bill, change)


def _list_price(bill: Invoice, price: ListPrice) -> Iterator[_Entry]:
    """Yield what the resources of a job add, the minimum time and the lost work of others."""
    quantity = bill.rules.quantity
    requested = ", requested" if quantity and quantity.basis == "request" else ""
    for use in map(in_gigabytes, price.uses):
        per_unit, hours = price.rate * use.weight, use.amount * price.hours
        text = f"{resource_name(use.resource)}{requested}"
        yield _Item(USE, 0, text, unit_of(use.resource), per_unit), hours * per_unit, hours
    if quantity and price.charged_hours > price.hours:
        more = price.charged_hours - price.hours
        least = f"Minimum time of {in_decimals(quantity.minimum_minutes)} min"
        yield _Item(RULE, 1, least), more * price.units * price.rate, more
    if price.for_others:
        yield (
            _Item(RULE, 2, "Lost work of jobs that these preempted"),
            price.for_others,
            Fraction(1),
        )


def _change(bill: Invoice, change: RuleChange) -> _Entry:
    """Return what a rule adds to a job, or takes from it."""
    rules, kind = bill.rules, change.kind
    if kind == IDLE and rules.idle_wake:
        rate = rules.idle_wake.rate
        item = _Item(RULE, 3, "Idle time before wide jobs", "idle CPU-hours", rate)
        return item, change.amount, change.amount / rate
    if kind == DISCOUNT:
        text = f"Discount {change.text}, {in_decimals(change.percent)}%"
        names = [each.name for each in rules.discount]
        item = _Item(RULE, 10 + names.index(change.text), text)
    else:
        place, text = {
            MINIMUM: (4, f"Minimum charge of {bill.in_currency(rules.minimum_charge)} a job"),
            LET_OFF: (5, f"Let off: {change.text}"),
            SHARE: (6, f"{change.text}: {in_decimals(change.percent)}% is charged"),
            ALLOWANCE: (1000, f"Allowance, {bill.in_currency(rules.allowance.monthly)} a month"),
            DISPLACING: (1001, "For jobs of others that these displaced"),
            DISPLACED: (1002, "For having been displaced"),
        }[kind]
        item = _Item(RULE, place, text)
    return item, change.amount, Fraction(1)


def resource_name(name: str) -> str:
    """Return what a resource is called on invoices.

    >>> resource_name("cpu"), resource_name("gres/gpu:a100"), resource_name("license/matlab")
    ('CPU', 'GPU (gres/gpu:a100)', 'license/matlab')
    """
    if name.startswith(GPU):
        return f"GPU ({name})"
    return _NAMES.get(name, name)


def unit_of(name: str) -> str:
    """Return the unit in which hours of a resource are sold.

    >>> unit_of("cpu"), unit_of("mem"), unit_of("gres/gpu"), unit_of("node")
    ('CPU-hours', 'GB-hours', 'GPU-hours', 'node-hours')
    """
    return _UNITS.get(name) or resource_hours(name)
