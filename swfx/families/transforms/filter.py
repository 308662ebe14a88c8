"""Jobs chosen by what their fields hold."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from swfx.base.columns import Bools, Floats, Ints
from swfx.base.configured import flag, named
from swfx.base.errors import InputError
from swfx.base.options import as_float, as_seconds, as_text
from swfx.families.transformation import TRANSFORMS, Transformation, Transformed, selected
from swfx.label_kinds import LABEL_KINDS
from swfx.labels import FIELD_KINDS, JobLabels
from swfx.workload import Workload

Ranges = tuple[tuple[float, float], ...]
"""Spans of numbers, both ends included."""

Chosen = tuple[tuple[float, float] | str, ...]
"""Spans of numbers, and names."""

_NUMBERS = re.compile(r"|[-+.\d][-+.\de]*")
"""A number, a range, or nothing at all, which is refused."""


def read_ranges(text: str, source: str, field: str) -> Ranges:
    """Ranges from numbers and `A..B`, separated by commas; either end of A..B may be left out.

    Raises
    ------
    InputError
        Something is no number, or a range holds none.

    Examples
    --------
    >>> read_ranges("1,4..6,100..", "filter", "queue")
    ((1.0, 1.0), (4.0, 6.0), (100.0, inf))
    """
    return tuple(_range(piece.strip(), source, field) for piece in text.split(","))


def read_times(text: str, source: str, field: str) -> Ranges:
    """Ranges of times (s), as `read_ranges` has them, whose ends may have units.

    Examples
    --------
    >>> read_times("10min..2h,1d..", "filter", "run")
    ((600.0, 7200.0), (86400.0, inf))
    """
    return tuple(_range(piece.strip(), source, field, as_seconds) for piece in text.split(","))


def _range(
    piece: str, source: str, field: str, read: Callable[[str, str, str], float] = as_float
) -> tuple[float, float]:
    low, dots, high = piece.partition("..")
    if not dots:
        low = high = piece
    first = read(low, source, field) if low else -math.inf
    last = read(high, source, field) if high else math.inf
    if last < first or not piece:
        raise InputError(
            f"no number is in {piece!r}",
            source=source,
            field=field,
            remedy="write A..B with A at most B",
        )
    return first, last


def read_labels(text: str, source: str, field: str) -> Chosen:
    """Read ranges of numbers, and patterns of names with ``*`` and ``?``.

    Examples
    --------
    >>> read_labels("1,4..6,alice,post-*", "filter", "user")
    ((1.0, 1.0), (4.0, 6.0), 'alice', 'post-*')
    """
    pieces = [piece.strip() for piece in text.split(",")]
    return tuple(
        _range(piece, source, field) if _NUMBERS.fullmatch(piece) else piece for piece in pieces
    )


def ranges_text(ranges: Chosen) -> str:
    """Text that `read_ranges` or `read_labels` reads as these ranges and names."""
    return ",".join(each if isinstance(each, str) else _range_text(*each) for each in ranges)


def _range_text(low: float, high: float) -> str:
    return as_text(low) if low == high else f"{_end(low)}..{_end(high)}"


def _end(value: float) -> str:
    return as_text(value) if math.isfinite(value) else ""


def _condition() -> Any:
    return named(read_ranges, (), ranges_text)


def _time() -> Any:
    return named(read_times, (), ranges_text)


def _label() -> Any:
    return named(read_labels, (), ranges_text)


@TRANSFORMS.register("filter")
@dataclass(frozen=True)
class Filter(Transformation):
    """Keep the jobs whose fields hold what is given, or drop them.

    A job meets the conditions if every field that is named holds one of the numbers, or lies in one
    of the ranges (both ends included), that are given for it. Labels such as `user` and `account`
    may be names, in which ``*`` and ``?`` stand for others. `size`, `request` and `effective_run`
    are columns of `Workload`, all others fields of SWF; `job_id` may be a name, too, where a job
    has one (``103_*``). The archive's cleaning of a user's flurry is
    ``filter:user=68,job_id=58..564,invert=true``.

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

    job_id: Chosen = _label()
    submit: Ranges = _time()
    wait: Ranges = _time()
    run: Ranges = _time()
    effective_run: Ranges = _time()
    size: Ranges = _condition()
    processors: Ranges = _condition()
    requested_processors: Ranges = _condition()
    request: Ranges = _time()
    requested_time: Ranges = _time()
    memory: Ranges = _condition()
    requested_memory: Ranges = _condition()
    status: Ranges = _condition()
    user: Chosen = _label()
    group: Chosen = _label()
    executable: Chosen = _label()
    queue: Chosen = _label()
    partition: Chosen = _label()
    preceding_job: Ranges = _condition()
    think_time: Ranges = _time()
    account: Chosen = _label()
    project: Chosen = _label()
    department: Chosen = _label()
    qos: Chosen = _label()
    job_name: Chosen = _label()
    cluster: Chosen = _label()
    state: Chosen = _label()
    comment: Chosen = _label()
    invert: bool = flag()
    keeps_jobs = False

    def __post_init__(self) -> None:
        if not self.conditions():
            raise InputError(
                "no condition is given", source="filter", remedy="write filter:queue=1,run=60.."
            )

    def conditions(self) -> dict[str, Chosen]:
        """Conditions by column."""
        named = {f.name: getattr(self, f.name) for f in fields(self) if f.name != "invert"}
        return {name: ranges for name, ranges in named.items() if ranges}

    def apply(self, workload: Workload, seed: int) -> Transformed:
        """Choose the jobs."""
        meets = np.ones(len(workload), np.bool_)
        for name, ranges in self.conditions().items():
            meets &= _chosen(workload, name, ranges)
        reason = "meets the conditions" if self.invert else "does not meet the conditions"
        return selected(workload, meets != self.invert, reason)


def _chosen(workload: Workload, name: str, chosen: Chosen) -> Bools:
    """Which jobs have one of the numbers, or of the names where these are labels, (n,)."""
    known: JobLabels
    if name == "job_id":
        known = workload.job_names
    elif name in FIELD_KINDS:
        known = workload.labels.in_field(name)
    elif name in LABEL_KINDS:
        known = workload.labels.of(name)
    else:
        return _within(getattr(workload, name), chosen)
    within = _within(known.numbers, chosen)
    for each in chosen:
        if isinstance(each, str):
            within |= known.matching(known.require_named(each))
    return within


def _within(values: Ints | Floats, chosen: Chosen) -> Bools:
    inside = np.zeros(len(values), np.bool_)
    for each in chosen:
        if not isinstance(each, str):
            inside |= (values >= each[0]) & (values <= each[1])
    return inside
