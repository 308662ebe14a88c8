"""Jobs that are not worth the reserve wait for idle time."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from swfx import InputError, UtilityTable, Workload
from tests.queues import random_workload
from tests.scale import many
from utilitysched import make_scheduler, simulate
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
    """Hours at which jobs start on four processors."""
    return [start / HOUR for start in simulate(jobs, f"easy:{options}", machine_size=4).start]


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
    ],
)
def test_what_cannot_be_is_refused(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        make_scheduler(text)
