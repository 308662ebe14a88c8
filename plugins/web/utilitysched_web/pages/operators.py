"""Pages for operators: use and money at a glance, accounts, disputes, runs, the ledger, the log."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

from fastapi import APIRouter, Depends, Query, Request, Response
from starlette.exceptions import HTTPException

from swfx.base.csv_columns import read_columns
from utilitysched.analysis.documents import (
    Column,
    Description,
    ResultTable,
    column,
    panel,
    plain_table,
)
from utilitysched.market.audit.plan import DOCUMENT
from utilitysched.market.audit.summary import ALL, MeasureRow
from utilitysched_centre.accounts import CREDIT_NOTE, Account, Book
from utilitysched_centre.payment import RECONCILIATION_FILE
from utilitysched_centre.report.accounts import balances, checks_table, holds_table
from utilitysched_web.answers import Page, Shown, View, answer, keyed, link_maker, linked
from utilitysched_web.audit import audit_lines
from utilitysched_web.budgets import (
    Spenders,
    account_name,
    accounts_table,
    running_out,
)
from utilitysched_web.doors import operators_only
from utilitysched_web.invoices import Issued, grouped
from utilitysched_web.listed import Listed, path_of
from utilitysched_web.overview import (
    budgets_said,
    disputes_said,
    income_by_month,
    overview_document,
    recomputations,
)
from utilitysched_web.pages.invoices import invoices_table
from utilitysched_web.site import Site
from utilitysched_web.trends import (
    Length,
    trend_of,
    usual_length,
)

router = APIRouter(
    prefix="/operators", tags=["operators"], dependencies=[Depends(operators_only), Listed]
)

OPERATOR_PAGES = (
    Page("/operators", "Overview"),
    Page("/operators/accounts", "Accounts"),
    Page("/operators/disputes", "Disputes"),
    Page("/operators/runs", "Runs and audits"),
    Page("/operators/mechanisms", "Mechanisms"),
    Page("/operators/ledger", "Ledger"),
    Page("/operators/sign-ins", "Sign-ins"),
    Page("/operators/log", "Log of writes"),
)

LATEST = 20_000
"""Lines of the audit log that are shown."""

HOW_TO_AUDIT = (
    "None of these runs was audited. An audit says whether users gain by misreporting:"
    " utilitysched audit LOG --scheduler NAME --mechanism NAME --out DIR, where DIR is a folder"
    " beside the run that is served, or in it."
)

_AMOUNT = re.compile(r"-?\d+\.\d+")


def operators_answer(request: Request, view: View) -> Response:
    """Send a view of operators, with links to their other pages."""
    values = {**view.values, "beside": OPERATOR_PAGES, "at": path_of(request)}
    template = "operators.html" if view.template == "document.html" else view.template
    return answer(request, View(view.document, template, values, view.status))


@router.get("")
def overview(
    request: Request,
    site: Shown,
    by: Annotated[Length | None, Query(description="Length of the periods shown.")] = None,
    account: Annotated[str, Query(max_length=200, description="Only what it paid for.")] = "",
) -> Response:
    """Show utilisation, queue, charges, budgets and disputes, by periods; of all or one account."""
    spenders = Spenders.of(site)
    counted = spenders.jobs_of(account) if account else None
    if account and counted is None:
        raise HTTPException(404, "no job is paid by such an account")
    length = by or usual_length(site.results)
    trend = trend_of(site.results, site.bill, length, counted)
    document = overview_document(site, spenders, trend, account, link_maker(request))
    values = {
        "lengths": ("day", "week", "month"),
        "by": length,
        "accounts": sorted(spenders.names),
        "account": account,
    }
    return operators_answer(request, View(document, "operators-overview.html", values))


@router.get("/accounts")
def accounts(request: Request, site: Shown) -> Response:
    """Show what each account used, was charged, has left, and until when that lasts."""
    rows = Spenders.of(site).spending()
    table = accounts_table(site, rows, link_maker(request))
    said = budgets_said(site, running_out(rows))
    return operators_answer(request, View(Description("Accounts", (table,), (said,))))


@router.get("/disputes")
def disputes(request: Request, site: Shown) -> Response:
    """Show charges recomputed on request with their verdicts, credit notes and invoices."""
    to, issued = link_maker(request), site.issued(None)
    names = site.results.workload.job_names
    columns = [
        column("at", "text", "at"),
        column("user", "text", "user"),
        Column("job", write=linked(to, "/bills/", names.name), key="job"),
        column("verdict", "text", "verdict"),
    ]
    rows = [
        (line["at"][:16].replace("T", " "), line["user"], line["job"], line["verdict"])
        for line in recomputations(site)
    ]
    panels = [panel("recomputed", "Charges recomputed on request", "", columns, rows)]
    if issued.documents:
        panels += [_credits(site, issued), invoices_table(site, issued, to)]
    return operators_answer(request, View(Description("Disputes", panels, (disputes_said(site),))))


def _credits(site: Site, issued: Issued) -> ResultTable:
    """Return the credit notes, with the jobs that they are for and the reasons."""
    columns = [
        column("number", "text", "number"),
        column("account", "text", "account"),
        column("corrects", "text", "corrects"),
        Column("given back", issued.money.unit, grouped, key="amount"),
        column("jobs", "text", "jobs"),
        column("reason", "text", "reason"),
    ]
    rows = [
        (
            each.number,
            account_name(site, each.account),
            each.corrects,
            issued.money.plain(each.amount),
            issued.jobs(each.number),
            issued.reasons(each.number),
        )
        for each in reversed(issued.documents)
        if each.kind == CREDIT_NOTE
    ]
    return panel("credits", "Credit notes", "", columns, rows)


@router.get("/runs")
def runs(request: Request, site: Shown) -> Response:
    """Compare the run with those beside it, and show the verdicts of audits."""
    from utilitysched.report.html.shown import Shown as ShownRuns  # noqa: PLC0415 - half a second
    from utilitysched.report.html.summary import figures_table  # noqa: PLC0415

    lead = (f"Users are shown the run {site.results.label}.",)
    table = keyed(figures_table(ShownRuns.of(site.runs)), "runs", "Runs")
    document = Description("Runs and audits", (table, _audits(site)), lead)
    return operators_answer(request, View(document))


def _audits(site: Site) -> ResultTable:
    """Return the verdicts of the audits in the run's folder and beside it."""
    from utilitysched.report.audit import BEST_LIE, verdict  # noqa: PLC0415 - charts take time

    rows: list[tuple[str, int | None, str]] = []
    for path in _audit_files(site):
        try:
            audit = json.loads(path.read_text("utf-8"))
            summary = [MeasureRow(**row) for row in audit["summary"]]
            rows += [
                (audit["scheduler"], row.jobs, verdict(row))
                for row in summary
                if (row.measure, row.congestion) == (BEST_LIE, ALL)
            ]
        except (ValueError, KeyError, TypeError):  # half a file, or of another version
            rows.append((path.parent.name, None, f"{DOCUMENT} cannot be read; audit again"))
    columns = [
        column("scheduler", "text", "scheduler"),
        column("jobs", "count", "jobs"),
        column("verdict", "text", "verdict"),
    ]
    return panel("audits", "Audits", "" if rows else HOW_TO_AUDIT, columns, rows)


