from __future__ import annotations

import math
from decimal import Decimal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pricing.ledger import amount, plain, spread, to_ledger
from swfx import InputError

money = st.lists(st.floats(0, 1e15, allow_subnormal=False), max_size=40).map(np.array)


def test_thirds_add_up_to_one_unit_by_unit() -> None:
    ledger = to_ledger(np.array([1 / 3, 1 / 3, 1 / 3]))

    assert (ledger.units.tolist(), ledger.decimals) == ([333334, 333333, 333333], 6)
    assert ledger.total == Decimal("1.000000")


def test_the_unit_is_the_last_decimal_of_the_total() -> None:
    ledger = to_ledger(np.array([0.25, 0.12345678]))

    assert ledger.decimals == 8
    assert ledger.units.tolist() == [25000000, 12345678]
    assert ledger.total == Decimal("0.37345678")


def test_missing_units_go_to_the_largest_remainders_and_ties_to_the_earlier_line() -> None:
    lines = spread(np.array([1, 1, 1, 0]), np.array([0.2, 0.7, 0.7, 0.0]), 4)

    assert lines.tolist() == [1, 2, 1, 0]


def test_a_line_of_nothing_stays_nothing() -> None:
    assert spread(np.array([5, 0]), np.array([0.5, 0.0]), 8).tolist() == [8, 0]
    assert spread(np.array([0, 0]), np.array([0.0, 0.0]), 0).tolist() == [0, 0]


def test_amounts_are_written_without_exponent() -> None:
    assert plain(amount(0, 9)) == "0.000000000"
    assert plain(amount(7, 9)) == "0.000000007"
    assert plain(amount(-1234567, 6)) == "-1.234567"


def test_more_than_64_bits_of_money_is_refused() -> None:
    assert to_ledger(np.array([9e18])).total == Decimal("9e18")
    with pytest.raises(InputError, match=r"add up to 1E\+19 SU, over .*; charge .*lower rate"):
        to_ledger(np.array([1e19]))


def test_large_totals_keep_as_many_decimals_as_they_print() -> None:
    ledger = to_ledger(np.array([3e12, 0.125]))

    assert (ledger.decimals, ledger.total) == (3, Decimal("3000000000000.125"))
    assert ledger.units.tolist() == [3_000_000_000_000_000, 125]


@given(money)
def test_lines_add_up_to_the_printed_total_digit_for_digit(charge: np.ndarray) -> None:
    assert to_ledger(charge).total == Decimal(repr(math.fsum(charge)))


@given(money)
def test_no_line_is_off_by_more_than_a_few_units(charge: np.ndarray) -> None:
    ledger = to_ledger(charge)

    unit = Decimal(1).scaleb(-ledger.decimals)
    slack = unit + Decimal(math.ulp(math.fsum(charge)))
    for units, value in zip(ledger.units.tolist(), charge.tolist(), strict=True):
        assert abs(amount(units, ledger.decimals) - Decimal(value)) <= slack


@given(st.lists(st.floats(0, 1e9), max_size=40).map(np.array), st.integers(0, 5))
def test_sums_of_owners_are_rounded_before_their_lines(charge: np.ndarray, decimals: int) -> None:
    owner = np.arange(len(charge)) % 3
    ledger = to_ledger(charge, decimals, owner)

    assert ledger.total == round(Decimal(repr(math.fsum(charge))), decimals)
    unit, slack = Decimal(1).scaleb(-decimals), Decimal(math.ulp(math.fsum(charge)))
    for each in range(3):
        paid = amount(int(ledger.units[owner == each].sum()), decimals)
        assert abs(paid - Decimal(math.fsum(charge[owner == each]))) <= unit + slack


def test_a_thousand_jobs_below_the_unit_are_not_free() -> None:
    charge = np.array([0.004] * 1000 + [0.006] * 1000)

    ledger = to_ledger(charge, 2, np.repeat([1, 2], 1000))

    assert (ledger.units[:1000].sum(), ledger.units[1000:].sum()) == (400, 600)
