"""The JSON of `sacct --json`, as the table that `sacct --parsable2` prints of the same jobs."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from swfx.accounting.listing import Listing
from swfx.accounting.record_error import RecordError
from swfx.accounting.table import Columns, Row
from swfx.base.errors import InputError
from swfx.reading.report import Rule

__all__ = ["json_rows"]

NOT_A_RECORD = Rule("not-a-record", "dropped", "the entry is not what sacct writes of a job")

_Json = Mapping[str, Any]


def _number(value: Any) -> str:
    """Text of a number; from Slurm 23.02 on it may be an object that says whether it is set."""
    if isinstance(value, dict):
        value = value.get("number") if value.get("set") and not value.get("infinite") else None
    return "" if value is None else str(value)


def _instant(value: Any) -> str:
    text = _number(value)
    return text if text not in {"", "0"} else "Unknown"


def _state(job: _Json) -> str:
    current = job["state"]["current"]
    state = str(current if isinstance(current, str) else current[0])
    by = job.get("kill_request_user")
    return f"{state} by {by}" if by and state == "CANCELLED" else state


def _job_id(job: _Json) -> str:
    """Write a number as users see it: 17, 17_3 for a task, 17+1 for a heterogeneous part."""
    array, part = job["array"], job["het"]
    task, offset = _number(array.get("task_id")), _number(part.get("job_offset"))
    if array.get("task"):
        return f"{array['job_id']}_[{array['task']}]"
    if _number(array["job_id"]) not in {"", "0"} and task:
        return f"{_number(array['job_id'])}_{task}"
    if _number(part["job_id"]) not in {"", "0"} and offset:
        return f"{_number(part['job_id'])}+{offset}"
    return _number(job["job_id"])


def _amount(resources: Iterable[_Json], kind: str) -> int | None:
    """Return the amount of a trackable resource."""
    return next((each["count"] for each in resources if each["type"] == kind), None)


def _allocated(job: _Json) -> str:
    """List trackable resources as ``cpu=4,mem=800M,gres/gpu:a100=1``."""
    named = (
        ("/".join(filter(None, (each["type"], each["name"]))), each["count"])
        for each in job["tres"]["allocated"]
    )
    return ",".join(f"{name}={count}" for name, count in named if count is not None)


def _memory_used(job: _Json) -> str:
    """Memory of the largest task of all steps."""
    most = (_amount(step["tres"]["requested"]["max"], "mem") or 0 for step in job["steps"])
    return f"{max(most, default=0) / 1024:g}K"


def _memory_wanted(job: _Json) -> str:
    wanted = _amount(job["tres"]["requested"], "mem")
    return f"{wanted}M" if wanted else ""


def _seconds(time: _Json) -> str:
    return f"{time['seconds'] + time['microseconds'] / 1e6:.6f}"


_CELLS: dict[str, Callable[[_Json], Any]] = {
    "JobID": _job_id,
    "JobIDRaw": lambda job: _number(job["job_id"]),
    "Cluster": lambda job: job["cluster"],
    "User": lambda job: job.get("user") or job["association"]["user"],
    "Account": lambda job: job["account"],
    "Partition": lambda job: job["partition"],
    "QOS": lambda job: job["qos"],
    "JobName": lambda job: job["name"],
    "Submit": lambda job: _instant(job["time"]["submission"]),
    "Eligible": lambda job: _instant(job["time"].get("eligible")),
    "Start": lambda job: _instant(job["time"]["start"]),
    "End": lambda job: _instant(job["time"]["end"]),
    "ElapsedRaw": lambda job: job["time"]["elapsed"],
    "Suspended": lambda job: job["time"]["suspended"],
    "State": _state,
    "AllocCPUS": lambda job: _amount(job["tres"]["allocated"], "cpu"),
    "AllocTRES": _allocated,
    "ReqCPUS": lambda job: _number(job["required"]["CPUs"]),
    "NNodes": lambda job: _number(job["allocation_nodes"]),
    "TimelimitRaw": lambda job: _number(job["time"]["limit"]),
    "TotalCPU": lambda job: _seconds(job["time"]["total"]),
    "MaxRSS": _memory_used,
    "ReqMem": _memory_wanted,
    "Restarts": lambda job: _number(job.get("restart_cnt")),
    "Comment": lambda job: job["comment"]["job"],
    "AdminComment": lambda job: job["comment"]["administrator"],
    "SubmitLine": lambda job: job.get("submit_line"),
}
"""Columns of sacct(1), and where its JSON has them."""


def json_rows(text: str, source: str) -> tuple[Columns, Iterator[Row], Listing]:
    """Read what ``sacct --json`` printed; the line of a record is its place among the jobs.

    Raises
    ------
    InputError
        It is no JSON, or not of jobs.

    References
    ----------
    data_parser plugins of Slurm 22.05 to 24.11.
    """
    try:
        jobs = json.loads(text)["jobs"]
    except (ValueError, RecursionError) as error:
        raise InputError(
            f"is no JSON: {error}", source=source, remedy="export with sacct --json"
        ) from error
    except (KeyError, TypeError):
        jobs = None
    if not isinstance(jobs, list):
        raise InputError('has no list of "jobs"', source=source, remedy="export with sacct --json")
    listing = Listing(source, lines=len(jobs), records=len(jobs))
    return Columns(_CELLS), _rows(jobs, listing), listing


def _rows(jobs: list[_Json], listing: Listing) -> Iterator[Row]:
    for place, job in enumerate(jobs, 1):
        try:
            cells = [cell(job) for cell in _CELLS.values()]
        except (KeyError, TypeError, IndexError, AttributeError) as error:
            listing.refuse(place, RecordError(NOT_A_RECORD, repr(error)))
            continue
        yield Row(place, ["" if cell is None else str(cell) for cell in cells])
