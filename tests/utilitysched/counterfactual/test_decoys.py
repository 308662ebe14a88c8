"""Decoys: re-runnable jobs that are worth nothing, and wait to be displaced by others, for pay."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np
import pytest

from pricing import Charges
from swfx import UtilityFunction, UtilityTable, Workload, open_workload
from swfx.families.generators import UtilitySpec, attach_utilities
from tests.pricing import stopped
from utilitysched import simulate
from utilitysched.counterfactual.charges import Counterfactuals

DECOYS = 60
HOUR = 3600.0
DRAWS = range(1, 11)
RESTARTS = "holes=true,restarts=true"


class Told(NamedTuple):
    """Worth of a decoy by its curve (SU): so much until then (s), and nothing later."""

    value: float
    until: float


ALWAYS = 30 * 24 * HOUR


@cache
def honest(draw: int) -> Workload:
    """Return jobs of the packaged workload with utility functions."""
    jobs = open_workload("sample:").workload[:500]
    waits = simulate(jobs, "easy").wait(jobs)
    return attach_utilities(jobs, UtilitySpec(), draw, waits=waits)


def with_decoys(draw: int, told: Told) -> Workload:
    """Return the honest jobs, and behind them decoys that run for an hour."""
    jobs = honest(draw)
    rng = np.random.default_rng(draw)
    submit = rng.uniform(jobs.submit.min(), jobs.submit.max(), DECOYS).round()
    curve = UtilityFunction([0, told.until, told.until + 1], [told.value, told.value, 0])
    return Workload.from_columns(
        submit=[*jobs.submit, *submit],
        run=[*jobs.effective_run, *[HOUR] * DECOYS],
        requested_time=[*jobs.request, *[12 * HOUR] * DECOYS],
        processors=[*jobs.size, *[jobs.machine_size // 10] * DECOYS],
        user=[*jobs.user, *[jobs.user.max() + 1] * DECOYS],
        rerunnable=[*[1] * len(jobs), *[1] * DECOYS],
        utility=UtilityTable.from_functions(
            [*(jobs.utility[job] for job in range(len(jobs))), *[curve] * DECOYS]
        ),
    )


def billed(draw: int, told: Told, scheduler: str, mechanism: str) -> Charges:
    jobs = with_decoys(draw, told)
    machine = honest(draw).machine_size
    schedule = simulate(jobs, f"{scheduler}{RESTARTS}", machine_size=machine)
    known = Counterfactuals.of(jobs, schedule)
    return stopped.charged(jobs, schedule, mechanism, counterfactual=known)


@pytest.mark.parametrize(
    ("told", "scheduler", "mechanism", "loses"),
    [
        (Told(0.01, ALWAYS), "value-and-delay:", "first-price:reading=scheduler", True),
        (Told(2.0, ALWAYS), "value-and-delay:", "first-price:reading=scheduler", True),
        (Told(10.0, ALWAYS), "value-and-delay:", "first-price:reading=scheduler", True),
        # charged as if done long after the deadline, stopped before it
        (
            Told(10.0, 6 * HOUR),
            "value-and-delay:duration=requested,",
            "first-price:reading=scheduler",
            False,
        ),
        (Told(10.0, 0.95 * HOUR), "value-and-delay:", "first-price:reading=end", False),
        (Told(10.0, ALWAYS), "value-and-delay:", "single-price:lost=centre", True),
    ],
)
@pytest.mark.slow
def test_a_worthless_job_gains_nothing_by_being_displaced(
    told: Told, scheduler: str, mechanism: str, loses: bool
) -> None:
    paid_for, gains = 0.0, []
    for draw in DRAWS:
        bill = billed(draw, told, scheduler, mechanism)
        assert bill.shares is not None
        decoy = np.arange(len(bill)) >= len(bill) - DECOYS
        paid_for += bill.shares.displaced.paid[decoy[bill.shares.stopped]].sum()
        gains.append(-bill.charge[decoy].mean())

    assert paid_for > 0  # others do pay for having them killed
    assert max(gains) <= 1e-12
    assert max(gains) < 0 or not loses
