"""Files of statements: a sheet, its evidence and its jobs for each, and an index."""

from __future__ import annotations

import csv
import gc
import re
from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest

from plugins.centre.tests.report.invoices import bill
from tests.tables import tables
from utilitysched_centre.report.statements import (
    Additions,
    IndexEntry,
    IndexHeading,
    Registered,
    Statement,
    Statements,
    content_of,
    issued_invoice,
    read_document_file,
    write_document,
    write_index,
    write_pages,
)
from utilitysched_centre.report.statements.issued import CREDIT_NOTE, INVOICE
from utilitysched_centre.rules.lines import RECURRING, InvoiceLine

LINKS = re.compile(r"""(?:href|src)=["']?([^"' >]*)""")


def test_four_files_for_each_payer_and_one_with_links(tmp_path: Path) -> None:
    written = write_pages(Statements(bill(11)), tmp_path / "pages")

    assert [path.name for path in written] == [
        "0001-lab.json", "0001-lab.csv", "0001-lab-evidence.html", "0001-lab.html",
        "0002-user-9.json", "0002-user-9.csv", "0002-user-9-evidence.html", "0002-user-9.html",
        "index.html",
    ]  # fmt: skip
    lab, nine, index = (written[i].read_text("utf-8") for i in (3, 7, 8))
    assert "<title>Invoice 2000-04-0001</title>" in lab
    assert "<tr><td>To pay</td><td>4.80 EUR</td></tr>" in lab  # 8 pay 0.50, and a fifth of that
    assert "R&amp;D Computing" in lab
    assert "Within 30 days, please." in lab
    assert "8 charged; 2 not charged: failed." in lab
    assert "<tr><td>To pay</td><td>0.00 EUR</td></tr>" in nine
    assert "Payment due" not in nine
    assert '<a href="0001-lab.html">2000-04-0001</a>' in index
    assert ">4.80</td></tr></tfoot>" in index


def test_the_json_has_the_digests_of_the_files_beside_it(tmp_path: Path) -> None:
    (mine, *_) = Statements(bill(11))

    content, *files = write_document(issued_invoice(mine), mine, tmp_path)

    issued = read_document_file(content)
    assert [(one.name, one.digest) for one in issued.evidence] == [
        (file.name, content_of(file)) for file in files
    ]
    assert files[-1].name == "0001-lab.html"


def test_issued_invoices_have_their_number_also_without_jobs(tmp_path: Path) -> None:
    every, june = Statements(bill(11)), date(2000, 6, 1)
    (mine, *_) = every
    storage = InvoiceLine(RECURRING, "Storage", 0, None, "", None, 700)
    known = [Registered(f"HPC-2000-04-{n}", june, "2000-04") for n in ("0031", "0032")]
    lab = every.registered(mine.name, mine.places, known[0])
    other = every.registered("storage only", [], known[1])

    files = write_document(issued_invoice(lab), lab, tmp_path)
    added = Additions((storage,), 140)
    empty = read_document_file(write_document(issued_invoice(other, "", added), other, tmp_path)[0])

    page = files[-1].read_text("utf-8")
    assert files[-1].name == "HPC-2000-04-0031.html"
    assert "<dd>HPC-2000-04-0031</dd><dt>Date of issue</dt><dd>2000-06-01</dd>" in page
    assert "<dt>Period</dt><dd>2000-04-01 to 2000-04-30 (UTC)</dd>" in page
    assert (empty.jobs, empty.amount, empty.month) == (0, 840, "2000-04")
    assert (empty.begins, empty.ends) == ("2000-04-01T00:00:00Z", "2000-05-01T00:00:00Z")


def test_an_index_says_what_became_of_documents(tmp_path: Path) -> None:
    entries = [
        IndexEntry("1", INVOICE, "lab", 3, Decimal("9.00"), "1.html"),
        IndexEntry("2", INVOICE, "bio", 2, Decimal("5.00"), "2.html"),
        IndexEntry("3", CREDIT_NOTE, "lab", 0, Decimal("-9.00"), "3.html", "1", cancels=True),
        IndexEntry("4", CREDIT_NOTE, "bio", 0, Decimal("-1.00"), "4.html", "2"),
        IndexEntry("5", CREDIT_NOTE, "bio", 0, Decimal("-2.00"), "5.html", "2"),
        IndexEntry("6", INVOICE, "lab", 4, Decimal("8.00"), "6.html"),
    ]

    (path,) = write_index(entries, tmp_path, IndexHeading("EUR"))

    (table,) = tables(path.read_text("utf-8"))
    assert [(row["number"], row["state"]) for row in table] == [
        ("1", "cancelled by 3"),
        ("2", "corrected by 4, corrected by 5"),
        ("3", "cancels 1"),
        ("4", "corrects 2"),
        ("5", "corrects 2"),
        ("6", "issued"),
        ("total", ""),
    ]
    assert [row["jobs"] for row in table] == ["", "2", "", "", "", "4", "6"]
    assert table[-1]["amount (EUR)"] == "10.00"


