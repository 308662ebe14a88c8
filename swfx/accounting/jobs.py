"""Jobs as an importer finds them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from swfx.utility import UtilityFunction

__all__ = ["CANCELLED", "COMPLETED", "FAILED", "UNKNOWN", "LogJob"]

FAILED, COMPLETED, CANCELLED, UNKNOWN = 0, 1, 5, -1
"""Values of the SWF field `status`."""

NOTHING: Mapping[str, float] = {}


class LogJob(NamedTuple):
    """One job of a log: where it stands, and the fields of a workload; -1 is unknown.

    `submit` is Unix time (s), or seconds of a clock that begins with the log; the other fields are
    those of `swfx.FIELDS` and of extended SWF, in their units. Labels and resources are `extra`,
    by the names of their columns.
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
    extra: Mapping[str, float] = NOTHING
    utility: UtilityFunction | None = None
