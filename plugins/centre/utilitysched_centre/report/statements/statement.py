"""Invoices by whom they are for: their jobs, files and rules."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

import numpy as np

from pricing.evidence import LossesByCause, for_later
from pricing.keys import StatementKeys, words
from pricing.ledger import positions
from pricing.months import UNKNOWN
from pricing.resources import resource_hour
from pricing.states import MACHINE_FAULTS, states_of
from swfx.base.columns import Ints
from swfx.labels import JobLabels
from utilitysched_centre.accounts import Period
from utilitysched_centre.payment import Reconciled
from utilitysched_centre.report.statements.heading import InvoiceHeading, Registered
from utilitysched_centre.rules.decimals import in_decimals
from utilitysched_centre.rules.invoice import Invoice
from utilitysched_centre.rules.rules import Quantity
from utilitysched_centre.rules.statements import ACCOUNT, payers_or_keys

IN_A_FOLDER = 500
"""Invoices, of which each is some files; of more each so many have a folder of their own."""


@dataclass(frozen=True)
class Statements:
    """A bill, taken apart into the invoices of those who pay.

    Attributes
    ----------
    bill : Invoice
        What every job comes to.
    by : str
        What each statement is for.
    directory : Path
        Of the bill.
    reconciled : Reconciled or None
        What a ledger says of it.
    """

    bill: Invoice
    by: str = ACCOUNT
    directory: Path | None = None
    reconciled: Reconciled | None = None

    def __len__(self) -> int:
        return len(self._places)

    def __iter__(self) -> Iterator[Statement]:
        for number, (name, places) in enumerate(self._named_places(), start=1):
            folder = f"{(number - 1) // IN_A_FOLDER:03}" if len(self) > IN_A_FOLDER else ""
            yield Statement(self, name, f"{number:04}-{_plain(name)}", places, number, folder)

    def registered(self, name: str, places: Sequence[int], known: Registered) -> Statement:
        """Return the statement of a billing run's invoice, whose number and dates are known."""
        return Statement(self, name, known.number, [*places], known=known)

    def _named_places(self) -> Iterator[tuple[str, list[int]]]:
        """Yield the names of customers, and the positions of their jobs."""
        names, places = self._whose.names, self._places
        for key in sorted(places):
            called = names.get(key, str(key))
            if self.by != ACCOUNT:
                called = f"{words(self.by)} {called}".replace(" -1", " unknown")
            yield called, places[key]

    @cached_property
    def _whose(self) -> StatementKeys:
        return payers_or_keys(self.bill, self.by)

    @cached_property
    def _places(self) -> dict[int | str, list[int]]:
        return positions(self._whose.of)

    @cached_property
    def labels(self) -> list[tuple[str, JobLabels]]:
        """Names of jobs and users, with headings, as far as the log has them."""
        jobs = self.bill.charges.workload
        kinds = set(jobs.labels.kinds)
        both = (("name", "job_name"), ("user", "user"))
        return [(heading, jobs.labels.of(kind)) for heading, kind in both if kind in kinds]

    @cached_property
    def rules(self) -> list[str]:
        """The rules in sentences, in the order in which they are applied."""
        return applied(self.bill)

    @cached_property
    def for_later(self) -> Ints | None:
        """Part of the list prices that is the reserve, in units; None where none is asked."""
        ledger = for_later(self.bill.charges)
        return None if ledger is None else ledger.units

    @cached_property
    def losses(self) -> LossesByCause:
        """Who lost by each job."""
        return LossesByCause(self.bill.charges)


@dataclass(frozen=True)
class Statement:
    """Statement of one customer: their jobs, amounts and files.

    Attributes
    ----------
    all : Statements
        Statements of the bill.
    name : str
        Name of the customer.
    stem : str
        Start of the names of the files.
    places : list of int
        Positions of the customer's jobs among all jobs of the bill.
    number : int
        Position among the invoices of the bill, from 1.
    folder : str
        Folder of the files, below the folder of all statements; empty where there are few.
    known : Registered, optional
        Number and dates of an invoice of a billing run.
    """

    all: Statements
    name: str
    stem: str
    places: list[int]
    number: int = 1
    folder: str = ""
    known: Registered | None = None

    @property
    def bill(self) -> Invoice:
        """The whole bill."""
        return self.all.bill

    @property
    def sheet(self) -> str:
        """Name of the file to print."""
        return f"{self.stem}.html"

    @property
    def evidence(self) -> str:
        """Name of the file that says why."""
        return f"{self.stem}-evidence.html"

    @property
    def table(self) -> str:
        """Name of the file that lists all jobs."""
        return f"{self.stem}.csv"

    @property
    def content(self) -> str:
        """Name of the file that holds the document for programs."""
        return f"{self.stem}.json"

    @cached_property
    def heading(self) -> InvoiceHeading:
        """Number and dates."""
        return InvoiceHeading.of(self.bill, self.number, self.known)

    @cached_property
    def paid(self) -> Ints:
        """What each of its jobs comes to, in minor units."""
        return self.bill.to_pay[self.places]

    @cached_property
    def most_expensive(self) -> list[int]:
        """Its jobs that are to be paid for, the most expensive first."""
        order = np.argsort(-self.paid, kind="stable").tolist()
        return [self.places[each] for each in order if self.paid[each]]

    @property
    def periods(self) -> list[Period]:
        """Monthly balances of the customer's account; none without a ledger or an account."""
        reconciled = self.all.reconciled
        if reconciled is None or self.all.by != ACCOUNT:
            return []
        return reconciled.periods_of(self.name)

    def owed(self, places: Sequence[int]) -> Decimal:
        """Return the amount owed for some jobs of the statement, in the currency."""
        return self.bill.money(self.bill.to_pay[[*places]])


