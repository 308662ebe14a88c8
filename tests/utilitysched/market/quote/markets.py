"""Moments at which the last job of a log is about to be submitted."""

from __future__ import annotations

from random import Random
from typing import NamedTuple

import numpy as np

from swfx import UtilityFunction, UtilityTable, Workload, priority_classes
from utilitysched import Schedule, make_scheduler, simulate
from utilitysched.market.quote import QuotedJob
from utilitysched.runs.snapshot import Snapshot
from utilitysched.runs.snapshot.stored import snapshot_of
from utilitysched.runs.stored import StoredRun

PROCESSORS = 8


class Market(NamedTuple):
    """A log whose last job nobody follows, and the moment at which that is submitted.

    Attributes
    ----------
    workload : Workload
        The log; its last row is the job.
    schedule : Schedule
        What became of it.
    snapshot : Snapshot
        The moment, without the job.
    job : QuotedJob
        The job, with its utility function.
    """

    workload: Workload
    schedule: Schedule
    snapshot: Snapshot
    job: QuotedJob

    @property
    def curve(self) -> UtilityFunction:
        """Utility function of the job."""
        return self.job.curves[""]


def market(
    rng: Random,
    scheduler: str,
    *,
    exact: bool = True,
    preemption: str | None = None,
    failures: str | None = None,
) -> Market:
    """Draw a market; if `exact`, all jobs run for as long as they request."""
    jobs = rng.randint(4, 14)
    submit = sorted(rng.randint(0, 12) * 10 for _ in range(jobs))
    request = [rng.randint(1, 12) * 10 for _ in range(jobs)]
    run = [asked if exact else rng.randint(0, asked) for asked in request]
    curves = [_curve(rng) for _ in range(jobs)]
    workload = Workload.from_columns(
        submit=submit,
        run=run,
        requested_time=request,
        processors=[rng.randint(1, PROCESSORS) for _ in range(jobs)],
        user=[rng.randint(0, 3) for _ in range(jobs)],
        queue=[rng.randint(0, 2) for _ in range(jobs)],
        utility=UtilityTable.from_functions(curves),
    )
    if make_scheduler(scheduler).preempts or failures:
        # nobody can say so of a job that is asked about
        last = [-1.0] * (preemption is None or failures is not None)
        interval = [rng.choice([-1.0, 10.0, 25.0]) for _ in range(jobs - len(last))]
        workload = workload.replace(
            checkpoint_interval=np.array([*interval, *last]),
            restart_overhead=np.array([rng.choice([-1.0, 5.0]) for _ in range(jobs)]),
        )
        if failures is not None:
            overhead = np.append(workload.restart_overhead[:-1], -1.0)
            workload = workload.replace(restart_overhead=overhead)
    stops = {"preemption": preemption, "failures": failures}
    schedule = simulate(workload, scheduler, machine_size=PROCESSORS, **stops)
    record = {"simulation": schedule.provenance}
    stored = StoredRun(workload, schedule.start, schedule.end, record, schedule.segments)
    snapshot = snapshot_of(stored, float(workload.submit[-1]))
    return Market(
        workload,
        schedule,
        snapshot.without([int(workload.job_id[-1])]),
        QuotedJob(
            int(workload.size[-1]),
            float(workload.request[-1]),
            int(workload.user[-1]),
            int(workload.queue[-1]),
            int(priority_classes(workload)[-1]),
            {"": curves[-1]},
        ),
    )


def _curve(rng: Random) -> UtilityFunction:
    times = np.cumsum([0, *(rng.randint(1, 30) * 10 for _ in range(2))])
    values = sorted((rng.randint(0, 50) for _ in times), reverse=True)
    return UtilityFunction(times, values)
