"""CSV files that say something about jobs, one row per job."""

from __future__ import annotations

import csv
import io
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np

from swfx.columns import Ints
from swfx.errors import InputError
from swfx.workload import Workload

__all__ = ["JobRow", "JobRows", "read_job_rows"]

JOB = "job"

FIRST_LINES = 5
"""How many lines a note names."""


@dataclass(frozen=True)
class JobRow:
    """A row of a file.

    Attributes
    ----------
    source : str
        The file.
    line : int
        Where in it, from 1.
    cells : mapping of str to str
        Text by column, without blanks around it.
    """

    source: str
    line: int
    cells: Mapping[str, str]

    def number(self, field: str) -> float | None:
        """Finite number in a cell, None where it is empty.

        Raises
        ------
        InputError
            Anything else, by file, line and field.
        """
        text = self.cells[field]
        if not text:
            return None
        try:
            value = float(text)
        except ValueError:
            value = math.nan
        if not math.isfinite(value):
            raise self.refusal(field, f"{text!r} is not a number", "give a number, or nothing")
        return value

    def job(self) -> int:
        """Job number.

        Raises
        ------
        InputError
            It is no whole number, by file and line.
        """
        text = self.cells[JOB]
        if not re.fullmatch("[0-9]{1,15}", text):
            raise self.refusal(
                JOB, f"{text!r} is not a whole number", "give the job's number in the log"
            )
        return int(text)

    def refusal(self, field: str, message: str, remedy: str) -> InputError:
        """Error that says what is wrong with a cell."""
        return InputError(message, source=self.source, line=self.line, field=field, remedy=remedy)


class JobRows(NamedTuple):
    """Rows about jobs of a workload.

    Attributes
    ----------
    rows : list of JobRow
        Those about a job of the workload, in file order.
    position : ndarray of int64, shape (rows,)
        Where in the workload their jobs are.
    notes : tuple of str
        How many rows are about no job of it, and which lines come first.
    """

    rows: list[JobRow]
    position: Ints
    notes: tuple[str, ...]


def read_job_rows(path: str | Path, columns: Sequence[str], workload: Workload) -> JobRows:
    """Read a CSV file of one row per job, headed by its column names in any order.

    Parameters
    ----------
    path : str or Path
        UTF-8 text; the column `job` has the numbers of the log (`Workload.job_id`).
    columns : sequence of str
        The other columns, all of which must be there and none else.
    workload : Workload
        The jobs. A row about another job is no error: the workload may be a part of a log.

    Raises
    ------
    InputError
        The file cannot be read, lacks a column, has a row of another length, tells of a job twice,
        or of a number that several jobs of the workload have.
    """
    source = str(path)
    rows = list(_rows(source, (JOB, *columns)))
    jobs = _job_numbers(rows)
    order = np.argsort(workload.job_id, kind="stable")
    numbers = workload.job_id[order]
    first = np.searchsorted(numbers, jobs, side="left")
    times = np.searchsorted(numbers, jobs, side="right") - first
    if (times > 1).any():
        row = rows[int(np.argmax(times > 1))]
        raise row.refusal(JOB, f"several jobs have the number {row.job()}", "number the jobs anew")
    known = times == 1
    strangers = [row.line for row, is_known in zip(rows, known, strict=True) if not is_known]
    about = [row for row, is_known in zip(rows, known, strict=True) if is_known]
    return JobRows(about, order[first[known]], _told(source, strangers))


def _rows(source: str, columns: Sequence[str]) -> Iterator[JobRow]:
    records = _records(source)
    header = [cell.strip() for cell in next(records, (1, []))[1]]
    if sorted(header) != sorted(columns):
        raise InputError(
            f"its columns are {', '.join(header) or 'none'}",
            source=source,
            line=1,
            remedy=f"head the file with {','.join(columns)}",
        )
    for line, cells in records:
        if len(cells) != len(header):
            raise InputError(
                f"{len(cells)} cells for {len(header)} columns",
                source=source,
                line=line,
                remedy="leave cells empty, not out",
            )
        named = zip(header, (cell.strip() for cell in cells), strict=True)
        yield JobRow(source, line, dict(named))


def _records(source: str) -> Iterator[tuple[int, list[str]]]:
    reader = csv.reader(io.StringIO(_text(source), newline=""))
    try:
        yield from ((reader.line_num, cells) for cells in reader if cells)
    except csv.Error as error:
        raise InputError(
            str(error), source=source, line=reader.line_num, remedy="give a CSV file"
        ) from error


def _text(source: str) -> str:
    try:
        return Path(source).read_text(encoding="utf-8-sig")
    except OSError as error:
        problem = (error.strerror or str(error)).lower()
    except UnicodeDecodeError:
        problem = "is not UTF-8 text"
    raise InputError(f"cannot be read: {problem}", source=source, remedy="give a CSV file")


def _job_numbers(rows: Sequence[JobRow]) -> Ints:
    line: dict[int, int] = {}
    for row in rows:
        job = row.job()
        if job in line:
            raise row.refusal(JOB, f"job {job} is on line {line[job]} already", "keep one of them")
        line[job] = row.line
    return np.array(list(line), np.int64)


def _told(source: str, strangers: Sequence[int]) -> tuple[str, ...]:
    if not strangers:
        return ()
    first = " ".join(map(str, strangers[:FIRST_LINES]))
    more = f" and {len(strangers) - FIRST_LINES:,} more" if strangers[FIRST_LINES:] else ""
    return (f"{source}: rows about jobs that are not here: on lines {first}{more}",)