class Link(NamedTuple):
    """A cell of a table that leads elsewhere."""

    target: str
    text: str


def anchor(place: int) -> str:
    """Return what the evidence of a job is called on its page: the line of invoice.csv."""
    return f"line-{place + 2}"


def begun(bill: Invoice, place: int) -> str:
    """Return when a job started by the log's clock; the second where it has no calendar."""
    clock = bill.clock
    start = float(bill.charges.outcome.start[place])
    if clock is None or bill.charges.month[place] == UNKNOWN:
        return f"{start:,.0f} s"
    return f"{clock.date(start):%Y-%m-%d %H:%M}"


def waited(bill: Invoice, place: int) -> float:
    """Return for how long a job was neither running nor done (s)."""
    submit, outcome = bill.charges.workload.submit, bill.charges.outcome
    if outcome.used is None:
        return float(outcome.start[place] - submit[place])
    held = float(outcome.held[place])
    if outcome.waste is None:  # the log's own run, in which it may have been suspended
        held += max(float(bill.charges.workload.suspended[place]), 0.0)
    return float(outcome.end[place] - submit[place]) - held


def _plain(name: str) -> str:
    """Return what of a name any file system takes; the number before it makes it unique."""
    letters = unicodedata.normalize("NFKD", name.casefold())
    letters = letters.encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "-", letters).strip("-")[:40]


_IN_UNITS = re.compile(r"(-?[\d,]*\.?\d+) SU\b")


def in_currency(bill: Invoice, sentence: str) -> str:
    """Return a sentence with its amounts of service units converted to the currency of a bill."""
    if not bill.rules.currency:
        return sentence
    return _IN_UNITS.sub(
        lambda found: bill.in_currency(Fraction(found[1].replace(",", ""))), sentence
    )


def applied(bill: Invoice) -> list[str]:
    """Return the rules in sentences, in the order in which they are applied."""
    rules, sentences = bill.rules, list[str]()
    if quantity := rules.quantity:
        sentences += _quantity(bill, quantity)
    if wake := rules.idle_wake:
        rate = bill.in_currency(wake.rate)
        sentences.append(
            f"Jobs of {wake.width} or more processors pay {rate} for each processor-hour that"
            " stands idle before them."
        )
    if rules.minimum_charge:
        sentences.append(f"A job pays at least {bill.in_currency(rules.minimum_charge)}.")
    shares = (*rules.status.items(), *rules.state.items())
    sentences += [
        f"{name[:1].upper()}{name[1:]} jobs pay {in_decimals(share)}%." for name, share in shares
    ]
    faults = [state for state in MACHINE_FAULTS if state not in rules.state]
    if faults and any(states_of(bill.charges.workload)):
        sentences.append(f"{', '.join(faults)} jobs pay nothing.")
    if not rules.exempt.names_nobody:
        sentences.append("Some users, groups, queues or accounts are exempt.")
    sentences += [f"Discount {each.name}: {in_decimals(each.percent)}%." for each in rules.discount]
    if rules.allowance.monthly:
        free = bill.in_currency(rules.allowance.monthly)
        sentences.append(f"In each month {free} is free.")
    if rules.currency and rules.currency.rate != 1:
        sentences.append(f"1 SU is {bill.in_currency(Fraction(1))}.")
    return sentences + ([f"{tax_name(bill)} is added."] if rules.tax else [])


def _quantity(bill: Invoice, quantity: Quantity) -> Iterator[str]:
    """Yield the rules on billed quantities."""
    time = "requested" if quantity.basis == "request" else "used"
    least = ""
    if quantity.minimum_minutes:
        least = f", at least {in_decimals(quantity.minimum_minutes)} minutes"
    if quantity.weights:
        largest = "the largest" if quantity.combine == "max" else "the sum"
        yield f"A job pays for each unit-hour {time}{least}."
        yield f"Its units are {largest} of its weighted resources: {quantity.weights.text}."
    else:
        yield f"A job pays for each {resource_hour(bill.charges.per)} {time}{least}."


def tax_name(bill: Invoice) -> str:
    """Return the name of the tax, with its percentage; ``tax`` without one."""
    tax = bill.rules.tax
    return f"{tax.name} ({in_decimals(tax.percent)}%)" if tax else "tax"
