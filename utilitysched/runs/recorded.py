"""The log's own schedule as a run: charged as it is read, or written as a simulation is."""

from __future__ import annotations

import shlex
from dataclasses import replace
from pathlib import Path

import numpy as np

from pricing.months import months
from swfx import InputError, Loaded, Workload
from swfx.clock import calendar_of
from swfx.reading.notes import Echo, read_notes
from swfx.reading.sources import every_run
from swfx.reading.workload_source import WorkloadSource
from utilitysched.engine.recorded import occupation
from utilitysched.engine.valued import AS_THEY_ARE, ensure, require_machine
from utilitysched.model.scheduler import RecordedTimes
from utilitysched.runs.notes import occupation_notes
from utilitysched.runs.stored import StoredRun
from utilitysched.schedulers.recorded import FAMILY as RECORDED
from utilitysched.schedulers.recorded import RecordedSchedule


def recorded_run(
    source: WorkloadSource,
    echo: Echo,
    *,
    utilities: str = AS_THEY_ARE,
    month: str | None = None,
    split: bool = False,
) -> StoredRun:
    """Return the log's own schedule; nothing is simulated, and nothing written.

    A job that ran more than once is a job for each run, if the format tells. Where nobody says how
    many processors the machine has, it is taken to have as many as were ever in use at a time.

    Parameters
    ----------
    source : WorkloadSource
        The log.
    echo : callable
        Takes lines for people.
    utilities : str
        What gives jobs their utility functions; default: the log.
    month : str, optional
        Only jobs that completed in this one, ``YYYY-MM``; default: all.
    split : bool
        Of a month all jobs that ran in it, with the time in which they did.

    Raises
    ------
    InputError
        The log cannot be read, does not say when its jobs ran, or has none of the month.
    """
    loaded, source = load_schedule(source, echo, month, split=split)
    valued = ensure(loaded.workload, utilities, 0, classes=None, say=echo)
    jobs, machine_size = valued.workload, require_machine(valued.workload)
    times = _recorded(jobs)
    full = occupation(times.start, times.end, jobs.size, machine_size)
    simulation = {
        "scheduler": RECORDED,
        "seed": 0,
        "classes": None,
        "machine_size": machine_size,
        "recorded": full._asdict(),
    }
    for line in occupation_notes(simulation):
        echo(line)
    record = {
        "command": shlex.join(["utilitysched", "bill", source.text, "--utilities", utilities]),
        "utilities": valued.utilities,
        "scheduler": RECORDED,
        "simulation": simulation,
    }
    return StoredRun(jobs, times.start, times.end, record, logged_submit=jobs.submit)


def record_run(
    source: WorkloadSource,
    directory: Path,
    echo: Echo,
    *,
    month: str | None = None,
    utilities: str = AS_THEY_ARE,
    split: bool = False,
) -> Path:
    """Write the log's own schedule as a run, and return where it is; see `recorded_run`.

    Parameters
    ----------
    source, echo, month, utilities, split
        As for `recorded_run`. What the directory holds of a month is replaced, as listings of a
        month grow.
    directory : Path
        Results directory; made if need be.

    Raises
    ------
    InputError
        As by `recorded_run`; or the directory holds another log.
    """
    # most bills write no run, and need none of what simulates
    from utilitysched.runs.records import SimulationPlan  # noqa: PLC0415
    from utilitysched.runs.simulation import prepare, simulate_all  # noqa: PLC0415

    loaded, source = load_schedule(source, echo, month, split=split)
    plan = SimulationPlan(
        source,
        [RECORDED],
        utilities=utilities,
        out=directory,
        allocations=False,
        force=True if month else None,
    )
    # what happened is charged from submission
    prepared = prepare(plan, echo, loaded, eligible=False)
    [run] = simulate_all(plan, prepared, echo)
    assert run.directory is not None
    return run.directory


def load_schedule(
    source: WorkloadSource, echo: Echo, month: str | None = None, *, split: bool = False
) -> tuple[Loaded, WorkloadSource]:
    """Return the log, or its jobs of a month, and the source with the size of the machine."""
    source = replace(source, text=every_run(source.text))

    def most_in_use(workload: Workload) -> int:
        times = _recorded(workload)
        most = occupation(times.start, times.end, workload.size, 0).most
        echo(
            f"machine: {most:,} processors, the most in use at a time;"
            " give --machine-size if it has more"
        )
        return most

    loaded = source.load_sized(most_in_use)
    for line in read_notes(loaded.report):
        echo(line)
    source = replace(source, machine_size=loaded.workload.machine_size)
    if month is not None:
        of_month = used_in if split else completed_in
        loaded = Loaded(of_month(month, loaded.workload), loaded.report)
    return loaded, source


def _recorded(workload: Workload) -> RecordedTimes:
    """Return the start and end times of a log's own schedule."""
    return RecordedSchedule().recorded(workload)


def completed_in(month: str, workload: Workload) -> Workload:
    """Return the jobs of a log that completed in a month, ``YYYY-MM``.

    Raises
    ------
    InputError
        There are none: the message says of which months there are.
    """
    completed = months(_recorded(workload).end, calendar_of(workload.header))
    if not (completed == month).any():
        known = sorted(set(completed.tolist()))
        raise InputError(
            f"no job completed in {month}; those of the log did from {known[0]} to {known[-1]}",
            field="month",
            remedy="name another month, or add the listing of this one to the log",
        )
    return workload[completed == month]


def used_in(month: str, workload: Workload) -> Workload:
    """Return the jobs of a log that ran in a month, each with its time in that month alone.

    A job that ran before the month is taken to be submitted and started as the month begins; one
    that ran on after the month, to end with it. It was suspended in each month in proportion.

    Raises
    ------
    InputError
        There are none, or the log does not say in which months its jobs ran.
    """
    times, (begin, end) = _recorded(workload), month_bounds(month, workload)
    here = (times.start < end) & ((times.end > begin) | (times.start == begin))
    if not here.any():
        raise InputError(f"no job ran in {month}", field="month", remedy="name another month")
    workload, started, ended = workload[here], times.start[here], times.end[here]
    start = np.maximum(started, begin)
    submit = np.where(started < begin, begin, workload.submit)
    run = np.minimum(ended, end) - start
    changes = {"submit": submit, "wait": start - submit, "run": run}
    if "suspended" in workload.extra_columns:  # when in its run time nobody says
        off = workload.suspended
        changes["suspended"] = np.where(off > 0, off * run / np.maximum(workload.run, 1e-9), off)
    return workload.replace(**changes)


def month_bounds(month: str, workload: Workload) -> tuple[float, float]:
    """Return the first moment of a month, and the first after it, by the clock of a log (s).

    Raises
    ------
    InputError
        The log has no calendar.
    """
    clock = calendar_of(workload.header)
    if clock is None:
        raise InputError(
            "the log does not say in which month its jobs ran",
            field="UnixStartTime",
            remedy="write UnixStartTime in its header",
        )
    year, number = divmod(int(month[:4]) * 12 + int(month[5:]), 12)
    return clock.seconds(f"{month}-01"), clock.seconds(f"{year:04}-{number + 1:02}-01")
