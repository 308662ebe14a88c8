"""Jobs chosen by what their fields hold."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from functools import partial
from typing import Any

import numpy as np

from swfx.base.columns import Bools, Floats, Ints
from swfx.base.configured import option
from swfx.base.errors import InputError
from swfx.base.options import as_bool, as_float, as_text, bool_text
from swfx.families.transformation import TRANSFORMS, Transformation, Transformed, selected
from swfx.workload import Workload

Ranges = tuple[tuple[float, float], ...]
"""Spans of numbers, both ends included."""


def read_ranges(text: str, field: str | None = None) -> Ranges:
    """Ranges from numbers and `A..B`, separated by commas; either end of A..B may be left out.

    Raises
    ------
    InputError
        Something is no number, or a range holds none.

    Examples
    --------
    >>> read_ranges("1,4..6,100..")
    ((1.0, 1.0), (4.0, 6.0), (100.0, inf))
    """
    return tuple(_range(piece.strip(), field) for piece in text.split(","))


def _range(piece: str, field: str | None) -> tuple[float, float]:
    low, dots, high = piece.partition("..")
    if not dots:
        low = high = piece
    first = as_float(low, "filter", field or piece) if low else -math.inf
    last = as_float(high, "filter", field or piece) if high else math.inf
    if last < first or not piece:
        raise InputError(
            f"no number is in {piece!r}",
            source="filter",
            field=field,
            remedy="write A..B with A at most B",
        )
    return first, last


def ranges_text(ranges: Ranges) -> str:
    """Text that `read_ranges` reads as these ranges."""
    return ",".join(
        as_text(low) if low == high else f"{_end(low)}..{_end(high)}" for low, high in ranges
    )


def _end(value: float) -> str:
    return as_text(value) if math.isfinite(value) else ""


def _condition(field: str) -> Any:
    return option(partial(read_ranges, field=field), (), ranges_text)


@TRANSFORMS.register("filter")
@dataclass(frozen=True)
class Filter(Transformation):
    """Keep the jobs whose fields hold what is given, or drop them.

    A job meets the conditions if every field that is named holds one of the numbers, or lies in one
    of the ranges (both ends included), that are given for it. `size`, `request` and
    `effective_run` are the columns of `Workload`, all others the fields of SWF. The archive's
    cleaning of a user's flurry is ``filter:user=68,job_id=58..564,invert=true``.

    Parameters
    ----------
    invert : bool
        Drop the jobs that meet the conditions, in place of the others.

    Examples
    --------
    >>> log = Workload.from_columns(submit=[0, 5, 9], queue=[1, 2, 1], run=[10, 10, 90])
    >>> Filter.from_text("queue=1,run=60..").apply(log, 0).workload.job_id.tolist()
    [3]
    """

    job_id: Ranges = _condition("job_id")
    submit: Ranges = _condition("submit")
    wait: Ranges = _condition("wait")
    run: Ranges = _condition("run")
    effective_run: Ranges = _condition("effective_run")
    size: Ranges = _condition("size")
    processors: Ranges = _condition("processors")
    requested_processors: Ranges = _condition("requested_processors")
    request: Ranges = _condition("request")
    requested_time: Ranges = _condition("requested_time")
    memory: Ranges = _condition("memory")
    requested_memory: Ranges = _condition("requested_memory")
    status: Ranges = _condition("status")
    user: Ranges = _condition("user")
    group: Ranges = _condition("group")
    executable: Ranges = _condition("executable")
    queue: Ranges = _condition("queue")
    partition: Ranges = _condition("partition")
    preceding_job: Ranges = _condition("preceding_job")
    think_time: Ranges = _condition("think_time")
    invert: bool = option(lambda text: as_bool(text, "filter", "invert"), False, bool_text)
    keeps_jobs = False
    chunkwise = True

    def __post_init__(self) -> None:
        if not self.conditions():
            raise InputError(
                "no condition is given", source="filter", remedy="write filter:queue=1,run=60.."
            )

    def conditions(self) -> dict[str, Ranges]:
        """Conditions by column."""
        named = {f.name: getattr(self, f.name) for f in fields(self) if f.name != "invert"}
        return {name: ranges for name, ranges in named.items() if ranges}

    def apply(self, workload: Workload, seed: int) -> Transformed:
        """Choose the jobs."""
        meets = np.ones(len(workload), np.bool_)
        for name, ranges in self.conditions().items():
            meets &= _within(getattr(workload, name), ranges)
        reason = "meets the conditions" if self.invert else "does not meet the conditions"
        return selected(workload, meets != self.invert, reason)


def _within(values: Ints | Floats, ranges: Ranges) -> Bools:
    inside = np.zeros(len(values), np.bool_)
    for low, high in ranges:
        inside |= (values >= low) & (values <= high)
    return inside
