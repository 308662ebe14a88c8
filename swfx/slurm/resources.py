"""Processors, memory and limits of a job, from whatever columns there are."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import lru_cache, partial
from typing import Any

from swfx.accounting.fields import LogField
from swfx.accounting.quantities import duration, memory, number, whole
from swfx.accounting.record_error import RecordError
from swfx.accounting.table import Columns

__all__ = [
    "ALLOCATED",
    "LIMITS",
    "NODES",
    "REQUESTED",
    "allocated",
    "amounts_allocated",
    "counts_nodes",
    "cpu_time",
    "energy",
    "memory_used",
    "requested",
    "requested_memory",
    "time_limit",
]

NO_LIMIT = 4_294_967_294
"""Slurm's numbers from here on mean unlimited or unset."""

ALLOCATED = ("AllocCPUS", "NCPUS", "AllocTRES", "CPUTimeRAW", "AllocNodes", "NNodes")
REQUESTED = ("ReqCPUS", "ReqTRES", "ReqNodes")
NODES = ("AllocNodes", "NNodes", "ReqNodes")
LIMITS = ("TimelimitRaw", "Timelimit")
_MEGABYTES = frozenset({"mem", "vmem", "bb", "fs"})
"""Kinds of trackable resources that Slurm counts in MB."""

_READ_ELSEWHERE = frozenset({"cpu", "energy"})

_NO_ENERGY = 2**63
"""Slurm's numbers from here on mean that no energy was recorded."""


def counts_nodes(columns: Columns, cores_per_node: int) -> bool:
    """Whether processors are nodes, for want of other columns and of the CPUs of a node."""
    known = columns.first((*ALLOCATED[: ALLOCATED.index("AllocNodes")], "ReqCPUS", "ReqTRES"))
    return known is None and cores_per_node == 0


def allocated(columns: Columns, cores_per_node: int) -> LogField:
    """Return the field of processors that a job ran on; `held` is for how long it did (s)."""
    given = ("held",) if "CPUTimeRAW" in columns else ()
    return LogField(ALLOCATED, partial(_first_known, ALLOCATED, cores_per_node), given, needed=True)


def requested(cores_per_node: int) -> LogField:
    """Return the field of processors that a job asked for."""
    return LogField(REQUESTED, partial(_first_known, REQUESTED, cores_per_node))


def _first_known(names: Sequence[str], cores_per_node: int, *cells: Any) -> int | None:
    held = next(iter(cells[len(names) :]), math.nan)
    for name, text in zip(names, cells, strict=False):
        processors = _processors(name, text, cores_per_node, held) if text else None
        if processors is not None:
            return processors or None
    return None


def _processors(name: str, text: str, cores_per_node: int, held: float) -> int | None:
    """Return the processors that a cell tells of; None if it is about something else."""
    if name in NODES:
        return whole(text, name) * max(cores_per_node, 1)
    if name.endswith("TRES"):
        amount = _trackable(text).get("cpu")
        return whole(amount, name) if amount else None
    if name == "CPUTimeRAW":
        return round(whole(text, name) / held) if held and not math.isnan(held) else None
    return whole(text, name)


def _trackable(text: str) -> dict[str, str]:
    pairs = (item.partition("=") for item in text.split(",") if item)
    return {key.strip(): value.strip() for key, _, value in pairs}


@lru_cache(maxsize=4096)  # many jobs are allocated the same
def amounts_allocated(resources: str, nodes: str) -> Mapping[str, float]:
    """Return trackable resources that a job was allocated, but for CPUs and energy, by column.

    Memory is in MB. Of nodes a column of their own may tell. NaN for what cannot be read, even of
    CPUs and energy, whose names are no columns.

    Examples
    --------
    >>> amounts_allocated("cpu=4,mem=2G,node=1,gres/gpu=x", "")
    {'tres/mem': 2048.0, 'tres/node': 1.0, 'tres/gres/gpu': nan}
    >>> amounts_allocated("cpu=4;mem=2G", "")
    {'cpu': nan}
    """
    texts = _trackable(resources) if resources else {"node": nodes} if nodes else {}
    return {
        name if name in _READ_ELSEWHERE else f"tres/{name}": _amount(name, text)
        for name, text in texts.items()
        if name not in _READ_ELSEWHERE or not text.isdecimal()
    }


def _amount(name: str, text: str) -> float:
    try:
        if name.partition("/")[0] in _MEGABYTES:
            size = memory(text, name, unit="M")
            return size.kilobytes / 1024 if size else math.nan
        amount = number(text, name)
    except RecordError:
        return math.nan
    return amount if amount >= 0 else math.nan


def energy(joules: str, resources: str) -> float | None:
    """Return the energy that a job consumed (J); None if unknown, which Slurm writes as 0, too.

    Raises
    ------
    RecordError
        It cannot be read.
    """
    text = joules or _trackable(resources).get("energy", "")
    if not text or (text.isdecimal() and int(text) >= _NO_ENERGY):
        return None
    consumed = number(text, "ConsumedEnergyRaw")
    return consumed if consumed > 0 else None


def time_limit(text: str) -> float | None:
    """Return the time limit of a job (s); None without any, or any of its own.

    Raises
    ------
    RecordError
        It cannot be read.
    """
    seconds = duration(text, "Timelimit", alone=60.0)
    return None if seconds is None or seconds >= 60.0 * NO_LIMIT else seconds


def cpu_time(text: str, processors: float) -> float | None:
    """Return the CPU time on each processor (s); None if unknown, which sacct -X writes as 0.

    Raises
    ------
    RecordError
        It cannot be read.
    """
    used = duration(text, "TotalCPU")
    return used / processors if used and processors > 0 else None


def memory_used(text: str) -> float | None:
    """Return the memory of a task (KB).

    Raises
    ------
    RecordError
        It cannot be read.
    """
    used = memory(text)
    return used and (used.kilobytes or None)


def requested_memory(text: str, nodes: str, processors: float) -> float | None:
    """Return the memory that a job asked for on each processor (KB).

    Raises
    ------
    RecordError
        It cannot be read.
    """
    size = memory(text, "ReqMem", unit="M")
    if size is None or not size.kilobytes or processors <= 0:
        return None
    if size.share == "processor":
        return size.kilobytes
    if size.share == "job":
        return size.kilobytes / processors
    on = whole(nodes or "0", "NNodes")
    return size.kilobytes * on / processors if on else None
