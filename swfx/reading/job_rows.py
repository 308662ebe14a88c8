"""CSV files that say something about jobs, one row per job."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from swfx.base.columns import Ints
from swfx.base.csv_columns import CsvColumns, read_columns
from swfx.base.numbers import lines_of, plural
from swfx.workload import Workload

__all__ = ["JobRows", "read_job_rows"]

JOB = "job"


class JobRows(NamedTuple):
    """Rows about jobs, and which of them are about jobs of a workload.

    Attributes
    ----------
    columns : CsvColumns
        All rows.
    row : ndarray of int64, shape (m,)
        Those about a job of the workload, ascending.
    position : ndarray of int64, shape (m,)
        Where in the workload their jobs are.
    notes : tuple of str
        Which lines are about no job of it.
    """

    columns: CsvColumns
    row: Ints
    position: Ints
    notes: tuple[str, ...]


def read_job_rows(
    path: str | Path, columns: Sequence[str], workload: Workload, optional: Sequence[str] = ()
) -> JobRows:
    """Read a CSV file of one row per job.

    Parameters
    ----------
    path : str or Path
        As `read_columns` takes it; the column `job` has the numbers of the log
        (`Workload.job_id`).
    columns : sequence of str
        The other columns, all of which must be there.
    workload : Workload
        The jobs. A row about another job is no error: the workload may be a part of a log.
    optional : sequence of str
        Columns that may be there; no others may.

    Raises
    ------
    InputError
        The file cannot be read, has other columns, tells of a job twice, or of a number that
        several jobs of the workload have.
    """
    table = read_columns(str(path))
    table.require((JOB, *columns), optional)
    jobs = table.whole(JOB)
    _refuse_twice(table, jobs)
    order = np.argsort(workload.job_id, kind="stable")
    numbers = workload.job_id[order]
    first = np.searchsorted(numbers, jobs, side="left")
    times = np.searchsorted(numbers, jobs, side="right") - first
    if (times > 1).any():
        row = int(np.argmax(times > 1))
        raise table.refusal(
            row, JOB, f"several jobs have the number {jobs[row]}", "number the jobs anew"
        )
    known = times == 1
    strange = table.line[~known]
    note = f"{table.source}: {plural(len(strange), 'row')} matching no job of the workload: "
    notes = (note + lines_of(strange),) if len(strange) else ()
    return JobRows(table, np.flatnonzero(known), order[first[known]], notes)


def _refuse_twice(table: CsvColumns, jobs: Ints) -> None:
    first, times = np.unique(jobs, return_index=True, return_inverse=True)[1:]
    repeated = first[times] != np.arange(len(jobs))
    if repeated.any():
        row = int(np.argmax(repeated))
        earlier = table.line[first[times[row]]]
        raise table.refusal(
            row, JOB, f"job {jobs[row]} is on line {earlier} already", "keep one of them"
        )
