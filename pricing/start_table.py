"""Comparisons at single starts as a table, written and read back."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from pricing.charges import Charges
from pricing.pivots import Starts
from swfx.base.columns import Ints
from swfx.base.csv_columns import CsvColumns
from swfx.base.options import as_text

STARTS_FILE = "starts.csv"

START_COLUMNS = (
    "row",
    "job_id",
    "start",
    "held",
    "others",
    "with_job",
    "without_job",
    "standard_error",
)
"""Columns of ``starts.csv``: rows of ``jobs.csv`` from 1, s for times, SU for utilities."""


def start_rows(charges: Charges, starts: Starts) -> Iterator[list[object]]:
    """Yield a row for each start of a job that pays."""
    job_id = charges.outcome.everybody.tolist()
    pays = np.isin(starts.job, charges.outcome.position)
    columns = (column.tolist() for column in starts.of(pays))
    for job, at, held, others, *amounts in zip(*columns, strict=True):
        times = as_text(at), _known(held)
        yield [job + 1, job_id[job], *times, others, *map(_known, amounts)]


def starts_of(rows: CsvColumns, job: Ints) -> Starts:
    """Return the comparisons of jobs, given by position in the workload, in such a table."""
    held, with_job, without_job, error = (
        rows.optional(name, math.nan, float)
        for name in ("held", "with_job", "without_job", "standard_error")
    )
    at, others = rows.numbers("start", float), rows.whole("others")
    return Starts(job, at, held, others, with_job, without_job, error)


def _known(value: float) -> str:
    return "" if math.isnan(value) else as_text(value)
