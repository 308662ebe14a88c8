"""How the charge of each job came about, and where more about it is."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

from pricing import charge
from pricing.rules import Rules, invoice, write_invoice
from pricing.rules.rules import Quantity
from swfx import Workload
from tests.pricing.jobs import three_charges
from tests.utilitysched.report.invoices import bill
from utilitysched.report.statements.evidence import evidence, sentences
from utilitysched.report.statements.statement import Statements


def test_a_charge_in_sentences() -> None:
    assert list(sentences(bill(4), 1)) == [
        "It waited 0 s, ran 3600 s on 1 processor (1 processor-hours) and completed on 2000-04-01.",
        "single-price asks 1.00 SU, 1 SU per processor-hour.",
        "Due: 1.00 SU (charged).",
        "To be paid: 0.60 EUR, of which 0.10 VAT (20%) on 0.50.",
    ]


def test_every_rule_says_what_it_changed() -> None:
    rules = Rules(quantity=Quantity(minimum_minutes=Fraction(90)), allowance=Fraction(1))

    assert list(sentences(bill(4, rules), 1))[2:] == [
        "0.50 SU more for the quantity.",
        "1.00 SU are free by the allowance.",
        "Due: 0.50 SU (charged: minimum time, less the allowance).",
        "To be paid: 0.500000 SU.",
    ]


def test_what_rounding_alone_changes_is_no_sentence() -> None:
    thirds = Workload.from_columns(submit=[0], run=[1200], processors=[1])
    asked = charge(thirds, [0], [1200], "single-price")

    said = list(sentences(invoice(asked, Rules(quantity=Quantity())), 0))

    assert said[2:] == ["Due: 0.33 SU (charged).", "To be paid: 0.333333333 SU."]


def test_who_lost_because_of_a_job_is_named() -> None:
    said = list(sentences(invoice(three_charges("vcg")), 0))

    assert said[2] == "Because of it others lost: job 2 (5 SU)."


def test_the_page_links_the_files_of_the_bill_that_there_are(tmp_path: Path) -> None:
    run, folder = tmp_path / "runs" / "easy", tmp_path / "pages"
    write_invoice(run, bill(4))
    (mine, *_) = Statements(bill(4), directory=run)

    page = evidence(mine, folder)

    assert '<a href="../runs/easy/invoice.csv">invoice.csv</a>' in page
    assert "charges.csv" not in page
    assert page.count("<article id=line-") == 4
    assert "To be paid" not in evidence(replace(mine, places=[]), folder)
