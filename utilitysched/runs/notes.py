"""Notes on simulations for people: scheduler gaps, dependencies, shared nodes, odd findings."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from swfx import LoadReport, Workload
from swfx.base.numbers import plural
from swfx.dependencies import RULES, dependencies
from swfx.reading.cleaning import OVER_REQUEST, partition_note
from utilitysched.engine.conditions import rules_for
from utilitysched.model.arrivals import Arrivals
from utilitysched.model.schedule import Schedule
from utilitysched.schedulers.registry import make_scheduler

if TYPE_CHECKING:
    from swfx.machine import Machine

FIRST_JOBS = 5
"""Jobs with odd dependencies that are named."""


def degenerate_notes(
    workload: Workload,
    label: str,
    *,
    classes: Mapping[int, int] | None = None,
    preemption: str | None = None,
) -> Iterator[str]:
    """Yield lines for people on what a scheduler does not find in a workload.

    Parameters
    ----------
    workload : Workload
        Jobs as they are simulated.
    label : str
        Of the scheduler.
    classes : mapping of int to int, optional
        Priority class of each queue number.
    preemption : str, optional
        Rules by which running jobs may be preempted.
    """
    scheduler = make_scheduler(label)
    if scheduler.reading is not None and not workload.utility.defined.any():
        yield f"{label} reads utility functions, and no job has one: --utilities default draws some"
    elif scheduler.indifferent(Arrivals.of(workload, classes=classes).known):
        yield (
            f"{label} has nothing to tell these jobs apart by: it keeps them in order of arrival, "
            "as easy, fcfs and conservative do"
        )
    rules = rules_for(scheduler, preemption)
    if scheduler.preempts and rules and not (rules.intervals(workload) >= 0).any():
        yield (
            f"{label} has no job to preempt: none takes checkpoints or may be run again; "
            "augment --checkpoints and --rerunnable say which do"
        )


def machine_notes(
    report: LoadReport, workload: Workload, machine: "Machine | None", file: Path | None
) -> Iterator[str]:
    """Yield warnings of a simulation on too little: short requests, partitions as one machine.

    Of a `machine`, read from a `file`, what of it binds no job.
    """
    yield from (note for note in report.notes if note.startswith(OVER_REQUEST))
    if machine is not None and file is not None:
        from utilitysched.runs.machines import unused_notes  # noqa: PLC0415 - of machine files

        yield from unused_notes(machine, workload, file)
    elif note := partition_note(np.unique(workload.partition).tolist(), workload.header):
        yield note


def dependency_notes(workload: Workload) -> Iterator[str]:
    """Yield how many jobs wait for another, and which dependencies are odd."""
    links = dependencies(workload)
    waiting = "waits" if links.count == 1 else "wait"
    yield f"dependencies: {plural(links.count, 'job')} {waiting} for another to end"
    for rule in RULES:
        if rule.name in links.listed:
            done = "ignored" if rule.ignored else "noted"
            numbers = _numbers(links.listed[rule.name].tolist())
            yield f"dependencies {done}: {rule.name}: {rule.meaning}: {numbers}"


def shared_notes(schedule: Schedule) -> Iterator[str]:
    """Yield on what terms jobs shared nodes, if they did."""
    shared = schedule.provenance.get("shared")
    if isinstance(shared, dict):
        fate = "may finish"
        if schedule.killed is not None:
            count = int(schedule.killed.sum())
            fate = (
                "are killed at their requested times:"
                f" {count:,} of {plural(len(schedule), 'job')}, before their work was done"
            )
        findings = "".join(f"; {finding}" for finding in shared["heatmap"])
        yield f"{schedule.scheduler}: jobs that neighbours slow {fate}{findings}"


def occupation_notes(simulation: Mapping[str, Any]) -> Iterator[str]:
    """Yield by how much a log has more processors in use than the machine, if it has.

    Parameters
    ----------
    simulation : mapping
        `Schedule.provenance` of the log's own schedule, or of any other.
    """
    recorded, machine_size = simulation.get("recorded"), simulation["machine_size"]
    if recorded and recorded["most"] > machine_size:
        yield (
            f"{simulation['scheduler']}: up to {recorded['most']:,} processors are in use, from"
            f" {recorded['since']:,.0f} s on, {recorded['most'] - machine_size:,} more than the"
            f" machine has; more than it has for {recorded['beyond']:,.0f} s in all"
        )


def _numbers(jobs: list[int]) -> str:
    first = ", ".join(map(str, jobs[:FIRST_JOBS]))
    more = len(jobs) - FIRST_JOBS
    return f"job{'s' if len(jobs) > 1 else ''} {first}{f' and {more:,} more' if more > 0 else ''}"
