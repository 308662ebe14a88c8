"""Billing runs in the terminal, as JSON and as a page for those who run the centre."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from pathlib import Path
from typing import Any, NamedTuple

from pricing.ledger import amount, plain
from swfx import InputError
from swfx.base.numbers import UNKNOWN, plural, whole
from swfx.reading.notes import Echo
from utilitysched.analysis.documents import Description, ResultTable, plain_table
from utilitysched.report.templating import write_page
from utilitysched.report.terminal import console, print_table
from utilitysched_centre.accounts import Account, Book, Document, DocumentLine, payer_name
from utilitysched_centre.accounts.documents import LEDGER_ALONE, live_invoices, refunding
from utilitysched_centre.adjustments import rounded_credits
from utilitysched_centre.billing_config import BillingConfig
from utilitysched_centre.month_bill import AdjustedJob, BilledMonth
from utilitysched_centre.register import INVOICES_FOLDER, REGISTER_FILE, write_register
from utilitysched_centre.report.statements.focus import FOCUS_FILE, write_focus
from utilitysched_centre.report.statements.issued import (
    IssuedDocument,
    content_of,
    read_document_file,
)
from utilitysched_centre.report.statements.sheet import IndexEntry, IndexHeading, write_index
from utilitysched_centre.rules.decimals import in_decimals
from utilitysched_centre.rules.statements import lines

SHOWN = 20
"""Lines of a table; the files have them all."""

COUNTS = ("jobs", "invoices")
"""Columns of numbers that are no amounts."""

YEAR = 12
"""Months."""

SUMMARY_FILE = "summary.html"


class AccountLine(NamedTuple):
    """What an account has to pay for a month; amounts in minor units of the ledger.

    Attributes
    ----------
    name : str
        Name on invoices.
    jobs : int
        Jobs; one of several parts or runs counts once.
    charged : int
        For these jobs.
    further : int
        Recurring lines and shared costs.
    given_back : int
        Credits of single jobs.
    to_pay : int
        By the documents of the month.
    earlier : tuple of int or None
        The same of a month before, and of the month a year before; None without documents.
    """

    name: str
    jobs: int
    charged: int
    further: int
    given_back: int
    to_pay: int
    earlier: tuple[int | None, ...]


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
    for sentence in remarks(billed):
        to.print(sentence)


def heading(billed: BilledMonth) -> str:
    """Return what a month comes to, in a sentence or two."""
    bill, every = billed.bill.bill, account_lines(billed)
    text = (
        f"{billed.month}: {plural(sum(one.jobs for one in every), 'job')} of"
        f" {plural(len(set(bill.payer)), 'account')} come to {bill.total:,f} {bill.currency} by"
        f" {bill.charges.mechanism}."
    )
    further = sum(one.further for one in every)
    given_back = sum(one.given_back for one in every)
    if further:
        text += f" Recurring lines and shared costs: {billed.text(further)} {bill.currency}."
    if given_back:
        text += f" Given back: {billed.text(given_back)} {bill.currency}."
    return text


def remarks(billed: BilledMonth) -> Iterator[str]:
    """Yield sentences on adjustments, and on what the ledger alone had given back."""
    for one in billed.bill.accounts.values():
        if payer_name(one.account, billed.bill.named) != one.name:
            yield f"No account of a ledger can be called {one.name!r}: {one.account} pays for it."
    wanted = {one.key: one.job.name for one in billed.adjustments.credits}
    stated = {line.key: line for line in billed.live_lines()}
    in_force = stated.keys() & wanted.keys()
    if wanted or billed.adjustments.elsewhere:
        yield f"Adjustments: {len(in_force)} in force in {billed.month}."
    for other in billed.adjustments.elsewhere:
        where = f"is of {other.month}" if other.month else f"has no job in {billed.month}"
        yield f"Not for this month: the adjustment of job {other.job} {where}."
    for key, line in stated.items():
        if key not in wanted and not key.startswith(LEDGER_ALONE):
            yield (
                f"No longer in the file: the adjustment of job {line.job} stands, for"
                f" {line.document} says so; what is issued is not taken back."
            )
    for line in refunds(billed):
        yield (
            f"Given back in the ledger alone: {billed.text(line.amount)} for job {line.job} by"
            f" posting {refunding(line.key)}; {line.document} says so now."
        )


def show_adjusted(one: AdjustedJob, config: Path, file: Path) -> None:
    """Print what an adjustment in a file gives back, and what the next billing run does."""
    to, bill, account = console(), one.bill.bill, one.credits[0].job.account
    cost, given = (f"{amount(units, bill.decimals):,f} {bill.currency}" for units in _amounts(one))
    percent = one.adjustment.percent
    share = "" if percent is None else f" ({in_decimals(percent)}%)"
    to.print(f"Job {one.adjustment.job} of {account} cost {cost}. Given back: {given}{share}.")
    if not one.is_new:
        to.print(f"{file} had it already: nothing changed.", soft_wrap=True)
        return
    run = f"utilitysched billing-run {config} --month {one.bill.month}"
    number = one.invoice.number if one.invoice else None
    then = f"a credit note for {number}" if number else f"the invoice of {account} with it"
    to.print(f"{file} has it now. Next: {run} issues {then}.", soft_wrap=True)


def adjusted_document(one: AdjustedJob) -> dict[str, Any]:
    """Return an adjustment for JSON; amounts are exact decimals."""
    cost, given = (plain(amount(units, one.bill.bill.decimals)) for units in _amounts(one))
    return {
        "job": one.adjustment.job,
        "account": one.credits[0].job.account,
        "month": one.bill.month,
        "reason": one.adjustment.reason,
        "cost": cost,
        "given_back": given,
        "currency": one.bill.bill.currency,
        "new": one.is_new,
        "invoice": one.invoice.number if one.invoice else None,
    }


def _amounts(one: AdjustedJob) -> tuple[int, int]:
    """Return what a job cost, and what an adjustment gives back of it if it is the only one."""
    left = {each.job.reference: (each.job.net, each.job.tax) for each in one.credits}
    given = sum(map(sum, rounded_credits(one.credits, left)))
    return sum(each.job.cost for each in one.credits), given


def refunds(billed: BilledMonth) -> list[DocumentLine]:
    """Return the credits of new documents that only the ledger had given back before."""
    new = {one.number for one in billed.issued}
    return [
        line for line in billed.lines if line.document in new and line.key.startswith(LEDGER_ALONE)
    ]


def month_document(billed: BilledMonth) -> dict[str, Any]:
    """Return what a billing run has led to for JSON; amounts are exact decimals."""
    bill, money = billed.bill.bill, billed.bill.money
    every = account_lines(billed)
    live = live_invoices(billed.documents, billed.month)
    stated = {line.key for line in billed.live_lines()}
    wanted = {one.key for one in billed.adjustments.credits}
    return {
        "month": billed.month,
        "mechanism": bill.charges.mechanism,
        "currency": bill.currency,
        "total": money.plain(sum(one.to_pay for one in every)),
        "issued": [_written(one, billed) for one in billed.issued],
        "invoices": [_written(one, billed) for one in live.values()],
        "accounts": [
            {
                name: money.plain(cell) if name in _AMOUNTS else cell
                for name, cell in one._asdict().items()
                if name != "earlier"
            }
            for one in every
        ],
        "adjustments": {
            "in_force": len(stated & wanted),
            "elsewhere": [one.job for one in billed.adjustments.elsewhere],
            "removed": len([key for key in stated - wanted if not key.startswith(LEDGER_ALONE)]),
        },
        "mapped": {
            one.name: str(one.account)
            for one in billed.bill.accounts.values()
            if payer_name(one.account, billed.bill.named) != one.name
        },
        "refunded_in_ledger": [
            {"document": line.document, "job": line.job, "amount": money.plain(line.amount)}
            for line in refunds(billed)
        ],
    }


_AMOUNTS = ("charged", "further", "given_back", "to_pay")


def _written(one: Document, billed: BilledMonth) -> dict[str, object]:
    money = billed.bill.money
    return {
        **{name: getattr(one, name) for name in ("number", "kind", "month")},
        "account": billed.name_of(one.account),
        **{name: money.plain(getattr(one, name)) for name in ("net", "tax", "amount")},
        **{name: getattr(one, name) for name in ("issued", "due", "corrects", "cancels")},
    }


def write_summary(billed: BilledMonth) -> None:
    """Write a page for those who run the centre: accounts, users, months."""
    tables = [by_account(billed), by_user(billed), by_month(billed)]
    page = Description(heading(billed).removesuffix("."), tables)
    write_page(page, billed.directory / SUMMARY_FILE)


def write_views(config: BillingConfig, book: Book, echo: Echo, month: str) -> None:
    """Write the register, and the index and the FOCUS rows of a month, from the ledger.

    Parameters
    ----------
    config : BillingConfig
        How the centre bills.
    book : Book
        The ledger.
    echo : callable
        Takes a line for each document whose file is not as it was issued.
    month : str
        ``YYYY-MM`` of documents.
    """
    folder, rules = config.folder / month / INVOICES_FOLDER, config.rules
    issued = [*_read(book.documents(month), folder, echo)]
    centre = rules.centre.name if rules.centre else ""
    write_index(
        [IndexEntry.of(one) for one in issued], folder, IndexHeading(rules.code, centre=centre)
    )
    write_focus(issued, config.folder / month / FOCUS_FILE)
    write_register(config.folder / REGISTER_FILE, book)


def _read(documents: Iterable[Document], folder: Path, echo: Echo) -> Iterator[IssuedDocument]:
    """Yield the contents of documents that are as they were issued."""
    for one in documents:
        path = folder / f"{one.number}.json"
        try:
            issued = read_document_file(path)
        except InputError as error:
            echo(f"left out of index and {FOCUS_FILE}: {error}")
            continue
        if content_of(path) == one.content:
            yield issued
        else:
            echo(f"left out of index and {FOCUS_FILE}: {path} is not as it was issued")


def last_month(today: date) -> str:
    """Return the last month that is over."""
    return before(f"{today:%Y-%m}", 1)


def before(month: str, months: int) -> str:
    """Return the month that was so many before another.

    >>> before("2026-01", 1), before("2026-10", 12)
    ('2025-12', '2025-10')
    """
    year, place = divmod(int(month[:4]) * YEAR + int(month[5:]) - 1 - months, YEAR)
    return f"{year:04}-{place + 1:02}"


def _issued(billed: BilledMonth) -> Iterator[ResultTable]:
    """Yield the table of new documents; none where there is nothing new."""
    rows = [
        (
            one.number,
            f"{one.kind} for {one.corrects}" if one.corrects else one.kind,
            billed.name_of(one.account),
            one.signed,
        )
        for one in billed.issued
    ]
    heads = ["number", "document", "account", f"amount ({billed.bill.bill.currency})"]
    if rows:
        yield _table(heads, rows, billed, left=3)


def account_lines(billed: BilledMonth) -> list[AccountLine]:
    """Return what each account of a month has to pay, the most first."""
    month, accounts = billed.bill, billed.bill.accounts
    given_back = Counter[Account]()
    owners = {one.number: one.account for one in billed.documents}
    for line in billed.live_lines():
        given_back[owners[line.document]] += line.amount
    sums = [_sums(billed, each) for each in (billed.month, *_earlier(billed.month))]
    known = {one.account: one for one in accounts.values()}
    rows = [
        AccountLine(
            billed.name_of(account),
            month.bill.jobs(mine.places),
            sum(item.cost for item in mine.items[: len(mine.places)]) * month.finer,
            sum(item.cost for item in mine.items[len(mine.places) :]) * month.finer,
            given_back[account],
            sums[0].get(account, 0),
            tuple(each.get(account) for each in sums[1:]),
        )
        for account in {**known, **sums[0]}
        for mine in [month.of(account)]
    ]
    return sorted(rows, key=lambda row: (-row.to_pay, row.name))


def _earlier(month: str) -> tuple[str, str]:
    return before(month, 1), before(month, YEAR)


def _sums(billed: BilledMonth, month: str) -> dict[Account, int]:
    """Return what the documents of a month come to, by account."""
    sums = Counter[Account]()
    for one in billed.documents:
        if one.month == month:
            sums[one.account] += one.signed
    return dict(sums)


def by_account(billed: BilledMonth) -> ResultTable:
    """Return what each account has to pay, and what it had the month and the year before."""
    every, currency = account_lines(billed), billed.bill.bill.currency
    columns = {"account": "name", "jobs": "jobs"}
    more = {"further": "further", "given back": "given_back"}
    more = {head: name for head, name in more.items() if any(getattr(one, name) for one in every)}
    columns |= {"for jobs": "charged", **more} if more else {}
    columns |= {f"to pay ({currency})": "to_pay"}
    rows = [(*(getattr(one, name) for name in columns.values()), *one.earlier) for one in every]
    heads = [*columns, *_earlier(billed.month)]
    return _table(heads, rows, billed, caption="Accounts", total=True)


def by_user(billed: BilledMonth) -> ResultTable:
    """Return for whose jobs most is charged."""
    month = billed.bill
    every = sorted(lines(month.bill, "user"), key=lambda line: line.amount, reverse=True)
    scale = 10**month.money.decimals
    rows = [(line.name or str(line.key), line.jobs, int(line.amount * scale)) for line in every]
    heads = ["user", "jobs", f"charged ({month.bill.currency})"]
    return _table(heads, rows, billed, caption="Users", total=True)


def by_month(billed: BilledMonth) -> ResultTable:
    """Return what months came to, beside the same months of the year before."""
    months = sorted({one.month for one in billed.documents}, reverse=True)
    rows = []
    for month in months:
        sums = [_sums(billed, each) for each in (month, before(month, YEAR))]
        totals = (sum(each.values()) if each else None for each in sums)
        rows.append((month, len(live_invoices(billed.documents, month)), *totals))
    heads = ["month", "invoices", f"to pay ({billed.bill.bill.currency})", "a year before"]
    return _table(heads, rows, billed, caption="Months")


def _table(
    heads: Sequence[str],
    rows: Sequence[tuple[Any, ...]],
    billed: BilledMonth,
    *,
    caption: str = "",
    left: int = 1,
    total: bool = False,
) -> ResultTable:
    """Return a table of amounts, and of counts of jobs and invoices, behind `left` texts.

    Of many rows the first are shown; the last then adds up the others.
    """

    def added(some: Sequence[tuple[Any, ...]], name: str) -> tuple[Any, ...]:
        columns = [*zip(*some, strict=True)][left:]
        known = ([cell for cell in column if cell is not None] for column in columns)
        return name, *[""] * (left - 1), *(sum(column) if column else None for column in known)

    def written(row: tuple[Any, ...]) -> tuple[str, ...]:
        return tuple(
            cell if isinstance(cell, str) else _cell(cell, billed, is_count=head in COUNTS)
            for head, cell in zip(heads, row, strict=True)
        )

    shown, rest = list(rows[:SHOWN]), rows[SHOWN:]
    if rest:
        shown.append(added(rest, plural(len(rest), "other")))
    totals = [written(added(rows, "total"))] if total and rows else []
    return plain_table(heads, [*map(written, shown)], total=totals, caption=caption, left=left)


def _cell(cell: int | None, billed: BilledMonth, *, is_count: bool) -> str:
    if cell is None:
        return UNKNOWN
    return whole(cell) if is_count else billed.text(cell)
