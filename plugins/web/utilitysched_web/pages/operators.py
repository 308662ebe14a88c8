"""Pages for operators: runs, experiments, the ledger, audits, and who changed what."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Callable
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any

from fastapi import APIRouter, Depends, Request, Response
from starlette.exceptions import HTTPException

from swfx import InputError
from swfx.base.csv_columns import read_columns
from swfx.base.numbers import plural
from utilitysched.analysis.documents import (
    Column,
    Description,
    ResultTable,
    column,
    panel,
    plain_table,
)
from utilitysched.experiments.work import ExperimentWork, open_work, result_of
from utilitysched.market.audit.files import DOCUMENT
from utilitysched.market.audit.summary import MeasureRow
from utilitysched.runs.bill_csv import RECONCILIATION_FILE
from utilitysched_centre.accounts import Book
from utilitysched_centre.report.accounts import balances, checks_table, holds_table, income_document
from utilitysched_web.answers import Shown, View, answer, keyed, link_maker, linked, wants_json
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

    table = keyed(figures_table(ShownRuns.of(site.runs)), "runs", "Runs")
    return Description("Operators", (table, _writes(site)), (str(site.run),))


def _writes(site: Site) -> ResultTable:
    names = ("at", "user", "role", "method", "path", "status")
    rows = [tuple(line.get(name) for name in names) for line in audit_lines(site.state, LATEST)]
    columns = [column(name, "text", name) for name in names]
    note = f"The latest {LATEST} at most." if rows else ""
    return panel("audit", "What was changed", note, columns, rows)


@router.get("/report")
def report(request: Request, site: Shown) -> Response:
    """Show the report of the runs: interactive charts, in a sandbox of their own."""
    if wants_json(request):
        return answer(request, View(overview_document(site)))
    headers = {"content-security-policy": report_policy()}
    return Response(site.report, media_type="text/html", headers=headers)


@cache
def report_policy() -> str:
    """Return what a report may do: run its own scripts, and see nothing of this server."""
    from utilitysched.report.html.report import report_scripts  # noqa: PLC0415 - a second

    digests = [hashlib.sha256(each.encode()).digest() for each in report_scripts()]
    allowed = " ".join(f"'sha256-{base64.b64encode(each).decode()}'" for each in digests)
    return (
        "sandbox allow-scripts allow-downloads; default-src 'none';"
        f" script-src {allowed} 'unsafe-eval'; style-src 'unsafe-inline';"
        " img-src data: blob:; font-src data:; frame-ancestors 'none'; base-uri 'none'"
    )


@router.get("/experiments")
def experiments(request: Request, site: Shown) -> Response:
    """Show how far experiments are."""
    document = experiments_document(site, link_maker(request))
    return answer(request, View(document, "live.html"))


def experiments_document(site: Site, to: Callable[[str], str]) -> Description:
    """Return the progress of each experiment."""
    rows = []
    for number, file in enumerate(site.experiments, 1):
        work = open_work(file, None, lambda _: None)
        wanted = len(work.cells)
        there = wanted - len(work.store.missing(work.cells))
        rows.append((number, work.experiment.name, there, wanted, there / max(wanted, 1)))
    columns = [
        Column("", write=linked(to, "/operators/experiments/"), key="number"),
        column("experiment", "text", "name"),
        column("finished", "count", "finished"),
        column("of", "count", "wanted"),
        column("%", "percent", "share"),
    ]
    table = panel("experiments", "Progress", "", columns, rows, bars="share" if rows else "")
    named = () if rows else ("Name some: utilitysched serve --experiment FILE.",)
    return Description("Experiments", (table,), named)


@router.get("/experiments/{number}")
def experiment(request: Request, site: Shown, number: int) -> Response:
    """Show the results of an experiment so far."""
    if not 1 <= number <= len(site.experiments):
        raise HTTPException(404, "no such experiment")
    work = open_work(site.experiments[number - 1], None, lambda _: None)
    return answer(request, View(experiment_document(work)))


def experiment_document(work: ExperimentWork) -> Description:
    """Return the results so far as the page of ``experiment report`` shows them."""
    from utilitysched.report.experiment.page import experiment_page  # noqa: PLC0415 - a second
    from utilitysched.report.experiment.tables import experiment_tables  # noqa: PLC0415

    result = result_of(work)
    return experiment_page(result, experiment_tables(result))


@router.get("/ledger")
def ledger(request: Request, site: Shown) -> Response:
    """Show accounts, holds, months, reconciliations, and whether the ledger holds together."""
    return answer(request, View(ledger_document(site)))


def ledger_document(site: Site) -> Description:
    """Return all of a ledger but its entries."""
    tables, said = site.books.ask(_read_ledger)
    tables[3:3] = _reconciliation(site.run / RECONCILIATION_FILE)
    return Description("Ledger", tables, (said,))


def _read_ledger(book: Book) -> tuple[list[ResultTable], str]:
    """Return tables of a ledger, and whether it holds together."""
    checks = book.verify()
    failed = [each.name for each in checks if not each.holds]
    said = f"DOES NOT HOLD: {', '.join(failed)}" if failed else "All checks hold."
    tables = [
        keyed(balances(book, None), "accounts", "Accounts"),
        keyed(holds_table(book, book.holds()), "holds", "Held for jobs that have not ended"),
        _income(income_document(book, _last_month(book))),
        keyed(checks_table(checks), "checks", "Checks"),
    ]
    return tables, f"{book.source}. {said}"


def _last_month(book: Book) -> str:
    return max((each.month for each in book.income()), default="")


def _income(found: dict[str, Any]) -> ResultTable:
    rows = [tuple(map(_grouped, each.values())) for each in found["accounts"]]
    total = [("total", _grouped(found["charged"]), _grouped(found["refunded"]))] if rows else []
    unit = found["unit"]
    heads = ["account", f"charged ({unit})", f"given back ({unit})"]
    return keyed(plain_table(heads, rows, total=total), "income", "Last month")


def _reconciliation(path: Path) -> list[ResultTable]:
    if not path.exists():
        return []
    cells = read_columns(str(path)).cells
    heads = [name.replace("_", " ") for name in cells]
    rows = [tuple(map(_grouped, row)) for row in zip(*cells.values(), strict=True)]
    table = plain_table(heads, rows, left=2)
    return [keyed(table, "reconciliation", "The bill, reconciled")]


def _grouped(text: str) -> str:
    """Write an amount with commas between thousands, and anything else as it is."""
    return f"{Decimal(text):,}" if _AMOUNT.fullmatch(text) else text


@router.get("/audits")
def audits(request: Request, site: Shown) -> Response:
    """Show what users would gain by lying, by audits that were made."""
    return answer(request, View(audits_document(site)))


def audits_document(site: Site) -> Description:
    """Return the summary of each audit.

    Raises
    ------
    InputError
        A directory holds none.
    """
    tables = [_audit(f"audit_{i}", path) for i, path in enumerate(site.audits, 1)]
    named = () if tables else ("Name some: utilitysched serve --audit DIR.",)
    return Description("Audits", tables, named)


def _audit(key: str, directory: Path) -> ResultTable:
    try:
        found = json.loads((directory / DOCUMENT).read_text("utf-8"))
        rows = [MeasureRow(**row) for row in found["summary"]]
        about = f"{found['scheduler']}, {plural(found['jobs'], 'job')}"
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputError(
            "holds no audit", source=str(directory), remedy="utilitysched audit LOG -o DIR"
        ) from error
    columns = [
        column("mechanism", "text", "mechanism"),
        column("what", "text", "measure"),
        column("congestion", "text", "congestion"),
        column("jobs", "count", "jobs"),
        column("gain (SU)", "number", "gain"),
        column("from", "number", "low"),
        column("to", "number", "high"),
        column("% of worth", "percent", "share"),
        column("% lie", "percent", "lying"),
    ]
    note = "gain: what a job's user gets more than with the truth; from, to: 95% interval."
    return panel(key, f"{directory.name}: {about}", note, columns, rows)
