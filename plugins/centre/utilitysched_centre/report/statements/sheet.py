"""Pages of invoices, one A4 sheet each, and the files beside them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from decimal import Decimal
from pathlib import Path
from typing import NamedTuple

from pricing.keys import words
from swfx.base.csv_rows import write_csv
from swfx.base.numbers import plural
from utilitysched.analysis.documents import plain_table
from utilitysched.report.templating import write_html
from utilitysched_centre.report.statements.evidence import evidence
from utilitysched_centre.report.statements.page import InvoicePage
from utilitysched_centre.report.statements.statement import (
    Link,
    Statement,
    Statements,
)
from utilitysched_centre.report.templating import render
from utilitysched_centre.rules.files import write_job_lines
from utilitysched_centre.rules.statements import StatementLine, lines

INDEX, EVERY = "index.html", "index.csv"

LINKED = 500
"""Invoices that `INDEX` lists; of more those with most to pay, and `EVERY` has all of them."""


def sheet(mine: Statement) -> str:
    """Return an invoice as a page: what is to be paid, why, and by whom it was paid."""
    page = InvoicePage.of(mine)
    index = f"../{INDEX}" if mine.folder else INDEX
    return render("statement.html", title=page.title, mine=mine, index=index, page=page)


class _Linked(NamedTuple):
    """Link to an invoice, whose it is, and its list price (SU)."""

    link: Link
    name: str
    listed: Decimal


def unwatched(_: float) -> None:
    """Tell nobody how far anything is."""


def write_pages(
    statements: Statements, folder: Path, on_progress: Callable[[float], None] = unwatched
) -> list[Path]:
    """Write the page, the evidence and the table of jobs of each invoice.

    The page is one A4 sheet when printed. Pages refer to files of the folder, and to nothing else:
    it can be sent as it is.

    Parameters
    ----------
    statements : Statements
        The invoices.
    folder : Path
        Made if need be.
    on_progress : callable
        Takes the share of invoices that are written.

    Returns
    -------
    list of Path
        The files, that with the links last.
    """
    written: list[Path] = []
    linked: list[_Linked] = []
    for mine in statements:  # one at a time: there may be 100,000
        written += _write_files(mine, folder / mine.folder)
        linked.append(_Linked(_link(mine), mine.name, mine.all.listed(mine.places)))
        on_progress(mine.number / len(statements))
    return [*written, *_write_index(statements, linked, folder)]


def _write_files(mine: Statement, here: Path) -> Iterator[Path]:
    yield write_job_lines(here / mine.table, mine.bill, mine.places)
    yield write_html(evidence(mine), here / mine.evidence, parents=True)
    yield write_html(sheet(mine), here / mine.sheet, parents=True)


def _link(mine: Statement) -> Link:
    target = f"{mine.folder}/{mine.sheet}".lstrip("/")
    return Link(target, mine.heading.number or "statement")


def _write_index(statements: Statements, linked: list[_Linked], folder: Path) -> Iterator[Path]:
    bill = statements.bill
    amounts = lines(bill, statements.by)
    if len(amounts) > LINKED:
        heads = ("invoice", "file", "name", "jobs", "charge", "amount")
        rows = (
            (link.text, link.target, name, line.jobs, line.charge, line.amount)
            for (link, name, _), line in zip(linked, amounts, strict=True)
        )
        yield write_csv(folder / EVERY, heads, rows)
    yield write_html(_index(statements, linked, amounts), folder / INDEX, parents=True)


def _index(statements: Statements, linked: list[_Linked], amounts: list[StatementLine]) -> str:
    bill = statements.bill
    shown, rest = [*range(len(amounts))], list[int]()
    if len(amounts) > LINKED:
        shown.sort(key=lambda place: -amounts[place].amount)
        shown, rest = shown[:LINKED], shown[LINKED:]

    def row(places: Sequence[int], link: Link | str, name: str = "") -> tuple[Link | str, ...]:
        jobs = sum(amounts[place].jobs for place in places)
        listed = sum((linked[place].listed for place in places), Decimal(0))
        to_pay = sum((amounts[place].amount for place in places), Decimal(0))
        return link, name, f"{jobs:,}", f"{listed:,f}", f"{to_pay:,f}"

    rows = [row([place], linked[place].link, linked[place].name) for place in shown]
    rows += [row(rest, Link(EVERY, plural(len(rest), "other")))] if rest else []
    total = row(range(len(amounts)), "total")
    heads = ["invoice", words(statements.by), "jobs", "list price (SU)"]
    heads += [f"to pay ({bill.currency})"]
    basis = bill.charges.basis
    return render(
        "statements.html",
        title="Invoices",
        centre=bill.rules.centre,
        warnings=basis.notices if basis else (),
        shown=plain_table(heads, rows, total=[total], left=2),
    )
