"""Soft estimates: how long users think their jobs will run, asked without any penalty (LEE 5)."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from swfx.base.columns import Bools
from swfx.base.csv_columns import CsvColumns
from swfx.families.annotation import Annotated
from swfx.fields import MISSING
from swfx.reading.job_rows import read_job_rows
from swfx.workload import Workload

__all__ = ["MOST_CONFIDENT", "attach_soft_estimates"]

MOST_CONFIDENT = 5
"""Upper end of the scale on which users were asked for their confidence, from 0 (LEE 5.2)."""


def attach_soft_estimates(workload: Workload, path: str | Path) -> Annotated:
    """Give jobs the soft estimates and confidences of a CSV file; the other jobs have none.

    Parameters
    ----------
    workload : Workload
        n jobs; soft estimates they have are replaced.
    path : str or Path
        CSV with the columns `job`, `soft_estimate` (s) and `confidence` (0, none, to 5, most, the
        scale of the survey; 0 to 1 in the workload); cells of the last two may be empty, and the
        last may be left out.

    Returns
    -------
    Annotated
        The jobs with `soft_estimate` and `confidence`, and a header line `SoftEstimates`.

    Raises
    ------
    InputError
        A row that cannot be used, by file, line and field.

    References
    ----------
    LEE, section 5.2.
    """
    columns, row, position, strangers = read_job_rows(
        path, ("soft_estimate",), workload, optional=("confidence",)
    )
    guessed, level = (columns.optional(name, MISSING) for name in ("soft_estimate", "confidence"))
    none = "or leave the cell empty"
    _refuse(columns, "soft_estimate", (guessed <= 0) & (guessed != MISSING), f"give s, {none}")
    outside = (level < 0) | (level > MOST_CONFIDENT)
    _refuse(columns, "confidence", outside & (level != MISSING), f"give 0 to 5, {none}")
    estimate, confidence = (np.full(len(workload), float(MISSING)) for _ in range(2))
    estimate[position] = guessed[row]
    confidence[position] = np.where(level == MISSING, MISSING, level / MOST_CONFIDENT)[row]
    header = workload.header.with_value("SoftEstimates", f"as in {columns.label}")
    annotated = workload.replace(soft_estimate=estimate, confidence=confidence, header=header)
    jobs = np.count_nonzero(estimate != MISSING)
    note = f"{jobs:,} of {len(workload):,} jobs have a soft estimate"
    return Annotated(annotated, (note, *strangers))


def _refuse(columns: CsvColumns, field: str, bad: Bools, remedy: str) -> None:
    if bad.any():
        row = int(np.argmax(bad))
        text = columns.cells[field][row].strip()
        raise columns.refusal(row, field, f"{text!r} is out of bounds", remedy)