def _audit_files(site: Site) -> list[Path]:
    places = {site.run, site.run.parent, site.state}
    found = {each.resolve() for place in places for each in place.glob(f"*/{DOCUMENT}")}
    found |= {each.resolve() for place in places for each in place.glob(DOCUMENT)}
    return sorted(found)


@router.get("/log")
def log(request: Request, site: Shown) -> Response:
    """Show the requests that changed something, or would have, the latest first."""
    names = ("at", "user", "role", "method", "path", "status")
    rows = [tuple(line.get(name) for name in names) for line in audit_lines(site.state, LATEST)]
    columns = [column(name, "text", name) for name in names]
    table = panel("audit", "What was changed", "", columns, rows)
    return operators_answer(request, View(Description("Log of writes", (table,))))


@router.get("/ledger")
def ledger(request: Request, site: Shown) -> Response:
    """Show accounts, holds, months, reconciliations, and whether the ledger holds together."""
    return operators_answer(request, View(ledger_document(site)))


def ledger_document(site: Site) -> Description:
    """Return all of a ledger but its entries."""
    verdict, tables = site.verdict(), site.books.ask(_read_ledger)
    failed = [each.name for each in verdict.checks if not each.holds]
    unit = site.books.ask(lambda book: book.money.unit)
    lead = (
        f"DOES NOT HOLD: {', '.join(failed)}." if failed else "All checks hold.",
        f"Checked on {datetime.fromtimestamp(verdict.at, UTC):%Y-%m-%d at %H:%M} UTC.",
        f"The ledger counts in {unit}.",
    )
    checks = keyed(checks_table(verdict.checks), "checks", "Checks")
    folded = _reconciliation(site.run / RECONCILIATION_FILE)
    return Description("Ledger", [_named(site, tables[0]), *tables[1:], checks], lead, folded)


def _named(site: Site, table: ResultTable) -> ResultTable:
    """Return a table of accounts with the names of users and groups behind their numbers."""

    def named(text: str) -> str:
        account = Account(*text.partition(":")[::2])
        name = account_name(site, account)
        known = name in {account.name, f"{account.kind} {account.name}"}
        return text if known else f"{text} ({name})"

    return replace(table, rows=[(named(row[0]), *row[1:]) for row in table.rows])


def _read_ledger(book: Book) -> list[ResultTable]:
    """Return accounts, holds and income of a ledger."""
    return [
        keyed(balances(book, None), "accounts", "Accounts"),
        keyed(holds_table(book, book.holds()), "holds", "Held for jobs that have not ended"),
        _income(book),
    ]


def _income(book: Book) -> ResultTable:
    unit = book.money.unit
    rows = [
        (month, *map(book.money.short, (charged, back, charged - back)))
        for month, (charged, back) in income_by_month(book).items()
    ]
    heads = ["month", f"charged ({unit})", f"given back ({unit})", f"income ({unit})"]
    return keyed(plain_table(heads, rows), "income", "Income by month")


def _reconciliation(path: Path) -> list[ResultTable]:
    if not path.exists():
        return []
    cells = read_columns(str(path)).cells
    heads = [name.replace("_", " ") for name in cells]
    rows = [
        tuple(grouped(cell) if _AMOUNT.fullmatch(cell) else cell for cell in row)
        for row in zip(*cells.values(), strict=True)
    ]
    table = plain_table(heads, rows, left=2)
    return [keyed(table, "reconciliation", "The bill, reconciled")]
