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
from utilitysched_slurm.queue import REMEMBERED, LiveQueue
from utilitysched_slurm.reading import ProcessorPool, SlurmJob

RECORDED = Path(__file__).parent / "recorded"
"""Of a private cluster with Slurm 22.05.8, with fewer keys."""

Starts = np.ndarray[Any, Any]

MEMORY = 10.0
"""s for which a cluster of our making still shows jobs that have ended."""

VERSIONS = ("22.05", "23.02", "23.11", "24.05")


def recorded(name: str, version: str = "22.05") -> dict[str, Any]:
    """What was recorded, in the shapes of a later version.

    These are the shapes of what others published of their clusters (nodes of 23.02.5, jobs of
    23.02, 23.11.1 and 24.05.3), and of the tables of Slurm's data_parser v0.0.39 to v0.0.41.
    """
    document: dict[str, Any] = json.loads((RECORDED / f"{name}.json").read_text())
    if version == "22.05":
        return document
    old = version == "23.02"
    document["meta"] = {"plugins" if old else "plugin": {}, "Slurm" if old else "slurm": {}}
    if name == "nodes":
        return document | {"sinfo": [_group(node) for node in document.pop("nodes")]}
    return document | {"jobs": [_newer(job, version) for job in document["jobs"]]}


_COUNTS = (
    "array_job_id", "array_task_id", "array_max_tasks", "time_limit", "cpus", "node_count",
    "priority", "het_job_id", "het_job_offset",
)  # fmt: skip
_TIMES = ("submit_time", "eligible_time", "start_time", "end_time")


def _newer(job: Mapping[str, Any], version: str) -> dict[str, Any]:
    """An entry of squeue: 23.02 has numbers as objects, 23.11 times and lists of states, too."""
    numbers = _COUNTS if version == "23.02" else _COUNTS + _TIMES
    changed: dict[str, Any] = {
        key: _set(job[key], unlimited=key == "time_limit") for key in numbers
    }
    if version != "23.02":
        changed["job_state"] = [job["job_state"]]
    if version == "24.05":
        changed["hold"] = job["priority"] == 0
        nodes = {"count": job["node_count"], "list": job["nodes"], "whole": False}
        changed["job_resources"] = {"nodes": nodes} if job["nodes"] else {}
    return {**job, **changed}


def _set(number: float | None, *, unlimited: bool) -> dict[str, Any]:
    missing = number is None
    return {"set": not missing, "infinite": missing and unlimited, "number": number or 0}


def _group(node: Mapping[str, Any]) -> dict[str, Any]:
    """An entry of ``sinfo --Node``, of which there is one for each partition of a node."""
    states = [node["state"].upper(), *node["state_flags"]]
    other = node["idle_cpus"] if "DRAIN" in states else 0
    idle = node["idle_cpus"] - other
    return {
        "node": {"state": states},
        "nodes": {"total": 1, "hostnames": [], "addresses": [], "nodes": [node["name"]]},
        "cpus": {
            "allocated": node["alloc_cpus"],
            "idle": idle,
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
