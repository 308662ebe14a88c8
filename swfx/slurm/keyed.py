"""Listings of jobs by keys, as the table that `sacct -P` prints of the same jobs."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, islice
from pathlib import Path
from typing import Any

from swfx.accounting.listing import Listing
from swfx.accounting.record_error import NOT_A_RECORD, RecordError
from swfx.accounting.table import Columns, Row
from swfx.slurm.states import STATES, state_of_flags

__all__ = ["KEYS", "keyed_rows"]


KEYS: dict[str, list[str]] = tomllib.loads(Path(__file__).with_name("keys.toml").read_text("utf-8"))
"""Columns of sacct(1), and what they are made from, by the keys that have them."""

_INNER = {key: key.split(".") for keys in KEYS.values() for key in keys if "." in key}
_NEEDED = ("JobIDRaw", "Submit", "Start", "End")
_PARTS = ("by", "resumed", "ran before", "array", "task", "tasks", "het", "offset")
_WAITING = frozenset({"PENDING", "REQUEUE_FED", "REQUEUE_HOLD", "RESV_DEL_HOLD"})
_GOES_ON = frozenset(state.name for state in STATES if not state.over)
_MEMORY = re.compile(r"(?:^|,)mem=([^,]*)")
_NO_NUMBER = frozenset({"", "0"})


def keyed_rows(
    jobs: Iterable[tuple[int, Mapping[str, Any]]], listing: Listing, head: int | None = None
) -> tuple[Columns, Iterator[Row]]:
    """Return the table of jobs by keys, with a column for each that some job has a key of.

    Parameters
    ----------
    jobs : iterable of tuple of (int, mapping)
        Line of each job, and its values by key.
    listing : Listing
        For jobs without a key that is needed, or with other values than known.
    head : int, optional
        Number of jobs that tell which columns there are; all are held without it.
    """
    cells = _cells_of_all(iter(jobs), listing)
    first = list(islice(cells, head))
    columns = Columns(dict.fromkeys(name for _, job in first for name in job))
    needed = [name for name in _NEEDED if name in columns]

    def rows() -> Iterator[Row]:
        for line, job in chain(first, cells):
            if all(name in job for name in needed):
                yield Row(line, [job.get(name, "") for name in columns.names])
            else:
                listing.add(line, NOT_A_RECORD)

    return columns, rows()


def _cells_of_all(
    jobs: Iterator[tuple[int, Mapping[str, Any]]], listing: Listing
) -> Iterator[tuple[int, dict[str, str]]]:
    for line, job in jobs:
        try:
            yield line, _cells(job)
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            listing.refuse(line, RecordError(NOT_A_RECORD, repr(error)))


def _cells(job: Mapping[str, Any]) -> dict[str, str]:
    """Return the cells of a job by column, but for columns of which it has no key."""
    values = _with_inner_keys(job)
    cells: dict[str, str] = {}
    for column, keys in KEYS.items():
        for key in keys:
            if key in values:
                cells[column] = cells.get(column) or _text(values[key])
    by, resumed, before, *parts = (cells.pop(name, "") for name in _PARTS)
    if "JobIDRaw" in cells:
        cells["JobID"] = _job_id(cells["JobIDRaw"], *parts)
    if "ReqTRES" in cells:
        cells["ReqMem"] = _memory(cells["ReqTRES"])
    if steps := job.get("steps"):
        cells["MaxRSS"] = _memory_used(steps)
    state = cells.get("State", "")
    if by and state == "CANCELLED":
        cells["State"] = f"CANCELLED by {by}"
    if resumed.isdecimal() and int(resumed):
        cells["Suspended"] = str(int(resumed) - int(cells["Start"]) - int(before or 0))
    if "job_state" in job:  # squeue and scontrol list starts and ends that are planned
        cells |= {"Start": ""} if state in _WAITING else {}
        cells |= {"End": ""} if state in _GOES_ON else {}
    return cells


def _with_inner_keys(job: Mapping[str, Any]) -> dict[str, Any]:
    """Return a job with the values of inner objects by keys such as ``time.start``."""
    values = dict(job)
    for name, (group, key) in _INNER.items():
        if isinstance(inner := job.get(group), dict) and key in inner:
            values[name] = inner[key]
    return values


def _text(value: Any) -> str:
    """Text of a value: states and resources are lists; a number may say whether it is set."""
    if isinstance(value, str):
        return value
    if isinstance(value, dict):
        if "seconds" in value:
            return f"{value['seconds'] + value.get('microseconds', 0) / 1e6:.6f}"
        is_set = value.get("set", True) and not value.get("infinite")
        return _text(value.get("number")) if is_set else ""
    if not isinstance(value, list):
        return "" if value is None else str(value)
    if value and isinstance(value[0], str):
        return state_of_flags(value)
    known = [each for each in value if each.get("count") is not None]
    return ",".join(
        f"{'/'.join(filter(None, (each['type'], each.get('name'))))}={each['count']}"
        for each in known
    )


def _memory_used(steps: list[dict[str, Any]]) -> str:
    """Memory (bytes) of the largest task of all steps."""
    largest = (step.get("tres", {}).get("requested", {}).get("max") for step in steps)
    return str(max(int(_memory(_text(tres)) or 0) for tres in largest))


def _memory(resources: str) -> str:
    """Return the memory in a list of trackable resources; empty without any."""
    match = _MEMORY.search(resources)
    return match[1] if match else ""


def _job_id(number: str, array: str, task: str, tasks: str, het: str, offset: str) -> str:
    """Write a number as users see it: 17, 17_3 or 17_[4-9] for tasks, 17+1 for a part."""
    if array not in _NO_NUMBER and (task or tasks):
        return f"{array}_{task or f'[{tasks}]'}"
    return f"{het}+{offset}" if het not in _NO_NUMBER and offset else number
