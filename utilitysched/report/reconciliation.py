"""A bill beside the ledger that it was posted to: terminal and JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from utilitysched.report.amounts import aligned
from utilitysched.report.console import console, grid, show
from utilitysched.report.numbers import plural

if TYPE_CHECKING:
    from pricing.accounts import Money, Period, Posted, Reconciliation

SHOWN = 20
"""Lines that are printed; the file has them all."""

HEADS = ("opening", "endowed", "this bill", "other charges", "given back", "closing")
"""What a line says of an account and a month."""


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


def figures(period: Period) -> tuple[int, ...]:
    """Return the amounts of a line, signed as they change the balance; see `HEADS`."""
    return (
        period.opening,
        period.endowed,
        -period.billed,
        -period.other,
        period.refunded,
        period.closing,
    )


def agreement(found: Reconciled) -> str:
    """Say that bill and ledger agree."""
    total = found.money.text(found.accounts.total)
    return (
        f"Posting {found.accounts.posting} of the ledger charges {total}: what the bill says, by"
        " job, user, group, account and month."
    )


def print_reconciliation(found: Reconciled) -> None:
    """Print what accounts had before, what was charged, and what they have now."""
    to = console()
    to.print()
    to.print(agreement(found))
    periods = found.accounts.periods
    if not periods:
        return
    to.print()
    table = grid(["account", "month", *HEADS], left=2)
    shown = periods[:SHOWN]
    columns = zip(*map(figures, shown), strict=True)
    amounts = zip(*(aligned(column, found.money.decimals) for column in columns), strict=True)
    for period, line in zip(shown, amounts, strict=True):
        table.add_row(str(period.account), period.month, *line)
    show(to, table, uncut=True)
    if periods[SHOWN:]:
        more = plural(len(periods) - SHOWN, "other line")
        to.print(f"and {more}, in reconciliation.csv")


def reconciliation_document(found: Reconciled) -> dict[str, Any]:
    """Return the same for JSON: amounts are texts, for they are exact."""
    return {
        "ledger": found.posted._asdict(),
        "reconciliation": {
            "unit": found.money.unit,
            "posting": found.accounts.posting,
            "total": found.money.plain(found.accounts.total),
            "accounts": [
                {"account": str(period.account), "month": period.month}
                | {name: found.money.plain(getattr(period, name)) for name in period._fields[2:]}
                for period in found.accounts.periods
            ],
        },
    }
