"""Simulation of one workload under several schedulers, with all that leads to its files."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext

import numpy as np

from swfx import InputError, Loaded, WorkloadSource
from swfx.families.transforms import apply_all, make_transforms
from swfx.families.transforms.submit_at import simulated
from swfx.families.utilities.registry import make_model
from swfx.reading.notes import Echo, transformation_notes
from utilitysched.analysis.metrics import summary
from utilitysched.engine.allocation import allocations
from utilitysched.engine.conditions import Failures, rules_for
from utilitysched.engine.engine import simulate
from utilitysched.engine.loops import given_machine
from utilitysched.engine.valued import ensure, require_machine
from utilitysched.model.schedule import Schedule
from utilitysched.model.state import Floats
from utilitysched.runs.logbook import breeder, kept_rows, require_breeder
from utilitysched.runs.notes import (
    degenerate_notes,
    dependency_notes,
    machine_notes,
    occupation_notes,
    shared_notes,
)
from utilitysched.runs.records import PreparedWorkload, SimulatedRun, SimulationPlan, record
from utilitysched.runs.target import (
    BEGAN,
    READ,
    Results,
    Target,
    claim,
    held_digest,
    prove_writable,
    sole_use,
    write_run,
)
from utilitysched.schedulers.billed import as_billed_by, ranked_as_billed
from utilitysched.schedulers.registry import make_scheduler

_LATENCIES = (50, 90, 99, 100)  # percentiles of the time that a decision takes

Watch = Callable[[str], AbstractContextManager[Callable[[float], None]]]
"""Opens something that takes the share that is done of what a title names."""


def check(plan: SimulationPlan) -> list[str]:
    """Return the canonical labels of the schedulers.

    Raises
    ------
    InputError
        A scheduler, its option or the mechanism is unknown, two schedulers are the same, or utility
        functions cannot be drawn, jobs transformed or jobs preempted as asked; or a logbook is to
        be kept, and none of them breeds.
    """
    made = [make_scheduler(as_billed_by(name, plan.billed_by)) for name in plan.schedulers]
    labels = [scheduler.label for scheduler in made]
    for name, label in zip(plan.schedulers, labels, strict=True):
        if labels.count(label) > 1:
            raise InputError(
                f"{name!r} is named twice", field="`schedulers`", remedy="once will do"
            )
    if plan.logbook:
        require_breeder(made)
    if plan.utilities is not None:
        make_model(plan.utilities)
    if plan.apply:
        make_transforms(plan.apply)
    fails = plan.failures is not None
    if plan.failures is not None:
        Failures.from_text(plan.failures)
    for scheduler in made:
        rules_for(scheduler, plan.preemption, fails=fails)
    return labels


def prepare(
    plan: SimulationPlan, echo: Echo, loaded: Loaded | None = None, *, eligible: bool = True
) -> PreparedWorkload:
    """Read the workload, transform it, submit jobs when eligible, and give utility functions.

    Parameters
    ----------
    plan : SimulationPlan
        What is wanted.
    echo : callable
        Takes lines for people.
    loaded : Loaded, optional
        The workload, if it has been read.
    eligible : bool
        Submit jobs when they became eligible.

    Raises
    ------
    InputError
        Something in the plan is unknown, the workload cannot be read, its machine's size is not
        known, or the results directory cannot be written.
    """
    check(plan)
    for name in plan.schedulers:
        ranked_as_billed(name, plan.billed_by, echo)
    if loaded is None:
        loaded = _sized(plan).load()
    steps = plan.apply, plan.seeds.seed
    if eligible:
        transformed = simulated(loaded.workload, *steps, dependencies=plan.dependencies)
    else:
        transformed = apply_all(loaded.workload, *steps)
    for line in transformation_notes(transformed):
        echo(line)
    require_machine(transformed.workload)
    header = transformed.workload.header
    machine = None if plan.machine is None else given_machine(plan.machine, header)
    for line in machine_notes(loaded.report, transformed.workload, machine, plan.machine):
        echo(line)
    if plan.dependencies:
        for line in dependency_notes(transformed.workload):
            echo(line)
    machine_size = transformed.workload.machine_size
    if machine_size is not None:
        Failures.of(plan.failures, machine_size, plan.seeds.scheduler)
    if plan.out is not None:
        prove_writable(plan.out)
    valued = ensure(
        transformed.workload, plan.utilities, plan.seeds.utilities, classes=plan.classes, say=echo
    )
    return PreparedWorkload(loaded, transformed, valued.workload, valued.utilities, machine)


def _sized(plan: SimulationPlan) -> WorkloadSource:
    """Return the source of the log, of as many processors as a machine file says."""
    if plan.machine is None:
        return plan.source
    from utilitysched.runs.machines import sized_by  # noqa: PLC0415 - of machine files only

    return sized_by(plan.source, plan.machine)


def unwatched(_: str) -> AbstractContextManager[Callable[[float], None]]:
    """Show nobody how far anything is; a `Watch`."""
    return nullcontext(lambda _: None)


def simulate_all(
    plan: SimulationPlan,
    prepared: PreparedWorkload | None = None,
    echo: Echo = lambda _: None,
    watch: Watch = unwatched,
) -> Iterator[SimulatedRun]:
    """Simulate the schedulers one by one; yield each run after its files are written.

    Parameters
    ----------
    plan : SimulationPlan
        What is wanted.
    prepared : PreparedWorkload, optional
        The workload, if it has been prepared.
    echo : callable
        Takes lines for people.
    watch : callable
        Shows how far a simulation is.

    Raises
    ------
    InputError
        The results directory cannot be used; before any simulation.
    """
    labels = check(plan)
    prepared = prepared or prepare(plan, echo)
    for label in labels:
        for line in degenerate_notes(
            prepared.workload, label, classes=plan.classes, preemption=plan.preemption
        ):
            echo(line)
    target = _claim(plan, prepared, labels, echo)
    for number, label in enumerate(labels):
        began = time.time()
        schedule, logbook = _simulate(plan, prepared, label, watch)
        for line in (*occupation_notes(schedule.provenance), *shared_notes(schedule)):
            echo(line)
        figures = summary(prepared.workload, schedule, tau=plan.tau, trim=plan.trim)
        directory = target.runs[label] if target else None
        if target and directory:
            if number == 0:  # a scheduler that refuses the workload leaves nothing behind
                _write_workload(plan, prepared, target)
            results = _results(plan, prepared, schedule, figures, began)
            removed = write_run(directory, results, swf=plan.swf)
            if removed:
                echo(f"{directory}: the schedule changed, so removed {', '.join(removed)}")
        yield SimulatedRun(schedule, figures, directory, logbook)


def _simulate(
    plan: SimulationPlan, prepared: PreparedWorkload, label: str, watch: Watch
) -> tuple[Schedule, Floats | None]:
    """Return the schedule, and the logbook if one was to be kept."""
    scheduler = make_scheduler(label)
    genetic = breeder(scheduler) if plan.logbook else None
    if genetic is not None:
        genetic.keep_logbook()
    with watch(label) as progress:
        schedule = simulate(
            prepared.workload,
            scheduler,
            classes=plan.classes,
            seed=plan.seeds.scheduler,
            on_progress=progress,
            dependencies=plan.dependencies,
            eligible=False,  # jobs are submitted as they were prepared
            preemption=plan.preemption,
            failures=plan.failures,
            machine=prepared.machine,
        )
    return schedule, None if genetic is None else kept_rows(genetic)


def _claim(
    plan: SimulationPlan, prepared: PreparedWorkload, labels: Sequence[str], echo: Echo
) -> Target | None:
    if plan.out is None:
        return None
    digest = prepared.workload.digest()
    prove_writable(plan.out)
    target = claim(plan.out, digest, labels, force=plan.force)
    if target.replaced():
        echo(f"replacing in {plan.out}, file by file: {', '.join(target.replaced())}")
    if target.strangers(digest):
        names = ", ".join(target.strangers(digest))
        echo(f"still in {plan.out}, of another workload and no longer to be billed: {names}")
    return target


def _write_workload(plan: SimulationPlan, prepared: PreparedWorkload, target: Target) -> None:
    """Write the workload, and commitments to it where the directory does not have them yet."""
    from pricing.commitments import COMMITMENTS_FILE  # noqa: PLC0415  a run without --out has none
    from utilitysched.runs.commitments import commit_to  # noqa: PLC0415

    workload = prepared.workload
    digest, directory = workload.digest(), target.directory
    with sole_use(directory):
        # another process may have written another workload since it was claimed
        claim(directory, digest, target.runs, force=plan.force)
        path = directory / COMMITMENTS_FILE
        is_first = held_digest(directory) != digest or not path.exists()
        if is_first:
            path.unlink(missing_ok=True)
        report = {**plan.source.to_dict(), **prepared.loaded.report.to_dict()}
        target.write_workload(workload, report)
        if is_first:
            commit_to(directory, workload)


def _results(
    plan: SimulationPlan,
    prepared: PreparedWorkload,
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
        _timing(schedule, began),
        plan.classes,
        allocations(workload, schedule) if plan.allocations else None,
    )


def _timing(schedule: Schedule, began: float) -> dict[str, object]:
    """Return what timing.json says of a simulation that began then (s, Unix time)."""
    timing: dict[str, object] = {READ: began, BEGAN: began, "simulation_s": schedule.elapsed}
    took = schedule.deciding
    if took is not None and len(took):
        timing["decisions"] = len(took)
        for percent in _LATENCIES:
            timing[f"decision_p{percent}_s"] = float(np.percentile(took, percent))
    return timing
