from __future__ import annotations

import re
import shutil
import subprocess
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from pricing import charge
from pricing.rules import Invoice, Rules, invoice
from pricing.rules.rules import Currency, Tax
from swfx import Header, Workload
from utilitysched.report.invoices import applied, print_invoice, write_pages

CHROMIUM = shutil.which("chromium")


def bill(jobs: int) -> Invoice:
    """Jobs of one hour on one processor of users 1 and 2 of <lab>, one in five failed."""
    start = np.arange(jobs) * 60.0
    log = Workload.from_columns(
        header=Header((" UnixStartTime: 954547200",)),
        submit=start,
        run=[3600.0] * jobs,
        processors=[1] * jobs,
        user=[1, 2] * (jobs // 2) + [9] * (jobs % 2),
        status=[0 if job % 5 == 0 else 1 for job in range(jobs)],
    )
    rules = Rules(
        status={"failed": Fraction(0)},
        currency=Currency("EUR", Fraction(1, 2), 2),
        tax=Tax("VAT", Fraction(20)),
        accounts={1: "<lab>", 2: "<lab>"},
    )
    return invoice(charge(log, start, start + 3600, "single-price"), rules)


def test_a_page_for_each_payer_and_one_with_links(tmp_path: Path) -> None:
    pages = write_pages(bill(11), tmp_path / "pages")

    assert [page.name for page in pages] == ["0000-lab.html", "0001-user-9.html", "index.html"]
    lab, nine, index = (page.read_text("utf-8") for page in pages)
    assert "Statement: &lt;lab&gt;" in lab
    assert "To be paid: 4.80 EUR" in lab  # 8 of 10 jobs pay 0.50, and a fifth of that
    assert lab.count("not charged: failed") == 2
    assert "VAT (20%) on top" in lab
    assert "To be paid: 0.00 EUR" in nine
    assert '<a href="0000-lab.html">&lt;lab&gt;</a>' in index
    assert "<td>4.80</td></tr></tfoot>" in index


def test_pages_refer_to_nothing_elsewhere(tmp_path: Path) -> None:
    for page in write_pages(bill(4), tmp_path):
        links = re.findall(r"""(?:href|src)=["']([^"']*)""", page.read_text("utf-8"))
        assert all(link == "data:," or (tmp_path / link).is_file() for link in links)


def test_rules_in_words() -> None:
    assert applied(bill(2)) == ["failed jobs pay 0%", "1 SU is 0.5 EUR", "VAT (20%) on top"]


def test_the_terminal_shows_reasons_and_the_total(capsys: pytest.CaptureFixture[str]) -> None:
    print_invoice(bill(11), "account")

    shown = capsys.readouterr().out
    assert re.search(r"<lab> +10 +8 +10\.00 +4\.00 +0\.80 +4\.80", shown)
    assert "3  not charged: failed" in shown
    assert "The lines add up to 4.80 EUR." in shown


@pytest.mark.skipif(CHROMIUM is None, reason="needs chromium to print")
def test_forty_jobs_are_printed_on_one_page(tmp_path: Path) -> None:
    (page, *_) = write_pages(bill(40), tmp_path)
    pdf = tmp_path / "page.pdf"

    subprocess.run(
        [
            str(CHROMIUM),
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--no-first-run",
            "--disable-background-networking",
            f"--user-data-dir={tmp_path / 'profile'}",
            "--no-pdf-header-footer",
            f"--print-to-pdf={pdf}",
            page.as_uri(),
        ],
        check=True,
        capture_output=True,
        timeout=120,
    )

    assert re.findall(rb"/Count (\d+)", pdf.read_bytes()) == [b"1"]
