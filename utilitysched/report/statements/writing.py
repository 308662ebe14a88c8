"""Writing statements: three files each, and a page that links them."""

from __future__ import annotations

from html import escape
from pathlib import Path

from pricing.ledger import plain
from pricing.rules.files import write_job_lines
from pricing.rules.invoice import Invoice
from pricing.rules.statements import lines
from swfx.base.atomic import atomic_write
from utilitysched.report.invoices import money_names
from utilitysched.report.statements.evidence import evidence
from utilitysched.report.statements.html import link, page, table
from utilitysched.report.statements.sheet import INDEX, sheet
from utilitysched.report.statements.statement import Statement, Statements


def write_pages(statements: Statements, folder: Path) -> list[Path]:
    """Write for each statement a sheet to print, its evidence, and all of its jobs as a table.

    The sheet is one A4 page. Pages refer to each other and to the files of the bill, and to nothing
    else.

    Parameters
    ----------
    statements : Statements
        An invoice, and whose statements are made of it.
    folder : Path
        Made if it does not exist.

    Returns
    -------
    list of Path
        The files, that with the links last.

    Raises
    ------
    InputError
        If the folder cannot be written.
    """
    written = []
    every = list(statements)
    for mine in every:
        written += [
            write_job_lines(folder / mine.table, mine.bill, mine.places),
            _write(folder / mine.evidence, evidence(mine, folder)),
            _write(folder / mine.sheet, sheet(mine)),
        ]
    return [*written, _write(folder / INDEX, _index(statements, every))]


def _write(path: Path, text: str) -> Path:
    with atomic_write(path, parents=True) as stream:
        stream.write(text.encode(errors="replace"))
    return path


def _index(statements: Statements, every: list[Statement]) -> str:
    bill = statements.bill
    rows = [
        (link(mine.sheet, mine.name), f"{line.jobs:,}", f"{line.charged:,}", *map(plain, line[3:]))
        for mine, line in zip(every, lines(bill, statements.by), strict=True)
    ]
    charged = sum(line.charged for line in lines(bill, statements.by))
    heads = [statements.by, "jobs", "charged", "asked (SU)", *money_names(bill)]
    total = ("total", f"{len(bill):,}", f"{charged:,}", plain(bill.charges.billed), *_sums(bill))
    centre = bill.rules.centre
    name = escape(centre.name) if centre else ""
    return page(
        "Statements",
        f"<header><div class=name>{name}</div><h1>Statements</h1></header>"
        f"<main>{table(heads, rows, total)}</main>",
    )


def _sums(bill: Invoice) -> list[str]:
    return [plain(money) for money in (bill.money(bill.net), bill.money(bill.tax), bill.total)]
