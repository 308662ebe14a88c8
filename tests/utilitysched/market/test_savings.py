"""What a job would have been charged by other choices, worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest

import pricing
from swfx import Header, InputError, UtilityFunction, UtilityTable, Workload
from utilitysched import simulate
from utilitysched.counterfactual.charges import Counterfactuals
from utilitysched.market.savings import JobSaving, job_savings, require_playable

NOON = 954547200 + 12 * 3600


@pytest.mark.parametrize("mechanism", ["vcg", "vcg:settle=end", "vcg:method=replay"])
def test_a_job_by_day_that_asked_for_too_much(mechanism: str) -> None:
    """On one processor the second job waits for the first, and loses 1 SU in 60 s.

    By plans at its start the first is in the way for the 1,800 s that it asked for, in truth for
    the 600 s that it runs.
    """
    falling = UtilityFunction([0, 36000], [600, 0])
    jobs = Workload.from_columns(
        header=Header((f" UnixStartTime: {NOON}", " MaxProcs: 1")),
        submit=[0, 0],
        run=[600, 600],
        requested_time=[1800, 600],
        processors=[1, 1],
        user=[1, 2],
        utility=UtilityTable.from_functions([falling] * 2),
    )
    schedule = simulate(jobs, "easy")
    asked = Counterfactuals.of(jobs, schedule)
    charges = pricing.charge(jobs, schedule.start, schedule.end, mechanism, counterfactual=asked)
    done: list[float] = []

    found = job_savings(charges, ["ann", "bob"], 5, done.append)

    as_asked, as_run = (30.0, 11.0) if mechanism == "vcg" else (10.0, 10.0)
    assert charges.charge.tolist() == [as_asked, 0.0]
    assert [each.choice for each in found] == [
        "it had been submitted at 2000-04-01 22:00",
        "11 min had been asked for, not 30 min",
        "its utility function had been half as high",
    ]
    assert [each.price for each in found] == pytest.approx([0.0, as_run, as_asked])
    assert [each.later for each in found] == [36000.0, 0.0, 0.0]
    assert done == [1.0]


def test_everybodys_most_expensive_job_comes_first() -> None:
    """Six jobs wait for each other; the earlier one starts, the more others it delays."""
    falling = UtilityFunction([0, 36000], [600, 0])
    jobs = Workload.from_columns(
        header=Header((" MaxProcs: 1",)),
        submit=[0] * 6,
        run=[600] * 6,
        requested_time=[600] * 6,
        processors=[1] * 6,
        utility=UtilityTable.from_functions([falling] * 6),
    )
    schedule = simulate(jobs, "easy")
    asked = Counterfactuals.of(jobs, schedule)
    charges = pricing.charge(jobs, schedule.start, schedule.end, "vcg", counterfactual=asked)

    found = job_savings(charges, ["ann", "ann", "ann", "bob", "bob", "cy"], 3, lambda _: None)

    assert charges.charge.tolist() == [50.0, 40.0, 30.0, 20.0, 10.0, 0.0]
    half = "its utility function had been half as high"
    assert found == [  # no calendar, nothing asked for in vain
        JobSaving(0, half, 50.0, 0.0),
        JobSaving(1, half, 40.0, 0.0),
        JobSaving(3, half, 20.0, 0.0),
    ]


@pytest.mark.parametrize(
    ("mechanism", "options", "said"),
    [
        (
            "second-price:reading=end",
            {},
            "second-price:reading=end does not ask what would have been",
        ),
        ("vcg", {"dependencies": True}, "not defined where jobs wait for others or were stopped"),
        ("vcg", {"preemption": "default"}, "not defined where jobs wait"),
    ],
)
def test_what_is_not_defined_is_refused(
    mechanism: str, options: dict[str, object], said: str
) -> None:
    jobs = Workload.from_columns(submit=[0], run=[1], processors=[1])
    asked = Counterfactuals(jobs, np.zeros(1), "easy", 1, **options)  # type: ignore[arg-type]

    with pytest.raises(InputError, match=said):
        require_playable(mechanism, asked)
