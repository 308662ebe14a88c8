"""Pivot charges: names do not matter, and a job that delays no other pays nothing."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest

import pricing
from swfx import Workload
from tests.scale import enough, many
from tests.utilitysched.counterfactual.test_counterfactuals import crowded
from utilitysched import simulate
from utilitysched.counterfactual.charges import Counterfactuals


def priced(workload: Workload, scheduler: str, processors: int) -> np.ndarray:
    """Pivot charges of a workload's schedule."""
    schedule = simulate(workload, scheduler, machine_size=processors, seed=3)
    asked = Counterfactuals.of(workload, schedule)
    bill = pricing.charge(workload, schedule.start, schedule.end, "vcg", counterfactual=asked)
    return bill.charge


@pytest.mark.parametrize("scheduler", ["easy", "conservative", "ga:generations=5"])
def test_names_do_not_matter(scheduler: str) -> None:
    for seed in range(many(6)):
        jobs, processors = crowded(seed)

        price = partial(priced, scheduler=scheduler, processors=processors)
        check = pricing.check_relabelling(jobs, price, seed)
        assert check.holds, check.detail


@pytest.mark.parametrize("scheduler", ["easy", "saf", "conservative"])
def test_who_changes_no_start_pays_nothing(scheduler: str) -> None:
    undisturbing = 0
    for seed in range(many(12)):
        jobs, processors = crowded(seed)
        jobs = jobs.replace(submit=np.zeros(len(jobs)), run=jobs.request)
        schedule = simulate(jobs, scheduler, machine_size=processors)
        bill = pricing.charge(
            jobs,
            schedule.start,
            schedule.end,
            "vcg:players=jobs",
            counterfactual=Counterfactuals.of(jobs, schedule),
        )

        unneeded = np.array(
            [unmoved(jobs, job, schedule.start, scheduler, processors) for job in range(len(jobs))]
        )
        check = pricing.check_undisturbing(bill.charge, unneeded)
        assert check.holds, check.detail
        undisturbing += int(unneeded.sum())
    assert undisturbing > enough(5)


def unmoved(jobs: Workload, job: int, start: np.ndarray, scheduler: str, processors: int) -> bool:
    """Whether all others start as they do without the job."""
    kept = np.arange(len(jobs)) != job
    if not kept.any():
        return True
    rest = simulate(jobs[kept], scheduler, machine_size=processors)
    return bool((rest.start == start[kept]).all())
