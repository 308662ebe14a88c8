"""Lifetimes: the rates that they promise, and what they refuse."""

from __future__ import annotations

import math

import numpy as np
import pytest

from checkpoint.lifetime import Lifetime, as_mtbf
from swfx import InputError

DAY = 86_400.0


def test_failures_come_at_their_rate_from_the_first_day_on() -> None:
    """A stationary renewal process has t / cycle events on average, whatever t.

    Counted are the first 20 days of 4,000 things that fail every 10 days on average (repairs take
    1 s, rounding to seconds is negligible): 8,000 events, of a variance of 8,000. Four deviations
    are 358.
    """
    life = Lifetime(10 * DAY, repair=1)
    rng = np.random.default_rng(3)

    count = sum(len(life.failures(rng, 0, 20 * DAY)) for _ in range(4000))

    assert abs(count - 8000) < 358


def test_times_between_failures_have_the_mean_and_spread_of_their_distribution() -> None:
    """5,000 gaps: the mean is within 4 deviations, 4 / sqrt(5,000) = 5.7%."""
    life = Lifetime(5 * DAY, repair=3600)
    instants = np.array(life.failures(np.random.default_rng(5), 0, 5000 * 5.1 * DAY))

    up = np.diff(instants) - 3600

    assert up.mean() == pytest.approx(5 * DAY, rel=0.057)
    assert up.std() / up.mean() == pytest.approx(1.0, rel=0.15)


def test_instants_are_whole_seconds_after_the_beginning_and_follow_repairs() -> None:
    instants = Lifetime(mtbf=2, repair=5).failures(np.random.default_rng(1), 0.5, 1000)

    assert all((instant - 0.5).is_integer() and instant > 0.5 for instant in instants)
    assert np.diff(instants).min() == 6


def test_a_later_end_adds_failures_and_changes_none() -> None:
    life = Lifetime(mtbf=DAY, repair=60)
    short = life.failures(np.random.default_rng(1), 0, 10 * DAY)
    long = life.failures(np.random.default_rng(1), 0, 20 * DAY)

    assert 0 < len(short) < len(long)
    assert long[: len(short)] == short


def test_what_never_fails_never_fails() -> None:
    life = Lifetime(math.inf, repair=60)

    assert (life.failures(np.random.default_rng(1), 0, 1e12), life.rate) == ([], 0)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ((0.5, 60), "field mtbf: 0.5 is out of range; give 1 s or more, such as 5y, or never"),
        ((math.nan, 60), "field mtbf: nan is out of range"),
        ((60, 0), "field repair: 0 is out of range; give 1 s or more, such as 4h"),
        ((60, 1.5), "field repair: 1.5 is not whole seconds; give whole seconds"),
        ((60, math.inf), "field repair: inf is out of range"),
    ],
)
def test_refusals(given: tuple[float, float], message: str) -> None:
    with pytest.raises(InputError) as refused:
        Lifetime(*given)

    assert message in str(refused.value)


def test_times_between_failures_may_be_in_years() -> None:
    assert as_mtbf("1.5y", "x", "mtbf") == 547.5 * DAY
    assert as_mtbf("90d", "x", "mtbf") == 90 * DAY
    with pytest.raises(InputError, match=r"field mtbf: unknown unit .* 'fivey'; known: .*, y"):
        as_mtbf("fivey", "x", "mtbf")


def test_a_failure_at_the_end_is_not_before_it() -> None:
    life = Lifetime(1000, 10)
    first, second, *_ = life.failures(np.random.default_rng(1), 0, 10_000)

    assert life.failures(np.random.default_rng(1), 0, second) == [first]
    assert life.failures(np.random.default_rng(1), 0, second + 1) == [first, second]
