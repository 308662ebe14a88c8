"""Claims: a bill in minor units, to the last of them."""

from __future__ import annotations

from decimal import Decimal

import numpy as np
import pytest
from hypothesis import given

from pricing import Charges
from swfx import InputError
from tests.pricing.jobs import charged as bills
from tests.pricing.jobs import three_charges, three_jobs
from utilitysched_centre.accounts import Account, Money, at_most, charged


def test_lines_are_those_of_the_bill() -> None:
    bill = three_charges()

    claims = charged(bill, Money("SU", 6))

    assert claims.mechanism == "first-price:reading=end"
    assert [job.units for job in claims.jobs] == [5000000, 5000000, 0]
    assert [(job.job, job.user, job.group, job.month) for job in claims.jobs] == [
        (1, 7, 1, "2000-04"),
        (2, 8, 1, "2000-04"),
        (3, 7, 2, "2000-05"),
    ]


@given(bills("first-price:reading=end"))
def test_rounded_lines_add_up_to_the_rounded_total(bill: Charges) -> None:
    for decimals in (0, 2, 12):
        claims = charged(bill, Money("SU", decimals))

        assert claims.total == round(bill.billed.scaleb(decimals))
        few = 3 * 10 ** max(decimals - bill.ledger.decimals, 0)
        for job, charge in zip(claims.jobs, bill.charge.tolist(), strict=True):
            assert abs(job.units - Decimal(charge) * 10**decimals) <= few


@given(bills("single-price"))
def test_the_sum_of_every_payer_is_rounded_once(bill: Charges) -> None:
    payers = [Account("user", str(user)) for user in bill.workload.user.tolist()]

    claims = charged(bill, Money("SU", 2), payers=payers)

    for payer in set(payers):
        mine = [place for place, each in enumerate(payers) if each == payer]
        exact = Decimal(int(bill.ledger.units[mine].sum())).scaleb(-bill.ledger.decimals)
        assert sum(claims.jobs[place].units for place in mine) == round(exact.scaleb(2))
    assert [job.account for job in claims.jobs] == [None] * len(payers)


def test_a_month_can_be_named() -> None:
    claims = charged(three_charges(), Money("SU", 2), month="2000-06")

    assert {job.month for job in claims.jobs} == {"2000-06"}


def test_equal_claims_have_equal_digests_and_others_have_not() -> None:
    cents = Money("SU", 2)
    claims = charged(three_charges(), cents)

    assert claims.digest() == charged(three_charges(), cents).digest()
    others = [
        charged(three_charges("single-price"), cents),
        charged(three_charges(), cents, month="2000-06"),
        claims._replace(jobs=claims.jobs[:2]),
        claims._replace(mechanism="vcg"),
    ]
    assert len({claims.digest(), *(other.digest() for other in others)}) == 5


def test_what_is_held_is_rounded_up() -> None:
    most = at_most(three_jobs(), np.array([10.0, 0.001, 0.0]), Money("SU", 2))

    assert [job.units for job in most.jobs] == [1000, 1, 0]
    assert [job.month for job in most.jobs] == ["2000-04", "2000-04", "2000-05"]


@pytest.mark.parametrize("decimals", [0, 2, 6])
def test_no_rounding_of_a_bill_exceeds_what_is_held(decimals: int) -> None:
    money, bill = Money("SU", decimals), three_charges("single-price:rate=0.3333333")
    held = at_most(bill.workload, bill.charge, money)
    claims = charged(bill.rounded(min(decimals, 2)), money)

    pairs = list(zip(claims.jobs, held.jobs, strict=True))
    assert all(paid.units <= most.units for paid, most in pairs)
    assert any(
        paid.units > value * 10**decimals
        for (paid, _), value in zip(pairs, bill.charge, strict=True)
    )


def test_more_than_64_bits_is_refused() -> None:
    with pytest.raises(InputError, match="that a ledger holds"):
        at_most(three_jobs(), np.array([1e7, 0, 0]), Money("SU", 12))
