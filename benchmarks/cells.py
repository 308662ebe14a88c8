"""Cells of real logs under high load, and the jobs that an adversary adds to them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

import pricing
from benchmarks.logs import BLUE, KTH, SP2, log, short
from swfx import UtilityFunction, UtilityTable, Workload
from swfx.families.transforms import apply_all
from utilitysched import Schedule
from utilitysched.counterfactual.charges import Counterfactuals
from utilitysched.engine.segments_log import waste_of
from utilitysched.engine.valued import ensure
from utilitysched.model.state import Floats

CELLS = ((SP2, 30_000, 0.90), (BLUE, 5_000, 0.90), (KTH, 10_000, 0.95))
"""Log, first of 1,500 jobs, offered load."""
JOBS = 1_500
HOUR, MONTH = 3600.0, 30 * 86_400.0
COLUMNS = ("submit", "processors", "run", "requested_time", "user", "job_id")


class Added(NamedTuple):
    """Jobs of one more user: each attribute is the same for all of them."""

    submit: Floats
    size: int
    run: float
    request: float
    curve: UtilityFunction


@cache
def cell(name: str, first: int, load: float, seed: int) -> Workload:
    """Return the jobs of a cell, in order, with utility functions of a seed."""
    steps = [f"scale-load:load={load}", "rerunnable:share=1"]
    jobs = apply_all(log(name)[first : first + JOBS], steps, 0).workload
    jobs = ensure(jobs, None, seed, classes=None, say=lambda _: None).workload
    return jobs[np.argsort(jobs.submit, kind="stable")]


def cells(draws: range) -> Iterator[tuple[str, list[Workload]]]:
    """Yield the short name of each log, and its cell in each draw."""
    for name, first, load in CELLS:
        yield short(name), [cell(name, first, load, seed) for seed in draws]


def with_added(jobs: Workload, added: Added) -> tuple[Workload, npt.NDArray[np.bool_]]:
    """Return the jobs with those of one more user, and the mask of the latter."""
    old, new = len(jobs), len(added.submit)
    place = np.concatenate([np.arange(old), np.zeros(new, np.int64)])
    both, last = jobs[place], slice(old, None)
    number = jobs.job_id.max() + 1 + np.arange(new)
    values = added.submit, added.size, added.run, added.request, jobs.user.max() + 1, number
    columns = {name: both.column(name).copy() for name in COLUMNS}
    for column, given in zip(columns.values(), values, strict=True):
        column[last] = given
    table = UtilityTable.stacked([jobs.utility, UtilityTable.from_functions([added.curve])])
    place[last] = old
    order = np.argsort(columns["submit"], kind="stable")
    return both.replace(**columns, utility=table.take(place))[order], order >= old


def machine(jobs: Workload) -> int:
    """Return the processors of the machine, which a cell always knows."""
    assert jobs.machine_size is not None
    return jobs.machine_size


def at_random(jobs: Workload, count: int) -> Floats:
    """Return times of submission, spread over those of the jobs (s)."""
    between = np.random.default_rng(count).uniform(jobs.submit.min(), jobs.submit.max(), count)
    return np.sort(between).round()


def bill(jobs: Workload, schedule: Schedule, mechanism: str) -> pricing.Charges:
    """Charge a schedule."""
    return pricing.charge(
        jobs,
        schedule.start,
        schedule.end,
        mechanism,
        counterfactual=Counterfactuals.of(jobs, schedule),
        used=schedule.running_time,
        waste=waste_of(schedule.segments),
    )


def value(jobs: Workload, schedule: Schedule) -> Floats:
    """Return what each job turned out to be worth (SU)."""
    return jobs.utility.evaluate(schedule.turnaround(jobs))
