"""segments.csv: one row per stretch in which a job ran, in the columns of jobs.csv, then ours."""

import math
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from swfx import InputError, Workload
from swfx.base.csv_columns import CsvColumns, read_columns
from utilitysched.model.schedule import Schedule
from utilitysched.model.segments import Segments, Stop
from utilitysched.model.state import Floats, Integers
from utilitysched.runs.jobs_csv import EVALYS_HEADER, Column, Stretch, evalys_columns, killed

SEGMENTS_FILE = "segments.csv"
NOBODY = -1
SIMULATE_AGAIN = "simulate again"

SEGMENTS_HEADER = (
    *EVALYS_HEADER,
    "row",
    "overhead",
    "work_kept",
    "work_lost",
    "stop",
    "cause",
    "cause_row",
)
"""Its columns; rows are those of jobs.csv, from 1."""

STOPS = {Stop.COMPLETED: "completed", Stop.PREEMPTED: "bumped", Stop.FAILED: "failed"}
"""The written words for why a segment ended."""

TIMES = ("starting_time", "finish_time", "overhead", "work_kept", "work_lost")


def segment_columns(
    workload: Workload, schedule: Schedule, allocations: Sequence[str] | None = None
) -> dict[str, Column]:
    """Return the columns of segments.csv by name, in `SEGMENTS_HEADER`'s order.

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
    columns = evalys_columns(
        workload,
        job,
        Stretch(entered, found.start, found.end, found.elapsed),
        (found.stop == Stop.COMPLETED) & ~killed(workload, schedule)[job],
        found.processors or allocations,
    )
    return columns | {
        "row": job + 1,
        "overhead": found.overhead,
        "work_kept": found.kept,
        "work_lost": found.lost,
        "stop": [STOPS[Stop(stop)] for stop in found.stop.tolist()],
        "cause": _of_causes(workload.job_id, found.cause),
        "cause_row": _of_causes(np.arange(1, len(workload) + 1), found.cause),
    }


def _of_causes(numbers: Integers, cause: Integers) -> list[str]:
    """Return the number of the job that caused each stop; nothing for nobody."""
    return ["" if job == NOBODY else str(numbers[job]) for job in cause.tolist()]


def read_segments(path: Path, jobs: int) -> tuple[Segments, list[str]]:
    """Read segments, and the processors of each, empty where they were left out.

    Parameters
    ----------
    path : Path
        A segments.csv.
    jobs : int
        How many jobs the run has.

    Raises
    ------
    InputError
        The file cannot be read, has other columns, or holds something that is no segment.
    """
    rows = read_columns(str(path))
    if tuple(rows.cells) != SEGMENTS_HEADER:
        raise InputError(
            "has other columns than runs of this version", source=str(path), remedy=SIMULATE_AGAIN
        )
    job = _positions(rows, "row", rows.numbers("row"), jobs)
    start, end, overhead, kept, lost = (rows.numbers(name) for name in TIMES)
    cause = _positions(rows, "cause_row", rows.optional("cause_row", math.nan), jobs)
    segments = Segments(job, start, end, overhead, kept, lost, _stops(rows), cause)
    return segments, list(rows.cells["allocated_resources"])


def _positions(rows: CsvColumns, name: str, numbers: Floats, jobs: int) -> Integers:
    """Return positions of jobs given by rows of jobs.csv; of nobody where there is no number."""
    wrong = ~np.isnan(numbers) & ~np.isin(numbers, np.arange(1, jobs + 1))
    if wrong.any():
        raise rows.refusal(int(wrong.argmax()), name, "is no row of jobs.csv", SIMULATE_AGAIN)
    return np.nan_to_num(numbers - 1, nan=NOBODY).astype(np.int64)


def _stops(rows: CsvColumns) -> Integers:
    """Return why each segment ended."""
    known = {text: int(stop) for stop, text in STOPS.items()}
    texts = rows.cells["stop"]
    for row, text in enumerate(texts):
        if text not in known:
            problem = f"{text!r} is none of {', '.join(known)}"
            raise rows.refusal(row, "stop", problem, SIMULATE_AGAIN)
    return np.array([known[text] for text in texts], np.int64)
