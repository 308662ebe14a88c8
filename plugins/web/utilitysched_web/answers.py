"""Views that pages return, sent as HTML, or as JSON to who asks for that."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Annotated, Any, NamedTuple
from urllib.parse import quote

from fastapi import Depends, Request, Response
from markupsafe import Markup

from swfx import InputError
from utilitysched.analysis.documents import Description, Panel, ResultTable, ValueChart
from utilitysched.report.templating import LONG, WIDE, environment
from utilitysched.runs.files import json_text
from utilitysched_web.doors import CSRF_FIELD, CSRF_HEADER, Identity
from utilitysched_web.listed import (
    Columns,
    PanelLinks,
    TablePage,
    TableQuery,
    csv_answer,
    panel_links,
    path_of,
    table_pages,
    with_pages,
)
from utilitysched_web.pages.files import library_name
from utilitysched_web.quote_store import ExhaustedError
from utilitysched_web.site import Site

PACKAGE = "utilitysched_web"
NO_PAGES: Mapping[str, TablePage] = {}
NO_LINKS: Mapping[str, PanelLinks] = {}
DOWNLOAD = {"content-disposition": 'attachment; filename="api.json"'}
"""Of JSON, so that no browser takes it for a page."""


class Page(NamedTuple):
    """A link in the navigation.

    Attributes
    ----------
    path : str
        Below the base path.
    name : str
        What people read.
    role : str
        Whose: "user" for everybody's.
    """

    path: str
    name: str
    role: str = "user"


NAVIGATION = (
    Page("/", "Home"),
    Page("/curves", "Curves"),
    Page("/quote", "Quote"),
    Page("/queue", "Queue"),
    Page("/bills", "Bills"),
    Page("/invoices", "Invoices"),
    Page("/operators", "Operators", "operator"),
    Page("/docs", "For programs"),
)


@dataclass(frozen=True)
class View:
    """Contents of a page, in HTML or JSON.

    Attributes
    ----------
    document : Description
        Facts, tables and charts: all of it in JSON, too.
    template : str
        Of `utilitysched_web`; the plain one shows the document's panels and nothing else.
    values : mapping
        What the template needs besides: choices of a form, for instance.
    status : int
        Of the answer.
    pictures : mapping
        Columns of charts that are no panels of the document, by name.
    """

    document: Description
    template: str = "document.html"
    values: Mapping[str, Any] = field(default_factory=dict)
    status: int = 200
    pictures: Mapping[str, Columns] = field(default_factory=dict)


def wants_json(request: Request) -> bool:
    """Whether a program asks: by ``?format=json``, or by the header ``Accept``."""
    if "format" in request.query_params:
        return request.query_params["format"] == "json"
    accepted = request.headers.get("accept", "")
    return "application/json" in accepted and "text/html" not in accepted


def answer(request: Request, view: View) -> Response:
    """Send a view: long tables by pages, or one of its tables or charts as CSV."""
    query: TableQuery | None = getattr(request.state, "tables", None)
    if query is None:
        return _answer(request, view)
    if query.csv:
        return csv_answer(view.document, query.csv, view.pictures)
    pages = table_pages(view.document, query)
    links = panel_links(request, view.document, pages, link_maker(request))
    paged = replace(view, document=with_pages(view.document, pages))
    return _answer(request, paged, pages, links)


def _answer(
    request: Request,
    view: View,
    pages: Mapping[str, TablePage] = NO_PAGES,
    links: Mapping[str, PanelLinks] = NO_LINKS,
) -> Response:
    if wants_json(request):
        document = json_document(view.document)
        if pages:
            document["pages"] = {key: page.to_dict() for key, page in pages.items()}
        return json_answer(document, view.status)
    shown = _shown(view)
    if pages:  # a script would sort and search what is on the page, and nothing else
        shown["sortable"] = False
    return html_answer(request, view.template, view.status, links=links, **shown)


def status_of(error: Exception) -> int:
    """Return the status of an answer that refuses: 429 where there were too many questions."""
    return 429 if isinstance(error, ExhaustedError) else 400


def refusal(error: InputError) -> str:
    """Return why a field of a form is refused, and what to write, to stand beside it."""
    return "; ".join(filter(None, (error.message, error.remedy)))


def json_document(document: Description) -> dict[str, object]:
    """Return a document in its JSON form."""
    every = (*document.panels, *document.folded)
    panels = {panel.key: panel.to_dict() for panel in every}
    return {"title": document.title, "lead": list(document.lead), **panels}


def json_answer(value: object, status: int = 200) -> Response:
    """Send a value as JSON."""
    text = json_text(value, indent=None)
    return Response(text, status, DOWNLOAD, media_type="application/json; charset=utf-8")


def html_answer(request: Request, template: str, status: int = 200, **values: Any) -> Response:
    """Send a template filled in, with the navigation of who asks."""
    who: Identity | None = getattr(request.state, "identity", None)
    found = environment(PACKAGE).get_template(template)
    common = {
        "to": link_maker(request),
        "who": who,
        "csrf": who.csrf if who else "",
        "csrf_field": CSRF_FIELD,
        "csrf_header": CSRF_HEADER,
        "here": f"/{path_of(request).lstrip('/').partition('/')[0]}",
        "pages": [page for page in NAVIGATION if who and page.role in {"user", who.role}],
        "version": request.app.state.version,
        "chart_library": library_name,
    }
    return Response(found.render(**common | values), status, media_type="text/html")


def fragment(template: str, document: Description) -> str:
    """Return a part of a page that shows a document, to be put into one that is open."""
    return environment(PACKAGE).get_template(template).render(**_shown(View(document)))


def _shown(view: View) -> dict[str, Any]:
    panels = view.document.panels
    return {
        "title": view.document.title,
        "sentences": view.document.lead,
        "panels": panels,
        "details": view.document.folded,
        "widest": WIDE,
        "sortable": any(map(_is_long, panels)),
        "drawn": any(isinstance(panel, ValueChart) for panel in panels),
        **view.values,
    }


def _is_long(panel: Panel) -> bool:
    return isinstance(panel, ResultTable) and len(panel.rows) >= LONG


def link_maker(request: Request) -> Callable[[str], str]:
    """Return what puts the base path before a path of this server."""
    base = request.scope.get("root_path", "").rstrip("/")
    return lambda path: f"{base}{path}"


def keyed(table: ResultTable, key: str, caption: str) -> ResultTable:
    """Return a table of texts as a part of a document: with a name, and names of its columns."""
    columns = [
        each
        if each.key
        else replace(each, key=re.sub("[^a-z0-9]+", "_", each.name.lower()).strip("_"))
        for each in table.columns
    ]
    return replace(table, columns=columns, key=key, caption=caption)


def linked(
    to: Callable[[str], str], before: str, text: Callable[[Any], str] = str
) -> Callable[[object], str]:
    """Return what writes the cells of a column as links to the address that ends with the cell."""

    def write(cell: object) -> str:
        address = to(before + quote(str(cell), safe=""))
        return Markup('<a href="{}">{}</a>').format(address, text(cell))

    return write


async def site_of(request: Request) -> Site:
    """Return what the server shows."""
    site: Site = request.app.state.site
    return site


Shown = Annotated[Site, Depends(site_of)]
"""A page's parameter: what the server shows."""
