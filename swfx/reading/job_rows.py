"""CSV files that say something about jobs, one row per job."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np

from swfx.base.columns import Ints
from swfx.base.csv_columns import CsvColumns, read_columns
from swfx.base.numbers import lines_of, plural
from swfx.workload import Workload

__all__ = ["JobRows", "read_job_column", "read_job_rows"]

JOB = "job"

_NAME = re.compile(r"[0-9]+[-_+\[.,].*")
"""A name of a job that is no number."""


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
        As `read_columns` takes it; the column `job` has numbers (`Workload.job_id`) or names of
        jobs (``103_1``).
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
    jobs = _numbers(table, workload)
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


def read_job_column(table: CsvColumns) -> tuple[Ints, tuple[str, ...]]:
    """Read the column `job`, which holds numbers, or names such as ``103_1``.

    Returns
    -------
    ndarray of int64, shape (m,)
        Numbers; -2 for the first of the names, -3 for the second, and so on.
    tuple of str
        The names.

    Raises
    ------
    InputError
        Something is neither a whole number nor a name.
    """
    texts = [text.strip() for text in table.cells[JOB]]
    names = tuple(dict.fromkeys(filter(_NAME.fullmatch, texts)))
    numbers = {name: str(-2 - place) for place, name in enumerate(names)}
    cells = {**table.cells, JOB: [numbers.get(text, text) for text in texts]}
    return replace(table, cells=cells).whole(JOB), names


def _numbers(table: CsvColumns, workload: Workload) -> Ints:
    """Numbers of the jobs that the rows are about, (m,); below -1 for names of no job."""
    numbers, names = read_job_column(table)
    own = workload.job_names.by_name
    known = {-2 - place: own[name] for place, name in enumerate(names) if name in own}
    return np.array([known.get(number, number) for number in numbers.tolist()], np.int64)


def _refuse_twice(table: CsvColumns, jobs: Ints) -> None:
    first, times = np.unique(jobs, return_index=True, return_inverse=True)[1:]
    repeated = first[times] != np.arange(len(jobs))
    if repeated.any():
        row = int(np.argmax(repeated))
        earlier = table.line[first[times[row]]]
        raise table.refusal(
            row,
            JOB,
            f"job {table.cells[JOB][row].strip()} is on line {earlier} already",
            "keep one of them",
        )
