"""Processors, memory and limits of a job, from whatever columns there are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, TypeAlias

from swfx.accounting.quantities import duration, memory, number, whole
from swfx.accounting.table import Columns
from swfx.fields import MISSING

__all__ = [
    "ALLOCATED",
    "LIMITS",
    "NODES",
    "REQUESTED",
    "Count",
    "Counting",
    "allocated",
    "amounts_allocated",
    "counts_nodes",
    "cpu_time",
    "energy",
    "has_processors",
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

_NO_ENERGY = 2**63
"""Slurm's numbers from here on mean that no energy was recorded."""


Count: TypeAlias = Literal["cpus", "nodes"]


@dataclass(frozen=True)
class Counting:
    """What counts as a processor.

    Parameters
    ----------
    what : {"cpus", "nodes"}
        What a processor is.
    cores_per_node : int
        CPUs of a node, for exports that have no CPUs; 0 is unknown: nodes count then.
    """

    what: Count = "cpus"
    cores_per_node: int = 0

    def of_nodes(self, nodes: int) -> int:
        """Processors in this many nodes."""
        return nodes if self.what == "nodes" else nodes * max(self.cores_per_node, 1)


def counts_nodes(columns: Columns, counting: Counting) -> bool:
    """Whether processors are nodes, by choice or for want of other columns."""
    if counting.what == "nodes":
        return True
    known = columns.first(("AllocCPUS", "NCPUS", "AllocTRES", "CPUTimeRAW", "ReqCPUS", "ReqTRES"))
    return known is None and counting.cores_per_node == 0


def has_processors(columns: Columns) -> bool:
    """Whether any column tells the size of a job."""
    return columns.first((*ALLOCATED, *REQUESTED)) is not None


def allocated(columns: Columns, cells: list[str], counting: Counting, run: float | None) -> int:
    """Processors that a job ran on; -1 unknown.

    Raises
    ------
    RecordError
        A number cannot be read.
    """
    return _first_known(columns, cells, ALLOCATED, counting, run)


def requested(columns: Columns, cells: list[str], counting: Counting) -> int:
    """Processors that a job asked for; -1 unknown.

    Raises
    ------
    RecordError
        A number cannot be read.
    """
    return _first_known(columns, cells, REQUESTED, counting, None)


def _first_known(
    columns: Columns,
    cells: list[str],
    names: tuple[str, ...],
    counting: Counting,
    run: float | None,
) -> int:
    for name in names:
        text = columns.cell(cells, name)
        found = _count(name, text, counting, run) if text else None
        if found is not None:
            return found or MISSING
    return MISSING


def _count(name: str, text: str, counting: Counting, run: float | None) -> int | None:
    """Processors that a cell tells of; None if it is about something else."""
    if name in NODES:
        return counting.of_nodes(whole(text, name))
    if name.endswith("TRES"):
        amount = _trackable(text).get("node" if counting.what == "nodes" else "cpu")
        return whole(amount, name) if amount else None
    if counting.what == "nodes":
        return None
    if name == "CPUTimeRAW":
        return round(whole(text, name) / run) if run else None
    return whole(text, name)


def _trackable(text: str) -> dict[str, str]:
    pairs = (item.partition("=") for item in text.split(","))
    return {key.strip(): value.strip() for key, _, value in pairs}


def amounts_allocated(columns: Columns, cells: list[str]) -> Mapping[str, float]:
    """Trackable resources that a job was allocated, but for CPUs and energy, by column.

    Memory is in MB. Empty where the export does not tell; of nodes columns of their own may tell.

    Raises
    ------
    RecordError
        They cannot be read.
    """
    text = columns.cell(cells, "AllocTRES")
    if text:
        return _amounts(text)
    name = columns.first(("AllocNodes", "NNodes"))
    nodes = columns.cell(cells, name) if name else ""
    return {"tres/node": float(whole(nodes, name))} if nodes else {}


@lru_cache(maxsize=4096)  # many jobs are allocated the same
def _amounts(text: str) -> Mapping[str, float]:
    found = {}
    for name, amount in _trackable(text).items():
        kind = name.partition("/")[0]
        if kind in _MEGABYTES:
            size = memory(amount, name, unit="M")
            found[f"tres/{name}"] = size.kilobytes / 1024 if size else 0.0
        elif kind not in {"cpu", "energy"}:
            found[f"tres/{name}"] = number(amount, name)
    return found


def energy(columns: Columns, cells: list[str]) -> float:
    """Energy that a job consumed (J); -1 unknown, which Slurm writes as 0, too.

    Raises
    ------
    RecordError
        It cannot be read.
    """
    text = columns.cell(cells, "ConsumedEnergyRaw")
    text = text or _trackable(columns.cell(cells, "AllocTRES")).get("energy", "")
    if not text or (text.isdecimal() and int(text) >= _NO_ENERGY):
        return MISSING
    return number(text, "ConsumedEnergyRaw") or MISSING


def time_limit(columns: Columns, cells: list[str]) -> float:
    """Time limit of a job (s); -1 where it has none, or none of its own.

    Raises
    ------
    RecordError
        It cannot be read.
    """
    name = columns.first(LIMITS)
    seconds = duration(columns.cell(cells, name), name, alone=60.0) if name else None
    return MISSING if seconds is None or seconds >= 60.0 * NO_LIMIT else seconds


def cpu_time(columns: Columns, cells: list[str], processors: int) -> float:
    """CPU time that a job used on each processor (s); -1 unknown, which sacct -X writes as 0.

    Raises
    ------
    RecordError
        It cannot be read.
    """
    used = duration(columns.cell(cells, "TotalCPU"), "TotalCPU")
    return used / processors if used and processors > 0 else MISSING


def requested_memory(columns: Columns, cells: list[str], processors: int) -> float:
    """Memory that a job asked for on each processor (KB); -1 unknown.

    Raises
    ------
    RecordError
        It cannot be read.
    """
    asked = memory(columns.cell(cells, "ReqMem"), "ReqMem", unit="M")
    if asked is None or not asked.kilobytes or processors <= 0:
        return MISSING
    if asked.share == "processor":
        return asked.kilobytes
    if asked.share == "job":
        return asked.kilobytes / processors
    name = columns.first(NODES)
    nodes = whole(columns.cell(cells, name) or "0", name) if name else 0
    return asked.kilobytes * nodes / processors if nodes else MISSING
