"""Records of simulations: what comes of a plan, and what repeats it."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from swfx import Loaded, Workload
from swfx.families.transforms import Transformed
from swfx.reading.notes import transformation_record
from utilitysched.model.schedule import Schedule
from utilitysched.model.state import Floats
from utilitysched.model.versions import versions
from utilitysched.runs.plan import SimulationPlan


class PreparedWorkload(NamedTuple):
    """A workload that can be simulated.

    Attributes
    ----------
    loaded : Loaded
        As read.
    transformed : Transformed
        After the transformations.
    workload : Workload
        With utility functions.
    utilities : dict
        Where they come from.
    """

    loaded: Loaded
    transformed: Transformed
    workload: Workload
    utilities: dict[str, object]


class SimulatedRun(NamedTuple):
    """A finished simulation of one scheduler.

    Attributes
    ----------
    schedule : Schedule
        When every job ran.
    summary : dict
        Metrics.
    directory : Path or None
        Where its files are.
    logbook : (rows, 8) float64, optional
        A row per generation of each decision, if the plan says so and the scheduler breeds; see
        `utilitysched.runs.logbook`.
    """

    schedule: Schedule
    summary: dict[str, object]
    directory: Path | None
    logbook: Floats | None = None


def record(
    plan: SimulationPlan, prepared: PreparedWorkload, schedule: Schedule
) -> dict[str, object]:
    """Return what run.json holds."""
    return {
        "format": "utilitysched run 1",
        "command": shlex.join(command(plan, schedule.scheduler)),
        "workload": workload_record(plan, prepared),
        "transformations": transformation_record(plan.apply, prepared.transformed),
        "utilities": prepared.utilities,
        "scheduler": schedule.scheduler,
        "seeds": plan.seeds.to_dict(),
        "tau": plan.tau,
        "trim": plan.trim,
        "simulation": dict(schedule.provenance),
        "versions": versions(),
    }


def document(
    plan: SimulationPlan, prepared: PreparedWorkload, runs: Sequence[SimulatedRun]
) -> dict[str, object]:
    """Return what ``simulate --json`` prints."""
    return {
        "workload": workload_record(plan, prepared),
        "transformations": transformation_record(plan.apply, prepared.transformed),
        "utilities": prepared.utilities,
        "seeds": plan.seeds.to_dict(),
        "runs": [
            {
                "scheduler": run.schedule.scheduler,
                "directory": None if run.directory is None else str(run.directory),
                "summary": run.summary,
                **_conditions(run),
            }
            for run in runs
        ],
    }


def _conditions(run: SimulatedRun) -> dict[str, object]:
    provenance = run.schedule.provenance
    told = ("dependencies", "preemption", "failures", "recorded", "shared")
    return {key: provenance[key] for key in told if key in provenance}


def workload_record(plan: SimulationPlan, prepared: PreparedWorkload) -> dict[str, object]:
    """Return the source, digests and machine of the simulated workload."""
    workload: Workload = prepared.workload
    return {
        **plan.source.to_dict(),
        "read_digest": prepared.loaded.workload.digest(),
        "digest": workload.digest(),
        "job_count": len(workload),
        "machine_size": workload.machine_size,
        "classes": plan.classes,
    }


def command(plan: SimulationPlan, label: str) -> list[str]:
    """Return the command line that repeats one scheduler's run, its seeds spelt out."""
    return ["utilitysched", "simulate", plan.source.text, *_options(plan, label)]


def _options(plan: SimulationPlan, label: str) -> Iterator[str]:
    options = {
        "--jobs": plan.source.slice_text,
        "--procs": plan.source.procs,
        "--scheduler": label,
        "--utilities": plan.utilities,
        "--utility-seed": plan.seeds.utilities,
        "--scheduler-seed": plan.seeds.scheduler,
        "--classes": ",".join(f"{queue}={rank}" for queue, rank in (plan.classes or {}).items()),
        "--tau": plan.tau,
        "--trim": plan.trim,
        "--preemption": plan.preemption,
        "--failures": plan.failures,
    }
    for option, value in options.items():
        if value is not None and value != "":
            yield from (option, str(value))
    for text in plan.apply:
        yield from ("--apply", text)
    if plan.apply:
        yield from ("--seed", str(plan.seeds.seed))
    if plan.source.strict is not None:
        yield f"--{plan.source.cleaning}"
    if plan.swf:
        yield "--swf"
    if not plan.allocations:
        yield "--no-allocations"
    if plan.dependencies:
        yield "--dependencies"
