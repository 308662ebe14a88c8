"""Markets of users who adapt: what is told, charged and left day by day."""

from __future__ import annotations

import math

import numpy as np
import pytest

from pricing import charge
from swfx import InputError, UtilityFunction, UtilityTable, Workload
from tests.scale import many
from tests.utilitysched.market.audit.markets import PROCESSORS, crowd
from utilitysched import simulate
from utilitysched.counterfactual.charges import Counterfactuals
from utilitysched.market.agents import MarketCourse, MarketRules, by_month, by_strategy, play
from utilitysched.market.agents.play import DAY
from utilitysched.market.audit import AuditSubject

HONEST = MarketRules(("truth",), None)
FIRST_PRICE = "first-price:reading=end"


def days(seed: int, each: int = 10) -> Workload:
    """Return a crowd whose jobs come in bursts, so many at the end of a day."""
    jobs = crowd(seed)
    burst = np.arange(len(jobs)) // each
    first = jobs.submit[burst * each]
    return jobs.replace(submit=jobs.submit - first + (burst + 1) * DAY - 40, queue=jobs.queue * 0)


def daily(values: list[float]) -> Workload:
    """Return jobs of one user, one a day, that are worth so much if they are done in 9 s."""
    curves = [UtilityFunction([0, 9], [value, value]) for value in values]
    return Workload.from_columns(
        submit=DAY * np.arange(float(len(values))),
        run=np.ones(len(values)),
        processors=np.ones(len(values), dtype=np.int64),
        user=np.ones(len(values), dtype=np.int64),
        utility=UtilityTable.from_functions(curves),
    )


def played(
    jobs: Workload,
    rules: MarketRules = HONEST,
    mechanism: str = "single-price",
    scheduler: str = "value-density",
) -> MarketCourse:
    return play(jobs, AuditSubject(scheduler, [mechanism], PROCESSORS, seed=7), rules)


@pytest.mark.parametrize("seed", range(many(6)))
@pytest.mark.parametrize("scheduler", ["value-density", "ga:population=4,generations=2"])
def test_a_market_of_honest_users_is_the_simulation_of_the_log(scheduler: str, seed: int) -> None:
    jobs = days(seed)
    schedule = simulate(jobs, scheduler, machine_size=PROCESSORS, seed=7)

    course = played(jobs, scheduler=scheduler)

    assert course.told.tolist() == course.worth.tolist() == jobs.utility.start_values.tolist()
    worth = jobs.utility.evaluate(schedule.turnaround(jobs))
    assert course.value.tolist() == worth.tolist()
    assert not course.broke.any()


@pytest.mark.parametrize(
    "mechanism", [FIRST_PRICE, "first-price:reading=scheduler", "vcg", "single-price"]
)
def test_charges_are_those_of_the_bill_of_what_was_told(mechanism: str) -> None:
    jobs = days(3).replace(user=np.arange(40))
    rules = MarketRules(("scale:factor=3",), None)
    curves = jobs.utility
    told = jobs.replace(utility=UtilityTable(curves.offsets, curves.times, 3 * curves.values))
    schedule = simulate(told, "value-density", machine_size=PROCESSORS, seed=7)
    asked = Counterfactuals.of(told, schedule)
    charges = charge(told, schedule.start, schedule.end, mechanism, counterfactual=asked)

    course = played(jobs, rules, mechanism)

    assert course.told == pytest.approx(3 * course.worth)
    assert course.charge == pytest.approx(charges.charge)
    assert course.charge.sum() > 0


def test_who_has_nothing_left_bids_nothing_until_the_next_grant() -> None:
    jobs = daily([60.0] * 4)

    # 240 SU in two months of two days, of which half: 60 for each
    course = played(jobs, MarketRules(("truth",), 0.5, 2), FIRST_PRICE)

    assert course.grant.tolist() == [60]
    assert course.month.tolist() == [0, 0, 1, 1]
    assert course.broke.tolist() == [False, True, False, True]
    assert course.told.tolist() == course.charge.tolist() == [60, 0, 60, 0]
    assert course.value.tolist() == [60] * 4
    first, second = by_month(course, played(jobs))
    assert (first.revenue, first.welfare, first.truth, first.broke) == (0.5, 1, 1, 0.5)
    assert (first.bid, first.moved, second.bid, second.moved) == (1, None, 1, 1)


