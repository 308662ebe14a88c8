"""The JSON of `sacct --json` and `squeue --json`, as the table that `sacct -P` prints."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from swfx.accounting.listing import Listing
from swfx.accounting.record_error import RecordError
from swfx.accounting.table import Columns, Row
from swfx.base.errors import InputError
from swfx.reading.report import Rule
from swfx.slurm.cells import as_of_now, job_id_cell, memory_of
from swfx.slurm.states import state_of_flags

__all__ = ["KEYS", "json_rows"]

NOT_A_RECORD = Rule(
    "not-a-record", "dropped", "the entry is not what sacct or squeue writes of a job"
)
_REMEDY = "export with sacct --json"

KEYS = {
    "JobIDRaw": ("job_id",),
    "Cluster": ("cluster", "association.cluster"),
    "User": ("user", "association.user", "user_name"),
    "UID": ("user_id",),
    "Account": ("account", "association.account"),
    "Partition": ("partition", "association.partition"),
    "QOS": ("qos",),
    "JobName": ("name",),
    "Submit": ("time.submission", "submit_time"),
    "Eligible": ("time.eligible", "eligible_time"),
    "Start": ("time.start", "start_time"),
    "End": ("time.end", "end_time"),
    "ElapsedRaw": ("time.elapsed",),
    "Suspended": ("time.suspended",),
    "State": ("state.current", "job_state", "state"),
    "AllocCPUS": ("cpus",),
    "AllocTRES": ("tres.allocated", "tres_alloc_str"),
    "ReqCPUS": ("required.CPUs",),
    "ReqTRES": ("tres.requested", "tres_req_str"),
    "NNodes": ("allocation_nodes", "node_count"),
    "TimelimitRaw": ("time.limit", "time_limit"),
    "TotalCPU": ("time.total",),
    "Restarts": ("restart_cnt",),
    "Comment": ("comment.job", "comment"),
    "AdminComment": ("comment.administrator", "admin_comment"),
    "SubmitLine": ("submit_line",),
}
"""Columns of sacct(1), and the keys that have them: the first that says something counts."""


_Path = tuple[str, ...]
_PATHS = {column: [tuple(key.split(".")) for key in keys] for column, keys in KEYS.items()}
_ID: tuple[tuple[_Path, ...], ...] = (
    (("array", "job_id"), ("array_job_id",)),
    (("array", "task_id"), ("array_task_id",)),
    (("array", "task"), ("array_task_string",)),
    (("het", "job_id"), ("het_job_id",)),
    (("het", "job_offset"), ("het_job_offset",)),
)
_NEEDED = ("JobIDRaw", "Submit", "Start", "End")
_BEGIN = re.compile(r"\S")


def json_rows(text: str, source: str) -> tuple[Columns, Iterator[Row], Listing]:
    """Read what ``sacct --json`` or ``squeue --json`` printed, or what jq has made of it.

    There is a column for each key of `KEYS` that some job has; the line of a record is its place
    among the jobs.

    Raises
    ------
    InputError
        It is no JSON, or not of jobs.

    References
    ----------
    data_parser plugins of Slurm 22.05 to 25.05.
    """
    jobs = _entries(text, source)
    if not jobs:
        raise InputError("lists no job", source=source, remedy=_REMEDY)
    listing = Listing(source, lines=len(jobs), records=len(jobs))
    rows: list[tuple[int, dict[str, str]]] = []
    for place, job in enumerate(jobs, 1):
        try:
            rows.append((place, _cells(job)))
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            listing.refuse(place, RecordError(NOT_A_RECORD, repr(error)))
    columns = Columns({name: None for _, cells in rows for name in cells})
    return columns, _complete(rows, columns, listing), listing


def _entries(text: str, source: str) -> list[Any]:
    """Return the jobs of one document or of several, each of which lists jobs or is one."""
    entries: list[Any] = []
    decoder, end = json.JSONDecoder(), 0
    try:
        while begin := _BEGIN.search(text, end):
            document, end = decoder.raw_decode(text, begin.start())
            if isinstance(document, dict):
                document = [document] if "job_id" in document else document.get("jobs")
            if not isinstance(document, list):
                raise InputError('has no list of "jobs"', source=source, remedy=_REMEDY)
            entries += document
    except (ValueError, RecursionError) as error:
        raise InputError(f"is no JSON: {error}", source=source, remedy=_REMEDY) from error
    return entries


def _complete(
    rows: list[tuple[int, dict[str, str]]], columns: Columns, listing: Listing
) -> Iterator[Row]:
    needed = [name for name in _NEEDED if name in columns]
    for place, cells in rows:
        if all(name in cells for name in needed):
            yield Row(place, [cells.get(name, "") for name in columns.names])
        else:
            listing.refuse(place, RecordError(NOT_A_RECORD, ", ".join(cells)))


def _cells(job: dict[str, Any]) -> dict[str, str]:
    """Return the cells of a job by column, without those of which it has no key."""
    cells = {"JobID": ""}
    for column, paths in _PATHS.items():
        values = [value for path in paths if (value := _at(job, path)) is not _ABSENT]
        if values:
            cells[column] = _first(values)
    array, task, tasks, *part = (_first([_at(job, path) for path in paths]) for paths in _ID)
    task = task or (f"[{tasks}]" if tasks else "")
    cells["JobID"] = job_id_cell(cells.get("JobIDRaw", ""), array, task, *part)
    if "ReqTRES" in cells:
        cells["ReqMem"] = memory_of(cells["ReqTRES"])
    if steps := job.get("steps"):  # of each step what its largest task used (bytes)
        used = (memory_of(_text(_at(step, ("tres", "requested", "max")))) for step in steps)
        cells["MaxRSS"] = str(max(int(size or 0) for size in used))
    if (by := job.get("kill_request_user")) and cells.get("State") == "CANCELLED":
        cells["State"] = f"CANCELLED by {by}"
    return _settled(job, cells) if "job_state" in job else cells


_ABSENT = object()


def _at(job: Any, path: _Path) -> Any:
    for key in path:
        job = job.get(key, _ABSENT) if isinstance(job, dict) else _ABSENT
    return job


def _first(values: list[Any]) -> str:
    """Return the first text that is not empty."""
    return next(filter(None, map(_text, values)), "")


def _text(value: Any) -> str:
    """Text of a number, which may be an object that says whether it is set, of a state or list."""
    if isinstance(value, list):
        if value and isinstance(value[0], str):
            return state_of_flags(value)
        return ",".join(
            f"{'/'.join(filter(None, (each['type'], each.get('name'))))}={each['count']}"
            for each in value
            if each["count"] is not None
        )
    if isinstance(value, dict):
        if "seconds" in value:
            return f"{value['seconds'] + value['microseconds'] / 1e6:.6f}"
        is_set = value.get("set", True) and not value.get("infinite")
        return _text(value.get("number")) if is_set else ""
    return "" if value is None or value is _ABSENT else str(value)


def _settled(job: dict[str, Any], cells: dict[str, str]) -> dict[str, str]:
    """Return the cells of a job of squeue, which says when a suspension ended last."""
    resumed, before = (_text(_at(job, (key,))) or "0" for key in ("suspend_time", "pre_sus_time"))
    if float(resumed) > 0:
        cells["Suspended"] = f"{float(resumed) - float(cells['Start']) - float(before):g}"
    return as_of_now(cells)
