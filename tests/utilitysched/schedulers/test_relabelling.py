"""Pivot charges: names do not matter, and a job that delays no other pays nothing."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest

import pricing
from swfx import Workload
from tests.scale import many
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
