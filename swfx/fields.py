"""The 18 fields of the Standard Workload Format: one table drives reader, writer and checks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

__all__ = ["FIELDS", "FIELD_NAMES", "MISSING", "Field", "field_label", "point_label"]

MISSING = -1
"""What SWF writes where a value is unknown."""


@dataclass(frozen=True)
class Field:
    """One column of a workload: its name, numpy dtype, unit and meaning."""

    name: str
    dtype: Literal["int64", "float64"]
    unit: str
    meaning: str


FIELDS: tuple[Field, ...] = (
    Field("job_id", "int64", "", "number of the job, usually counted from 1"),
    Field("submit", "float64", "s", "submission, in seconds since the start of the log"),
    Field("wait", "float64", "s", "time between submission and start"),
    Field("run", "float64", "s", "time between start and end"),
    Field("processors", "int64", "processors", "processors allocated"),
    Field("cpu_time", "float64", "s", "mean processor time used per processor"),
    Field("memory", "float64", "kB", "mean memory used per processor"),
    Field("requested_processors", "int64", "processors", "processors requested"),
    Field("requested_time", "float64", "s", "run time requested: the job is killed at this limit"),
    Field("requested_memory", "float64", "kB", "memory requested per processor"),
    Field("status", "int64", "", "0 failed, 1 completed, 5 cancelled; 2 to 4 partial executions"),
    Field("user", "int64", "", "number of the user"),
    Field("group", "int64", "", "number of the group"),
    Field("executable", "int64", "", "number of the application"),
    Field("queue", "int64", "", "number of the queue"),
    Field("partition", "int64", "", "number of the partition"),
    Field("preceding_job", "int64", "", "job that had to end before this one was submitted"),
    Field("think_time", "float64", "s", "time from the end of the preceding job to submission"),
)
"""Fields of a job line in file order (Standard Workload Format 2.2, Chapin et al. 1999)."""

FIELD_NAMES: tuple[str, ...] = tuple(field.name for field in FIELDS)
"""Names of the 18 fields, in their order."""


def field_label(position: int) -> str:
    """Name of the field at `position` (from 0) of a job line, with its number from 1.

    >>> field_label(3)
    'run (4)'
    """
    extended = ("checkpoint_interval", "restart_overhead", "utility points")
    names = FIELD_NAMES + extended
    if position < len(names):
        return f"{names[position]} ({position + 1})"
    point, part = divmod(position - len(names), 2)
    return f"{point_label(point, is_value=bool(part))} ({position + 1})"


def point_label(point: int, *, is_value: bool) -> str:
    """Name of one number of a utility function's `point` (from 0).

    >>> point_label(0, is_value=True)
    'utility value 1'
    """
    return f"utility {'value' if is_value else 'time'} {point + 1}"
