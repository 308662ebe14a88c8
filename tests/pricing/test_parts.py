from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction

import numpy as np
from hypothesis import example, given
from hypothesis import strategies as st

from pricing import Shares, Waste
from pricing.ledger import to_ledger
from pricing.parts import exact_sum, parts_of
from pricing.shares import Dues
from pricing.waste import NOBODY, PREEMPTOR, WasteRule

AMOUNTS = st.one_of(st.just(0.0), st.floats(1e-12, 1e6))

JOBS = 4

PLACES = st.integers(NOBODY, JOBS - 1)

STOPS = st.lists(st.tuples(AMOUNTS, PLACES, PLACES, AMOUNTS, PLACES), max_size=6)


def test_sums_keep_all_their_digits() -> None:
    assert str(exact_sum([Decimal(10) ** 40, Decimal("1e-40")])) == f"{10**40}.{'0' * 39}1"


def shares(
    own: list[float], stops: list[tuple[float, int, int, float, int]], least: float = 0.3
) -> Shares:
    """Return shares of stops.

    Parameters
    ----------
    own : list of float
        What each job pays for itself (SU).
    stops : list of tuple
        Price of lost work, its payer, receiver of the value, the value, and its payer.
    least : float
        Share of its value that the receiver of the first stop may get; of the last, 1.5.
    """
    columns = np.array(stops, dtype=np.float64).reshape(len(stops), 5).T
    price, value = columns[0], columns[3]
    payer, receiver, cause = (columns[k].astype(np.int64) for k in (1, 2, 4))
    none, last = np.zeros(len(stops)), np.full(len(stops), len(own) - 1)
    nobody = np.full(len(stops), NOBODY)
    waste = Waste(last, nobody, none.astype(np.bool_), none, none, none, value)
    work = Dues.of(price, payer, nobody)
    displaced = Dues.of(value, cause, receiver)
    left = displaced.price * np.linspace(least, 1.5, len(stops))
    displaced = displaced.passed_on(left, np.array(own) + work.paid_by(len(own)))
    rule = WasteRule(PREEMPTOR)
    return Shares(np.array(own), waste, rule, last, price, none + 1, work, displaced, left)


@given(st.lists(AMOUNTS, min_size=JOBS, max_size=JOBS), STOPS)
@example(
    # the float of the sum is below the sum of what is rounded down
    [0.0, 0.0, 0.0, 230066.23468248761],
    [(0.0, 0, 0, 32078.203777236944, 0), (0.0, 0, 0, 1.0000000000000002e-12, 0)],
)
def test_parts_are_near_add_up_and_are_not_negative(
    own: list[float], stops: list[tuple[float, int, int, float, int]]
) -> None:
    asked = shares(own, stops)

    parts = parts_of(asked)

    entries = [*zip(parts.own.tolist(), own, strict=True)]
    for exact, dues in ((parts.work, asked.work), (parts.displaced, asked.displaced)):
        kept = exact.paid.units - exact.received.units
        entries += zip(kept.tolist(), dues.to_centre.tolist(), strict=True)
        entries += zip(exact.received.units.tolist(), dues.received.tolist(), strict=True)
    scale = 10**parts.decimals
    half = Fraction(math.ulp(math.fsum(asked.to_centre))) / 2  # lost as a float
    for units, amount in entries:
        assert abs(units - Fraction(amount) * scale) <= 2 + half * scale
        assert units >= 0
        assert amount or not units  # what costs nothing gets nothing of the rounding
    paid = sum(map(Fraction, asked.to_centre.tolist()), Fraction(0))
    assert (
        abs(Fraction(parts.ledger.total) - paid) <= Fraction(1, 10**parts.decimals) + paid / 2**52
    )
    both = exact_sum((parts.displaced.paid.total, parts.displaced.borne.total))
    assert exact_sum(parts.displaced.price) == both


def test_a_line_for_stops_alone_is_so_to_the_last_unit() -> None:
    """Three lines are a third of an SU; the unit missing from the total is the first one's."""
    parts = parts_of(shares([0.0, 1 / 3, 1 / 3], [(1 / 3, 0, NOBODY, 0.0, NOBODY)]))

    assert parts.own.tolist() == [0, 333_334, 333_333]
    assert parts.work.paid.units.tolist() == [333_333]
    assert parts.ledger.units.tolist() == [333_333, 333_334, 333_333]


def test_what_one_job_pays_another_changes_no_total() -> None:
    """The middle one pays a third to the first one, beside what it is asked for itself."""
    own = [1 / 2, 1 / 3, 1 / 7]

    parts = parts_of(shares(own, [(0.0, NOBODY, 0, 1 / 3, 1)], least=1.0))

    assert parts.ledger.total == to_ledger(np.array(own)).total
    third = int(parts.displaced.paid.units[0])
    assert parts.ledger.units.tolist()[0] == parts.own[0] - third
    assert abs(third - Fraction(1 / 3) * 10**parts.decimals) <= 1
