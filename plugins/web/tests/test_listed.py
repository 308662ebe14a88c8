"""Tables by pages of fifty rows, searched and sorted, and CSV behind tables and charts."""

from __future__ import annotations

import csv
import io
import re
from dataclasses import replace

import numpy as np
import pytest

from plugins.web.tests.conftest import Asking
from utilitysched.analysis.documents import Column, Description, column, panel
from utilitysched_web.listed import ROWS, TableQuery, csv_answer, table_pages, with_pages
from utilitysched_web.site import Site

JSON = {"format": "json"}

NAMES = panel(
    "names",
    "Names",
    "",
    [Column("name", left=True, key="name"), column("size", "count", "size")],
    [(f"n{i}", None if i == 7 else (i * 37) % 101) for i in range(101)],
)


def shown(**query: object) -> list[tuple[object, ...]]:
    document = Description("", [NAMES])
    pages = table_pages(document, TableQuery(**query))  # type: ignore[arg-type]
    return [tuple(row) for row in with_pages(document, pages).panels[0].rows]  # type: ignore[union-attr]


def test_pages_hold_each_row_once() -> None:
    pages = [shown(page=number) for number in (1, 2, 3)]

    assert [len(page) for page in pages] == [ROWS, ROWS, 1]
    assert [row for page in pages for row in page] == NAMES.rows
    (place,) = table_pages(Description("", [NAMES]), TableQuery(page=2)).values()
    assert place.place == "51\u2013100 of 101"


def test_all_rows_are_sorted_and_searched_not_those_of_a_page() -> None:
    sizes = [size for _, size in NAMES.rows if size is not None]

    assert [size for _, size in shown(sort="size")] == sorted(sizes)[:ROWS]
    assert [size for _, size in shown(sort="-size")] == sorted(sizes, reverse=True)[:ROWS]
    assert shown(sort="size", page=3) == [("n7", None)]  # what is not known comes last
    assert {name for name, _ in shown(find="n9")} == {"n9", *(f"n{i}" for i in range(90, 100))}
    assert shown(find="nobody") == []


def test_a_total_stands_below_all_rows_or_not_at_all() -> None:
    document = Description("", [replace(NAMES, total=[("all", 5_050)])])

    for query in (TableQuery(), TableQuery(page=3), TableQuery(find="n9")):
        (page,) = table_pages(document, query).values()
        assert list(page.table.total) == []
    short = replace(NAMES, rows=NAMES.rows[:ROWS], total=[("all", 5_050)])
    assert table_pages(Description("", [short]), TableQuery()) == {}  # shown with its total


def test_amounts_as_texts_are_sorted_by_their_size() -> None:
    amounts = [*(f"{i:,}.50" for i in range(-30, 3_000, 50)), "nan", "none"]
    table = panel("sums", "", "", [Column("sum", key="sum")], [(each,) for each in amounts[::-1]])
    (page,) = table_pages(Description("", [table]), TableQuery(sort="sum", page=2)).values()

    shown = [row[0] for row in page.table.rows]
    assert shown == amounts[ROWS:]


def test_a_user_walks_through_all_jobs(asking: Asking, site: Site) -> None:
    client, path, seen = asking("1"), "/bills", list[str]()
    while path:
        page = client.get(path).text
        seen += re.findall(r'<th><a href="/bills/(\d+)"', page)
        following = re.search(r'<a href="([^"]+)" rel="next"', page)
        path = following[1].replace("&amp;", "&") if following else ""

    number = site.number_of("1")
    assert len(seen) == len(set(seen)) == int((site.results.workload.user == number).sum()) == 484


@pytest.mark.parametrize(
    ("query", "status"),
    [({"page": 99}, 404), ({"sort": "wealth"}, 422), ({"csv": "wealth"}, 404)],
)
def test_what_a_page_does_not_have_is_refused(
    asking: Asking, query: dict[str, object], status: int
) -> None:
    assert asking("1").get("/bills", params={**query}).status_code == status


def test_csv_has_all_rows_and_is_no_formula(asking: Asking, site: Site) -> None:
    answer = asking("1").get("/bills", params={"csv": "jobs"})
    rows = list(csv.DictReader(io.StringIO(answer.text)))

    assert answer.headers["content-type"] == "text/csv; charset=utf-8"
    assert answer.headers["content-disposition"] == 'attachment; filename="jobs.csv"'
    assert len(rows) == 484
    charges = site.bill.charge[site.jobs_of("1")]
    assert sum(float(row["charge"]) for row in rows) == pytest.approx(np.nansum(charges))
    evil = panel("evil", "", "", [Column("name", key="name")], [("=HYPERLINK(1)",)])
    assert b"'=HYPERLINK(1)" in csv_answer(Description("", [evil]), "evil").body


@pytest.mark.parametrize("path", ["/queue", "/operators", "/operators/accounts", "/operators/runs"])
def test_the_csv_behind_each_chart_has_what_the_json_has(asking: Asking, path: str) -> None:
    client = asking("root", "operator")
    page, data = client.get(path).text, client.get(path, params=JSON).json()
    links = [link.replace("&amp;", "&") for link in re.findall(r'class="csv" href="([^"]+)"', page)]

    assert links
    for link in links:
        rows = list(csv.reader(io.StringIO(client.get(link).text)))
        key = link.rpartition("csv=")[2]
        if key == "day":  # a picture beside the document
            assert rows[0][:3] == ["start", "end", "low"]
            continue
        values = data[key]["values"] if "values" in data[key] else data[key]
        whole = data.get("pages", {}).get(key, {}).get("rows", len(values))
        assert len(rows) - 1 == whole
