"""Payment of bills from the accounts of a ledger: what is posted, and what comes of it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from pricing.charges import Charges
from swfx import InputError, Workload
from swfx.base.numbers import plural
from utilitysched_centre.rules import Invoice, Rules
from utilitysched_centre.rules.account_of import listed_by_number

if TYPE_CHECKING:
    from utilitysched_centre.accounts import Book, Claims, Money, Period, Posted, Reconciliation


@contextmanager
def needing_packages(what: str = "ledgers", extra: str = "ledger") -> Iterator[None]:
    """Say how to get packages that are missing.

    Raises
    ------
    InputError
        They are.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        raise InputError(
            f"{what} need {error.name}, which is not installed",
            remedy=f"pip install utilitysched[{extra}]",
        ) from error


def open_book(ledger: str) -> Book:
    """Open a ledger: a file, or a database by its address."""
    with needing_packages():
        from utilitysched_centre.accounts import Book, read_key  # noqa: PLC0415 - an extra

        return Book(ledger, key=read_key())


def posting_line(posted: Posted) -> str:
    """Say in a line what a posting has led to."""
    if not posted.new:
        return f"already posted, as posting {posted.number}: nothing changed"
    return f"posting {posted.number}: {plural(posted.entries, 'entry', 'entries')}"


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
        from utilitysched_centre.accounts.claims import require_counted  # noqa: PLC0415 - an extra

        rules = rules or Rules()
        require_counted(rules.code, rules.unit(0)[0], self.book.money)

    def payers(self, workload: Workload, rules: Rules) -> list[str]:
        """Return what an invoice calls those who pay for each job."""
        from utilitysched_centre.accounts import payer_name  # noqa: PLC0415

        listed = listed_by_number(workload, rules.accounts)
        named = self.book.terms.named
        return [payer_name(account, named) for account in self.book.payers(workload, listed)]

    @contextmanager
    def posting(self, charges: Charges, invoice: Invoice | None, memo: str) -> Iterator[Settled]:
        """Post a bill when the block ends; before it begins all is checked."""
        claims = (
            self.book.invoiced(invoice, month=self.month)
            if invoice
            else self.book.charged(charges, month=self.month)
        )
        with self.book.posting(claims, memo=memo) as posted:
            yield Settled(self, posted, claims)


@dataclass(frozen=True)
class Settled:
    """A bill that is posted when its block has ended.

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
        from utilitysched_centre.accounts import payer_name  # noqa: PLC0415

        book = self.payment.book
        accounts = book.reconcile(self.claims)
        named = book.terms.named
        payers = tuple(payer_name(period.account, named) for period in accounts.periods)
        return Reconciled(accounts, self.posted, book.money, payers)

    @property
    def line(self) -> str:
        """What has become of it."""
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
    with needing_packages():
        from utilitysched_centre.accounts import read_month  # noqa: PLC0415

    when = read_month(month) if month else None
    with open_book(ledger) as book:
        yield Payment(ledger, book, when)
