"""Headings of invoices: number, dates and payment reference, the same whenever they are made."""

from __future__ import annotations

from datetime import date, timedelta
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from pricing.months import UNKNOWN
from swfx.base.zones import zone_text
from utilitysched_centre.rules.invoice import Invoice

SIMULATED = "SIM"
"""Before the numbers of bills of simulations, so that none is taken for an invoice."""

DAY = timedelta(days=1)


class Registered(NamedTuple):
    """Number and date of an invoice of a billing run.

    Attributes
    ----------
    number : str
        Its number.
    issued : date
        Its date of issue.
    month : str
        ``YYYY-MM``, all of which was billed.
    """

    number: str
    issued: date
    month: str


def days_of(month: str) -> tuple[date, date]:
    """Return the first and the last day of a month, ``YYYY-MM``."""
    first = date.fromisoformat(f"{month}-01")
    return first, (first + 31 * DAY).replace(day=1) - DAY


class InvoiceHeading(NamedTuple):
    """Number, period and dates of an invoice.

    Attributes
    ----------
    number : str
        ``PREFIX-MONTH-PLACE``.
    first, last : date or None
        Days of the period, in the log's zone; None where the log has no calendar.
    issued : date or None
        Date of issue.
    due : date or None
        Last day of payment.
    zone : str
        Name of the time zone of the days.
    """

    number: str
    first: date | None
    last: date | None
    issued: date | None
    due: date | None
    zone: str = "UTC"

    @classmethod
    def of(cls, bill: Invoice, place: int, registered: Registered | None = None) -> InvoiceHeading:
        """Return that of one of the invoices of a bill.

        The period is that of the whole bill: the month of a billing run, else from the day on which
        the first of its jobs completed to that of the last one.

        Parameters
        ----------
        bill : Invoice
            The bill.
        place : int
            Place of the invoice among those of the bill, from 1: its number, behind the month in
            which the period ends.
        registered : Registered, optional
            Number, date of issue and month that it has already.
        """
        terms, basis = bill.rules.invoice, bill.charges.basis
        first, last = _period(bill)
        issued = terms.issued or (last + DAY if last else None)
        parts = [SIMULATED] if basis and basis.scheduler else []
        parts += [terms.prefix] if terms.prefix else []
        parts += [f"{last:%Y-%m}"] if last else []
        number = "-".join([*parts, f"{place:04}"])
        if registered:
            number, issued = registered.number, registered.issued
            first, last = days_of(registered.month)
        due = issued + timedelta(days=terms.days) if issued else None
        return cls(number, first, last, issued, due, _zone(bill))

    @property
    def month(self) -> str:
        """Month in which the period ends; empty where the log has no calendar."""
        return f"{self.last:%Y-%m}" if self.last else ""

    @property
    def period(self) -> str:
        """The days of the period, or that they are not known."""
        if self.first is None or self.last is None:
            return "not dated: the log has no calendar"
        if self.first == self.last:
            return f"{self.first} ({self.zone})"
        return f"{self.first} to {self.last} ({self.zone})"


def payment_reference(number: str) -> str:
    """Return the creditor reference of a number, with the check digits of ISO 11649.

    Examples
    --------
    >>> payment_reference("539007547034")
    'RF18 5390 0754 7034'
    """
    body = number.replace("-", "").upper()
    check = 98 - int("".join(str(int(each, 36)) for each in f"{body}RF00")) % 97
    text = f"RF{check:02}{body}"
    return " ".join(text[i : i + 4] for i in range(0, len(text), 4))


@lru_cache(maxsize=4)
def _period(bill: Invoice) -> tuple[date | None, date | None]:
    """Return the first and last day on which jobs of a bill completed."""
    charges = bill.charges
    clock = bill.clock
    if clock is None or not len(bill) or (charges.month == UNKNOWN).any():
        return None, None
    ends = charges.outcome.end
    first, last = (clock.date(float(np.floor(end))).date() for end in (ends.min(), ends.max()))
    return first, last


def _zone(bill: Invoice) -> str:
    return zone_text(bill.clock.zone) if bill.clock else "UTC"
