"""Jobs that are not worth the reserve wait for idle time."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

import pricing
from swfx import InputError, UtilityTable, Workload
from tests.queues import random_workload
from tests.scale import many
from utilitysched import make_scheduler, simulate
from utilitysched.counterfactual.charges import Counterfactuals
from utilitysched.model.scheduler import Wrapper

HOUR = 3600.0


def two_hours(submit: list[float], size: list[int], worth: list[float]) -> Workload:
    """Jobs of an hour, each worth so much for a day."""
    jobs = len(submit)
    return Workload.from_columns(
        submit=submit,
        run=[HOUR] * jobs,
        processors=size,
        utility=UtilityTable(
            np.arange(jobs + 1) * 2, np.tile([0.0, 24 * HOUR], jobs), np.repeat(worth, 2)
        ),
    )


def starts(jobs: Workload, options: str) -> list[float]:
    """Hours at which jobs start on four processors, under a list scheduler and the genetic one."""
    easy, genetic = (
        [start / HOUR for start in simulate(jobs, f"{name}:{options}", machine_size=4).start]
        for name in ("easy", "ga")
    )
    assert easy == genetic
    return easy


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        # 2 processor-hours for 1 SU: not worth 0.6, and half of the other processors are in use
        ("reserve=0.6,idle=0", [0.0, 0.0, 1.0]),
        ("reserve=0.6,idle=0.5", [0.0, 1.5, 0.5]),
        ("reserve=0.5,idle=0.5", [0.0, 0.0, 1.0]),
        ("reserve=0", [0.0, 0.0, 1.0]),
    ],
)
def test_a_cheap_job_leaves_room_for_one_that_comes_later(
    options: str, expected: list[float]
) -> None:
    jobs = two_hours([0.0, 0.0, 0.5 * HOUR], [2, 2, 2], [9.0, 1.0, 9.0])

    assert starts(jobs, options) == expected


def test_who_is_alone_starts_however_little_it_is_worth() -> None:
    jobs = two_hours([0.0, 0.0], [3, 3], [0.0, 0.0])

    assert starts(jobs, "reserve=9,idle=1") == [0.0, 1.0]


def test_while_somebody_waits_who_is_worth_it_nobody_else_starts() -> None:
    jobs = two_hours([0.0, 0.0, 0.0], [3, 2, 1], [18.0, 5.0, 0.0])

    assert starts(jobs, "reserve=1,idle=0") == [0.0, 1.0, 1.0]
    assert starts(jobs, "reserve=0") == [0.0, 1.0, 0.0]


def test_the_starved_are_worth_any_reserve() -> None:
    jobs = two_hours([0.0, 0.0, HOUR / 2], [2, 2, 2], [9.0, 0.0, 9.0])

    assert starts(jobs, "reserve=1,threshold=1800") == [0.0, 1.0, 0.5]


@pytest.mark.parametrize(
    "scheduler", ["spf", "value-density:placement=conservative", "saf:depth=3"]
)
def test_one_decision_at_a_time_is_the_same(scheduler: str) -> None:
    rng, waited = Random(5), 0
    for _ in range(many(20, least=10)):
        jobs, processors = random_workload(rng)
        text = f"{scheduler}{',' if ':' in scheduler else ':'}reserve=500,idle=0.5"
        whole = simulate(jobs, text, machine_size=processors)
        stepwise = simulate(jobs, Wrapper(make_scheduler(text)), machine_size=processors)
        assert whole.start.tolist() == stepwise.start.tolist()
        waited += (
            whole.start.tolist()
            != simulate(jobs, scheduler, machine_size=processors).start.tolist()
        )
    assert waited > 0


def test_plans_of_ga_leave_out_who_waits_for_idle_time() -> None:
    jobs = two_hours([0.0, 0.0, 0.5 * HOUR, 0.5 * HOUR], [2, 2, 2, 2], [9.0, 1.0, 9.0, 8.0])
    falling = UtilityTable(
        jobs.utility.offsets, jobs.utility.times, jobs.utility.values * np.tile([1.0, 0.0], 4)
    )
    jobs = jobs.replace(utility=falling)
    schedule = simulate(jobs, "ga:reserve=0.6,idle=0.5", machine_size=4)
    asked = Counterfactuals.of(jobs, schedule)

    bill = pricing.charge(jobs, schedule.start, schedule.end, "vcg", counterfactual=asked)

    # at half an hour the third starts, and the fourth waits for half an hour of the 24 in which it
    # loses all; that the second waits, too, is nobody's doing
    assert (schedule.start / HOUR).tolist() == [0.0, 2.0, 0.5, 1.0]
    assert bill.charge == pytest.approx([0.0, 0.0, 8 / 48, 0.0])
    assert isinstance(bill.evidence, pricing.Pivots)
    assert bill.evidence.others.tolist() == [0, 0, 1, 0]


def test_every_job_runs_under_ga_and_draws_do_not_matter_to_who_waits() -> None:
    rng, waited = Random(6), 0
    for _ in range(many(10, least=5)):
        jobs, processors = random_workload(rng)
        plain, reserved = (
            simulate(jobs, f"ga:generations=2{more}", machine_size=processors)
            for more in ("", ",reserve=500,idle=0.5")
        )
        assert np.isfinite(reserved.start).all()
        waited += plain.start.tolist() != reserved.start.tolist()
    assert waited > 0


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("easy:reserve=-1", "field reserve: -1 is below 0"),
        ("easy:reserve=much", "field reserve"),
        ("easy:idle=2", "field idle: 2 is out of bounds; give 0 to 1"),
        (
            "easy:reserve=1,holes=true",
            "field reserve: jobs that wait for idle time are not stopped",
        ),
        ("conservative:reserve=1,replan=false", "field replan"),
        ("ga:reserve=-1", "field reserve"),
        ("ga:reserve=1,preempt=true", "field reserve: jobs that wait for idle time do not preempt"),
        ("ga:reserve=1,restarts=true", "field reserve: jobs that wait for idle time are not stop"),
    ],
)
def test_what_cannot_be_is_refused(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        make_scheduler(text)
