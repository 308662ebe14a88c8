"""Plans of simulations, and the records that repeat them."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

from swfx.base.document_values import number, seconds, whole
from swfx.base.request_fields import (
    Failures,
    Force,
    MachineFile,
    Preemption,
    PriorityClasses,
    RunsFolder,
    Seed,
    Steps,
    UtilitySeed,
)
from swfx.base.typed import Typed
from swfx.reading.workload_source import WorkloadSource
from utilitysched.model.versions import versions

BILLED_BY = "mechanism"
"""Key in run.json of the mechanism by which the run will be billed."""

if TYPE_CHECKING:
    from swfx import Loaded, Workload
    from swfx.families.transforms import Transformed
    from swfx.machine import Machine
    from utilitysched.model.schedule import Schedule
    from utilitysched.model.state import Floats


@dataclass(frozen=True)
class RunSeeds:
    """Seeds of a run; each library call makes its own stream of its seed.

    Attributes
    ----------
    seed : int
        Seed of everything random.
    utility_seed : int or None
        Seed of the utility functions only.
    scheduler_seed : int or None
        Seed of the schedulers only.
    """

    seed: Seed = 0
    utility_seed: UtilitySeed = None
    scheduler_seed: Annotated[int | None, whole(), Typed("--scheduler-seed N")] = None

    @property
    def utilities(self) -> int:
        """Seed that draws utility functions."""
        return self.seed if self.utility_seed is None else self.utility_seed

    @property
    def scheduler(self) -> int:
        """Seed of the schedulers' random draws."""
        return self.seed if self.scheduler_seed is None else self.scheduler_seed

    def to_dict(self) -> dict[str, int]:
        """Return the seed of each purpose."""
        return {
            "utilities": self.utilities,
            "scheduler": self.scheduler,
            "transformations": self.seed,
        }


