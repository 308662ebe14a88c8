"""Formulas of jobs: the arithmetic from resources and hours to the amount on the invoice."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from pricing.ledger import amount, plain
from pricing.resources import CPU, ENERGY, GPU, MEMORY
from utilitysched_centre.rules.decimals import MOST_DECIMALS, in_decimals, multiplied
from utilitysched_centre.rules.invoice import Invoice
from utilitysched_centre.rules.list_price import ListPrice, ResourceUse, in_gigabytes
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

FURTHER_DECIMALS = (0, 2, 4, 8)
"""Decimals of amounts on the way, beyond those of the currency: the fewest that do."""

_NOUNS = {CPU: "CPU", "node": "node", GPU: "GPU"}


def job_formula(bill: Invoice, place: int) -> str:
    """Return how the amount of a job on the invoice comes about, for whoever recomputes it.

    Every step follows from the printed numbers before it, rounded half to even to the printed
    decimals. The last number is the amount on the invoice, tax included.

    Parameters
    ----------
    bill : Invoice
        The bill.
    place : int
        Place of the job.

    Examples
    --------
    >>> from pricing import charge
    >>> from swfx import Workload
    >>> from utilitysched_centre.rules.invoice import invoice
    >>> jobs = Workload.from_columns(submit=[0], run=[5400], processors=[2])
    >>> job_formula(invoice(charge(jobs, [0], [5400], "single-price").rounded()), 0)
    '2 CPUs x 1.5 h x 1 = 3.00 SU'
    """
    due = round(bill.steps.due[place] * bill.price * 10**bill.decimals)
    tried = [_Formula(bill, place, more) for more in FURTHER_DECIMALS[:1]]
    for more in FURTHER_DECIMALS[1:]:
        if tried[-1].net == due:
            break
        tried.append(_Formula(bill, place, more))
    best = tried[-1] if tried[-1].net == due else tried[0]
    return best.text


class _Formula:
    """Formula of a job, computed on with the numbers that are printed.

    Parameters
    ----------
    bill, place : Invoice, int
        The job.
    more : int
        Decimals of amounts on the way, beyond those of the currency.
    """

    def __init__(self, bill: Invoice, place: int, more: int) -> None:
        self._bill, self._place, self._more = bill, place, more
        self._value = Fraction(0)
        price, trail = bill.list_prices.of(place), bill.steps.trail[place]
        changes = [change for change in trail if change.amount]
        self._left = len(changes) + (price is not None and price.for_others != 0)
        texts = list(self._start(price))
        texts += [self._changed(change) for change in changes]
        self.net = int(self._value * 10**bill.decimals)
        self.text = f"{'; '.join(texts)} {bill.currency}{self._taxed()}"

    def _equals(self, value: Fraction) -> str:
        """Go on with a value, rounded to the printed decimals: the last one to the currency's."""
        decimals = self._bill.decimals + (self._more if self._left else 0)
        self._left -= 1
        self._value = round(value, decimals)
        return f"= {_fixed(self._value, decimals)}"

    def _shown(self, exact: Fraction) -> Fraction:
        """Return an amount of SU in the currency, rounded to what is printed of it."""
        return round(exact * self._bill.price, self._bill.decimals + self._more)

    def _start(self, price: ListPrice | None) -> Iterator[str]:
        """Yield the list price."""
        bill, place = self._bill, self._place
        if price is None:
            what = f"{bill.list_prices.why(place)} ({bill.list_prices.mechanism})"
            yield f"{what} {self._equals(bill.steps.base[place] * bill.price)}"
            return
        units, texts = _units(price)
        yield from texts[:-1]
        decimals = bill.decimals + (self._more if self._left else 0)
        rate = price.rate * bill.price
        hours = multiplied(price.charged_hours, units * rate, decimals)
        value = f"{in_decimals(rate, MOST_DECIMALS)} {self._equals(units * hours * rate)}"
        yield f"{texts[-1]} x {in_decimals(hours, MOST_DECIMALS)} {self._hour(price)} x {value}"
        if price.for_others:
            more = self._shown(price.for_others)
            yield f"+ {self._amount(more)} lost work of others {self._equals(self._value + more)}"

    def _hour(self, price: ListPrice) -> str:
        quantity = self._bill.rules.quantity
        if price.charged_hours > price.hours:
            return "h (minimum time)"
        return "h requested" if quantity and quantity.basis == "request" else "h"

    def _changed(self, change: RuleChange) -> str:
        """Return what a rule does, and the amount after it."""
        kind, before, wake = change.kind, self._value, self._bill.rules.idle_wake
        if kind == IDLE and wake:
            rate = wake.rate * self._bill.price
            idle = multiplied(change.amount / wake.rate, rate, self._bill.decimals + self._more)
            product = f"{in_decimals(idle, MOST_DECIMALS)} idle CPU-hours x {in_decimals(rate)}"
            return f"+ {product} {self._equals(before + idle * rate)}"
        if kind == MINIMUM:
            return (
                f"minimum charge {self._equals(self._bill.rules.minimum_charge * self._bill.price)}"
            )
        percent = f"{in_decimals(change.percent)}% ({change.text})"
        if kind == SHARE:
            return f"x {percent} {self._equals(before * change.percent / 100)}"
        if kind == DISCOUNT:
            return f"- {percent} {self._equals(before * (1 - change.percent / 100))}"
        if kind == LET_OFF:
            return f"let off ({change.text}) {self._equals(Fraction(0))}"
        added = self._shown(change.amount)
        what = {ALLOWANCE: "allowance", DISPLACING: "for jobs that it displaced"}
        what[DISPLACED] = "for being displaced"
        sign = "-" if change.amount < 0 else "+"
        return f"{sign} {self._amount(abs(added))} {what[kind]} {self._equals(before + added)}"

    def _amount(self, value: Fraction) -> str:
        return _fixed(value, self._bill.decimals + self._more)

    def _taxed(self) -> str:
        """Return the tax, and what rounding the invoice adds to the job or takes from it."""
        bill, gross, tax = self._bill, self.net, self._bill.rules.tax
        to_pay, text = int(bill.to_pay[self._place]), ""
        if tax and (gross or to_pay):
            gross = round(gross * (1 + bill.rules.tax_share))
            text = f" + {in_decimals(tax.percent)}% = {plain(amount(gross, bill.decimals))}"
        if to_pay == gross:
            return text
        differs = plain(amount(abs(to_pay - gross), bill.decimals))
        less = "less" if to_pay < gross else "more"
        paid = plain(amount(to_pay, bill.decimals))
        return f"{text}; {differs} {less} by rounding of the invoice = {paid}"


