"""Formulas of jobs: the arithmetic from resources and hours to the amount on the invoice."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import MAX_EMAX, MIN_EMIN, ROUND_HALF_EVEN, Context, Decimal, localcontext
from fractions import Fraction
from functools import cache

from pricing.ledger import amount
from pricing.resources import CPU, ENERGY, GPU, MEMORY
from utilitysched_centre.rules.decimals import HOUR_DECIMALS, MOST_DECIMALS, in_decimals
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

PRECISE = Context(prec=80, rounding=ROUND_HALF_EVEN, Emax=MAX_EMAX, Emin=MIN_EMIN)
"""In which products of printed numbers have all their digits."""

_AFTER_RULES = {
    ALLOWANCE: "allowance",
    DISPLACING: "for jobs that it displaced",
    DISPLACED: "for being displaced",
}
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
    price = bill.list_prices.of(place)
    with localcontext(PRECISE):
        exact = _decimal(bill.steps.due[place]) * _decimal(bill.price)
        due, tried = exact.quantize(_unit(bill.decimals)), list[_Formula]()
        for more in FURTHER_DECIMALS:
            tried.append(_Formula(bill, place, price, more))
            if tried[-1].net == due:
                return tried[-1].text
    return tried[0].text


class _Formula:
    """Formula of a job, computed on with the numbers that are printed.

    Parameters
    ----------
    bill, place : Invoice, int
        The job.
    price : ListPrice or None
        Its list price, taken apart.
    more : int
        Decimals of amounts on the way, beyond those of the currency.
    """

    def __init__(self, bill: Invoice, place: int, price: ListPrice | None, more: int) -> None:
        self._bill, self._place, self._more = bill, place, more
        self._price, self._value = _decimal(bill.price), Decimal(0)
        changes = [change for change in bill.steps.trail[place] if change.amount]
        self._left = len(changes) + (price is not None and price.for_others != 0)
        texts = [*self._start(price), *map(self._changed, changes)]
        self.net = self._value
        self.text = f"{'; '.join(texts)} {bill.currency}{self._taxed()}"

    def _equals(self, value: Decimal) -> str:
        """Go on with a value, rounded to the printed decimals: the last one to the currency's."""
        self._value = value.quantize(self._step) + 0  # no -0.00
        self._left -= 1
        return f"= {self._value:f}"

    @property
    def _step(self) -> Decimal:
        """Unit of the next value."""
        return _unit(self._bill.decimals + (self._more if self._left else 0))

    def _shown(self, exact: Fraction) -> Decimal:
        """Return an amount of SU in the currency, rounded to what is printed of it."""
        return (_decimal(exact) * self._price).quantize(_unit(self._bill.decimals + self._more))

    def _start(self, price: ListPrice | None) -> Iterator[str]:
        """Yield the list price."""
        bill, place = self._bill, self._place
        if price is None:
            what = f"{bill.list_prices.why(place)} ({bill.list_prices.mechanism})"
            yield f"{what} {self._equals(_decimal(bill.steps.base[place]) * self._price)}"
            return
        units, texts = _units(price)
        yield from texts[:-1]
        rate = _decimal(price.rate) * self._price
        hours = self._factor(price.charged_hours, units * rate)
        value = f"{_plain(rate)} {self._equals(units * hours * rate)}"
        yield f"{texts[-1]} x {_plain(hours)} {self._hour(price)} x {value}"
        if price.for_others:
            more = self._shown(price.for_others)
            yield f"+ {more:f} lost work of others {self._equals(self._value + more)}"

    def _factor(self, exact: Fraction, price: Decimal) -> Decimal:
        """Return a quantity with as few decimals as leave its printed product with a price."""
        quantity = _decimal(exact)
        product, shown = (quantity * price).quantize(self._step), quantity
        for decimals in range(HOUR_DECIMALS, MOST_DECIMALS):
            shown = quantity.quantize(_unit(decimals))
            if (shown * price).quantize(self._step) == product:
                break
        return shown

    def _hour(self, price: ListPrice) -> str:
        quantity = self._bill.rules.quantity
        if price.charged_hours > price.hours:
            return "h (minimum time)"
        return "h requested" if quantity and quantity.basis == "request" else "h"

    def _changed(self, change: RuleChange) -> str:
        """Return what a rule does, and the amount after it."""
        kind, before, rules = change.kind, self._value, self._bill.rules
        if kind == IDLE and rules.idle_wake:
            rate = _decimal(rules.idle_wake.rate) * self._price
            idle = self._factor(change.amount / rules.idle_wake.rate, rate)
            product = f"{_plain(idle)} idle CPU-hours x {_plain(rate)}"
            return f"+ {product} {self._equals(before + idle * rate)}"
        if kind == MINIMUM:
            return f"minimum charge {self._equals(_decimal(rules.minimum_charge) * self._price)}"
        if kind == LET_OFF:
            return f"let off ({change.text}) {self._equals(Decimal(0))}"
        if kind in (SHARE, DISCOUNT):
            part, sign = _decimal(change.percent) / 100, "x" if kind == SHARE else "-"
            after = before * (part if kind == SHARE else 1 - part)
            return f"{sign} {in_decimals(change.percent)}% ({change.text}) {self._equals(after)}"
        added, sign = self._shown(change.amount), "-" if change.amount < 0 else "+"
        return f"{sign} {abs(added):f} {_AFTER_RULES[kind]} {self._equals(before + added)}"

    def _taxed(self) -> str:
        """Return the tax, and what rounding the invoice adds to the job or takes from it."""
        bill, gross, tax = self._bill, self.net, self._bill.rules.tax
        to_pay, text = amount(int(bill.to_pay[self._place]), bill.decimals), ""
        if tax and (gross or to_pay):
            gross = (gross * (1 + _decimal(bill.rules.tax_share))).quantize(_unit(bill.decimals))
            text = f" + {in_decimals(tax.percent)}% = {gross:f}"
        if to_pay == gross:
            return text
        less = "less" if to_pay < gross else "more"
        return f"{text}; {abs(to_pay - gross):f} {less} by rounding of the invoice = {to_pay:f}"


def _decimal(exact: Fraction) -> Decimal:
    """Return a fraction as a decimal; those of rules and rates have few digits."""
    return Decimal(exact.numerator) / exact.denominator


@cache
def _unit(decimals: int) -> Decimal:
    return Decimal(1).scaleb(-decimals)


def _plain(value: Decimal) -> str:
    """Write a factor without zeros at its end."""
    text = f"{value:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def _units(price: ListPrice) -> tuple[Decimal, list[str]]:
    """Return the units of a job as printed, and how they come about; the last text is for them."""
    (first, *more), others = price.uses, price.others
    first = in_gigabytes(first)
    if not more and not others and first.weight == 1:
        return _decimal(first.amount), [_held(first)]
    units = in_decimals(price.units)
    added = " + ".join(map(_weighed, map(in_gigabytes, price.uses)))
    beaten = [
        f"{'>' if use.units < price.units else '='} {_counted(use)}"
        for use in map(in_gigabytes, others)
    ]
    return Decimal(units), [" ".join([f"{added} = {units} units", *beaten]), units]


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
