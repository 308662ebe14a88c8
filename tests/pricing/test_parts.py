from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from pricing.parts import apart, exact_sum

AMOUNTS = st.floats(0, 1e6, allow_subnormal=False)


@given(st.lists(AMOUNTS, min_size=1, max_size=6), st.integers(-2, 2), st.integers(0, 8))
def test_parts_are_near_add_up_and_are_not_negative(
    amounts: list[float], off: int, decimals: int
) -> None:
    """A line may be off by a few units of what it is made of, as those of a ledger are."""
    line = max(0, round(sum(map(Fraction, amounts)) * 10**decimals) + off)

    parts = apart(line, amounts, decimals)

    assert sum(parts) == line
    assert min(parts) >= 0
    for part, exact in zip(parts, amounts, strict=True):
        assert abs(part - Fraction(exact) * 10**decimals) <= 1 + abs(off)


def test_what_costs_nothing_gets_nothing_of_the_rounding() -> None:
    assert apart(4, [0.0, 0.01, 0.02, 0.0], 2) == [0, 1, 3, 0]


def test_sums_keep_all_their_digits() -> None:
    assert str(exact_sum([Decimal(10) ** 40, Decimal("1e-40")])) == f"{10**40}.{'0' * 39}1"
