"""Invoices and credit notes, for those whose account pays them."""

from __future__ import annotations

from collections.abc import Callable

from fastapi import APIRouter, Request, Response
from markupsafe import Markup
from starlette.exceptions import HTTPException
from starlette.responses import RedirectResponse

from swfx.base.numbers import plural
from utilitysched.analysis.documents import Column, Description, ResultTable, column, panel
from utilitysched_web.answers import Shown, View, answer, link_maker
from utilitysched_web.budgets import account_name
from utilitysched_web.doors import Who
from utilitysched_web.invoices import POLICY, Issued, grouped, media_type
from utilitysched_web.listed import Listed
from utilitysched_web.site import Site

router = APIRouter(prefix="/invoices", tags=["bills"])


@router.get("", dependencies=[Listed])
def invoices(request: Request, site: Shown, who: Who) -> Response:
    """List the invoices and credit notes of the account that pays; to operators all."""
    issued = site.issued(who.sees)
    table = invoices_table(site, issued, link_maker(request))
    lead = f"{plural(len(issued.documents), 'document')} issued, the latest first."
    return answer(request, View(Description("Invoices", (table,), (lead,))))


@router.get("/index.html", include_in_schema=False)
def index(request: Request) -> Response:
    """Lead from a document to the list: that beside it has the documents of all."""
    return RedirectResponse(link_maker(request)("/invoices"), 303)


@router.get("/{name}")
def invoice(site: Shown, who: Who, name: str) -> Response:
    """Send a file of a document: NUMBER.html, NUMBER-evidence.html, NUMBER.csv, NUMBER.json."""
    path = site.issued(who.sees).file(name)
    if path is None:
        raise HTTPException(404, "no such document is yours, or its file is not here")
    headers = {"content-security-policy": POLICY}
    if not name.endswith(".html"):
        headers["content-disposition"] = f'attachment; filename="{name}"'
    return Response(path.read_bytes(), 200, headers, media_type=media_type(name))


def invoices_table(
    site: Site, issued: Issued, to: Callable[[str], str], note: str = ""
) -> ResultTable:
    """Return a table of documents, the latest first, linked to their pages where these are."""
    columns = [
        Column("number", write=_document(issued, to), left=True, key="number"),
        column("kind", "text", "kind"),
        column("month", "text", "month"),
        column("account", "text", "account"),
        Column("amount", issued.money.unit, grouped, key="amount"),
        column("issued", "text", "issued"),
        column("due", "text", "due"),
        Column("open", issued.money.unit, grouped, key="open"),
        Column("days overdue", write=_days, key="overdue"),
        column("corrects", "text", "corrects"),
    ]
    rows = [
        (
            each.number,
            each.kind,
            each.month,
            account_name(site, each.account),
            issued.money.plain(each.signed),
            each.issued,
            each.due,
            *_open(issued, each.number),
            each.corrects,
        )
        for each in reversed(issued.documents)
    ]
    return panel("invoices", "Invoices and credit notes", note, columns, rows)


def given_back_table(
    issued: Issued, reference: str, to: Callable[[str], str]
) -> ResultTable | None:
    """Return a table of what documents give back for the job of a reference; None if nothing."""
    plain = issued.money.plain
    rows = [
        (line.document, plain(line.net + line.tax), line.reason)
        for line in issued.lines
        if line.reference == reference
    ]
    columns = [
        Column("document", write=_document(issued, to), left=True, key="document"),
        Column("given back", issued.money.unit, grouped, key="amount"),
        column("reason", "text", "reason"),
    ]
    return panel("given_back", "Given back", "", columns, rows) if rows else None


def _document(issued: Issued, to: Callable[[str], str]) -> Callable[[str], str]:
    """Return a formatter that links numbers of documents to their pages, where there are any."""

    def write(number: str) -> str:
        if issued.file(f"{number}.html") is None:
            return number
        return Markup('<a href="{}">{}</a>').format(to(f"/invoices/{number}.html"), number)

    return write


def _open(issued: Issued, number: str) -> tuple[str, int | None]:
    """Return what is open of a document, and for how many days it is overdue."""
    item = issued.open.get(number)
    if item is None:
        return "", None
    return issued.money.plain(item.open), item.overdue if item.overdue > 0 else None


def _days(days: int | None) -> str:
    return "" if days is None else f"{days:,}"
