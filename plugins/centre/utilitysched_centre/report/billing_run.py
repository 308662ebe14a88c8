"""Billing runs in the terminal, as JSON and as a page for those who run the centre."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

from pricing.ledger import plain
from swfx.base.numbers import UNKNOWN, plural, whole
from utilitysched.analysis.documents import Description, ResultTable, plain_table
from utilitysched.report.templating import write_page
from utilitysched.report.terminal import console, print_table
from utilitysched_centre.billing_run import BilledMonth
from utilitysched_centre.register import CREDIT_NOTE, Document
from utilitysched_centre.report.statements import Statements, write_pages
from utilitysched_centre.report.statements.credit_note import write_credit_note
from utilitysched_centre.report.statements.heading import Registered
from utilitysched_centre.report.statements.sheet import unwatched
from utilitysched_centre.rules import Invoice
from utilitysched_centre.rules.statements import StatementLine, lines

SHOWN = 20
"""Lines of a table; the files have them all."""

YEAR = 12
"""Months."""

SUMMARY_FILE = "summary.html"


def show_month(billed: BilledMonth) -> None:
    """Print what a month comes to, and which documents are new."""
    to = console()
    to.print(heading(billed))
    to.print()
    for table in (*_issued(billed), by_account(billed)):
        print_table(table)
        to.print()
    if not billed.issued:
        to.print("Nothing to issue: what every account has to pay is invoiced.")


def heading(billed: BilledMonth) -> str:
    """Say in a sentence what a month comes to."""
    bill = billed.bill
    accounts = len(set(bill.payer))
    return (
        f"{billed.month}: {plural(len(bill), 'job')} of {plural(accounts, 'account')} come to"
        f" {bill.total:,f} {bill.currency} by {bill.charges.mechanism}."
    )


def month_document(billed: BilledMonth) -> dict[str, Any]:
    """Return the same for JSON."""
    return {
        "month": billed.month,
        "mechanism": billed.bill.charges.mechanism,
        "currency": billed.bill.currency,
        "total": plain(billed.bill.total),
        "issued": [_written(one) for one in billed.issued],
        "invoices": [_written(one) for one in billed.register.live(billed.month).values()],
    }


def _written(one: Document) -> dict[str, str]:
    return one._replace(amount=Decimal(0))._asdict() | {"amount": plain(one.amount)}


def write_documents(
    billed: BilledMonth, on_progress: Callable[[float], None] = unwatched
) -> list[Path]:
    """Write the pages of the accounts, credit notes, and a summary for those who run the centre.

    Parameters
    ----------
    billed : BilledMonth
        The month.
    on_progress : callable
        Takes the share of pages that are written.

    Returns
    -------
    list of Path
        The files, the summary last.
    """
    folder = billed.directory.parent
    numbered = {name: Registered("", None, billed.month) for name in billed.bill.payer}
    for account, one in billed.register.live(billed.month).items():
        numbered[account] = Registered(one.number, date.fromisoformat(one.issued), one.month)
    statements = Statements(billed.bill, directory=billed.directory, registered=numbered)
    pages = write_pages(statements, folder / "invoices", on_progress)
    for one in billed.register.documents:
        if (one.month, one.kind) == (billed.month, CREDIT_NOTE):
            pages.append(write_credit_note(one, billed.bill, folder / "invoices"))
    write_page(summary(billed), folder / SUMMARY_FILE)
    return [*pages, folder / SUMMARY_FILE]


def summary(billed: BilledMonth) -> Description:
    """Return the operator's summary: accounts, users, months."""
    tables = [by_account(billed), by_user(billed), by_month(billed)]
    return Description(heading(billed).removesuffix("."), tables)


def last_month(today: date) -> str:
    """Return the last month that is over."""
    return before(f"{today:%Y-%m}", 1)


def _issued(billed: BilledMonth) -> Iterator[ResultTable]:
    """Yield the table of new documents; none where there is nothing new."""
    rows = [
        (
            one.number,
            f"{one.kind} for {one.cancels}" if one.cancels else one.kind,
            one.account,
            f"{one.signed:,f}",
        )
        for one in billed.issued
    ]
    heads = ["number", "document", "account", f"amount ({billed.bill.currency})"]
    if rows:
        yield plain_table(heads, _few(rows), left=3)


def by_account(billed: BilledMonth) -> ResultTable:
    """Return what each account has to pay, and what it had the month and the year before."""
    months = (before(billed.month, 1), before(billed.month, YEAR))
    earlier = [billed.register.live(month) for month in months]
    rows = [
        (*_cells(line), *(_amount(live.get(str(line.key))) for live in earlier))
        for line in _most_charged(billed.bill, "account")
    ]
    heads = ["account", "jobs", f"to pay ({billed.bill.currency})", *months]
    total = [_total(billed, months)]
    return plain_table(heads, _few(rows), total=total, caption="Accounts")


def _total(billed: BilledMonth, months: Sequence[str]) -> tuple[str, ...]:
    sums = (_sum(billed.register.live(month).values()) for month in months)
    return ("total", whole(len(billed.bill)), f"{billed.bill.total:,f}", *sums)


def by_user(billed: BilledMonth) -> ResultTable:
    """Return for whose jobs most is to be paid."""
    rows = [_cells(line) for line in _most_charged(billed.bill, "user")]
    heads = ["user", "jobs", f"to pay ({billed.bill.currency})"]
    return plain_table(heads, _few(rows), caption="Users")


def by_month(billed: BilledMonth) -> ResultTable:
    """Return what months came to, beside the same months of the year before."""
    register = billed.register
    months = sorted({one.month for one in register.documents}, reverse=True)
    rows = [
        (
            month,
            whole(len(live)),
            _sum(live.values()),
            _sum(register.live(before(month, YEAR)).values()),
        )
        for month in months
        for live in [register.live(month)]
    ]
    heads = ["month", "invoices", f"to pay ({billed.bill.currency})", "a year before"]
    return plain_table(heads, _few(rows), caption="Months")


def before(month: str, months: int) -> str:
    """Return the month that was so many before another.

    >>> before("2026-01", 1), before("2026-10", 12)
    ('2025-12', '2025-10')
    """
    year, place = divmod(int(month[:4]) * YEAR + int(month[5:]) - 1 - months, YEAR)
    return f"{year:04}-{place + 1:02}"


def _most_charged(bill: Invoice, by: str) -> list[StatementLine]:
    return sorted(lines(bill, by), key=lambda line: line.amount, reverse=True)


def _cells(line: StatementLine) -> tuple[str, str, str]:
    return line.name or str(line.key), whole(line.jobs), f"{line.amount:,f}"


def _amount(one: Document | None) -> str:
    return f"{one.amount:,f}" if one else UNKNOWN


def _sum(documents: Iterable[Document]) -> str:
    amounts = [one.amount for one in documents]
    return f"{sum(amounts, Decimal(0)):,f}" if amounts else UNKNOWN


def _few(rows: Sequence[tuple[str, ...]]) -> list[tuple[str, ...]]:
    """Return the first rows of a table, and a last row with the number of rows left out."""
    left = len(rows) - SHOWN
    if left <= 0:
        return list(rows)
    return [*rows[:SHOWN], (f"{left:,} others", *("" for _ in rows[0][1:]))]
