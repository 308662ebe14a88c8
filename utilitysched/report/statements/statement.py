"""Statements by whom they are for: their jobs, files and rules."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from pricing.keys import words
from pricing.ledger import amount
from pricing.months import UNKNOWN
from pricing.rules.files import in_decimals
from pricing.rules.invoice import Invoice
from pricing.rules.statements import ACCOUNT, payers_or_keys
from pricing.states import MACHINE_FAULTS, states_of
from utilitysched.market.payment import Reconciled

if TYPE_CHECKING:
    from pricing.accounts import Period


@dataclass(frozen=True)
class Statements:
    """An invoice, taken apart by whose it is.

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

    def __iter__(self) -> Iterator[Statement]:
        whose = payers_or_keys(self.bill, self.by)
        places: dict[int | str, list[int]] = {}
        for place, key in enumerate(whose.of):
            places.setdefault(key, []).append(place)
        for number, key in enumerate(sorted(places)):
            called = whose.names.get(key, str(key))
            name = (
                called
                if self.by == ACCOUNT
                else f"{words(self.by)} {called}".replace(" -1", " unknown")
            )
            yield Statement(self, name, f"{number:04}-{_plain(name)}", places[key])


@dataclass(frozen=True)
class Statement:
    """One of them.

    Attributes
    ----------
    all : Statements
        To which it belongs.
    name : str
        Whose it is.
    stem : str
        Of the names of its files.
    places : list of int
        Its jobs, among all of the bill.
    """

    all: Statements
    name: str
    stem: str
    places: list[int]

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

    @cached_property
    def span(self) -> str:
        """Months in which jobs completed."""
        months = sorted({str(self.bill.charges.month[place]) for place in self.places})
        return months[0] if len(months) == 1 else f"{months[0]} to {months[-1]}"

    @property
    def periods(self) -> list[Period]:
        """What the ledger says of the account, if there is a ledger and it is one."""
        found = self.all.reconciled
        if found is None or self.all.by != ACCOUNT:
            return []
        return found.periods_of(self.name)

    def money(self, *units: npt.NDArray[np.int64], places: list[int] | None = None) -> str:
        """Return the exact sum of amounts of its jobs, or of some of them."""
        chosen = self.places if places is None else places
        total = sum(int(each[chosen].sum()) for each in units)
        return f"{amount(total, self.bill.decimals):,f}"


class Link(NamedTuple):
    """A cell of a table that leads elsewhere."""

    target: str
    text: str


def anchor(place: int) -> str:
    """Return what the evidence of a job is called on its page: the line of invoice.csv."""
    return f"line-{place + 2}"


def completion(bill: Invoice, place: int) -> str:
    """Return the day on which a job completed, UTC; the second of the log where it has no clock."""
    clock = bill.charges.workload.header.unix_start_time
    end = float(bill.charges.outcome.end[place])
    if clock is None or bill.charges.month[place] == UNKNOWN:
        return f"{end:.0f}"
    return datetime.fromtimestamp(clock + end, UTC).strftime("%Y-%m-%d")


def _plain(name: str) -> str:
    """Return what of a name any file system takes; the number before it makes it unique."""
    letters = unicodedata.normalize("NFKD", name.casefold())
    letters = letters.encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "-", letters).strip("-")[:40]


def applied(bill: Invoice) -> list[str]:
    """Return the rules in words, in the order in which they are applied."""
    rules, said = bill.rules, []
    if quantity := rules.quantity:
        what = "requested" if quantity.basis == "request" else "used"
        least = in_decimals(quantity.minimum_minutes)
        said.append(f"by time {what}, at least {least} minutes")
        if quantity.weights:
            said.append(f"{quantity.weights.combine} of the weights {quantity.weights.text}")
    if wake := rules.idle_wake:
        said.append(
            f"idle processors before jobs of {wake.width} or more: {in_decimals(wake.rate)} SU"
            " per processor-hour"
        )
    if rules.minimum_charge:
        said.append(f"at least {in_decimals(rules.minimum_charge)} SU per job")
    said += [f"{name} jobs pay {in_decimals(share)}%" for name, share in rules.status.items()]
    faults = [state for state in MACHINE_FAULTS if state not in rules.status]
    if faults and any(states_of(bill.charges.workload)):
        said.append(f"{', '.join(faults)} jobs pay nothing")
    said += (
        [] if rules.exempt.names_nobody else ["some users, groups, queues or accounts are exempt"]
    )
    said += [f"{each.name}: {in_decimals(each.percent)}% off" for each in rules.discounts]
    if rules.allowance:
        said.append(f"{in_decimals(rules.allowance)} SU free in each month")
    if currency := rules.currency:
        said.append(f"1 SU is {in_decimals(currency.rate)} {currency.code}")
    return said + ([f"{tax_name(bill)} on top"] if rules.tax else [])


def tax_name(bill: Invoice) -> str:
    """Return the name of the tax, with its percentage; ``tax`` without one."""
    tax = bill.rules.tax
    return f"{tax.name} ({in_decimals(tax.percent)}%)" if tax else "tax"
