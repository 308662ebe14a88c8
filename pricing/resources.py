"""Resources that jobs hold, by the names that Slurm has for them."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from swfx import InputError, Workload
from swfx.base.columns import Floats
from swfx.base.options import nearest

__all__ = [
    "CPU",
    "ENERGY",
    "GPU",
    "MEMORY",
    "amounts_of",
    "known_resources",
    "read_resource",
    "resource_hour",
    "resource_hours",
    "resource_names",
]

CPU, MEMORY, ENERGY, GPU = "cpu", "mem", "energy", "gres/gpu"

_PREFIX = "tres/"
_NAME = re.compile(r"[a-z][\w.-]*(/[\w.:-]+)?", re.IGNORECASE | re.ASCII)
_UNITS = {
    CPU: "processor-hour",
    MEMORY: "MB-hour",
    "node": "node-hour",
    "billing": "billing-unit-hour",
    ENERGY: "kWh",
    GPU: "GPU-hour",
}


def read_resource(text: str) -> str:
    """Read the name of a resource; capitals do not matter in its kind.

    Raises
    ------
    InputError
        It is none.

    Examples
    --------
    >>> read_resource("CPU"), read_resource("GRES/gpu:a100")
    ('cpu', 'gres/gpu:a100')
    """
    if not _NAME.fullmatch(text):
        raise InputError(
            f"{text!r} is no resource",
            source="price mechanism",
            field="of",
            remedy="write for instance cpu, node, gres/gpu, gres/gpu:a100, mem, billing, energy",
        )
    return text.lower()


def resource_hour(name: str) -> str:
    """Say what one unit of a resource for an hour is called.

    Examples
    --------
    >>> resource_hour("cpu"), resource_hour("gres/gpu:a100"), resource_hour("license/matlab")
    ('processor-hour', 'GPU-hour (a100)', 'license/matlab-hour')
    """
    kind, _, model = name.partition(":")
    if kind == GPU and model:
        return f"{_UNITS[GPU]} ({model})"
    return _UNITS.get(name, f"{name}-hour")


def resource_hours(name: str) -> str:
    """Say what several such units are called: ``processor-hours``, ``GPU-hours (a100)``."""
    hour, blank, model = resource_hour(name).partition(" ")
    return f"{hour}{'' if hour == _UNITS[ENERGY] else 's'}{blank}{model}"


def known_resources(workload: Workload) -> tuple[str, ...]:
    """Names of the resources of which a workload tells, processors first."""
    return CPU, *(n.removeprefix(_PREFIX) for n in workload.extra if n.startswith(_PREFIX))


def resource_names(workload: Workload) -> list[str]:
    """Names of these columns."""
    names = known_resources(workload)[1:]
    return [f"{name}_{'kwh' if name == ENERGY else 'hours'}" for name in names]


def amounts_of(workload: Workload, name: str) -> Floats:
    """How much of a resource each job held, (n,); NaN where that is not known.

    Memory is in MB: what was allocated, or requested where the log does not tell. Energy is told by
    the mean power (kW) over the run time. GPUs are those of all types: the types of a job are added
    where the log does not give their sum.

    Raises
    ------
    InputError
        The workload does not tell of the resource.

    Examples
    --------
    >>> gpus = {"tres/gres/gpu": [1, 0], "tres/gres/gpu:a100": [1, 4]}
    >>> jobs = Workload.from_columns(run=[9, 9], processors=[4, 8], **gpus)
    >>> amounts_of(jobs, "cpu").tolist(), amounts_of(jobs, "GRES/gpu").tolist()
    ([4.0, 8.0], [1.0, 4.0])
    """
    if name == CPU:
        return workload.size.astype(np.float64)
    columns = {column.lower(): column for column in workload.extra}
    own = _PREFIX + name.lower()
    types = [columns[column] for column in columns if column.startswith(f"{own}:")]
    typed = _sum_of(workload, types)
    if own in columns:
        amounts = _known(workload, columns[own])
        if name == ENERGY:
            held = workload.run - np.maximum(workload.suspended, 0.0)
            amounts = np.divide(amounts, 1000 * held, out=np.zeros(len(held)), where=held > 0)
        # where there are none, those of the types: readers may write 0 for what is not given
        return np.where(amounts > 0, amounts, np.where(typed > 0, typed, amounts + typed))
    if types:
        return typed
    if name == MEMORY:
        requested = workload.requested_memory
        return np.where(requested >= 0, requested * workload.size / 1024, np.nan)
    raise InputError(
        f"the log does not state {name}", remedy=nearest(name, known_resources(workload))
    )


def _known(workload: Workload, column: str) -> Floats:
    amounts = workload.extra[column].astype(np.float64)
    return np.where(amounts >= 0, amounts, np.nan)


def _sum_of(workload: Workload, types: Sequence[str]) -> Floats:
    """Return the known amounts of all types, NaN where that is none and some are unknown."""
    amounts = np.array([_known(workload, column) for column in types])
    total = np.nansum(amounts, axis=0)
    return np.where((total == 0) & np.isnan(amounts).any(axis=0), np.nan, total)
