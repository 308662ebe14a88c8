from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from plugins.centre.tests.report.invoices import bill
from utilitysched_centre.report.statements.statement import applied, in_currency
from utilitysched_centre.rules import Rules
from utilitysched_centre.rules.rules import Allowance, Currency, Discount, IdleWake, Quantity
from utilitysched_centre.rules.tres import read_weights


def test_rules_in_sentences() -> None:
    assert applied(bill(2)) == ["Failed jobs pay 0%.", "1 SU is 0.5 EUR.", "VAT (20%) is added."]


def test_quantities_are_said_before_what_is_added_and_taken() -> None:
    rules = Rules(
        quantity=Quantity(weights=read_weights("CPU=1,Mem=0.25G"), minimum_minutes=Fraction(15)),
        idle_wake=IdleWake(8, Fraction(2)),
        minimum_charge=Fraction(3),
        state={"OUT_OF_MEMORY": Fraction(50)},
        discount=(Discount(name="night", percent=Fraction(10)),),
        allowance=Allowance(Fraction(100)),
        currency=Currency("EUR", Fraction(1, 2), 2),
    )

    assert applied(replace(bill(2), rules=rules)) == [
        "A job pays for each unit-hour used, at least 15 minutes.",
        "Its units are the largest of its weighted resources: CPU=1,Mem=0.25G.",
        (
            "Jobs of 8 or more processors pay 1 EUR for each processor-hour that stands idle"
            " before them."
        ),
        "A job pays at least 1.5 EUR.",
        "OUT_OF_MEMORY jobs pay 50%.",
        "Discount night: 10%.",
        "In each month 50 EUR is free.",
        "1 SU is 0.5 EUR.",
    ]


def test_sentences_have_one_currency() -> None:
    assert in_currency(bill(2), "It cost 1,234.50 SU, and SU.") == "It cost 617.25 EUR, and SU."
    assert in_currency(bill(2, Rules()), "It cost 1 SU.") == "It cost 1 SU."
