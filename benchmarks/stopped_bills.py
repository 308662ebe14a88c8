"""Pivot charges where jobs are stopped and start again: what a bill costs beside its schedule."""

from collections.abc import Iterator
from functools import partial
from typing import NamedTuple

import numpy as np

from benchmarks.logs import DATASTAR, path
from benchmarks.row import Row
from benchmarks.timing import race
from checkpoint import ANNOTATIONS
from pricing import Pivots
from swfx import Workload, read
from swfx.families.generators import UtilitySpec, attach_utilities
from swfx.families.transformation import apply_all
from utilitysched import Schedule, simulate
from utilitysched.counterfactual.charges import Counterfactuals

JOBS = slice(40000, 41200)
NODES = ("nodes:per=8,count=260", "scale-load:load=0.85")
"""As LEE simulated DataStar (6.7.3): 260 equal nodes."""
FAILURES = "nodes=260,mtbf=30d,repair=1h"


class Setting(NamedTuple):
    """A scheduler, and what fails."""

    scheduler: str
    failures: str | None = None

    def __str__(self) -> str:
        return f"{self.scheduler}, failures" if self.failures else self.scheduler


SETTINGS = (
    Setting("ga"),
    Setting("ga:preempt=true"),
    Setting("ga:preempt=true", FAILURES),
    Setting("priority-fifo"),
    Setting("priority-preempt"),
    Setting("easy", FAILURES),
)


def measure() -> Iterator[Row]:
    """Time bills beside their schedules."""
    workload = _workload()
    for setting in SETTINGS:
        yield _bill(workload, setting)


def _workload() -> Workload:
    jobs = read(path(DATASTAR), jobs=JOBS).workload
    nodes = apply_all(jobs, NODES).workload
    valued = attach_utilities(nodes, UtilitySpec(), seed=1)
    return ANNOTATIONS.make("survey").annotate(valued, seed=1)[0]


def _bill(workload: Workload, setting: Setting) -> Row:
    simulated = partial(simulate, workload, setting.scheduler, seed=1, failures=setting.failures)
    schedule = simulated()
    asked = Counterfactuals.of(workload, schedule)
    raced = race({"schedule": simulated, "bill": asked.pivots}, rounds=3)
    return Row(
        f"pivot bill, DataStar, {setting}, to its schedule",
        raced.ratio("bill", "schedule"),
        "x",
        note=_note(workload, schedule, raced.results["bill"], raced.median("bill")),
    )


def _note(workload: Workload, schedule: Schedule, found: Pivots, seconds: float) -> str:
    earned = workload.utility.evaluate(schedule.turnaround(workload))
    segments = schedule.segments
    starts = len(workload) if segments is None else len(segments)
    return (
        f"{seconds:.1f} s, {len(workload):,} jobs, {starts:,} starts; "
        f"{found.charge.sum() / earned.sum():.1%} of the value, {np.mean(found.charge == 0):.0%} "
        f"pay nothing, {np.mean(found.charge > earned):.1%} more than they earned"
    )
