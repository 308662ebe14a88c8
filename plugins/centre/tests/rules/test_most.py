"""The most that a job can come to cost by rules: never less than what it does come to."""

from __future__ import annotations

from fractions import Fraction

import pytest

from swfx import InputError
from tests.pricing.jobs import three_charges, three_jobs
from utilitysched_centre.rules import Rules, invoice, most
from utilitysched_centre.rules.rules import (
    Accounts,
    Allowance,
    Currency,
    Discount,
    IdleWake,
    JobSelection,
    Quantity,
    Tax,
)

EURO = Currency("EUR", Fraction(3, 100), 2)

CHOSEN = [
    Rules(),
    Rules(minimum_charge=Fraction(3), currency=EURO, tax=Tax("VAT", Fraction(19))),
    Rules(
        quantity=Quantity(minimum_minutes=Fraction(90)),
        discount=(Discount(name="d", percent=Fraction(9)),),
    ),
    Rules(
        status={"failed": Fraction(0)},
        allowance=Allowance(Fraction(1)),
        tax=Tax("VAT", Fraction(1, 3)),
    ),
]


@pytest.mark.parametrize("rules", CHOSEN)
def test_no_job_costs_more(rules: Rules) -> None:
    bill = invoice(three_charges("single-price"), rules, finest=2)

    dearest = most(three_jobs(), "single-price", rules, finest=2)

    assert (dearest.currency, dearest.decimals) == (bill.currency, bill.decimals)
    paid = (bill.net + bill.tax).tolist()
    assert all(one >= other for one, other in zip(dearest.units, paid, strict=True))


def test_the_most_is_of_the_resource_that_is_charged_for() -> None:
    jobs = three_jobs().replace(**{"tres/node": [1, 2, -1]}, requested_time=[3600, 7200, 60])
    rules = Rules(quantity=Quantity(minimum_minutes=Fraction(90)))

    assert most(jobs, "single-price:of=node", rules, finest=2).units == [150, 400, 0]


def test_failed_jobs_and_allowances_are_held_in_full() -> None:
    rules = Rules(
        status={"failed": Fraction(0)},
        allowance=Allowance(Fraction(100)),
        exempt=JobSelection(users=frozenset({7})),
        currency=EURO,
        tax=Tax("VAT", Fraction(19)),
        accounts=Accounts({7: "physics"}),
    )

    # user 8: 4 SU are 0.12 EUR, and 0.0228 of tax is rounded up
    assert most(three_jobs(), "single-price", rules) == (
        [0, 15, 0],
        "EUR",
        2,
        ["physics", None, "physics"],
    )


@pytest.mark.parametrize(
    ("mechanism", "rules", "message"),
    [
        ("single-price", Rules(idle_wake=IdleWake(2, Fraction(1))), "field idle_wake: what proc"),
        (
            "second-price",
            Rules(quantity=Quantity()),
            "field quantity: what second-price asks by",
        ),
        ("vcg", Rules(), "vcg does not say beforehand what job 1 can cost"),
    ],
)
def test_what_nobody_knows_beforehand(mechanism: str, rules: Rules, message: str) -> None:
    with pytest.raises(InputError, match=message):
        most(three_jobs(), mechanism, rules)
