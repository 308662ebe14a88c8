"""Dependencies and failures in the compiled loop."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from benchmarks.logs import BLUE, KTH, log, short
from benchmarks.row import Row
from benchmarks.timing import race, timed
from checkpoint import PreemptionRules
from swfx import Workload
from swfx.dependencies import dependencies as dependencies_of
from utilitysched import make_scheduler
from utilitysched.engine.compiled import run_compiled
from utilitysched.engine.conditions import StopTerms
from utilitysched.engine.failures import Failures
from utilitysched.engine.simulation import Simulation
from utilitysched.model.arrivals import Arrivals
from utilitysched.model.schedule import SimulationOutcome
from utilitysched.model.scheduler import Setting
from utilitysched.schedulers.list_scheduler import ListScheduler

PER_NODE = {KTH: 1, BLUE: 8}
"""Processors of a node."""
PYTHON_JOBS = 2000
"""So many of the first jobs are simulated in Python, too."""


def measure() -> Iterator[Row]:
    """Compare each log's loop with the same without, and with the one in Python."""
    for name in (KTH, BLUE):
        workload = _chained(log(name))
        nodes = (workload.machine_size or 0) // PER_NODE[name]
        text = f"nodes={nodes},per={PER_NODE[name]},mtbf=5y,repair=4h"
        cases: dict[str, dict[str, Any]] = {
            "dependencies": {"dependencies": True},
            "failures": {"failures": text},
            "both": {"dependencies": True, "failures": text},
        }
        for asked, given in cases.items():
            for scheduler in ("easy", "conservative"):
                yield _row(f"{scheduler} on {short(name)}, {asked}", workload, scheduler, given)


def _row(title: str, workload: Workload, scheduler: str, given: dict[str, Any]) -> Row:
    with_them, without = _loop(workload, scheduler, **given), _loop(workload, scheduler)
    raced = race({"with": with_them, "without": without})
    few = workload[:PYTHON_JOBS]
    compiled, in_python = (
        timed(_loop(few, scheduler, compiled=flag, **given)) for flag in (True, False)
    )
    assert np.array_equal(compiled[1].start, in_python[1].start)
    assert compiled[1].segments == in_python[1].segments
    note = (
        f"{raced.median('with') * 1e3:.0f} ms; of the first {PYTHON_JOBS:,} jobs"
        f" {compiled[0] * 1e3:.0f} ms, {in_python[0]:.1f} s in Python"
    )
    return Row(f"{title}, to none", raced.ratio("with", "without"), "x", note=note)


def _chained(workload: Workload) -> Workload:
    """Have each job wait for the last one of its user to end."""
    last: dict[int, int] = {}
    before = []
    for user, job in zip(workload.user.tolist(), workload.job_id.tolist(), strict=True):
        before.append(last.get(user, -1) if user >= 0 else -1)
        last[user] = job
    return workload.replace(preceding_job=np.array(before))


def _loop(
    workload: Workload,
    text: str,
    *,
    dependencies: bool = False,
    failures: str | None = None,
    compiled: bool = True,
) -> Callable[[], SimulationOutcome]:
    """Return an action that runs an event loop alone, compiled or in Python."""
    arrivals = Arrivals.of(workload)
    scheduler = make_scheduler(text)
    assert isinstance(scheduler, ListScheduler)
    sources: dict[str, Any] = {"dependencies": dependencies_of(workload) if dependencies else None}
    if failures is not None:
        sources["failures"] = Failures.from_text(failures)
        sources["terms"] = StopTerms.of(workload, arrivals.order, PreemptionRules())

    def run() -> SimulationOutcome:
        scheduler.prepare(Setting(arrivals.known.machine_size, arrivals.longest_request, 0))
        if compiled:
            return run_compiled(arrivals, scheduler, None, **sources)
        loop = Simulation(arrivals, scheduler, **sources)
        loop.finish()
        return loop.outcome()

    return run
