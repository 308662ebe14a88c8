"""Workload files of the simulator Batsim."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from swfx.base.columns import Bools, Floats
from swfx.base.errors import InputError
from swfx.base.numbers import plural
from swfx.families.exporters.registry import EXPORTERS, Exported, Exporter
from swfx.fields import MISSING
from swfx.workload import Workload

__all__ = ["SHORTEST_DELAY", "BatsimExporter"]

SHORTEST_DELAY = 0.001
"""Delay (s) of a job without run time: Batsim refuses 0. The key `run` says what it really is."""


@EXPORTERS.register("batsim")
@dataclass(frozen=True)
class BatsimExporter(Exporter):
    """Batsim workload (JSON): every job a delay of its run time, our columns beside.

    Batsim wants `id`, `subtime`, `res` and `profile` of a job, uses `walltime`, and hands all other
    keys to the scheduler. What a workload says beyond these five stands under the names of our
    columns, the curve under `utility`, the header lines at the top under `header`: reading the file
    gives the same workload. Jobs that cannot be simulated are left out, and counted.

    References
    ----------
    Batsim documentation, "Workload" (input).
    """

    suffixes: ClassVar[tuple[str, ...]] = (".json",)

    def format(self, workload: Workload) -> Exported:
        """JSON text with one job per line.

        Raises
        ------
        InputError
            If no job has processors, a run time and a submission that is not negative.
        """
        usable = (workload.size > 0) & (workload.run >= 0) & (workload.submit >= 0)
        jobs = workload[usable]
        if not len(jobs):
            raise InputError(
                "no job has processors and a run time", remedy="Batsim cannot simulate this"
            )
        delays = np.maximum(jobs.run, SHORTEST_DELAY)
        resources = jobs.machine_size or int(jobs.size.max())
        text = (
            f'{{"nb_res": {resources},\n'
            f'"header": {json.dumps(jobs.header.lines)},\n'
            f'"jobs": [\n{_lines(_jobs(jobs, delays))}\n],\n'
            f'"profiles": {{\n{_lines(_profiles(delays))}\n}}}}\n'
        )
        return Exported(text.encode("ascii"), _left_out(usable))


def _jobs(jobs: Workload, delays: Floats) -> Iterator[str]:
    columns = {name: _numbers(values) for name, values in jobs.columns.items()}
    sizes = jobs.size.tolist()
    names = _unique_names(jobs)
    for i, (name, delay) in enumerate(zip(names, _numbers(delays), strict=True)):
        row = {column: values[i] for column, values in columns.items()}
        job = {"id": name, "subtime": row["submit"], "res": sizes[i], "profile": f"delay_{delay}"}
        if row["requested_time"] > 0:
            job["walltime"] = row["requested_time"]
        implied = {
            "job_id": int(name) if name.isdigit() else MISSING,
            "submit": row["submit"],
            "run": delay,
            "requested_processors": sizes[i],
            "requested_time": job.get("walltime", MISSING),
        }
        job |= {k: value for k, value in row.items() if value != implied.get(k, MISSING)}
        curve = jobs.utility[i]
        if curve is not None:
            job["utility"] = list(zip(_numbers(curve.times), _numbers(curve.values), strict=True))
        yield json.dumps(job)


def _unique_names(jobs: Workload) -> list[str]:
    seen: Counter[int] = Counter()
    names = []
    for number in jobs.job_id.tolist():
        seen[number] += 1
        names.append(f"{number}_{seen[number]}" if seen[number] > 1 else str(number))
    return names


def _profiles(delays: Floats) -> Iterator[str]:
    for delay in _numbers(np.unique(delays)):
        yield f'"delay_{delay}": {{"type": "delay", "delay": {delay}}}'


def _numbers(values: np.ndarray) -> list[float]:
    """Return numbers for JSON, whole numbers as integers, which are shorter."""
    return [int(v) if v == int(v) else v for v in values.tolist()]


def _lines(items: Iterable[str]) -> str:
    return ",\n".join(items)


def _left_out(usable: Bools) -> tuple[str, ...]:
    missing = int(np.count_nonzero(~usable))
    if not missing:
        return ()
    reason = "without processors, with a negative submission or an unknown run time"
    jobs = plural(missing, "job")
    are, them = ("is", "it") if missing == 1 else ("are", "them")
    return (f"{jobs} {reason} {are} left out: Batsim cannot simulate {them}",)
