"""Jobs as an importer finds them, and the workload they make."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from datetime import tzinfo
from operator import attrgetter
from typing import Any, NamedTuple

import numpy as np

from swfx.columns import Ints
from swfx.header import Header
from swfx.utility import UtilityFunction
from swfx.utility_table import UtilityTable
from swfx.workload import Workload

__all__ = ["CANCELLED", "COMPLETED", "FAILED", "UNKNOWN", "LogJob", "Placed", "workload_of"]

FAILED, COMPLETED, CANCELLED, UNKNOWN = 0, 1, 5, -1
"""Values of the SWF field `status`."""


class LogJob(NamedTuple):
    """One job of a log: where it stands, and the fields of a workload; -1 is unknown.

    `submit` is Unix time (s), or seconds of a clock that begins with the log; the other fields are
    those of `swfx.FIELDS` and of extended SWF, in their units.
    """

    line: int
    submit: float
    run: float = -1.0
    processors: int = -1
    wait: float = -1.0
    job_id: int = -1
    cpu_time: float = -1.0
    memory: float = -1.0
    requested_processors: int = -1
    requested_time: float = -1.0
    requested_memory: float = -1.0
    status: int = UNKNOWN
    user: int = -1
    group: int = -1
    executable: int = -1
    queue: int = -1
    partition: int = -1
    preceding_job: int = -1
    think_time: float = -1.0
    checkpoint_interval: float = -1.0
    restart_overhead: float = -1.0
    soft_estimate: float = -1.0
    confidence: float = -1.0
    utility: UtilityFunction | None = None


class Placed(NamedTuple):
    """A workload, the line of the log that each of its jobs stands on, (n,), and its time 0."""

    workload: Workload
    line: Ints
    start: float


def workload_of(jobs: Sequence[LogJob], header_lines: Iterable[str], zone: tzinfo | None) -> Placed:
    """Workload of at least one job, in the order of submission, then of the log.

    Times become seconds since the first submission. Jobs are numbered 1, 2, ... where none has a
    number.

    Parameters
    ----------
    jobs : sequence of LogJob
        In the order of the log.
    header_lines : iterable of str
        What the header says after the times.
    zone : tzinfo or None
        Time zone of the log; None where times are no Unix times.
    """
    in_order = sorted(jobs, key=attrgetter("submit"))
    columns: dict[str, Any] = dict(zip(LogJob._fields, zip(*in_order, strict=True), strict=True))
    line = np.array(columns.pop("line"), np.int64)
    utility = UtilityTable.from_functions(columns.pop("utility"))
    first = in_order[0].submit
    start = first if zone is None else math.floor(first)  # UnixStartTime is a whole number
    columns["submit"] = np.array(columns["submit"]) - start
    if set(columns["job_id"]) == {-1}:
        del columns["job_id"]
    times = (f" UnixStartTime: {start:.0f}", f" TimeZoneString: {zone}") if zone else ()
    header = Header((" Version: 2.2", *times, *header_lines))
    return Placed(Workload.from_columns(header=header, utility=utility, **columns), line, start)
