"""The workload that jobs of a log make."""

from __future__ import annotations

import math
from collections.abc import Iterable
from datetime import tzinfo
from typing import Any, NamedTuple

import numpy as np

from swfx.accounting.job_columns import JobColumns
from swfx.base.columns import Ints
from swfx.header import Header
from swfx.workload import Workload

__all__ = ["Placed", "placed_of", "workload_of"]


_DIGITS = 6
"""Of seconds that a difference of Unix times has."""


class Placed(NamedTuple):
    """A workload, the line of the log that each of its jobs stands on, (n,), and its time 0."""

    workload: Workload
    line: Ints
    start: float


def workload_of(jobs: JobColumns, header: Header) -> Workload:
    """Workload of at least one job, in their order, numbered 1, 2, ... where none has a number."""
    columns: dict[str, Any] = jobs.known()
    return Workload.from_columns(
        header=header, utility=jobs.utility(), submit=jobs["submit"], **columns
    )


def placed_of(jobs: JobColumns, header_lines: Iterable[str], zone: tzinfo | None) -> Placed:
    """Workload of at least one job, in the order of submission, then of the log.

    Times become seconds since the first submission.

    Parameters
    ----------
    jobs : JobColumns
        In the order of the log.
    header_lines : iterable of str
        What the header says after the times.
    zone : tzinfo or None
        Time zone of the log; None where times are no Unix times.
    """
    submit = jobs["submit"]
    if (submit[1:] < submit[:-1]).any():
        jobs = jobs.take(np.argsort(submit, kind="stable"))
    first = float(jobs["submit"][0])
    start = first if zone is None else math.floor(first)  # UnixStartTime is a whole number
    times = (f" UnixStartTime: {start:.0f}", f" TimeZoneString: {zone}") if zone else ()
    since = jobs["submit"] - start
    jobs.put("submit", np.round(since, _DIGITS) if zone else since)
    header = Header((" Version: 2.2", *times, *header_lines))
    return Placed(workload_of(jobs, header), np.array(jobs["line"]), start)