def test_what_was_overdrawn_is_owed_and_what_was_left_is_lost() -> None:
    jobs = daily([100.0, 10.0, 10.0, 10.0, 0.0, 60.0])

    # 190 SU in six months of a day: 31.67 each, so that 68.33 are owed after the first
    course = played(jobs, MarketRules(("truth",), 1.0, 1), FIRST_PRICE)

    assert course.broke.tolist() == [False, True, True, False, False, False]
    assert course.charge.tolist() == [100, 0, 0, 10, 0, 60]


def test_users_are_dealt_out_evenly_and_each_fares_as_its_strategy_says() -> None:
    jobs = days(5)
    rules = MarketRules(("truth", "scale:factor=0.5"), None)

    course = played(jobs, rules, FIRST_PRICE, "easy")
    honest = played(jobs, HONEST, FIRST_PRICE, "easy")

    assert sorted(np.bincount(course.strategy).tolist()) == [3, 3]
    halved = course.strategy[course.user] == 1
    assert course.charge[halved] == pytest.approx(course.value[halved] / 2)
    assert course.charge[~halved] == pytest.approx(course.value[~halved])
    truth, half = by_strategy(course, honest, 0)
    assert (truth.strategy, truth.gain, truth.value_gain) == ("truth", 0, 0)
    assert half.gain == pytest.approx(half.value / 2)
    assert half.low is not None
    assert half.high is not None
    assert half.low <= half.gain <= half.high
    assert half.jobs + truth.jobs == len(jobs)


@pytest.mark.parametrize("strategy", ["climb:jobs=1", "exp3", "pace", "spend"])
def test_the_same_seed_makes_the_same_course(strategy: str) -> None:
    rules = MarketRules((strategy,), 0.5, 2)

    one, other = (played(days(4), rules, FIRST_PRICE) for _ in range(2))

    assert all(
        np.array_equal(getattr(one, name), getattr(other, name))
        for name in ("told", "broke", "value", "charge")
    )
    assert (one.told != one.worth).any()


def test_jobs_may_be_stopped_by_others_and_by_failures() -> None:
    jobs = days(2)
    subject = AuditSubject(
        "value-and-delay:restarts=true",
        [FIRST_PRICE],
        PROCESSORS,
        seed=7,
        failures="nodes=4,per=2,mtbf=1d,repair=10min",
    )

    course = play(jobs.replace(rerunnable=np.ones(len(jobs), dtype=np.int64)), subject)

    assert np.isfinite(course.value).all()
    assert course.charge.sum() > 0


@pytest.mark.parametrize(
    ("rules", "words"),
    [
        ({"strategies": ("climp",)}, "climb"),
        ({"strategies": ("split",)}, "about more than values"),
        ({"strategies": ("pace",), "budget": None}, "goes by a budget"),
        ({"strategies": ()}, "nobody plays"),
        ({"budget": -1.0}, "negative"),
        ({"budget": math.nan}, "not finite"),
        ({"budget": math.inf}, "inf is negative or not finite"),
        ({"month": 0}, "0 days"),
    ],
)
def test_what_cannot_be_played(rules: dict[str, object], words: str) -> None:
    with pytest.raises(InputError) as refused:
        MarketRules(**rules)  # type: ignore[arg-type]

    assert words in str(refused.value)


@pytest.mark.parametrize("mechanisms", [["vcg:method=replay"], ["vcg", FIRST_PRICE]])
def test_one_mechanism_that_charges_jobs_is_played(mechanisms: list[str]) -> None:
    with pytest.raises(InputError, match="one mechanism that charges jobs"):
        play(days(1), AuditSubject("easy", mechanisms, PROCESSORS))
