"""Pages of invoices, one A4 sheet each, and the files beside them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path

from pricing.keys import words
from pricing.rules.files import write_job_lines
from pricing.rules.statements import lines
from swfx.base.atomic import atomic_write
from utilitysched.analysis.documents import plain_table
from utilitysched.report.statements.evidence import evidence
from utilitysched.report.statements.page import InvoicePage
from utilitysched.report.statements.pdf import write_pdf
from utilitysched.report.statements.statement import (
    Link,
    Statement,
    Statements,
    rounded_texts,
)
from utilitysched.report.statements.ubl import has_ubl, ubl
from utilitysched.report.templating import render, write_html

INDEX = "index.html"


def sheet(mine: Statement) -> str:
    """Return an invoice as a page: what is to be paid, why, and by whom it was paid."""
    page = InvoicePage.of(mine)
    machine = mine.machine if has_ubl(mine) else ""
    index = f"../{INDEX}" if mine.folder else INDEX
    return render(
        "statement.html", title=page.title, mine=mine, index=index, page=page, machine=machine
    )


def unwatched(_: float) -> None:
    """Tell nobody how far anything is."""


def write_pages(
    statements: Statements, folder: Path, on_progress: Callable[[float], None] = unwatched
) -> list[Path]:
    """Write each invoice as a page, its evidence, all of its jobs as a table, and as UBL.

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
        written += _write_files(mine, folder / mine.folder)
        linked.append((_link(mine), mine.name))
        on_progress(mine.number / len(statements))
    return [*written, write_html(_index(statements, linked), folder / INDEX, parents=True)]


def write_pdfs(
    statements: Statements, folder: Path, on_progress: Callable[[float], None] = unwatched
) -> list[Path]:
    """Write each invoice as PDF; parameters as of `write_pages`.

    Raises
    ------
    InputError
        A file cannot be written.
    """
    written = []
    for mine in statements:
        written.append(write_pdf(mine, folder / mine.folder / f"{mine.stem}.pdf"))
        on_progress(mine.number / len(statements))
    return written


def _write_files(mine: Statement, here: Path) -> Iterator[Path]:
    yield write_job_lines(here / mine.table, mine.bill, mine.places)
    yield write_html(evidence(mine), here / mine.evidence, parents=True)
    yield write_html(sheet(mine), here / mine.sheet, parents=True)
    if has_ubl(mine):
        yield _write_bytes(ubl(mine), here / mine.machine)


def _link(mine: Statement) -> Link:
    target = f"{mine.folder}/{mine.sheet}".lstrip("/")
    return Link(target, mine.heading.number or "statement")


def _write_bytes(data: bytes, path: Path) -> Path:
    with atomic_write(path, parents=True) as stream:
        stream.write(data)
    return path


def _index(statements: Statements, linked: list[tuple[Link, str]]) -> str:
    bill = statements.bill
    found = lines(bill, statements.by)
    asked = rounded_texts([Fraction(line.charge) for line in found])
    to_pay = statements.shown([Fraction(line.amount) for line in found])
    rows = [
        (*names, f"{line.jobs:,}", *prices)
        for names, line, *prices in zip(linked, found, asked, to_pay, strict=True)
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
