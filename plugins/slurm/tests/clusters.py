"""A Slurm of our own making: jobs by hand, what was recorded, and a cluster that obeys."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np

from swfx import Workload
from swfx.accounting.annotations import Annotations
from utilitysched.model.scheduler import Scheduler
from utilitysched_slurm.listings import AT_ONCE
from utilitysched_slurm.queue import REMEMBERED, LiveQueue
from utilitysched_slurm.reading import ProcessorPool, SlurmJob

RECORDED = Path(__file__).parent / "recorded"
"""Of a private cluster with Slurm 22.05.8, with fewer keys."""

Starts = np.ndarray[Any, Any]

MEMORY = 10.0
"""s for which a cluster of our making still shows jobs that have ended."""

Cells = dict[str, str]


def recorded(name: str) -> list[Cells]:
    """What was recorded, as squeue or sinfo would have listed it."""
    document: dict[str, Any] = json.loads((RECORDED / f"{name}.json").read_text())
    return listed(document)


def listed(document: Mapping[str, Any]) -> list[Cells]:
    """What squeue or sinfo would have listed, of what their JSON has."""
    if "jobs" in document:
        return [cells for row in document["jobs"] for cells in _job_cells(row)]
    if "sinfo" in document:
        return [_group_cells(row) for row in document["sinfo"]]
    return [
        node_cells(
            row["name"],
            "+".join([row["state"], *row["state_flags"]]),
            row["alloc_cpus"],
            0 if "DRAIN" in row["state_flags"] else row["idle_cpus"],
            row["cpus"],
            partition,
        )
        for row in document["nodes"]
        for partition in row["partitions"]
    ]


def printed(rows: Sequence[Cells], columns: Sequence[str], mark: str) -> str:
    """What a program prints of rows."""
    return "".join("".join(row[name] + mark for name in columns) + "\n" for row in rows)


def node_cells(name: str, states: str, used: int, idle: int, all_: int, group: str) -> Cells:
    counts = (used, idle, all_ - used - idle, all_)
    return {
        "nodelist": name,
        "partitionname": group,
        "cpusstate": "/".join(map(str, counts)),
        "statecomplete": states.lower(),
    }


def _group_cells(row: Mapping[str, Any]) -> Cells:
    """Cells of an entry of sinfo of later versions."""
    [name], cpus = row["nodes"]["nodes"], row["cpus"]
    counts = (cpus["allocated"], cpus["idle"], cpus["total"])
    return node_cells(name, "+".join(row["node"]["state"]), *counts, row["partition"]["name"])


BASES = {"PENDING", "RUNNING", "SUSPENDED", "COMPLETED", "CANCELLED", "FAILED", "TIMEOUT",
         "NODE_FAIL", "PREEMPTED", "OUT_OF_MEMORY", "BOOT_FAIL", "DEADLINE"}  # fmt: skip


def _job_cells(row: Mapping[str, Any]) -> list[Cells]:
    """Rows of an entry of squeue, of 22.05 or later: the text has one state, its flag if any."""
    states = row["job_state"] if isinstance(row["job_state"], list) else [row["job_state"]]
    number, array, task = (_plain(row[key]) for key in ("job_id", "array_job_id", "array_task_id"))
    minutes = _plain(row["time_limit"])
    told = {
        "jobid": number,
        "arrayjobid": array or number,
        "arraytaskid": "N/A" if task is None else task,
        "hetjobid": _plain(row["het_job_id"]) or "N/A",
        "state": next((each for each in states if each not in BASES), states[0]),
        "reason": row.get("state_description") or row["state_reason"],
        "prioritylong": _plain(row["priority"]),
        "nice": _plain(row.get("nice")) or 0,
        "numcpus": _plain(row["cpus"]),
        "timelimit": "UNLIMITED" if minutes is None else span(60 * minutes),
        "submittime": date(_plain(row["submit_time"])),
        "eligibletime": date(_plain(row["eligible_time"])),
        "starttime": date(_plain(row["start_time"])),
        "endtime": date(_plain(row["end_time"])),
        "username": row["user_name"],
        "account": row["account"] or "(null)",
        "partition": row["partition"],
        "qos": row["qos"] or "(null)",
        "requeue": int(row["requeue"]),
        "batchflag": int(row["batch_flag"]),
        "restartcnt": _plain(row["restart_cnt"]),
        "dependency": row["dependency"] or "(null)",
        "admin_comment": row["admin_comment"] or "(null)",
        "name": row["name"],
        "comment": row["comment"] or "(null)",
        AT_ONCE: _plain(row["array_max_tasks"]) or 0,
    }
    cells = {name: str(value) for name, value in told.items()}
    tasks = _tasks(row["array_task_string"] or "")
    return [cells | {"arraytaskid": str(task)} for task in tasks] or [cells]


def _tasks(text: str) -> list[int]:
    """Tasks of an entry of JSON: ``3-6,9%2``, of ``0-8:4`` every fourth."""
    tasks: list[int] = []
    for part in text.partition("%")[0].split(",") if text else ():
        ends, _, step = part.partition(":")
        low, _, high = ends.partition("-")
        tasks += range(int(low), int(high or low) + 1, int(step or 1))
    return tasks


def _plain(value: Any) -> Any:
    """A number of JSON: from 23.02 on an object, and NO_VAL where there is none."""
    if isinstance(value, dict):
        value = value["number"] if value["set"] and not value["infinite"] else None
    return None if value in (2**32 - 2, 2**32 - 1) else value


def date(time: float | None) -> str:
    """A time (s) as squeue prints it."""
    return datetime.fromtimestamp(time, UTC).strftime("%Y-%m-%dT%H:%M:%S") if time else "N/A"


def span(seconds: int) -> str:
    """A limit (s) as squeue prints it."""
    days, rest = divmod(seconds, 86_400)
    hours, minutes = divmod(rest // 60, 60)
    if days:
        return f"{days}-{hours:02}:{minutes:02}:00"
    return f"{hours}:{minutes:02}:00" if hours else f"{minutes}:00"


def job(number: int, state: str = "PENDING", **more: Any) -> SlurmJob:
    """A job of two processors and a minute, submitted at its number (s)."""
    plain = {
        "key": str(number),
        "number": number,
        "states": frozenset(state.split()),
        "reason": "Priority" if state == "PENDING" else "None",
        "submit": float(number),
        "eligible": float(number),
        "limit": 60.0,
        "processors": 2,
        "user": "alice",
        "account": "physics",
        "partition": "main",
        "name": "run",
    }
    return SlurmJob(**(plain | more))


def worthless(_: SlurmJob) -> Annotations:
    return Annotations()


def obeyed(
    workload: Workload, scheduler: Scheduler, machine: int, remembered: int = REMEMBERED
) -> Starts:
    """When jobs start on a cluster that starts whatever is decided at each arrival and end."""
    worth = [Annotations(utility=curve) for curve in workload.utility]
    queue = LiveQueue(scheduler, lambda job: worth[job.number - 1], remembered=remembered)
    submit, last = workload.submit, workload.effective_run
    start = np.full(len(workload), np.inf)
    now = -np.inf
    later: list[float] = []
    while np.isinf(start).any():
        now = min(time for time in (*submit, *(start + last), *later) if time > now)
        look = queue.look(now, _jobs(workload, start, now), _pool(workload, start, now, machine))
        start[[int(look.keys[place]) - 1 for place in look.decision.starts]] = now
        later = [time for time in [look.decision.wake_up] if time is not None]
    return start


def _jobs(workload: Workload, start: Starts, now: float) -> Sequence[SlurmJob]:
    ends = start + workload.effective_run
    return [
        job(
            place + 1,
            "PENDING" if start[place] > now else "RUNNING" if ends[place] > now else "COMPLETED",
            submit=float(workload.submit[place]),
            eligible=float(workload.submit[place]),
            start=0.0 if start[place] > now else float(start[place]),
            end=0.0 if start[place] > now else float(ends[place]),
            limit=float(workload.request[place]),
            processors=int(workload.size[place]),
            user=str(workload.user[place]),
        )
        for place in np.flatnonzero((workload.submit <= now) & (ends > now - MEMORY)).tolist()
    ]


def _pool(
    workload: Workload, start: np.ndarray[Any, Any], now: float, machine: int
) -> ProcessorPool:
    runs = (start <= now) & (start + workload.effective_run > now)
    return ProcessorPool(machine, machine - int(workload.size[runs].sum()))
