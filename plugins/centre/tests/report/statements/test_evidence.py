"""How the charge of each job came about, and where more about it is."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from plugins.centre.tests.report.invoices import bill
from pricing import charge
from pricing.basis import Basis
from swfx import Header, Workload
from tests.pricing.jobs import three_charges
from utilitysched_centre.report.statements.evidence import evidence, sentences
from utilitysched_centre.report.statements.page import jobs_table
from utilitysched_centre.report.statements.statement import Statements
from utilitysched_centre.rules import Invoice, Rules, invoice
from utilitysched_centre.rules.files import invoice_table
from utilitysched_centre.rules.rules import (
    Allowance,
    Quantity,
)


def said(made: Invoice, place: int) -> list[str]:
    """What is said of a job by its place in a bill."""
    return list(sentences(next(iter(Statements(made))), place))


def test_a_charge_in_sentences() -> None:
    assert said(bill(4), 1) == ["List price: 1 SU per processor-hour."]


def test_what_most_prices_rest_on_is_said_once_above_the_table() -> None:
    (mine, *_) = Statements(bill(11))

    page = evidence(mine)

    assert page.count("1 SU per processor-hour") == 1
    verdict = "To pay: 4.80 EUR for 8 of 10 jobs of &lt;lab&gt;."
    assert "All jobs: 8 charged; 2 not charged: failed." in page
    assert page.index(verdict) < page.index("1 SU per processor-hour.") < page.index("<table")


def test_every_rule_says_what_it_changed() -> None:
    rules = Rules(quantity=Quantity(minimum_minutes=Fraction(90)), allowance=Allowance(Fraction(1)))

    assert said(bill(4, rules), 1)[1:] == [
        (
            "0.50 SU more for the quantity, 1.00 SU free by the allowance: 0.50 SU"
            " (charged: minimum time, less the allowance)."
        ),
    ]


def test_what_rounding_alone_changes_is_no_sentence() -> None:
    thirds = Workload.from_columns(submit=[0], run=[1200], processors=[1])
    asked = charge(thirds, [0], [1200], "single-price").rounded()

    assert said(invoice(asked, Rules(quantity=Quantity())), 0)[1:] == []


def test_losses_by_a_job_are_told_by_class_and_own_ones_by_job() -> None:
    made = invoice(three_charges("vcg").rounded())

    assert said(made, 0)[1] == "Its start cost 1 job of others 5.00 SU."
    assert said(made, 2)[1] == (
        "Its start cost job 1 (2.50 SU); 2.50 SU of that to jobs of the same payer."
    )


def test_the_reserve_is_told_apart() -> None:
    made = invoice(three_charges("vcg:reserve=0.4").rounded())

    reserve = "0.80 SU of the list price is the reserve for later submissions."
    assert reserve in said(made, 0)


def test_the_page_is_a_table_the_most_expensive_first() -> None:
    (mine, *_) = Statements(bill(11))

    page = evidence(mine)

    assert page.count("<tr id=line-") == 8
    assert page.index("id=line-3>") < page.index("id=line-4>")
    folded = page[page.rindex("<tr>", 0, page.index("<tfoot>")) :]
    assert ">2 others<" in folded
    assert "2 not charged: failed." in folded
    assert 'href="0001-lab.csv"' in page


def test_a_simulation_says_so() -> None:
    made = bill(4)
    charges = replace(made.charges, basis=Basis("easy"))
    (mine, *_) = Statements(replace(made, charges=charges))

    assert "This is a simulation under easy, not a record of what happened." in evidence(mine)


def test_jobs_have_the_names_that_their_users_know() -> None:
    log = Workload.from_columns(
        header=Header((" Job: 104 103_1 2",)),
        job_id=[104, 105],
        submit=[0, 0],
        run=[1200, 1200],
        processors=[1, 1],
        user=[1, 1],
    )
    made = invoice(charge(log, [0, 0], [1200, 1200], "single-price"))
    columns, rows = invoice_table(made)
    statement = next(iter(Statements(made)))

    assert [dict(zip(columns, row, strict=True))["job"] for row in rows] == ["103_1", "103_2"]
    assert ">103_1<" in evidence(statement)
    assert [row[0].text for row in jobs_table(statement).rows] == ["103_1", "103_2"]
