"""A schedule in which one job is preempted, worked out by hand, and how to store it.

On 4 processors: job 11 (4 of them, 100 s, a checkpoint every 30 s, restarts take 8 s) runs from 0
to 50, when it is preempted for job 12 (3 processors, 10 s), keeps 30 s and loses 20; job 13 (1
processor, 20 s) starts at 55; job 11 runs again from 75 to 153.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

import utilitysched
from swfx import Header, UtilityFunction, UtilityTable, Workload
from utilitysched import Decision, QueueState, Schedule, metrics
from utilitysched.model.segments import Stop
from utilitysched.runs import Results, claim, write_run

PLAN: dict[float, tuple[list[int], list[int]]] = {
    0.0: ([], [0]),
    50.0: ([0], [1]),
    55.0: ([], [2]),
    75.0: ([], [0]),
}
"""At each time (s), whom to preempt and whom to start."""


class ByPlan:
    """Does what `PLAN` says."""

    preempts = True
    label = "by-plan"

    def decide(self, state: QueueState) -> Decision:
        preemptions, starts = (
            np.array(jobs, dtype=np.int64) for jobs in PLAN.get(state.now, ((), ()))
        )
        later = [time for time in PLAN if time > state.now]
        return Decision(starts, min(later, default=None), preempts=preemptions)


def preempted_workload() -> Workload:
    """Job 11 is worth 200 SU and loses 1 a second; the others have no curve."""
    return Workload.from_columns(
        header=Header((" MaxProcs: 4", " UnixStartTime: 954547200")),
        utility=UtilityTable.from_functions([UtilityFunction([0, 200], [200, 0]), None, None]),
        job_id=[11, 12, 13],
        submit=[0, 50, 55],
        run=[100, 10, 20],
        requested_time=[200, 20, 20],
        processors=[4, 3, 1],
        user=[1, 2, 2],
        queue=[0, 1, 1],
        checkpoint_interval=[30, -1, -1],
        restart_overhead=[8, -1, -1],
    )


def preempted_schedule(value_lost: float | None = None) -> Schedule:
    """Return the schedule; job 11 was preempted at a price (SU), if one is given."""
    schedule = utilitysched.simulate(preempted_workload(), ByPlan())
    found = schedule.segments
    if value_lost is None or found is None:
        return schedule
    priced = np.where(found.stop == Stop.PREEMPTED, value_lost, 0.0)
    return replace(schedule, segments=replace(found, value_lost=priced))


def stored_preempted(
    folder: Path,
    *,
    allocated: bool = True,
    swf: bool = False,
    value_lost: float | None = None,
) -> Path:
    """Write the run below a folder and return its directory."""
    jobs, schedule = preempted_workload(), preempted_schedule(value_lost)
    target = claim(folder, jobs.digest(), ["by-plan"])
    target.write_workload(jobs, {})
    record = {
        "workload": {"digest": jobs.digest(), "classes": None},
        "scheduler": "by-plan",
        "simulation": dict(schedule.provenance),
    }
    held = utilitysched.allocations(jobs, schedule) if allocated else None
    figures = metrics.summary(jobs, schedule)
    results = Results(jobs, schedule, figures, record, {}, allocations=held)
    write_run(target.runs["by-plan"], results, swf=swf)
    return target.runs["by-plan"]
