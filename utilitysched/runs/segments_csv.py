"""segments.csv: one row per stretch in which a job ran, in the columns of jobs.csv, then ours."""

import csv
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from swfx import InputError, Workload
from utilitysched.runs.jobs_csv import Column, killed, stretch
from utilitysched.schedule import Schedule
from utilitysched.segments import Segments, Stop
from utilitysched.state import Floats, Integers

SEGMENTS_FILE = "segments.csv"
NOBODY = -1

TIMES = ("starting_time", "finish_time", "overhead", "work_kept", "work_lost")


def segment_columns(
    workload: Workload, schedule: Schedule, allocations: Sequence[str] | None = None
) -> dict[str, Column]:
    """Return the columns of segments.csv by name.

    The first twelve are those of jobs.csv, of each segment as of a job that was submitted when it
    came into the queue; evalys draws segments of one job as one job that was interrupted.

    Parameters
    ----------
    workload, schedule
        n jobs and when they ran, s segments; times in s on the log's clock.
    allocations : sequence of str, optional
        Processor numbers of each segment as interval text; left empty when not given.
    """
    found = schedule.segments
    assert found is not None
    job = found.job
    entered = found.entered(schedule.submitted(workload))
    completed = found.stop == Stop.COMPLETED
    turnaround = found.end - entered
    causes = workload.job_id[found.cause].tolist() if len(workload) else []
    caused = (found.cause != NOBODY).tolist()
    return {
        "job_id": workload.job_id[job],
        "submission_time": entered,
        "requested_number_of_resources": workload.size[job],
        "requested_time": workload.request[job],
        "success": (completed & ~killed(workload, schedule)[job]).astype(np.int64),
        "starting_time": found.start,
        "execution_time": found.elapsed,
        "finish_time": found.end,
        "waiting_time": found.start - entered,
        "turnaround_time": turnaround,
        "stretch": stretch(turnaround, found.elapsed),
        "allocated_resources": found.processors or allocations or [""] * len(found),
        "row": job,
        "overhead": found.overhead,
        "work_kept": found.kept,
        "work_lost": found.lost,
        "stop": [Stop(stop).name.lower() for stop in found.stop.tolist()],
        "cause": [str(cause) if any_ else "" for cause, any_ in zip(causes, caused, strict=True)],
        "cause_row": found.cause,
    }


def read_segments(path: Path) -> tuple[Segments, list[str]]:
    """Read segments, and the processors of each, empty where they were left out.

    Raises
    ------
    InputError
        The file cannot be read, lacks columns, or holds something that is no segment.
    """
    try:
        with path.open(encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        start, end, overhead, kept, lost = (_floats(rows, name) for name in TIMES)
        stop = np.array([Stop[row["stop"].upper()] for row in rows], dtype=np.int64)
        job, cause = (_integers(rows, name) for name in ("row", "cause_row"))
        held = [row["allocated_resources"] for row in rows]
    except OSError as error:
        raise InputError(
            f"cannot be read: {(error.strerror or str(error)).lower()}", source=str(path)
        ) from error
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise InputError(
            f"is no segments.csv of ours: {error}", source=str(path), remedy="simulate again"
        ) from error
    return Segments(job, start, end, overhead, kept, lost, stop, cause), held


def _floats(rows: Sequence[dict[str, str]], name: str) -> Floats:
    return np.array([float(row[name]) for row in rows], dtype=np.float64)


def _integers(rows: Sequence[dict[str, str]], name: str) -> Integers:
    return np.array([int(row[name]) for row in rows], dtype=np.int64)
