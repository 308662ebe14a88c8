"""What quotes tell of rivals: an attacker who copies a curve, with exact and with rounded ones."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.disclosure import (
    HOUR,
    SCHEDULER,
    Charge,
    Copy,
    copied,
    copied_by_bisection,
    losses,
    moment,
    quoted,
    rivals_curve,
)
from pricing.disclosure import band
from swfx import UtilityFunction
from utilitysched.market.quote import QuotedJob, QuoteTerms, quote

Attack = Callable[[Charge, int], Copy]


def errors(attack: Attack, quotes: int, *, rounded: bool) -> list[float]:
    """Return the mean over six rivals of the mean and the largest error of their copies."""
    curves = [rivals_curve(Random(seed)) for seed in range(6)]
    copies = [attack(quoted(curve, rounded=rounded), quotes) for curve in curves]
    pairs = [copy.error(curve) for copy, curve in zip(copies, curves, strict=True)]
    return [float(np.mean(each)) for each in zip(*pairs, strict=True)]


def test_exact_quotes_copy_a_rivals_curve() -> None:
    mean, _ = errors(copied, 40, rounded=False)

    assert mean < 0.002


@pytest.mark.parametrize("attack", [copied, copied_by_bisection])
def test_rounded_quotes_leave_a_copy_wrong(attack: Attack) -> None:
    mean, largest = errors(attack, 40, rounded=True)

    assert mean > 0.04
    assert largest > 0.15


def test_five_points_of_a_curve_are_read_to_three_decimals_from_exact_quotes_only() -> None:
    curve, hours = rivals_curve(Random(5)), [1.0, 3.0, 7.0, 12.0, 20.0]
    truth = losses(curve, np.array(hours)).tolist()

    exact = list(map(quoted(curve, rounded=False), hours))
    rounded = list(map(quoted(curve, rounded=True), hours))

    assert exact == pytest.approx(truth, abs=5e-4)
    assert rounded == list(map(band, truth))


def test_the_bid_that_halves_the_turnaround_is_doubled_not_found() -> None:
    rng = Random(3)
    for _ in range(5):
        snapshot = moment(rivals_curve(rng))
        job = QuotedJob(4, 0.1 * HOUR, curves={"": UtilityFunction([0, 48 * HOUR], [0.05, 0.0])})
        factors = [
            quote(snapshot, job, QuoteTerms(SCHEDULER, ("vcg",), 1, rounded=rounded))
            .offers[0]
            .hurry.factor
            for rounded in (False, True)
        ]
        exact, doubled = factors
        assert exact is not None
        assert doubled is not None
        assert np.log2(doubled) == np.ceil(np.log2(exact))


def test_no_bid_is_tried_that_the_account_could_not_pay() -> None:
    snapshot = moment(UtilityFunction([0, 24 * HOUR], [100.0, 0.0]))
    job = QuotedJob(4, 0.1 * HOUR, curves={"": UtilityFunction([0, 48 * HOUR], [0.05, 0.0])})

    def hurry(budget: float) -> tuple[float | None, str]:
        terms = QuoteTerms(SCHEDULER, ("vcg",), 1, rounded=True, budget=budget)
        found = quote(snapshot, job, terms).offers[0].hurry
        return found.factor, found.why

    needed, _ = hurry(1e6)
    assert needed is not None
    assert hurry(0.05 * needed) == (needed, "")
    assert hurry(0.05 * needed - 1e-6) == (None, f"not even with {needed / 2:,.4g} times the bid")
    assert hurry(0.09) == (None, "the account could not pay a higher one")


@given(st.floats(1e-3, 1e9))
def test_a_band_is_near_the_amount_and_keeps_the_order(amount: float) -> None:
    shown = band(amount)

    assert band(shown) == shown
    assert band(-amount) == -shown
    assert shown <= band(amount * 1.01)
    if amount >= 0.01:
        assert 1 / 1.6 < shown / amount < 1.6


@pytest.mark.parametrize("mechanism", ["first-price:reading=end", "single-price", "multi-queue"])
def test_charges_that_tell_nothing_of_others_stay_exact(mechanism: str) -> None:
    snapshot = moment(rivals_curve(Random(1)))
    job = QuotedJob(4, 0.7 * HOUR, curves={"": UtilityFunction([0, 48 * HOUR], [37.7, 0.0])})

    exact, rounded = (
        quote(snapshot, job, QuoteTerms(SCHEDULER, (mechanism,), 3, rounded=each)).offers[0].now
        for each in (False, True)
    )

    assert rounded.charges == exact.charges
