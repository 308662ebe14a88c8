"""Plans of simulations, what comes of them, and what repeats them: nothing depends on the clock."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from swfx import Loaded, Workload
from swfx.families.transforms import Transformed
from swfx.reading.notes import transformation_record
from swfx.reading.workload_source import WorkloadSource
from utilitysched.model.schedule import Schedule
from utilitysched.model.state import Floats
from utilitysched.model.versions import versions


class RunSeeds(NamedTuple):
    """One seed per purpose; each library call makes its own stream of its seed.

    Attributes
    ----------
    utilities : int
        Draws utility functions.
    scheduler : int
        Drives schedulers that search.
    transformations : int
        Shuffles and resamples jobs.
    """

    utilities: int
    scheduler: int
    transformations: int

    @classmethod
    def of(cls, seed: int, utilities: int | None = None, scheduler: int | None = None) -> RunSeeds:
        """Return `seed` for every purpose that has none of its own."""
        return cls(
            seed if utilities is None else utilities,
            seed if scheduler is None else scheduler,
            seed,
        )


@dataclass(frozen=True)
class SimulationPlan:
    """What to simulate, and what to leave on disk.

    Attributes
    ----------
    source : WorkloadSource
        The workload.
    schedulers : sequence of str
        Names with options; the first is the baseline.
    apply : sequence of str
        Transformations of the jobs, in order.
    utilities : str or None
        Specification, ``default``, ``none``, or None for the workload's own, else the default.
    seeds : RunSeeds
        Of the utility functions and of the schedulers.
    classes : mapping of int to int or None
        Queue number to priority class, 0 the most urgent.
    tau : float
        Bound of the bounded slowdown (s).
    trim : float
        Share of the jobs at either end that means and percentiles leave out.
    out : Path or None
        Results directory.
    force : bool or None
        The results directory may hold another workload; None if nobody was asked.
    swf : bool
        Write schedules as SWF, too.
    allocations : bool
        Number the processors of each job.
    dependencies : bool
        Submit jobs once those they depend on have ended.
    preemption : str or None
        Rules by which running jobs may be preempted; None where only schedulers that preempt have
        them.
    failures : str or None
        What fails, None for nothing.
    logbook : bool
        Keep a record of every generation that schedulers breed.
    """

    source: WorkloadSource
    schedulers: Sequence[str]
    apply: Sequence[str] = ()
    utilities: str | None = None
    seeds: RunSeeds = field(default_factory=lambda: RunSeeds.of(0))
    classes: Mapping[int, int] | None = None
    tau: float = 10.0
    trim: float = 0.0
    out: Path | None = None
    force: bool | None = None
    swf: bool = False
    allocations: bool = True
    dependencies: bool = False
    preemption: str | None = None
    failures: str | None = None
    logbook: bool = False


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
    """One finished simulation.

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
        "seeds": plan.seeds._asdict(),
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
        "seeds": plan.seeds._asdict(),
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
    """Return which workload was simulated: as it was read, and as it ran."""
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
        yield from ("--seed", str(plan.seeds.transformations))
    if plan.source.strict is not None:
        yield f"--{plan.source.cleaning}"
    if plan.swf:
        yield "--swf"
    if not plan.allocations:
        yield "--no-allocations"
    if plan.dependencies:
        yield "--dependencies"
