"""Simulating one workload under several schedulers: what `simulate` and `demo` share."""

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import utilitysched
from swfx import InputError, Loaded, Workload
from utilitysched import Schedule
from utilitysched.cli.progress import Progress
from utilitysched.cli.say import Say, speaker
from utilitysched.cli.seeds import Seeds
from utilitysched.cli.source import Source
from utilitysched.cli.utilities import ensure, require_machine
from utilitysched.metrics import summary
from utilitysched.report.comparison import Line
from utilitysched.runs import Results, Target, claim, versions, write_run


@dataclass(frozen=True)
class Plan:
    """What to simulate, and what to leave on disk.

    Attributes
    ----------
    source : Source
        The workload.
    schedulers : sequence of str
        Names with options; the first is the baseline.
    utilities : str or None
        Specification, ``default``, ``none``, or None for the workload's own, else the default.
    seeds : Seeds
        Of the utility functions and of the schedulers.
    classes : mapping of int to int or None
        Queue number to priority class, 0 the most urgent.
    tau : float
        Bound of the bounded slowdown (s).
    trim : float
        Share of the jobs at either end that means and percentiles leave out.
    out : Path or None
        Results directory.
    force : bool
        The results directory may hold another workload.
    swf : bool
        Write schedules as SWF, too.
    allocations : bool
        Number the processors of each job.
    """

    source: Source
    schedulers: Sequence[str]
    utilities: str | None = None
    seeds: Seeds = field(default_factory=lambda: Seeds.of(0))
    classes: Mapping[int, int] | None = None
    tau: float = 10.0
    trim: float = 0.0
    out: Path | None = None
    force: bool = False
    swf: bool = False
    allocations: bool = True


class Prepared(NamedTuple):
    """A workload that can be simulated.

    Attributes
    ----------
    loaded : Loaded
        As read.
    workload : Workload
        With utility functions.
    utilities : dict
        Where they come from.
    """

    loaded: Loaded
    workload: Workload
    utilities: dict[str, object]


class Run(NamedTuple):
    """One finished simulation.

    Attributes
    ----------
    schedule : Schedule
        When every job ran.
    summary : dict
        Metrics.
    directory : Path or None
        Where its files are.
    """

    schedule: Schedule
    summary: dict[str, object]
    directory: Path | None

    def line(self) -> Line:
        """Return the run's line in a comparison."""
        return Line(self.summary, self.schedule.elapsed)


def check_schedulers(names: Sequence[str]) -> list[str]:
    """Return the canonical labels of schedulers.

    Raises
    ------
    InputError
        A name or option is unknown, or two names mean the same scheduler.
    """
    labels = [utilitysched.make_scheduler(name).label for name in names]
    for name, label in zip(names, labels, strict=True):
        if labels.count(label) > 1:
            raise InputError(f"{name!r} is named twice", field="--scheduler", remedy="once will do")
    return labels


def prepare(plan: Plan, say: Say) -> Prepared:
    """Read the workload and give it utility functions.

    Raises
    ------
    InputError
        It cannot be read, or its machine's size is not known.
    """
    loaded = plan.source.load()
    require_machine(loaded.workload)
    workload, utilities = ensure(
        loaded.workload, plan.utilities, plan.seeds.utilities, classes=plan.classes, say=say
    )
    return Prepared(loaded, workload, utilities)


def simulate_all(plan: Plan, prepared: Prepared, *, quiet: bool = False) -> Iterator[Run]:
    """Simulate one scheduler after the other; each one's files are there when it is yielded.

    Raises
    ------
    InputError
        A scheduler is unknown or the results directory cannot be used, before any simulation.
    """
    say = speaker(quiet=quiet)
    labels = check_schedulers(plan.schedulers)
    target = _claim(plan, prepared, labels, say)
    for label in labels:
        began = time.time()
        schedule = _simulate(plan, prepared, label, quiet=quiet)
        figures = summary(prepared.workload, schedule, tau=plan.tau, trim=plan.trim)
        directory = target.runs[label] if target else None
        if directory:
            results = _results(plan, prepared, schedule, figures, began)
            removed = write_run(directory, results, swf=plan.swf)
            if removed:
                say(f"{directory}: the schedule changed, so removed {', '.join(removed)}")
        yield Run(schedule, figures, directory)


def _simulate(plan: Plan, prepared: Prepared, label: str, *, quiet: bool) -> Schedule:
    with Progress(label, quiet=quiet) as progress:
        return utilitysched.simulate(
            prepared.workload,
            label,
            classes=plan.classes,
            seed=plan.seeds.scheduler,
            on_progress=progress,
        )


def _claim(plan: Plan, prepared: Prepared, labels: Sequence[str], say: Say) -> Target | None:
    if plan.out is None:
        return None
    target = claim(plan.out, prepared.workload.digest(), labels, force=plan.force)
    if target.replaced():
        say(f"replacing in {plan.out}, file by file: {', '.join(target.replaced())}")
    target.write_workload(
        prepared.workload, {**plan.source.to_dict(), **prepared.loaded.report.to_dict()}
    )
    return target


def _results(
    plan: Plan,
    prepared: Prepared,
    schedule: Schedule,
    figures: Mapping[str, object],
    began: float,
) -> Results:
    workload = prepared.workload
    return Results(
        workload,
        schedule,
        figures,
        record(plan, prepared, schedule),
        {"began_unix_s": began, "simulation_s": schedule.elapsed},
        plan.classes,
        utilitysched.allocations(workload, schedule) if plan.allocations else None,
    )


def record(plan: Plan, prepared: Prepared, schedule: Schedule) -> dict[str, object]:
    """Return what is needed to repeat a run; nothing in it depends on the clock."""
    return {
        "format": "utilitysched run 1",
        "workload": workload_record(plan, prepared),
        "utilities": prepared.utilities,
        "scheduler": schedule.scheduler,
        "seeds": plan.seeds._asdict(),
        "tau": plan.tau,
        "trim": plan.trim,
        "simulation": dict(schedule.provenance),
        "passes": schedule.passes,
        "versions": versions(),
    }


def document(plan: Plan, prepared: Prepared, runs: Sequence[Run]) -> dict[str, object]:
    """Return what `simulate --json` prints; nothing in it depends on the clock."""
    return {
        "workload": workload_record(plan, prepared),
        "utilities": prepared.utilities,
        "seeds": plan.seeds._asdict(),
        "tau": plan.tau,
        "trim": plan.trim,
        "runs": [
            {
                "scheduler": run.schedule.scheduler,
                "directory": None if run.directory is None else str(run.directory),
                "summary": run.summary,
            }
            for run in runs
        ],
    }


def workload_record(plan: Plan, prepared: Prepared) -> dict[str, object]:
    """Return which workload was simulated."""
    return {
        **plan.source.to_dict(),
        "read_digest": prepared.loaded.workload.digest(),
        "digest": prepared.workload.digest(),
        "job_count": len(prepared.workload),
        "machine_size": require_machine(prepared.workload),
        "classes": plan.classes,
    }
