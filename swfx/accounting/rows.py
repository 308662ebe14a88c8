"""Jobs as rows of named numbers, on a clock that the file brings along."""

from __future__ import annotations

import re
from collections.abc import Mapping, MutableMapping, Sequence
from typing import Any

import numpy as np

from swfx.fields import MISSING, Field
from swfx.header import Header
from swfx.workload import Workload, column_field

__all__ = ["give_numbers", "job_number", "workload_of_rows"]

_NAME = re.compile(r"(?:.*!)?([0-9]{1,15})", re.DOTALL)


def job_number(name: str) -> int:
    """Read the number of a job that Batsim calls `17` or `workload!17`; -1 for another name.

    >>> job_number("w0!17"), job_number("first")
    (17, -1)
    """
    match = _NAME.fullmatch(name)
    return int(match[1]) if match else MISSING


def give_numbers(rows: Sequence[MutableMapping[str, float]]) -> list[int]:
    """Give jobs without number one above all others, if any has one; return their positions."""
    without = [i for i, row in enumerate(rows) if row["job_id"] == MISSING]
    if len(without) == len(rows):
        return []
    above = int(max(row["job_id"] for row in rows))
    for number, position in enumerate(without, above + 1):
        rows[position]["job_id"] = number
    return without


def workload_of_rows(rows: Sequence[Mapping[str, float]], header: Header) -> Workload:
    """Workload of at least one job, in the order of the rows.

    Jobs are numbered 1, 2, ... where none has a number; then none has a preceding job.

    Parameters
    ----------
    rows : sequence of mapping of str to float
        Per job, the columns of a workload that are known.
    header : Header
        Of the workload.
    """
    columns: dict[str, Any] = {
        name: np.array([row.get(name, MISSING) for row in rows], field.dtype)
        for name, field in _fields(rows).items()
    }
    if (columns["job_id"] == MISSING).all():
        for name in ("job_id", "preceding_job", "think_time"):  # links lead to no number here
            columns.pop(name, None)
    return Workload.from_columns(header=header, **columns)


def _fields(rows: Sequence[Mapping[str, float]]) -> dict[str, Field]:
    """Columns that any row has, and the job numbers."""
    names = dict.fromkeys(["job_id", *(name for row in rows for name in row)])
    return {name: field for name in names if (field := column_field(name))}