@dataclass(frozen=True)
class SimulationPlan:
    """What to simulate, and what to leave on disk.

    Attributes
    ----------
    source : WorkloadSource
        The workload; in Python also its text alone, such as ``sample:``.
    schedulers : sequence of str
        NAME or NAME:key=value,...; repeat to compare, the first is the baseline. Names:
        utilitysched list schedulers.
    mechanism : str or None
        Price mechanism by which jobs will be billed: NAME or NAME:key=value,... By first-price and
        second-price, schedulers that read utility functions do so at the requested end.
    apply : sequence of str
        Transformations of the jobs, in order.
    utilities : str or None
        Draw new utility functions: factor=3,step=1, diurnal:at=09:00, curves:file=FILE, default;
        'none' simulates as it is.
    seeds : RunSeeds
        Seeds of the utility functions, schedulers and transformations.
    classes : mapping of int to int or None
        Priority class by queue number, 0 the most urgent.
    tau : float
        Minimum run time in bounded slowdowns.
    trim : float
        Share of the jobs left out of means and percentiles at either end of the log.
    out : Path or None
        Folder of the results; None for none.
    force : bool or None
        Whether the results directory may hold another workload; None where nobody can be asked.
    swf : bool
        Also write each schedule as SWF, with its waits.
    allocations : bool
        Leave processor numbers out of jobs.csv, which is faster.
    logbook : Path or None
        Write a CSV with a row for every generation that genetic schedulers bred.
    dependencies : bool
        Submit a job with a preceding job (fields 17 and 18) once that one has ended and the think
        time has passed.
    preemption : str or None
        Rules by which running jobs may be preempted; None where only schedulers that preempt have
        them.
    failures : str or None
        What fails, None for nothing.
    machine : Path or None
        Machine file; None for one pool of processors without limits.
    """

    source: WorkloadSource
    schedulers: Annotated[Sequence[str], Typed("--scheduler -s NAME", shown="easy")] = ("easy",)
    mechanism: Annotated[str | None, Typed("--mechanism -m NAME")] = None
    apply: Steps = ()
    utilities: Annotated[
        str | None, Typed("--utilities SPEC", shown="the workload's own, else drawn")
    ] = None
    seeds: RunSeeds = field(default_factory=RunSeeds)
    classes: PriorityClasses = None
    tau: Annotated[float, seconds(gt=0), Typed("--tau TIME", shown="10s")] = 10.0
    trim: Annotated[float, number(ge=0, lt=0.5), Typed("--trim SHARE")] = 0.0
    out: RunsFolder = None
    force: Force = False
    swf: Annotated[bool, Typed("--swf")] = False
    allocations: Annotated[bool, Typed("--no-allocations")] = True
    logbook: Annotated[Path | None, Typed("--logbook FILE")] = None
    dependencies: Annotated[bool, Typed("--dependencies")] = False
    preemption: Preemption = None
    failures: Failures = None
    machine: MachineFile = None

    def __post_init__(self) -> None:
        if isinstance(self.source, str):
            object.__setattr__(self, "source", WorkloadSource(self.source))

    @property
    def billed_by(self) -> tuple[str, ...]:
        """Mechanisms by which jobs will be billed."""
        return () if self.mechanism is None else (self.mechanism,)


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
    machine : Machine, optional
        Of the plan's machine file, by the clock of the log.
    """

    loaded: Loaded
    transformed: Transformed
    workload: Workload
    utilities: dict[str, object]
    machine: Machine | None = None


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
    from swfx.reading.notes import transformation_record  # noqa: PLC0415 - brings numpy

    billed = {} if plan.mechanism is None else {BILLED_BY: plan.mechanism}
    return {
        "format": "utilitysched run 1",
        "command": shlex.join(command(plan, schedule.scheduler)),
        "workload": workload_record(plan, prepared),
        "transformations": transformation_record(plan.apply, prepared.transformed),
        "utilities": prepared.utilities,
        "scheduler": schedule.scheduler,
        **billed,
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
    from swfx.reading.notes import transformation_record  # noqa: PLC0415 - brings numpy

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
                **_groups(plan, prepared.workload, run.schedule),
                **_conditions(run),
            }
            for run in runs
        ],
    }


def _groups(plan: SimulationPlan, workload: Workload, schedule: Schedule) -> dict[str, object]:
    """Return waits by kind of group, and the use of each resource of a machine file."""
    from utilitysched import metrics  # noqa: PLC0415 - brings numpy
    from utilitysched.model.schedule import recorded_machine  # noqa: PLC0415

    waits = {
        kind: [
            group._asdict() for group in metrics.waits_by(workload, schedule, kind, trim=plan.trim)
        ]
        for kind in metrics.wait_kinds(workload)
    }
    machine = recorded_machine(schedule.provenance)
    if machine is None:
        return {"waits": waits}
    use = [each._asdict() for each in metrics.resource_use(workload, schedule, machine)]
    return {"waits": waits, "use": use}


def _conditions(run: SimulatedRun) -> dict[str, object]:
    provenance = run.schedule.provenance
    options = ("dependencies", "preemption", "failures", "recorded", "shared")
    return {key: provenance[key] for key in options if key in provenance}


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
    # an explicit duration=zero is not in the label
    from utilitysched.schedulers.billed import spelt_out  # noqa: PLC0415 - brings numpy

    options = {
        "--jobs": plan.source.slice_text,
        "--machine-size": plan.source.machine_size,
        "--scheduler": spelt_out(label, plan.billed_by),
        "--mechanism": plan.mechanism,
        "--utilities": plan.utilities,
        "--utility-seed": plan.seeds.utilities,
        "--scheduler-seed": plan.seeds.scheduler,
        "--classes": ",".join(f"{queue}={rank}" for queue, rank in (plan.classes or {}).items()),
        "--tau": plan.tau,
        "--trim": plan.trim,
        "--preemption": plan.preemption,
        "--failures": plan.failures,
        "--machine": plan.machine,
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
