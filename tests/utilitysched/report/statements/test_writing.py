"""Files of statements: a sheet, its evidence and its jobs for each, and an index."""

from __future__ import annotations

import csv
import re
from decimal import Decimal
from pathlib import Path

import pytest

from tests.utilitysched.report.invoices import bill
from utilitysched.report.statements import Statements, write_pages

LINKS = re.compile(r"""(?:href|src)=["']?([^"' >]*)""")


def test_three_files_for_each_payer_and_one_with_links(tmp_path: Path) -> None:
    written = write_pages(Statements(bill(11)), tmp_path / "pages")

    assert [path.name for path in written] == [
        "0000-lab.csv", "0000-lab-evidence.html", "0000-lab.html",
        "0001-user-9.csv", "0001-user-9-evidence.html", "0001-user-9.html",
        "index.html",
    ]  # fmt: skip
    lab, nine, index = (written[i].read_text("utf-8") for i in (2, 5, 6))
    assert "<title>Statement: &lt;lab&gt;</title>" in lab
    assert "<div class=sum>4.80 EUR</div>" in lab  # 8 of 10 jobs pay 0.50, and a fifth of that
    assert "<div class=label>4.00 net, 0.80 VAT (20%)</div>" in lab
    assert "R&amp;D Computing" in lab
    assert "Within 30 days, please." in lab
    assert "<b>Notes:</b> a: not charged: failed; b: charged." in lab
    assert "<div class=sum>0.00 EUR</div>" in nine
    assert '<a href="0000-lab.html">&lt;lab&gt;</a>' in index
    assert "<td>4.80</td></tr></tfoot>" in index


@pytest.mark.parametrize(
    ("by", "names"),
    [
        ("user", ["0000-user-1", "0001-user-2", "0002-user-9"]),
        ("group", ["0000-group-unknown"]),
        ("month", ["0000-month-2000-04"]),
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

    sheet = next(path for path in written if path.name == "0000-lab.html").read_text("utf-8")
    with (tmp_path / "0000-lab.csv").open(encoding="utf-8", newline="") as file:
        amounts = [Decimal(row["amount"]) for row in csv.DictReader(file)]
    assert "The 15 dearest of 60 jobs" in sheet
    assert 'All of them, and why each was charged: <a href="0000-lab.csv">' in sheet
    assert sheet.count("#line-") == 15
    assert (len(amounts), sum(amounts)) == (60, Decimal("28.80"))
