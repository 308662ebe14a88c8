"""How the amount of each job came about, and where more about it is."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from plugins.centre.tests.report.invoices import bill
from pricing import charge
from pricing.basis import Basis
from swfx import Header, Workload
from tests.pricing.jobs import three_charges
from utilitysched_centre.report.statements import Statements, issued_invoice
from utilitysched_centre.report.statements.evidence import evidence, sentences
from utilitysched_centre.report.statements.page import jobs_table
from utilitysched_centre.report.statements.statement import Statement
from utilitysched_centre.rules import Invoice, Rules, invoice
from utilitysched_centre.rules.rules import Allowance, Currency, Discount, Quantity

EURO = Rules(currency=Currency("EUR", Fraction(1, 2)))


def said(made: Invoice, place: int) -> list[str]:
    """Return the sentences on a job by its place in a bill."""
    return list(sentences(next(iter(Statements(made))), place))


def page_of(mine: Statement) -> str:
    return evidence(issued_invoice(mine), mine)


def test_an_amount_is_a_formula() -> None:
    rules = Rules(quantity=Quantity(minimum_minutes=Fraction(90)), allowance=Allowance(Fraction(1)))

    assert said(bill(4), 1) == ["1 CPU x 1 h x 0.5 = 0.50 EUR + 20% = 0.60."]
    assert said(bill(4, rules), 1) == [
        "1 CPU x 1.5 h (minimum time) x 1 = 1.50; - 1.00 allowance = 0.50 SU."
    ]


def test_losses_by_a_job_are_told_by_class_and_own_ones_by_job() -> None:
    made = invoice(three_charges("vcg").rounded())

    assert said(made, 0)[1] == "Its start cost 1 job of others 5.00 SU."
    assert said(made, 2)[1] == (
        "Its start cost job 1 (2.50 SU); 2.50 SU of that to jobs of the same payer."
    )


def test_the_reserve_is_told_apart() -> None:
    made = invoice(three_charges("vcg:reserve=0.4").rounded(), EURO)

    assert "0.4 EUR of the list price is the reserve for later submissions." in said(made, 0)


def test_losses_are_in_the_currency_of_the_bill() -> None:
    made = invoice(three_charges("vcg").rounded(), EURO)

    assert said(made, 0)[1] == "Its start cost 1 job of others 2.5 EUR."


def test_the_page_is_a_table_the_most_expensive_first() -> None:
    (mine, *_) = Statements(bill(11))

    page = page_of(mine)

    assert page.count("<tr id=line-") == 8
    assert page.index("id=line-3>") < page.index("id=line-4>")
    folded = page[page.rindex("<tr>", 0, page.index("<tfoot>")) :]
    assert ">2 others<" in folded
    assert "2 not charged: failed." in folded
    assert 'href="0001-lab.csv"' in page


def test_sum_and_reasons_come_before_the_table() -> None:
    (mine, *_) = Statements(bill(11))

    page = page_of(mine)

    verdict = "Jobs: 4.80 EUR for 8 of 10 jobs of &lt;lab&gt;."
    assert "All jobs: 8 charged; 2 not charged: failed." in page
    assert page.index(verdict) < page.index("0.5 EUR for each processor-hour") < page.index("<tab")


def test_lines_that_the_invoice_has_no_room_for_are_on_the_evidence() -> None:
    discounts = tuple(Discount(name=f"no. {n}", percent=Fraction(1)) for n in range(20))
    (few, many) = (next(iter(Statements(bill(4, Rules(discount=d))))) for d in ((), discounts))

    assert page_of(few).count("<table") == 1
    assert "Discount no. 19, 1%" in page_of(many)


def test_a_simulation_says_so() -> None:
    made = bill(4)
    charges = replace(made.charges, basis=Basis("easy"))
    (mine, *_) = Statements(replace(made, charges=charges))

    assert "This is a simulation under easy, not a record of what happened." in page_of(mine)


def test_jobs_have_the_names_that_slurm_prints_and_runs_are_told_apart() -> None:
    names = (" Job: 104 103_1 2", ' Job: 106 "102, run 1 of 2"', ' Job: 107 "102, run 2 of 2"')
    log = Workload.from_columns(
        header=Header(names),
        job_id=[104, 105, 106, 107],
        submit=[0] * 4,
        run=[1200] * 4,
        processors=[1] * 4,
        user=[1] * 4,
    )
    made = invoice(charge(log, [0] * 4, [1200] * 4, "single-price"))
    statement = next(iter(Statements(made)))

    shown = [row[0].text for row in jobs_table(statement).rows]
    assert shown == ["103_1", "103_2", "102 (run 1)", "102 (run 2)"]
    assert issued_invoice(statement).jobs == 3
    assert all(f">{name}<" in page_of(statement) for name in shown)