@pytest.mark.parametrize(
    ("by", "names"),
    [
        ("user", ["0001-user-1", "0002-user-2", "0003-user-9"]),
        ("group", ["0001-group-unknown"]),
        ("month", ["0001-month-2000-04"]),
    ],
)
def test_statements_of_users_groups_and_months(by: str, names: list[str], tmp_path: Path) -> None:
    written = write_pages(Statements(bill(11), by), tmp_path)

    assert [path.stem for path in written if path.suffix == ".csv"] == names


def test_pages_refer_to_each_other_and_to_nothing_else(tmp_path: Path) -> None:
    written = write_pages(Statements(bill(50)), tmp_path)

    for page in written:
        if page.suffix == ".html":
            for link in LINKS.findall(page.read_text("utf-8")):
                name, _, place = link.partition("#")
                assert link == "data:," or (tmp_path / name).is_file()
                assert not place or f"id={place}>" in (tmp_path / name).read_text("utf-8")


def test_of_many_jobs_the_dearest_are_listed_and_all_are_in_the_table(tmp_path: Path) -> None:
    written = write_pages(Statements(bill(60)), tmp_path)

    sheet = next(path for path in written if path.name == "0001-lab.html").read_text("utf-8")
    with (tmp_path / "0001-lab.csv").open(encoding="utf-8", newline="") as file:
        amounts = [Decimal(row["amount"]) for row in csv.DictReader(file)]
    assert '<a href="0001-lab.csv">40 others</a>' in sheet
    assert sheet.count("#line-") == 20
    assert (len(amounts), sum(amounts)) == (60, Decimal("28.80"))


def test_invoices_are_made_one_at_a_time(tmp_path: Path) -> None:
    statements = Statements(bill(11), "user")
    alive: list[int] = []

    def watched(_: float) -> None:
        gc.collect()
        alive.append(sum(type(each) is Statement for each in gc.get_objects()))

    written = write_pages(statements, tmp_path, watched)

    assert sum(path.suffix == ".csv" for path in written) == len(statements) == 3
    assert alive == [1, 1, 1]


def test_many_invoices_have_folders_of_bounded_size(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("utilitysched_centre.report.statements.statement.IN_A_FOLDER", 1)
    shares: list[float] = []

    written = write_pages(Statements(bill(11)), tmp_path, shares.append)

    assert [path.relative_to(tmp_path).parts[0] for path in written if path.suffix == ".csv"] == [
        "000",
        "001",
    ]
    for page in (path for path in written if path.suffix == ".html"):
        for target in LINKS.findall(page.read_text("utf-8")):
            file = target.partition("#")[0]
            assert ":" in file or (page.parent / file).exists()
    assert shares[-1] == 1.0


def test_of_many_invoices_the_dearest_are_linked_and_all_are_in_the_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("utilitysched_centre.report.statements.sheet.LINKED", 1)

    written = write_pages(Statements(bill(11), "user"), tmp_path)

    assert [path.name for path in written[-2:]] == ["index.csv", "index.html"]
    index = written[-1].read_text("utf-8")
    with written[-2].open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [(row["name"], row["jobs"], Decimal(row["amount"])) for row in rows] == [
        ("user 1", "5", Decimal("2.40")),
        ("user 2", "5", Decimal("2.40")),
        ("user 9", "1", Decimal(0)),
    ]
    assert all((tmp_path / row["file"]).is_file() for row in rows)
    assert '<a href="0001-user-1.html">2000-04-0001</a>' in index
    assert '<a href="index.csv">2 others</a>' in index
    assert "0002-user-2.html" not in index
    assert ">4.80</td></tr></tfoot>" in index
