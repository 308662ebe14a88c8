"""jobs.csv and segments.csv: columns that Batsim writes and evalys reads, then ours."""

import csv
import io
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from swfx import InputError, Workload
from swfx.base.atomic import atomic_write
from swfx.base.csv_columns import CsvColumns, read_columns
from swfx.base.csv_rows import harmless
from swfx.base.errors import failed
from utilitysched.model.job_columns import (
    EVALYS_HEADER,
    KILLED,
    NAME,
    Column,
    Stretch,
    at_limit,
    evalys_columns,
    name_column,
)
from utilitysched.model.schedule import Schedule
from utilitysched.model.segments import Segments, Stop
from utilitysched.model.state import Floats, Integers

TIMES = ("submission_time", "starting_time", "finish_time")
_ROWS_AT_A_TIME = 20_000

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

VALUE_LOST = "value_lost"
"""What a stop was taken to cost its job (SU); a column, the last one, only where that was asked."""

STOPS = {stop: stop.name.lower() for stop in Stop}
"""The written words for why a segment ended."""

SEGMENT_TIMES = ("starting_time", "finish_time", "overhead", "work_kept", "work_lost")


def write_jobs(path: Path, columns: Mapping[str, Column]) -> None:
    """Write named columns as CSV, whole or not at all.

    A float column of whole numbers is written without points; every other float in its shortest
    form that reads back to the same number; NaN as an empty cell.
    """
    cells = [_cells(column) for column in columns.values()]
    rows = len(cells[0])
    with atomic_write(path) as stream:
        stream.write(_rows([[name] for name in columns]))
        for first in range(0, rows, _ROWS_AT_A_TIME):
            block = [column[first : first + _ROWS_AT_A_TIME] for column in cells]
            stream.write(_rows(block))


def _rows(cells: Sequence[Column]) -> bytes:
    """Write rows of cells as any spreadsheet reads them."""
    text = io.StringIO()
    rows = zip(*map(_listed, cells), strict=True)
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue().encode("utf-8")


class Times(NamedTuple):
    """When the jobs of a jobs.csv were submitted, started and ended (s), each (n,) float64."""

    submit: Floats
    start: Floats
    end: Floats


def read_times(path: Path) -> Times:
    """Read the times of every job from a jobs.csv, in its order.

    Raises
    ------
    InputError
        The file is missing, lacks the columns, or holds something that is not a number.
    """
    try:
        with path.open(encoding="utf-8") as file:
            header = file.readline().rstrip("\n").split(",")
            wanted = [header.index(name) for name in TIMES]
            table = np.loadtxt(file, delimiter=",", usecols=wanted, ndmin=2)
    except OSError as error:
        raise failed("cannot be read", error, path, "simulate with `out`") from error
    except ValueError as error:
        raise InputError(
            f"is not a jobs.csv of ours: {error}", source=str(path), remedy="simulate again"
        ) from error
    return Times(*table.reshape(-1, len(TIMES)).T.copy())


def read_starts(path: Path) -> tuple[list[bool], list[str] | None]:
    """Read the flags of backfilled jobs and the processors of all jobs."""
    with path.open(encoding="utf-8", newline="") as file:
        rows = csv.reader(file)
        header = next(rows)
        ahead, held = header.index("backfilled"), header.index("allocated_resources")
        cells = [(row[ahead] == "1", row[held]) for row in rows]
    processors = [text for _, text in cells]
    return [flag for flag, _ in cells], processors if any(processors) else None


def read_killed(path: Path) -> NDArray[np.bool_] | None:
    """Read which jobs were killed because neighbours slowed them; None where none could be."""
    with path.open(encoding="utf-8", newline="") as file:
        rows = csv.reader(file)
        header = next(rows)
        if KILLED not in header:
            return None
        place = header.index(KILLED)
        return np.array([row[place] == "1" for row in rows], np.bool_)


def _cells(column: Column) -> Column:
    if not isinstance(column, np.ndarray) or column.dtype.kind != "f":
        return column
    if np.all(np.abs(column) < 2**53) and np.array_equal(column, np.trunc(column)):
        return column.astype(np.int64)
    return column


def _listed(cells: Column) -> Sequence[object]:
    if not isinstance(cells, np.ndarray):
        return [harmless(cell) for cell in cells]
    values: list[object] = cells.tolist()
    if cells.dtype.kind == "f" and np.isnan(cells.astype(np.float64)).any():
        return ["" if value != value else value for value in values]  # noqa: PLR0124 - NaN
    return values


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
    segments = schedule.segments
    assert segments is not None
    job = segments.job
    entered = segments.entered(schedule.submitted(workload))
    columns = evalys_columns(
        workload,
        job,
        Stretch(entered, segments.start, segments.end, segments.elapsed),
        (segments.stop == Stop.COMPLETED) & ~at_limit(workload, schedule)[job],
        segments.processors or allocations,
    )
    columns |= {
        "row": job + 1,
        "overhead": segments.overhead,
        "work_kept": segments.kept,
        "work_lost": segments.lost,
        "stop": [STOPS[Stop(stop)] for stop in segments.stop.tolist()],
        "cause": _of_causes(workload.job_id, segments.cause),
        "cause_row": _of_causes(np.arange(1, len(workload) + 1), segments.cause),
    }
    if segments.value_lost is not None:
        columns[VALUE_LOST] = segments.value_lost
    return columns | name_column(workload, job)


def _of_causes(numbers: Integers, cause: Integers) -> list[str]:
    """Return the number of the job that caused each stop; nothing for nobody."""
    return ["" if job == NOBODY else str(numbers[job]) for job in cause.tolist()]


def read_segments(path: Path, jobs: int) -> tuple[Segments, list[str]]:
    """Read segments, and the processors of each, empty where they were left out.

    Raises
    ------
    InputError
        The file cannot be read, has other columns, or holds something that is no segment.
    """
    rows = read_columns(str(path))
    columns = tuple(name for name in rows.cells if name != NAME)
    priced = columns == (*SEGMENTS_HEADER, VALUE_LOST)
    if not priced and columns != SEGMENTS_HEADER:
        raise InputError(
            "has other columns than runs of this version", source=str(path), remedy=SIMULATE_AGAIN
        )
    job = _positions(rows, "row", rows.numbers("row"), jobs)
    start, end, overhead, kept, lost = (rows.numbers(name) for name in SEGMENT_TIMES)
    cause = _positions(rows, "cause_row", rows.optional("cause_row", math.nan), jobs)
    lost_value = rows.numbers(VALUE_LOST) if priced else None
    times = start, end, overhead, kept, lost
    segments = Segments(job, *times, _stops(rows), cause, None, lost_value)
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
