"""What `bill --ledger` does beside the bill: who pays, what is posted, what comes of it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from pricing.charges import Charges
from pricing.rules import Invoice, Rules
from pricing.rules.invoice import SU
from swfx import InputError, Workload
from utilitysched.cli.accounting import month_of, opened, posted_line
from utilitysched.report.reconciliation import Reconciled

if TYPE_CHECKING:
    from pricing.accounts import Book, Claims, Posted


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

    @property
    def decimals(self) -> int:
        """Of the ledger's unit."""
        return self.book.money.decimals

    def require_counted(self, rules: Rules | None) -> None:
        """Refuse a ledger that does not count in what the bill will be in.

        Raises
        ------
        InputError
            Saying which would do.
        """
        from pricing.accounts.claims import require_counted

        currency = rules.currency if rules else None
        unit = (currency.code, currency.decimals) if currency else (SU, 0)
        require_counted(*unit, self.book.money)

    def payers(self, workload: Workload, rules: Rules) -> list[str]:
        """Return what an invoice calls those who pay for each job."""
        from pricing.accounts import payer_name

        return list(map(payer_name, self.book.payers(workload, rules.accounts)))

    @contextmanager
    def posting(self, charges: Charges, invoice: Invoice | None, memo: str) -> Iterator[Settled]:
        """Post a bill when the block ends; before it begins all is checked."""
        from pricing.accounts import charged, invoiced

        claims = (
            invoiced(invoice, self.book.money, month=self.month)
            if invoice
            else charged(charges, self.book.money, month=self.month)
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
        from pricing.accounts import payer_name

        book = self.payment.book
        accounts = book.reconcile(self.claims)
        payers = tuple(payer_name(period.account) for period in accounts.periods)
        return Reconciled(accounts, self.posted, book.money, payers)

    @property
    def line(self) -> str:
        """What has become of it."""
        return f"{self.payment.ledger}: {posted_line(self.posted)}"


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
    when = month_of(month) if month else None
    with opened(ledger) as book:
        yield Payment(ledger, book, when)


def folder_of(path: Path) -> Path:
    """Make a folder, so that what cannot be made is known before anything is posted.

    Raises
    ------
    InputError
        It cannot be made.
    """
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise InputError(f"cannot be made: {reason}", source=str(path)) from error
    return path
