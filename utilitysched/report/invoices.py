"""What is to be paid, on the terminal."""

from __future__ import annotations

from pricing.rules.invoice import Invoice
from pricing.rules.statements import lines
from utilitysched.report.console import console, grid, show
from utilitysched.report.numbers import whole

SHOWN = 20
"""Lines of a statement that are printed; the file has them all."""


def print_invoice(bill: Invoice, by: str) -> None:
    """Print a statement, the dearest first (months in order), and jobs by reason.

    Parameters
    ----------
    bill : Invoice
        What every job comes to.
    by : {"user", "group", "queue", "month", "account"}
        What each line is for.
    """
    to = console()
    to.print(f"To be paid by {bill.charges.mechanism} and the rules, per {by}:")
    to.print()
    found = lines(bill, by)
    if by != "month":
        found.sort(key=lambda line: line.amount, reverse=True)
    table = grid([by, "jobs", "charged", "charge (SU)", *money_names(bill)])
    for line in found if by == "month" else found[:SHOWN]:
        money = [f"{line.charge:,.2f}", *(f"{each:,f}" for each in line[4:])]
        table.add_row(str(line.key), whole(line.jobs), whole(line.charged), *money)
    show(to, table)
    if by != "month" and found[SHOWN:]:
        to.print(f"and {len(found) - SHOWN:,} others, in invoice-by-{by}.csv")
    to.print()
    for reason, jobs in bill.reasons.items():
        to.print(f"{jobs:>9,}  {reason}")
    to.print()
    to.print(f"The lines add up to {bill.total:,f} {bill.currency}.")


def money_names(bill: Invoice) -> list[str]:
    """Return what columns of money are called."""
    return [f"{name} ({bill.currency})" for name in ("net", "tax", "amount")]
