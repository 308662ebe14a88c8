"""Invoices in the terminal and as JSON, and what a ledger says of them."""

from __future__ import annotations

from typing import Any

from pricing.files import bill_document
from pricing.keys import MONTH, words
from swfx.base.numbers import plural, whole
from utilitysched.analysis.documents import ResultTable, plain_table
from utilitysched.report.bill import print_warnings
from utilitysched.report.terminal import console, print_table
from utilitysched_centre.accounts import Period
from utilitysched_centre.invoicing import MadeInvoice
from utilitysched_centre.payment import Reconciled
from utilitysched_centre.report.amounts import aligned
from utilitysched_centre.rules import Invoice, document
from utilitysched_centre.rules.statements import lines, together

SHOWN = 20
"""Lines of a statement that are printed; the file has them all."""

MOVEMENTS = ("opening", "endowed", "this bill", "other charges", "given back", "paid", "closing")
"""What a line says of an account and a month."""


def show_invoice(made: MadeInvoice, by: str) -> None:
    """Print the amounts of an invoice and the state of the ledger."""
    print_warnings(made.invoice.charges.basis)
    print_invoice(made.invoice, by)
    if made.reconciled:
        print_reconciliation(made.reconciled)


def invoice_document(made: MadeInvoice) -> dict[str, Any]:
    """Return the same for JSON: the bill, the invoice, and what the ledger says."""
    whole_bill = bill_document(made.invoice.charges) | {"invoice": document(made.invoice)}
    return whole_bill | (reconciliation_document(made.reconciled) if made.reconciled else {})


def print_invoice(bill: Invoice, by: str) -> None:
    """Print a statement, the most expensive first (months in order), and jobs by reason."""
    to = console()
    to.print(f"Amounts to pay under {bill.charges.mechanism} and the rules, per {words(by)}:")
    to.print()
    print_table(amounts_table(bill, by))
    to.print()
    for reason, jobs in bill.reasons.items():
        to.print(f"{jobs:>9,}  {reason}")
    to.print()
    to.print(f"The lines add up to {bill.total:,f} {bill.currency}.")


def amounts_table(bill: Invoice, by: str) -> ResultTable:
    """Return what is to be paid per account, user, month, ...; of many the others together."""
    entries = lines(bill, by)
    if by != MONTH:
        entries.sort(key=lambda line: line.amount, reverse=True)
    shown, others = (entries, []) if by == MONTH else (entries[:SHOWN], entries[SHOWN:])
    rest = [together(f"{len(others):,} others, in invoice-by-{by}.csv", others)] if others else []
    total = [together("total", entries)] if len(entries) > 1 else []
    rows, sums = (
        [
            (
                line.name or str(line.key),
                whole(line.jobs),
                whole(line.charged),
                *(f"{each:,f}" for each in line.money),
            )
            for line in some
        ]
        for some in ([*shown, *rest], total)
    )
    heads = [words(by), "jobs", "charged", "charge (SU)", *money_names(bill)]
    return plain_table(heads, rows, total=sums)


def money_names(bill: Invoice) -> list[str]:
    """Return what columns of money are called."""
    return [f"{name} ({bill.currency})" for name in ("net", "tax", "amount")]


def movements(period: Period) -> tuple[int, ...]:
    """Return the amounts of a line, signed as they change the balance; see `MOVEMENTS`."""
    return (
        period.opening,
        period.endowed,
        -period.billed,
        -period.other,
        period.refunded,
        period.paid,
        period.closing,
    )


def agreement(reconciled: Reconciled) -> str:
    """Say that bill and ledger agree."""
    total = reconciled.money.text(reconciled.accounts.total)
    return (
        f"Posting {reconciled.accounts.posting} of the ledger charges {total}: what the bill says,"
        " by job, user, group, account and month."
    )


def print_reconciliation(reconciled: Reconciled) -> None:
    """Print the balances of accounts before and after a bill, and the amounts charged."""
    to = console()
    to.print()
    to.print(agreement(reconciled))
    periods = reconciled.accounts.periods
    if not periods:
        return
    to.print()
    shown = periods[:SHOWN]
    columns = zip(*map(movements, shown), strict=True)
    amounts = zip(*(aligned(column, reconciled.money.decimals) for column in columns), strict=True)
    rows = [
        (str(period.account), period.month, *line)
        for period, line in zip(shown, amounts, strict=True)
    ]
    print_table(plain_table(["account", MONTH, *MOVEMENTS], rows, left=2))
    if periods[SHOWN:]:
        more = plural(len(periods) - SHOWN, "other line")
        to.print(f"and {more}, in reconciliation.csv")


def reconciliation_document(reconciled: Reconciled) -> dict[str, Any]:
    """Return a reconciliation for JSON, with exact amounts as texts."""
    return {
        "ledger": reconciled.posted._asdict(),
        "reconciliation": {
            "unit": reconciled.money.unit,
            "posting": reconciled.accounts.posting,
            "total": reconciled.money.plain(reconciled.accounts.total),
            "accounts": [
                {"account": str(period.account), "month": period.month}
                | {
                    name: reconciled.money.plain(getattr(period, name))
                    for name in period._fields[2:]
                }
                for period in reconciled.accounts.periods
            ],
        },
    }
