"""Payment of bills from the accounts of a ledger: what is posted, and what comes of it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from pricing.charges import Charges
from pricing.properties import Check
from pricing.recorded import BILL_AGAIN
from swfx import InputError, Workload
from swfx.base.csv_columns import read_columns
from swfx.base.csv_rows import write_csv
from swfx.base.numbers import CENTS, plural
from utilitysched.counterfactual.explanation import rebill
from utilitysched.runs.commitments import vouching
from utilitysched_centre.accounts import (
    Book,
    Claims,
    Money,
    Period,
    Posted,
    Reconciliation,
    mapped_names,
    payer_name,
    read_key,
    read_month,
)
from utilitysched_centre.accounts.claims import require_counted
from utilitysched_centre.rules import Invoice, Rules
from utilitysched_centre.rules.account_of import listed_by_number

RECONCILIATION_FILE = "reconciliation.csv"

RECONCILIATION_COLUMNS = (
    "account",
    "month",
    "opening",
    "endowed",
    "billed",
    "other",
    "refunded",
    "paid",
    "closing",
    "posting",
    "unit",
)
"""Columns of ``reconciliation.csv``: amounts in the ledger's unit."""


def open_book(ledger: str) -> Book:
    """Open a ledger: a file, or a database by its address."""
    return Book(ledger, key=read_key())


def posting_line(posted: Posted) -> str:
    """Say in a line what a posting has led to."""
    if not posted.new:
        return f"already posted, as posting {posted.number}: nothing changed"
    return f"posting {posted.number}: {plural(posted.entries, 'entry', 'entries')}"


def posted_bill(directory: Path, book: Book) -> Check:
    """Check the bill of a run that was posted: its jobs, its evidence, its posting.

    Raises
    ------
    InputError
        Jobs are not as they were committed to; a cell of the bill does not follow from its
        evidence; or the ledger has no posting of it.
    """
    rebilled = rebill(directory)
    if rebilled.faults:
        raise InputError(str(rebilled.faults[0]), source=str(directory), remedy=BILL_AGAIN)
    path = directory / RECONCILIATION_FILE
    lines = read_columns(str(path), f"post the bill: utilitysched invoice {directory} --ledger")
    numbers = set(lines.cells.get("posting", ()))
    if not numbers or not numbers <= {str(line.posting) for line in book.history()}:
        raise InputError("names no posting of this ledger", source=str(path))
    detail = f"{directory}: posting {', '.join(sorted(numbers))}. {vouching(rebilled.commitments)}"
    return Check("bill", holds=True, detail=detail)


class Reconciled(NamedTuple):
    """What a ledger says of a bill.

    Attributes
    ----------
    accounts : Reconciliation
        That have paid it.
    posted : Posted
        As what.
    money : Money
        What the ledger counts in.
    payers : tuple of str
        What an invoice calls the account of each period.
    """

    accounts: Reconciliation
    posted: Posted
    money: Money
    payers: tuple[str, ...]

    def periods_of(self, payer: str) -> list[Period]:
        """Return the months of an account."""
        pairs = zip(self.payers, self.accounts.periods, strict=True)
        return [period for name, period in pairs if name == payer]


@dataclass(frozen=True)
class Payment:
    """A ledger that a bill is posted to.

    Attributes
    ----------
    ledger : str
        As it was named.
    book : Book
        The same, open.
    month : str or None
        To which everything belongs; None: that in which each job completed.
    """

    ledger: str
    book: Book
    month: str | None

    def require_counted(self, rules: Rules | None) -> None:
        """Refuse a ledger that does not count in what the bill will be in.

        Raises
        ------
        InputError
            Saying which would do.
        """
        rules = rules or Rules()
        require_counted(rules.code, rules.unit(0)[0], self.book.money)

    def decimals(self, chosen: int = CENTS) -> int:
        """Return the decimals of a bill that the ledger can take as it stands, `chosen` at most."""
        return min(chosen, self.book.money.decimals)

    def payers(self, workload: Workload, rules: Rules) -> list[str]:
        """Return the payer of each job by the name on invoices."""
        listed = listed_by_number(workload, rules.account_of_user)
        named, names = self.book.terms.named, set(listed.values())
        for kind in ("user", "account"):
            names |= set(workload.labels.of(kind).names.values())
        originals = {mapped: name for name, mapped in mapped_names(names).items()}
        return [
            payer_name(account._replace(name=originals.get(account.name, account.name)), named)
            for account in self.book.payers(workload, listed)
        ]

    @contextmanager
    def posting(self, bill: Charges | Invoice, memo: str) -> Iterator[Settled]:
        """Post a bill, or an invoice, when the block ends; before it begins all is checked."""
        claims = (
            self.book.invoiced(bill, month=self.month)
            if isinstance(bill, Invoice)
            else self.book.charged(bill, month=self.month)
        )
        with self.book.posting(claims, memo=memo) as posted:
            yield Settled(self, posted, claims)


@dataclass(frozen=True)
class Settled:
    """Bill whose claims are posted at the end of a ``with`` block.

    Attributes
    ----------
    payment : Payment
        Where to.
    posted : Posted
        As what.
    claims : Claims
        What it owes.
    """

    payment: Payment
    posted: Posted
    claims: Claims

    def reconciled(self) -> Reconciled:
        """Return what the ledger says of the bill, once the block has ended."""
        book = self.payment.book
        accounts = book.reconcile(self.claims)
        named = book.terms.named
        payers = tuple(payer_name(period.account, named) for period in accounts.periods)
        return Reconciled(accounts, self.posted, book.money, payers)

    @property
    def line(self) -> str:
        """Line that names the ledger, the posting and the amount posted."""
        return f"{self.payment.ledger}: {posting_line(self.posted)}"


@contextmanager
def paying(ledger: str | None, month: str | None) -> Iterator[Payment | None]:
    """Open the ledger that a bill is posted to, if any.

    Raises
    ------
    InputError
        There is no such ledger, or a month without one.
    """
    if ledger is None:
        if month is not None:
            raise InputError("--month needs --ledger")
        yield None
        return
    when = read_month(month) if month else None
    with open_book(ledger) as book:
        yield Payment(ledger, book, when)


def write_reconciliation(directory: Path, reconciled: Reconciled) -> Path:
    """Write a line for each account and month, amounts as exact decimals."""
    accounts, money = reconciled.accounts, reconciled.money
    rows = (
        (*period[:2], *map(money.plain, period[2:]), accounts.posting, money.unit)
        for period in accounts.periods
    )
    return write_csv(directory / RECONCILIATION_FILE, RECONCILIATION_COLUMNS, rows)
