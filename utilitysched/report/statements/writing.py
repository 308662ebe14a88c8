"""Files of statements: three each, and a page that links them."""

from __future__ import annotations

from pathlib import Path

from pricing.ledger import plain
from pricing.rules.files import write_job_lines
from pricing.rules.statements import lines
from utilitysched.analysis.documents import plain_table
from utilitysched.report.bill import money_names
from utilitysched.report.statements.evidence import evidence
from utilitysched.report.statements.sheet import INDEX, sheet
from utilitysched.report.statements.statement import Link, Statement, Statements
from utilitysched.report.templating import render, write_html


def write_pages(statements: Statements, folder: Path) -> list[Path]:
    """Write for each statement a sheet to print, its evidence, and all of its jobs as a table.

    The sheet is one A4 page. Pages refer to each other and to the files of the bill, and to nothing
    else.

    Returns
    -------
    list of Path
        The files, that with the links last.
    """
    written = []
    every = list(statements)
    for mine in every:
        written += [
            write_job_lines(folder / mine.table, mine.bill, mine.places),
            write_html(evidence(mine, folder), folder / mine.evidence, parents=True),
            write_html(sheet(mine), folder / mine.sheet, parents=True),
        ]
    return [*written, write_html(_index(statements, every), folder / INDEX, parents=True)]


def _index(statements: Statements, every: list[Statement]) -> str:
    bill = statements.bill
    found = lines(bill, statements.by)
    rows = [
        (Link(mine.sheet, mine.name), f"{line.jobs:,}", f"{line.charged:,}", *map(plain, line[3:]))
        for mine, line in zip(every, found, strict=True)
    ]
    charged = sum(line.charged for line in found)
    sums = (bill.charges.billed, bill.money(bill.net), bill.money(bill.tax), bill.total)
    total = ("total", f"{len(bill):,}", f"{charged:,}", *map(plain, sums))
    heads = [statements.by, "jobs", "charged", "asked (SU)", *money_names(bill)]
    shown = plain_table(heads, rows, total=[total])
    return render("statements.html", title="Statements", centre=bill.rules.centre, shown=shown)
