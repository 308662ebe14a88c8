"""Amounts: exact, or refused."""

from __future__ import annotations

import pytest

from swfx import InputError
from utilitysched_centre.accounts import Money

CENTS = Money("SU", 2)


@pytest.mark.parametrize(
    ("text", "units"), [("12.5", 1250), ("0", 0), ("-3", -300), ("1e3", 100000), ("2.500", 250)]
)
def test_amounts_are_whole_minor_units(text: str, units: int) -> None:
    assert CENTS.units(text) == units


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("0.001", "0.001 has more decimals than this ledger, which has 2; round it to 0.01 SU"),
        ("1.0000000000000000000000000000000001", "more decimals"),
        ("1e-999999", "more decimals"),
        ("ten", "'ten' is not a number"),
        ("inf", "'inf' is not a number"),
        ("1e999999", "is over the 92233720368547758.07 that a ledger holds"),
        ("92233720368547758.08", "is over the 92233720368547758.07 that a ledger holds"),
    ],
)
def test_what_is_no_amount_is_refused(text: str, said: str) -> None:
    with pytest.raises(InputError, match="field amount: ") as refusal:
        CENTS.units(text)

    assert said in str(refusal.value)


def test_the_largest_amount() -> None:
    assert CENTS.units("92233720368547758.07") == 2**63 - 1


def test_people_read_no_zeros_behind_the_second_decimal() -> None:
    fine = Money("SU", 6)

    assert [fine.text(units) for units in (0, 1, 2500000, -1234567000000)] == [
        "0.00 SU",
        "0.000001 SU",
        "2.50 SU",
        "-1,234,567.00 SU",
    ]
    assert Money("EUR", 0).text(12) == "12 EUR"
