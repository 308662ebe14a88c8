"""The price for those who come later, learned from the weeks before, worked out by hand."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import pricing
from pricing.files import write_statements
from pricing.recompute import recompute
from swfx import InputError, UtilityTable, Workload
from utilitysched import simulate
from utilitysched.counterfactual.charges import Counterfactuals

HOUR = 3600.0
WEEK = 7 * 24 * HOUR


def log(submit: list[float], run: list[float]) -> Workload:
    """Jobs of one processor that ask for an hour, worth 10 SU and 1 SU less every hour."""
    jobs = len(submit)
    return Workload.from_columns(
        submit=submit,
        run=run,
        processors=[1] * jobs,
        requested_time=[HOUR] * jobs,
        utility=UtilityTable(
            np.arange(jobs + 1) * 2, np.tile([0.0, 10 * HOUR], jobs), np.tile([10.0, 0.0], jobs)
        ),
    )


def asked(jobs: Workload, scheduler: str = "easy") -> Counterfactuals:
    return Counterfactuals.of(jobs, simulate(jobs, scheduler, machine_size=1))


BESIDE = log([0.0, HOUR / 2, WEEK + HOUR, 2 * WEEK + HOUR], [HOUR] * 4)
"""Without the first job the second, which comes later, would start half an hour earlier: 0.5 SU in
two processor-hours, three after another week."""


@pytest.mark.parametrize("scheduler", ["easy", "value-density", "ga:generations=1,population=4"])
def test_what_others_lose_is_spread_over_the_hours_requested(scheduler: str) -> None:
    prices = asked(BESIDE, scheduler).reserve(np.zeros(4))

    assert prices == pytest.approx([0.0, 0.0, 0.5 / 2, 0.5 / 3])


def test_what_plans_have_charged_is_not_charged_again() -> None:
    assert asked(BESIDE).reserve(np.array([0.2, 0.0, 9.0, 9.0])) == pytest.approx([0, 0, 0.15, 0])


def test_nothing_that_comes_later_changes_a_price() -> None:
    later = log([0.0, HOUR / 2, WEEK + HOUR, WEEK + HOUR + 60], [HOUR] * 4)

    assert asked(later).reserve(np.zeros(4)) == pytest.approx([0.0, 0.0, 0.25, 0.25])


def test_who_still_runs_counts_as_running_for_as_long_as_requested() -> None:
    # both are there when the week ends, and nobody knows that the first takes no more than a minute
    submit = [0.0, WEEK - HOUR / 4, WEEK - HOUR / 8, WEEK + 2 * HOUR]
    long, short = (
        asked(log(submit, [60.0, run, HOUR, HOUR])).reserve(np.zeros(4))
        for run in (HOUR, 0.3 * HOUR)
    )

    assert long[3] == short[3] == pytest.approx((1 - 1 / 8) / 3)


def test_a_log_of_less_than_a_week_teaches_nothing() -> None:
    with pytest.raises(InputError, match="the first week teaches the first price"):
        asked(log([0.0, HOUR / 2], [HOUR] * 2)).reserve(np.zeros(2))


def test_a_bill_says_which_price_was_in_force_and_follows_from_its_files(tmp_path: Path) -> None:
    schedule = simulate(BESIDE, "easy", machine_size=1)
    bill = pricing.charge(
        BESIDE,
        schedule.start,
        schedule.end,
        "vcg:reserve=learned",
        counterfactual=Counterfactuals.of(BESIDE, schedule),
    )
    write_statements(tmp_path, bill)

    assert bill.charge == pytest.approx([0.0, 0.0, 0.25, 0.5 / 3])
    assert recompute(tmp_path, BESIDE, schedule.start, schedule.end).faults == ()
