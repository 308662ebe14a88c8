from __future__ import annotations

from collections import defaultdict
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pricing import Charges, charge
from swfx import InputError
from tests.pricing.jobs import END, charged, three_charges, three_jobs
from tests.scale import many
from utilitysched_centre.rules.invoice import Invoice, invoice
from utilitysched_centre.rules.rules import (
    Accounts,
    Allowance,
    Currency,
    Discount,
    JobSelection,
    Rules,
    Tax,
)

EURO = Currency("EUR", Fraction(3, 100), 2)


def test_without_rules_it_is_the_bill() -> None:
    charges = three_charges("first-price:reading=end")

    assert invoice(charges).total == charges.billed
    assert invoice(charges).currency == "SU"


def test_currency_and_tax() -> None:
    bill = invoice(
        three_charges("single-price"), Rules(currency=EURO, tax=Tax("VAT", Fraction(19)))
    )

    # user 7: 3 SU, 0.09 + 0.0171; user 8: 4 SU, 0.12 + 0.0228
    assert bill.net.tolist() == [6, 12, 3]
    assert bill.tax.tolist() == [1, 2, 1]
    assert (bill.currency, bill.total) == ("EUR", Decimal("0.25"))


def test_accounts_pay_for_their_users() -> None:
    bill = invoice(three_charges("single-price"), Rules(accounts=Accounts({7: "physics"})))

    assert bill.payer == ("physics", "user 8", "physics")


def test_reasons_are_counted_with_jobs_that_never_started() -> None:
    charges = charge(three_jobs(), [0, np.nan, 30 * 86400], [3600, np.nan, END[2]], "single-price")

    assert invoice(charges, Rules(status={"cancelled": Fraction(0)})).reasons == {
        "charged": 1,
        "not charged: cancelled": 1,
        "not charged: never started": 1,
    }


@pytest.mark.parametrize(
    "chosen",
    [
        Rules(minimum_charge=Fraction(10**12), currency=Currency("EUR", Fraction(10**12), 2)),
        Rules(currency=EURO, tax=Tax("VAT", Fraction(10**22))),
        Rules(minimum_charge=Fraction(4 * 10**12)),  # each alone would do
    ],
)
def test_more_than_64_bits_is_refused(chosen: Rules) -> None:
    with pytest.raises(InputError, match=r"what is to be paid comes to 10\^\d+ (EUR|SU), over the"):
        invoice(three_charges("single-price"), chosen)


@st.composite
def rules(draw: st.DrawFn) -> Rules:
    percents = st.fractions(0, 100, max_denominator=8)
    return Rules(
        minimum_charge=draw(st.fractions(0, 2, max_denominator=7)),
        exempt=JobSelection(users=frozenset(draw(st.sets(st.integers(0, 3), max_size=1)))),
        discount=tuple(
            Discount(name="some", percent=each) for each in draw(st.lists(percents, max_size=2))
        ),
        allowance=Allowance(draw(st.fractions(0, 50, max_denominator=9))),
        currency=draw(st.sampled_from([None, EURO, Currency("JPY", Fraction(5), 0)])),
        tax=draw(st.sampled_from([None, Tax("VAT", Fraction(19)), Tax("half", Fraction(1, 2))])),
        accounts=Accounts(draw(st.sampled_from([{}, {1: "a", 2: "a"}]))),
    )


@given(charged("first-price:reading=end"), rules())
@settings(max_examples=many(50))
def test_jobs_add_up_to_the_rounded_sum_of_their_payer(charges: Charges, chosen: Rules) -> None:
    bill = invoice(charges, chosen)

    price = chosen.currency.rate if chosen.currency else Fraction(1)
    exact: dict[str, Fraction] = defaultdict(Fraction)
    for payer, due in zip(bill.payer, bill.steps.due, strict=True):
        exact[payer] += due * price * 10**bill.decimals
    net = {payer: round(money) for payer, money in exact.items()}
    assert paid(bill, bill.net) == net
    percent = chosen.tax.percent if chosen.tax else 0
    assert paid(bill, bill.tax) == {payer: round(n * percent / 100) for payer, n in net.items()}
    assert sum(bill.reasons.values()) == len(charges)
    assert (bill.net >= 0).all()


def paid(bill: Invoice, units: np.ndarray) -> dict[str, int]:
    sums: dict[str, int] = defaultdict(int)
    for payer, money in zip(bill.payer, units.tolist(), strict=True):
        sums[payer] += money
    return dict(sums)
