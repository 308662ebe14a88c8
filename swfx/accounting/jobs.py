"""Jobs as an importer finds them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import NamedTuple

from swfx.fields import MISSING
from swfx.utility import UtilityFunction

__all__ = ["CANCELLED", "COMPLETED", "FAILED", "SECOND_EARLY", "UNKNOWN", "LogJob", "waited"]

FAILED, COMPLETED, CANCELLED, UNKNOWN = 0, 1, 5, -1
"""Values of the SWF field `status`."""

SECOND_EARLY = math.nextafter(MISSING, -math.inf)
"""Wait (s) of a job that started one second before it was submitted, as -1 is an unknown wait."""

_DIGITS = 6  # of seconds that a difference of Unix times has

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


def waited(submit: float | None, start: float) -> float:
    """Time (s) from submission to start; -1 where the submission is unknown.

    Examples
    --------
    >>> waited(3.0, 10.0), waited(None, 10.0), waited(11.0, 10.0) == -1
    (7.0, -1, False)
    """
    if submit is None:
        return MISSING
    wait = round(start - submit, _DIGITS)
    return SECOND_EARLY if wait == MISSING else wait
