"""Pages for operators: runs, the ledger, and the latest writes."""

from __future__ import annotations

import re
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Any

from fastapi import APIRouter, Depends, Request, Response

from swfx.base.csv_columns import read_columns
from utilitysched.analysis.documents import (
    Description,
    ResultTable,
    column,
    panel,
    plain_table,
)
from utilitysched_centre.accounts import Book
from utilitysched_centre.payment import RECONCILIATION_FILE
from utilitysched_centre.report.accounts import balances, checks_table, holds_table, income_document
from utilitysched_web.answers import Shown, View, answer, keyed
from utilitysched_web.audit import audit_lines
from utilitysched_web.doors import operators_only
from utilitysched_web.site import Site

router = APIRouter(prefix="/operators", tags=["operators"], dependencies=[Depends(operators_only)])

LATEST = 200
"""Lines of the audit log that are shown."""

_AMOUNT = re.compile(r"-?\d+\.\d+")


@router.get("")
def overview(request: Request, site: Shown) -> Response:
    """Compare the run with other runs of its folder, and show the latest writes."""
    return answer(request, View(overview_document(site), "operators.html"))


def overview_document(site: Site) -> Description:
    """Return runs beside each other, and the latest writes."""
    from utilitysched.report.html.shown import Shown as ShownRuns  # noqa: PLC0415 - half a second
    from utilitysched.report.html.summary import figures_table  # noqa: PLC0415

    lead = (f"Users are shown the run {site.run}.",)
    table = keyed(figures_table(ShownRuns.of(site.runs)), "runs", "Runs")
    return Description("Operators", (table, _writes(site)), lead)


def _writes(site: Site) -> ResultTable:
    names = ("at", "user", "role", "method", "path", "status")
    rows = [tuple(line.get(name) for name in names) for line in audit_lines(site.state, LATEST)]
    columns = [column(name, "text", name) for name in names]
    note = f"The latest {LATEST} at most." if rows else ""
    return panel("audit", "What was changed", note, columns, rows)


@router.get("/ledger")
def ledger(request: Request, site: Shown) -> Response:
    """Show accounts, holds, months, reconciliations, and whether the ledger holds together."""
    return answer(request, View(ledger_document(site)))


def ledger_document(site: Site) -> Description:
    """Return all of a ledger but its entries."""
    tables, lead = site.books.ask(_read_ledger)
    tables[3:3] = _reconciliation(site.run / RECONCILIATION_FILE)
    return Description("Ledger", tables, lead)


def _read_ledger(book: Book) -> tuple[list[ResultTable], tuple[str, ...]]:
    """Return tables of a ledger, and whether it holds together."""
    checks = book.verify()
    failed = [each.name for each in checks if not each.holds]
    verdict = f"DOES NOT HOLD: {', '.join(failed)}." if failed else "All checks hold."
    tables = [
        keyed(balances(book, None), "accounts", "Accounts"),
        keyed(holds_table(book, book.holds()), "holds", "Held for jobs that have not ended"),
        _income(income_document(book, _last_month(book))),
        keyed(checks_table(checks), "checks", "Checks"),
    ]
    return tables, (verdict, f"The ledger is {book.source}.")


def _last_month(book: Book) -> str:
    return max((each.month for each in book.income()), default="")


def _income(document: dict[str, Any]) -> ResultTable:
    rows = [tuple(map(_grouped, each.values())) for each in document["accounts"]]
    total = (
        [("total", _grouped(document["charged"]), _grouped(document["refunded"]))] if rows else []
    )
    unit = document["unit"]
    heads = ["account", f"charged ({unit})", f"given back ({unit})"]
    return keyed(plain_table(heads, rows, total=total), "income", "Last month")


def _reconciliation(path: Path) -> list[ResultTable]:
    if not path.exists():
        return []
    cells = read_columns(str(path)).cells
    heads = [name.replace("_", " ") for name in cells]
    rows = [tuple(map(_grouped, row)) for row in zip(*cells.values(), strict=True)]
    table = plain_table(heads, rows, left=2)
    return [replace(keyed(table, "reconciliation", "The bill, reconciled"), folded=True)]


def _grouped(text: str) -> str:
    """Write an amount with commas between thousands, and anything else as it is."""
    return f"{Decimal(text):,}" if _AMOUNT.fullmatch(text) else text
