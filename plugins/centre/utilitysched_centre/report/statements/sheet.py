"""Pages of invoices, one A4 sheet each, and the files beside them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path

from pricing.keys import words
from utilitysched.analysis.documents import plain_table
from utilitysched.report.templating import write_html
from utilitysched_centre.report.statements.evidence import evidence
from utilitysched_centre.report.statements.page import InvoicePage
from utilitysched_centre.report.statements.statement import (
    Link,
    Statement,
    Statements,
    rounded_texts,
)
from utilitysched_centre.report.templating import render
from utilitysched_centre.rules.files import write_job_lines
from utilitysched_centre.rules.statements import lines

INDEX = "index.html"
"""File with links to all invoices."""


def sheet(mine: Statement) -> str:
    """Return an invoice as a page: what is to be paid, why, and by whom it was paid."""
    page = InvoicePage.of(mine)
    return render("statement.html", title=page.title, mine=mine, index=INDEX, page=page)


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
    linked: list[tuple[Link, str]] = []
    for mine in statements:  # one at a time: there may be 100,000
        written += _write_files(mine, folder)
        linked.append((Link(mine.sheet, mine.heading.number or "statement"), mine.name))
        on_progress(mine.number / len(statements))
    index = write_html(_index(statements, linked), folder / INDEX, parents=True)
    return [*written, index]


def _write_files(mine: Statement, here: Path) -> Iterator[Path]:
    yield write_job_lines(here / mine.table, mine.bill, mine.places)
    yield write_html(evidence(mine), here / mine.evidence, parents=True)
    yield write_html(sheet(mine), here / mine.sheet, parents=True)


def _index(statements: Statements, linked: list[tuple[Link, str]]) -> str:
    bill, found = statements.bill, lines(statements.bill, statements.by)
    asked = rounded_texts([Fraction(line.charge) for line in found])
    to_pay = statements.shown([Fraction(line.amount) for line in found])
    rows = [
        (*named, f"{line.jobs:,}", *money)
        for named, line, *money in zip(linked, found, asked, to_pay, strict=True)
    ]
    sums = rounded_texts([Fraction(bill.charges.billed)]) + statements.shown([Fraction(bill.total)])
    total = ("total", "", f"{sum(line.jobs for line in found):,}", *sums)
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
