from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from pricing import Shares, Waste
from pricing.ledger import to_ledger
from pricing.parts import apart, exact_sum, parts_of
from pricing.waste import PREEMPTOR

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


THIRD = 1 / 3


def paying(own: list[float], stops: int) -> Shares:
    """Return that each of the first jobs pays a third of an SU for a stop of the last one."""
    payer, last = np.arange(stops), np.full(stops, len(own) - 1)
    lost, none = np.full(stops, 1200.0), np.zeros(stops)
    waste = Waste(last, payer, np.ones(stops, dtype=np.bool_), lost, none)
    hours = np.full(stops, THIRD)
    return Shares(np.array(own), waste, PREEMPTOR, last, hours, np.ones(stops), payer, hours)


def test_a_line_for_stops_alone_is_so_to_the_last_unit() -> None:
    """Three lines are a third of an SU; the unit missing from the total is the first one's."""
    shares = paying([0.0, THIRD, THIRD], stops=1)
    ledger = to_ledger(shares.charge)

    parts = parts_of(ledger, shares)

    assert ledger.units.tolist() == [333_334, 333_333, 333_333]
    assert parts.own.tolist() == [0, 333_333, 333_333]
    assert parts.paid.tolist() == [333_334]


def test_no_more_of_a_line_is_for_stops_than_there_is() -> None:
    """Two stops cost two thirds of an SU, a unit more than the lines of the two who pay have."""
    shares = paying([1e-10, 1e-10, 0.5000005, 2 - 0.5000005 - 2 * THIRD - 2e-10], stops=2)
    ledger = to_ledger(shares.charge)

    parts = parts_of(ledger, shares)

    assert ledger.units.tolist() == [333_333, 333_333, 500_001, 833_333]
    assert parts.own.tolist() == [0, 0, 500_001, 833_333]
    assert parts.paid.tolist() == [333_333, 333_333]
