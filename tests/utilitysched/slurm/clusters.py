"""A Slurm of our own making: jobs by hand, what was recorded, and a cluster that obeys."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from swfx import Workload
from swfx.accounting.annotations import Annotations
from utilitysched.model.scheduler import Scheduler
from utilitysched.slurm.queue import REMEMBERED, LiveQueue
from utilitysched.slurm.reading import ProcessorPool, SlurmJob

RECORDED = Path(__file__).parent / "recorded"
"""Of a private cluster with Slurm 22.05.8, with fewer keys."""

Starts = np.ndarray[Any, Any]

MEMORY = 10.0
"""s for which a cluster of our making still shows jobs that have ended."""

VERSIONS = ("22.05", "23.11", "24.05")


def recorded(name: str, version: str = "22.05") -> dict[str, Any]:
    """What was recorded; of later versions as their data parsers' schema says it would be."""
    document: dict[str, Any] = json.loads((RECORDED / f"{name}.json").read_text())
    if version == "22.05":
        return document
    document["meta"]["slurm"] = document["meta"].pop("Slurm")
    if name == "nodes":
        return document | {"sinfo": [_group(node) for node in document.pop("nodes")]}
    return document | {"jobs": [_newer(job, version) for job in document["jobs"]]}


_NUMBERS = (
    "_time",
    "_limit",
    "_tasks",
    "_offset",
    "cpus",
    "node_count",
    "priority",
    "y_job_id",
    "t_job_id",
    "task_id",
)
"""Ends of the keys whose numbers are objects in later versions."""


def _newer(job: Mapping[str, Any], version: str) -> dict[str, Any]:
    numbers = [
        "array_job_id",
        "array_task_id",
        "array_max_tasks",
        "submit_time",
        "eligible_time",
        "start_time",
        "end_time",
        "time_limit",
        "cpus",
        "node_count",
        "priority",
        "het_job_id",
        "het_job_offset",
    ]
    changed = {key: _set(job[key], unlimited=key == "time_limit") for key in numbers}
    if version == "24.05":
        changed["nodes"] = {"count": job["node_count"], "list": job["nodes"]}
    return {**job, **changed, "job_state": [job["job_state"]]}


def _set(number: float | None, *, unlimited: bool) -> dict[str, Any]:
    missing = number is None
    return {"set": not missing, "infinite": missing and unlimited, "number": number or 0}


def _group(node: Mapping[str, Any]) -> dict[str, Any]:
    states = [node["state"].upper(), *node["state_flags"]]
    other = node["idle_cpus"] if "DRAIN" in states else 0
    return {
        "node": {"state": states},
        "nodes": {"total": 1, "nodes": [node["name"]]},
        "cpus": {
            "allocated": node["alloc_cpus"],
            "idle": node["idle_cpus"] - other,
            "other": other,
            "total": node["cpus"],
        },
        "partition": {"name": node["partitions"][0]},
    }


def job(number: int, state: str = "PENDING", **more: Any) -> SlurmJob:
    """A job of two processors and a minute, submitted at its number (s)."""
    plain = {
        "key": str(number),
        "number": number,
        "array": 0,
        "at_once": 0,
        "states": frozenset(state.split()),
        "reason": "Priority" if state == "PENDING" else "None",
        "submit": float(number),
        "eligible": float(number),
        "start": 0.0,
        "end": 0.0,
        "limit": 60.0,
        "processors": 2,
        "restarts": 0,
        "rerunnable": True,
        "held": False,
        "parted": False,
        "user": "alice",
        "account": "physics",
        "partition": "main",
        "name": "run",
        "comment": "",
        "admin_comment": "",
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
