"""Soft estimates: how long users think their jobs will run, asked without any penalty (LEE 5)."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from swfx.annotation import Annotated
from swfx.fields import MISSING
from swfx.job_rows import JobRow, read_job_rows
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
        scale of the survey; 0 to 1 in the workload); cells of the last two may be empty.

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
    rows, position, strangers = read_job_rows(path, ("soft_estimate", "confidence"), workload)
    estimate, confidence = (np.full(len(workload), float(MISSING)) for _ in range(2))
    estimate[position] = [_estimate(row) for row in rows]
    confidence[position] = [_confidence(row) for row in rows]
    header = workload.header.with_value("SoftEstimates", f"as in {Path(path).name}")
    annotated = workload.replace(soft_estimate=estimate, confidence=confidence, header=header)
    jobs = np.count_nonzero(estimate != MISSING)
    note = f"{jobs:,} of {len(workload):,} jobs have a soft estimate"
    return Annotated(annotated, (note, *strangers))


def _estimate(row: JobRow) -> float:
    seconds = row.number("soft_estimate")
    if seconds is not None and seconds <= 0:
        raise row.refusal("soft_estimate", f"{seconds:g} s is no run time", "leave the cell empty")
    return MISSING if seconds is None else seconds


def _confidence(row: JobRow) -> float:
    level = row.number("confidence")
    if level is not None and not 0 <= level <= MOST_CONFIDENT:
        raise row.refusal(
            "confidence", f"{level:g} is out of bounds", f"give 0 to {MOST_CONFIDENT}"
        )
    return MISSING if level is None else level / MOST_CONFIDENT
