"""Runs to draw."""

from __future__ import annotations

from pathlib import Path

import pytest

import utilitysched
from swfx import Workload
from swfx.families.generators import attach_utilities
from tests.utilitysched.small import plain_workload
from utilitysched import metrics
from utilitysched.analysis.metrics.machine import WEEK
from utilitysched.analysis.series import Bill
from utilitysched.runs import RunResults

TIMES = ("submit", "wait", "run", "requested_time")


def market(seed: int = 3) -> Workload:
    """Jobs with curves, submitted over three weeks."""
    jobs = plain_workload()
    slow = {name: getattr(jobs, name) * WEEK / 600 for name in TIMES}
    return attach_utilities(jobs.replace(**slow), seed=seed)


def run_of(scheduler: str, jobs: Workload | None = None, *, paid: bool = True) -> RunResults:
    """A run as it would be read from its directory."""
    jobs = market() if jobs is None else jobs
    schedule = utilitysched.simulate(jobs, scheduler)
    return RunResults(
        directory=Path("runs") / scheduler,
        label=scheduler,
        workload=jobs,
        schedule=schedule,
        summary=metrics.summary(jobs, schedule),
        record={"workload": {"classes": None, "digest": jobs.digest()}, "tau": 10.0},
        allocations=None,
        bill=Bill("first-price:reading=end", metrics.realised_utility(jobs, schedule))
        if paid
        else None,
    )


@pytest.fixture(scope="session")
def runs() -> list[RunResults]:
    return [run_of("easy"), run_of("saf")]