def _fixed(value: Fraction, decimals: int) -> str:
    """Write a value that has so many decimals."""
    return plain(amount(int(value * 10**decimals), decimals))


def _units(price: ListPrice) -> tuple[Fraction, list[str]]:
    """Return the units of a job as printed, and how they come about; the last text is for them."""
    (first, *more), others = price.uses, price.others
    if not more and not others and first.weight == 1:
        return first.amount, [_held(in_gigabytes(first))]
    units = in_decimals(price.units)
    added = " + ".join(map(_weighed, map(in_gigabytes, price.uses)))
    beaten = [
        f"{'>' if use.units < price.units else '='} {_counted(use)}"
        for use in map(in_gigabytes, others)
    ]
    return Fraction(units), [" ".join([f"{added} = {units} units", *beaten]), units]


def _counted(use: ResourceUse) -> str:
    if use.weight == 1:
        return _held(use)
    return f"{_weighed(use)} = {in_decimals(use.units)} units"


def _weighed(use: ResourceUse) -> str:
    return f"{_held(use)} x {in_decimals(use.weight)}"


def _held(use: ResourceUse) -> str:
    """Return how much of a resource a job held.

    >>> _held(ResourceUse("gres/gpu:a100", Fraction(2), Fraction(20)))
    '2 GPUs (a100)'
    """
    kind, _, model = use.resource.partition(":")
    noun, shown = _NOUNS.get(kind, use.resource), in_decimals(use.amount)
    if use.resource in (MEMORY, ENERGY):
        return f"{shown} {'GB' if use.resource == MEMORY else 'kW'}"
    plural = "s" if kind in _NOUNS and use.amount != 1 else ""
    return f"{shown} {noun}{plural}{f' ({model})' if model and kind in _NOUNS else ''}"
