"""Weeks of a log, and logs put together from weeks."""

from __future__ import annotations

import numpy as np

from swfx.base.columns import Ints
from swfx.base.errors import InputError
from swfx.base.options import as_int
from swfx.links import Linked, renumbered
from swfx.workload import Workload

__all__ = ["WEEK", "read_weeks", "rearranged", "weeks_of"]

WEEK = 7 * 86_400
"""Seconds of a week."""


def read_weeks(text: str) -> int:
    """Read a number of weeks, 1 or more.

    Raises
    ------
    InputError
        Anything else.
    """
    weeks = as_int(text, "resampling", "weeks")
    if weeks < 1:
        raise InputError(f"{weeks} is below 1", source="resampling", field="weeks")
    return weeks


def weeks_of(workload: Workload) -> Ints:
    """Week of each job, shape (n,): whole weeks since the first submission."""
    weeks: Ints = ((workload.submit - workload.submit.min()) // WEEK).astype(np.int64)
    return weeks


def rearranged(workload: Workload, rows: Ints, week: Ints, origin: Ints) -> Linked:
    """Put jobs into other weeks, at the same time of the week, and number them by submission.

    Parameters
    ----------
    workload : Workload
        n jobs.
    rows : ndarray of int64, shape (m,)
        Positions of the jobs to take; a job may be taken several times.
    week : ndarray of int64, shape (m,)
        Week, from 0, that each is put into.
    origin : ndarray of int64, shape (m,)
        Links hold between jobs of the same origin.
    """
    drawn = workload[rows]
    moved = drawn.submit + WEEK * (week - weeks_of(workload)[rows])
    order = np.lexsort((rows, moved))
    placed = drawn.replace(submit=moved, original_job=drawn.job_id)[order]
    return renumbered(placed, origin[order])
