"""Parts of a page's tables: rows by fifty, rows with some words, in some order, and all as CSV."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal, InvalidOperation
from typing import Annotated, Any, NamedTuple
from urllib.parse import urlencode

from fastapi import Depends, Query, Request, Response
from markupsafe import Markup
from starlette.exceptions import HTTPException

from swfx.base.csv_rows import csv_text
from utilitysched.analysis.documents import (
    ColumnChart,
    Description,
    Facts,
    Panel,
    ResultTable,
)
from utilitysched.report.templating import LONG

ROWS = 50
"""Rows of a table on a page."""

Columns = Mapping[str, Sequence[Any]]
"""Of a picture, by name."""

NO_PICTURES: Mapping[str, Columns] = {}


def path_of(request: Request) -> str:
    """Return the path of a request below the base path."""
    return request.url.path.removeprefix(request.scope.get("root_path", ""))


class TableQuery(NamedTuple):
    """What a request wants of the tables of a page.

    Attributes
    ----------
    page : int
        Which fifty rows of the long table, from 1.
    table : str
        Name of the long table that the others are about, where a page has several.
    find : str
        Words that the rows shown have.
    sort : str
        Name of the column by which they are sorted; with ``-`` before it the largest come first.
    csv : str
        Name of the table or chart that is wanted as CSV in place of the page.
    """

    page: int = 1
    table: str = ""
    find: str = ""
    sort: str = ""
    csv: str = ""


async def table_query(
    request: Request,
    page: Annotated[int, Query(ge=1, le=1_000_000, description="Which 50 rows.")] = 1,
    table: Annotated[str, Query(max_length=40, description="Of which table.")] = "",
    find: Annotated[str, Query(max_length=100, description="Words in its rows.")] = "",
    sort: Annotated[str, Query(max_length=40, description="Column, or -column.")] = "",
    csv: Annotated[str, Query(max_length=40, description="Table or chart, as CSV.")] = "",
) -> None:
    """Keep what a request wants of tables until the page is answered."""
    request.state.tables = TableQuery(page, table, find, sort, csv)


Listed = Depends(table_query)
"""Of routes whose tables have pages, and CSV behind tables and charts."""


@dataclass(frozen=True)
class TablePage:
    """Rows of a table that a page shows, and where the others are.

    Attributes
    ----------
    table : ResultTable
        With the rows shown.
    number, pages : int
        Which page of how many.
    rows : int
        In all pages.
    query : TableQuery
        That led to it.
    """

    table: ResultTable
    number: int
    pages: int
    rows: int
    query: TableQuery

    @property
    def place(self) -> str:
        """Which rows are shown: ``51-100 of 404``."""
        first = (self.number - 1) * ROWS + 1
        last = min(self.rows, self.number * ROWS)
        return f"{first:,}\u2013{last:,} of {self.rows:,}" if self.rows else "no such row"

    def to_dict(self) -> dict[str, int]:
        """Return the place for JSON."""
        return {"page": self.number, "pages": self.pages, "rows": self.rows}


def table_pages(document: Description, query: TableQuery) -> dict[str, TablePage]:
    """Return the rows to show of each long table, by its name.

    Raises
    ------
    HTTPException
        404 for a page beyond the last; 422 for a column that the table does not have.
    """
    every = (*document.panels, *document.folded)
    long = [each for each in every if isinstance(each, ResultTable) and len(each.rows) > ROWS]
    asked = query.table or (long[0].key if long else "")
    return {
        each.key: _page(each, query if each.key == asked else TableQuery(table=each.key))
        for each in long
    }


def _page(table: ResultTable, query: TableQuery) -> TablePage:
    rows = _sorted(table, _found(table, query.find), query.sort)
    pages = max(1, -(-len(rows) // ROWS))
    if query.page > pages:
        raise HTTPException(404, f"page: {table.key} has {pages}")
    shown = rows[(query.page - 1) * ROWS : query.page * ROWS]
    shown_table = replace(table, rows=shown, total=())  # that of all is not that of those above it
    return TablePage(shown_table, query.page, pages, len(rows), query._replace(table=table.key))


def _found(table: ResultTable, words: str) -> Sequence[Sequence[Any]]:
    wanted = words.lower().split()
    if not wanted:
        return table.rows
    texts = (" ".join(Markup(cell).striptags() for cell in row) for row in table.texts())
    return [
        row
        for row, text in zip(table.rows, texts, strict=True)
        if all(word in text.lower() for word in wanted)
    ]


def _sorted(table: ResultTable, rows: Sequence[Sequence[Any]], by: str) -> Sequence[Sequence[Any]]:
    if not by:
        return rows
    keys = [column.key for column in table.columns]
    if by.removeprefix("-") not in keys:
        raise HTTPException(422, f"sort: write one of {', '.join(keys)}, or - before it")
    place = keys.index(by.removeprefix("-"))
    known = [row for row in rows if row[place] is not None]
    known.sort(key=lambda row: _order(row[place]), reverse=by[0] == "-")
    return [*known, *(row for row in rows if row[place] is None)]


def _order(cell: Any) -> tuple[bool, Any]:
    """Return what a cell is sorted by: a number by its size, however it is written."""
    text = str(cell)
    try:
        number = Decimal(text.replace(",", ""))
    except InvalidOperation:
        number = Decimal("NaN")
    return (False, number) if number.is_finite() else (True, text.casefold())


def with_pages(document: Description, pages: dict[str, TablePage]) -> Description:
    """Return a document whose long tables have the rows of their pages only."""

    def shown(panels: Iterable[Panel]) -> list[Panel]:
        return [pages[each.key].table if each.key in pages else each for each in panels]

    return replace(document, panels=shown(document.panels), folded=shown(document.folded))


def csv_answer(
    document: Description, name: str, pictures: Mapping[str, Columns] = NO_PICTURES
) -> Response:
    """Send a table or chart of a document, or a picture beside it, as CSV: all of its rows.

    Raises
    ------
    HTTPException
        404: the page has none of this name.
    """
    every = (*document.panels, *document.folded)
    known = {each.key: each for each in every if isinstance(each, ResultTable | ColumnChart)}
    if name in pictures:
        columns = pictures[name]
        text = csv_text(columns, zip(*columns.values(), strict=True))
    elif name in known:
        text = csv_text(*_csv(known[name]))
    else:
        raise HTTPException(404, f"csv: write one of {', '.join([*pictures, *known])}")
    disposition = {"content-disposition": f'attachment; filename="{name}.csv"'}
    return Response(text, 200, disposition, media_type="text/csv")


def _csv(panel: ResultTable | ColumnChart) -> tuple[Sequence[str], Iterable[Sequence[object]]]:
    """Return header and rows of a table or chart."""
    if isinstance(panel, ColumnChart):
        return ("label", panel.unit), zip(panel.labels, panel.values, strict=True)
    return [column.key for column in panel.columns], panel.rows


class PanelLinks(NamedTuple):
    """What stands below a table or chart: its pages, and its CSV.

    Attributes
    ----------
    csv : str
        Address of the CSV.
    page : TablePage or None
        Of a long table.
    before, after : str
        Addresses of the pages beside; empty where there is none.
    kept : tuple of tuple of str
        Other parameters of the address, which a search keeps.
    """

    csv: str
    page: TablePage | None = None
    before: str = ""
    after: str = ""
    kept: tuple[tuple[str, str], ...] = ()


def panel_links(
    request: Request, document: Description, pages: dict[str, TablePage], to: Callable[[str], str]
) -> dict[str, PanelLinks]:
    """Return what stands below each chart and long table of a page, by name."""
    asked = {
        name: text
        for name, text in request.query_params.items()
        if name not in TableQuery._fields and name != "format"
    }
    path = to(path_of(request))
    links = {}
    for each in (*document.panels, *document.folded):
        if isinstance(each, Facts) or (isinstance(each, ResultTable) and len(each.rows) < LONG):
            continue
        link = PanelLinks(f"{path}?{urlencode({**asked, 'csv': each.key})}")
        if page := pages.get(each.key):
            link = _beside(link, page, path, asked)
        links[each.key] = link
    return links


def _beside(link: PanelLinks, page: TablePage, path: str, asked: dict[str, str]) -> PanelLinks:
    query = {name: text for name, text in page.query._asdict().items() if text and name != "csv"}

    def address(number: int) -> str:
        if not 1 <= number <= page.pages:
            return ""
        return f"{path}?{urlencode({**asked, **query, 'page': number})}#{page.table.key}"

    kept = (*asked.items(), ("table", page.table.key))
    return PanelLinks(link.csv, page, address(page.number - 1), address(page.number + 1), kept)
