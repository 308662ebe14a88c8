"""Columns of jobs and when they ran, as jobs.csv and data frames have them."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from swfx import InputError, Workload, priority_classes
from swfx.accounting.jobs import FAILED
from swfx.eligibility import first_submission
from utilitysched.model.schedule import Schedule
from utilitysched.model.segments import Stop
from utilitysched.model.state import Floats

if TYPE_CHECKING:
    import pandas as pd

Column = Sequence[object] | NDArray[np.generic]

EVALYS_HEADER = (
    "job_id",
    "submission_time",
    "requested_number_of_resources",
    "requested_time",
    "success",
    "starting_time",
    "execution_time",
    "finish_time",
    "waiting_time",
    "turnaround_time",
    "stretch",
    "allocated_resources",
)
OUR_HEADER = (
    "user",
    "group",
    "queue",
    "priority_class",
    "status",
    "backfilled",
    "start_value",
    "utility",
)
JOBS_HEADER = EVALYS_HEADER + OUR_HEADER
LOGGED = "logged_submission_time"
"""The user's submit time in the log; a column, the last one, only where jobs had another.

By dependencies, or because they were submitted when they became eligible.
"""

NAME = "job"
"""Name of the job; a column, the last one, only where users know any by another than its number."""

KILLED = "killed"
"""Whether it was killed because its neighbours slowed it; a column only where that can happen."""

HELD_HEADER = ("limit_wait", "window_wait")
"""For how long a job waited for a limit and for a window (s); columns only with a machine file."""

STOPPED_HEADER = ("preemptions", "failures", "running_time", "work_lost", "restart_overhead")
"""Columns, the last ones, only where jobs could be stopped and go on later."""


class Stretch(NamedTuple):
    """When jobs, or segments of jobs, came into the queue, started and ended (s), (n,) float64.

    `held` is for how long they held their processors: less than from start to end for a job that
    was stopped and went on later.
    """

    entered: Floats
    start: Floats
    end: Floats
    held: Floats


def evalys_columns(
    workload: Workload,
    job: slice | NDArray[np.int64],
    when: Stretch,
    success: NDArray[np.bool_],
    processors: Sequence[str] | None,
) -> dict[str, Column]:
    """Return the columns of `EVALYS_HEADER` for jobs of a workload, or for segments of these."""
    turnaround = when.end - when.entered
    columns: tuple[Column, ...] = (
        workload.job_id[job],
        when.entered,
        workload.size[job],
        workload.request[job],
        success.astype(np.int64),
        when.start,
        when.end - when.start,
        when.end,
        when.start - when.entered,
        turnaround,
        stretch(turnaround, when.held),
        processors or [""] * len(turnaround),
    )
    return dict(zip(EVALYS_HEADER, columns, strict=True))


def job_columns(
    workload: Workload,
    schedule: Schedule,
    *,
    classes: Mapping[int, int] | None = None,
    allocations: Sequence[str] | None = None,
) -> dict[str, Column]:
    """Return the columns of jobs.csv by name, in `JOBS_HEADER`'s order.

    After them come, each where it says something, `KILLED`, `HELD_HEADER`, `LOGGED`,
    `STOPPED_HEADER` and `NAME`.

    Parameters
    ----------
    workload, schedule
        n jobs and when they ran; times in s on the log's clock.
    classes : mapping of int to int, optional
        Queue number to priority class.
    allocations : sequence of str, optional
        Processor numbers as interval text, of each job or of each segment; left empty when not
        given. Of a job with several segments, those of the last one are written.
    """
    submitted = schedule.submitted(workload)
    columns = evalys_columns(
        workload,
        slice(None),
        Stretch(submitted, schedule.start, schedule.end, schedule.running_time),
        ~at_limit(workload, schedule),
        _last(schedule, allocations),
    )
    columns |= {
        "user": workload.user,
        "group": workload.group,
        "queue": workload.queue,
        "priority_class": priority_classes(workload, classes),
        "status": status(workload, schedule),
        "backfilled": schedule.backfilled.astype(np.int64),
        "start_value": workload.utility.start_values,
        "utility": schedule.utility(workload),
    }
    completed = np.where(schedule.cut_short(workload), np.nan, schedule.turnaround(workload))
    columns["stretch"] = stretch(completed, schedule.running_time)
    if schedule.killed is not None:
        columns[KILLED] = schedule.killed.astype(np.int64)
    columns |= dict(zip(HELD_HEADER, schedule.held or (), strict=False))
    if schedule.release is not None or (workload.submitted_before > 0).any():
        columns[LOGGED] = first_submission(workload)
    return columns | _stopped(schedule) | name_column(workload, slice(None))


def job_frame(
    workload: Workload, schedule: Schedule, allocations: Sequence[str] | None
) -> "pd.DataFrame":
    """Return a table of jobs and when they ran; see `Schedule.to_frame`."""
    import pandas as pd  # noqa: PLC0415  slow to import, needed only here

    if len(workload) != len(schedule):
        raise InputError(
            f"has {len(workload):,} jobs, the schedule {len(schedule):,}",
            field="workload",
            remedy="give the workload that was simulated",
        )
    stored: Any = schedule.provenance.get("classes") or {}
    classes = {int(queue): number for queue, number in stored.items()}  # JSON's keys are text
    processors = allocations or schedule.processors
    columns = job_columns(workload, schedule, classes=classes, allocations=processors)
    frame = pd.DataFrame(columns | workload.label_columns())
    return frame.astype({"success": bool, "backfilled": bool})


def name_column(workload: Workload, job: slice | NDArray[np.int64]) -> dict[str, Column]:
    """Column of the names of jobs of a workload, or of jobs of segments, where any has one."""
    jobs = workload.job_names
    return {NAME: [*map(jobs.name, workload.job_id[job].tolist())]} if jobs.names else {}


def _last(schedule: Schedule, allocations: Sequence[str] | None) -> Sequence[str] | None:
    """Return the processors of each job, those of its last segment if it has several."""
    segments = schedule.segments
    if segments is None or allocations is None:
        return allocations
    last = np.flatnonzero(segments.last)
    return [allocations[segment] for segment in last[np.argsort(segments.job[last])].tolist()]


def _stopped(schedule: Schedule) -> dict[str, Column]:
    segments = schedule.segments
    if segments is None:
        return {}
    jobs = len(schedule)
    stops = (
        np.bincount(segments.job[segments.stop == stop], minlength=jobs)
        for stop in (Stop.PREEMPTED, Stop.FAILED)
    )
    sums = (
        segments.per_job(column, jobs)
        for column in (segments.elapsed, segments.lost, segments.overhead)
    )
    return dict(zip(STOPPED_HEADER, (*stops, *sums), strict=True))


def at_limit(workload: Workload, schedule: Schedule) -> NDArray[np.bool_]:
    """Return which jobs were killed at their limits, (n,), those of the log included."""
    overran: NDArray[np.bool_] = workload.run > workload.request
    return overran | schedule.cut_short(workload)


def status(workload: Workload, schedule: Schedule) -> NDArray[np.int64]:
    """Return the SWF status of each job, (n,): 0, failed, if the schedule cut it short."""
    return np.where(schedule.cut_short(workload), FAILED, workload.status)


def stretch(turnaround: Floats, execution: Floats) -> Floats:
    """Return turnaround over execution time, not a number where that is 0."""
    ratio = np.full(len(turnaround), np.nan)
    np.divide(turnaround, execution, out=ratio, where=execution > 0)
    return ratio
