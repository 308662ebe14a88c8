"""Optimal intervals: closed formulas beside simulations and brute force."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from checkpoint import (
    best_interval,
    daly_interval,
    expected_time,
    young_interval,
)
from checkpoint.optimal import together

INFINITE = math.inf


def lived_through(
    work: float, interval: float, cost: float, restart: float, mtbf: float, rng: np.random.Generator
) -> float:
    """Time until a job is done: one random history, second by second of its own story."""
    clock, saved = 0.0, 0.0
    next_stop = rng.exponential(mtbf)
    while True:
        done = saved
        while done < work:
            part = min(interval, work - done)
            takes = part + (cost if done + part < work else 0.0)
            if clock + takes > next_stop:
                break
            clock += takes
            done = saved = done + part
        else:
            return clock
        clock = next_stop
        next_stop = clock + rng.exponential(mtbf)
        while clock + restart > next_stop:
            clock = next_stop
            next_stop = clock + rng.exponential(mtbf)
        clock += restart


@pytest.mark.parametrize(
    ("work", "interval", "cost", "restart", "mtbf"),
    [
        (10_000, 1_000, 100, 50, 5_000),
        (10_000, 3_333, 100, 500, 5_000),
        (5_000, INFINITE, 100, 50, 4_000),
        (4_000, 1_000, 800, 2_000, 2_000),
        (900, 1_000, 60, 60, 1_000),
    ],
)
def test_a_simulation_takes_the_time_of_the_formula(
    work: float, interval: float, cost: float, restart: float, mtbf: float
) -> None:
    """3,000 histories; their mean is within four of its own standard errors."""
    rng = np.random.default_rng(8)
    times = [lived_through(work, interval, cost, restart, mtbf, rng) for _ in range(3000)]

    formula = float(expected_time(work, interval, cost=cost, restart=restart, mtbf=mtbf))

    error = np.std(times) / math.sqrt(3000)
    assert abs(np.mean(times) - formula) < 4 * error
    assert error < 0.03 * formula


def test_preemptions_and_failures_together_are_stops_at_the_sum_of_their_rates() -> None:
    between = together(6_000, 3_000)

    assert float(between) == pytest.approx(2_000)
    assert float(together(INFINITE, INFINITE)) == INFINITE


@given(
    st.floats(1, 1e6),
    st.floats(0.001, 1e5),
    st.floats(100, 1e9),
)
def test_no_other_interval_is_better_than_the_best(work: float, cost: float, mtbf: float) -> None:
    """Brute force over all numbers of parts up to 300, and over intervals that do not divide it."""
    cost, work = min(cost, 50 * mtbf), min(work, 100 * mtbf)
    options = {"cost": cost, "restart": 0.0, "mtbf": mtbf}
    parts = np.arange(2, 301)
    others = np.concatenate([work / parts, work * np.linspace(0.001, 0.999, 300), [INFINITE]])

    best = float(expected_time(work, best_interval(work, cost, mtbf), **options))

    assert best <= expected_time(work, others, **options).min() * (1 + 1e-9)


def test_what_the_papers_have() -> None:
    """By hand: sqrt(2 60 86,400), and that times (1 + 0.0062113 + 0.0000386), less 60."""
    assert float(young_interval(60, 86_400)) == pytest.approx(3219.9379)
    assert float(daly_interval(60, 86_400)) == pytest.approx(3180.0621, abs=0.01)
    assert daly_interval([199, 200, 500], 100)[1:].tolist() == [100, 100]


@pytest.mark.parametrize("cost", [1, 60, 600])
def test_of_a_long_job_daly_s_interval_is_nearly_the_best(cost: float) -> None:
    best, daly = best_interval(1e8, cost, 86_400), daly_interval(cost, 86_400)

    assert float(daly) == pytest.approx(float(best), rel=1e-3)


def test_a_short_job_should_take_none() -> None:
    assert best_interval(1000, 60, 86_400) == INFINITE
    assert best_interval(0, 60, 86_400) == INFINITE
    assert best_interval(1e9, 60, INFINITE) == INFINITE


def test_where_nothing_stops_the_job_each_checkpoint_costs_its_time() -> None:
    times = expected_time(1000, [250, 300, 1000, -1], cost=7, restart=99, mtbf=INFINITE)

    assert times.tolist() == [1021, 1021, 1000, 1000]


def test_what_can_hardly_end_takes_for_ever_and_not_longer() -> None:
    assert expected_time(1e6, -1, cost=1, restart=0, mtbf=100) == INFINITE
    assert 0 < best_interval(1e6, 1, 100) < 100


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"work": -1}, "work: seconds from 0"),
        ({"work": INFINITE}, "work: seconds from 0"),
        ({"interval": 0}, "interval: positive seconds, or -1 for none"),
        ({"mtbf": 0}, "mtbf: positive seconds"),
        ({"cost": -1}, "cost: from 0 to 100 times the mtbf"),
        ({"restart": 1e9}, "restart: from 0 to 100 times the mtbf"),
        ({"work": math.nan}, "work: seconds from 0"),
    ],
)
def test_refusals(change: dict[str, float], message: str) -> None:
    given = {"work": 100.0, "interval": 10.0, "cost": 1.0, "restart": 1.0, "mtbf": 1000.0} | change

    with pytest.raises(ValueError, match=message):
        expected_time(given.pop("work"), given.pop("interval"), **given)


@pytest.mark.parametrize("interval", [young_interval, daly_interval])
def test_free_checkpoints_have_no_best_interval(interval) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(ValueError, match="checkpoints that cost nothing"):
        interval(0, 1000)
    with pytest.raises(ValueError, match="checkpoints that cost nothing"):
        best_interval(1000, 0, 1000)


@pytest.mark.parametrize(
    ("work", "cost", "parts"),
    [
        (500, 20, 3),
        (1000, 50, 3),
        (1000, 100, 2),
        (2000, 50, 7),
        (2000, 100, 5),
        (5000, 50, 17),
        (20_000, 100, 52),
    ],
)
def test_the_number_of_parts_is_rounded_to_the_better_side(
    work: float, cost: float, parts: int
) -> None:
    """Brute force over all numbers of parts; a checkpoint more or less takes longer."""
    numbers = np.arange(1, 400)
    intervals = np.where(numbers > 1, work / numbers, INFINITE)
    times = expected_time(work, intervals, cost=cost, restart=0, mtbf=1000)

    assert numbers[np.argmin(times)] == parts
    assert best_interval(work, cost, 1000) == work / parts


@pytest.mark.parametrize(("work", "parts"), [(7, 55), (1000, 61), (86_400, 63), (1000, 122)])
def test_work_that_does_not_divide_exactly_takes_no_checkpoint_more(work: int, parts: int) -> None:
    assert math.ceil(work / (work / parts)) == parts + 1

    time = expected_time(work, work / parts, cost=100, restart=0, mtbf=INFINITE)

    assert float(time) == pytest.approx(work + 100 * (parts - 1), rel=1e-12)


def test_daly_s_series_holds_to_twice_the_time_between_stops() -> None:
    """By hand: sqrt(2 150 100) (1 + sqrt(0.75) / 3 + 0.75 / 9) - 150."""
    assert float(daly_interval(150, 100)) == pytest.approx(87.6388, abs=1e-4)
    assert float(daly_interval(199, 100)) == pytest.approx(88.8885, abs=1e-4)
    assert float(daly_interval(60, 86_400)) == pytest.approx(3180.0621, abs=1e-4)
