"""Snapshots of stored runs."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np

from checkpoint import PreemptionRules
from swfx import InputError, Workload, priority_classes
from swfx.clock import clock_of, instant
from utilitysched.engine.conditions import FailureRecord
from utilitysched.model.schedule import recorded_classes
from utilitysched.model.segments import Segments, Stop
from utilitysched.runs.basis import basis_of
from utilitysched.runs.snapshot.jobs import (
    FailureSource,
    FinishedJob,
    OutageRecord,
    PreemptionRecord,
    QueuedJob,
    RunningJob,
)
from utilitysched.runs.snapshot.snapshot import Snapshot
from utilitysched.runs.stored import StoredRun, read_run

LATEST = 200
"""Jobs that ended last, whoever's: what is known of how long jobs run."""

LATEST_OF_USER = 32
"""Those of each user who is there."""


def snapshot_of_run(
    directory: str | Path,
    at: float | str,
    users: Iterable[int] = (),
    on_note: Callable[[str], None] = lambda _: None,
) -> Snapshot:
    """Return what a stored run's scheduler saw at an instant, before it decided.

    What ended until then has ended, what was submitted until then is queued; what was started at
    the instant itself still waits.

    Parameters
    ----------
    directory : path
        Of one run, as `simulate --out` leaves it.
    at : float or str
        On the log's clock (s); or a time with its unit, or a date, as `swfx.clock.instant` reads.
    users : iterable of int
        Whose past is wanted, besides those who are there.
    on_note : callable
        Called with a sentence if the moment is before the first event of the run or after the last.

    Raises
    ------
    InputError
        It is no run directory, `at` is no time, or nothing says what failed in it; or its machine
        is more than one pool of processors.
    """
    run = read_run(directory)
    _require_one_pool(run, Path(directory))
    if isinstance(at, str):
        at = instant(at, clock_of(run.workload.header), "`at`")
    if not np.isfinite(at):
        raise InputError(f"{at} is no time", field="at", remedy="give seconds on the log's clock")
    if note := _outside(run, at):
        on_note(note)
    return snapshot_of(run, at, users)


def _require_one_pool(run: StoredRun, directory: Path) -> None:
    machine = run.record["simulation"].get("machine", {})
    pools = machine.get("pools", [])
    several = len(pools) > 1 or any(len(pool["capacity"]) > 1 for pool in pools)
    if several or any(machine.get(part) for part in ("limits", "windows", "nodes")):
        raise InputError(
            "snapshots and quotes are of one pool of processors, without limits and windows",
            source=str(directory),
            field="machine",
            remedy="ask about a run that was simulated without a machine file",
        )


def snapshot_of(run: StoredRun, at: float, users: Iterable[int] = ()) -> Snapshot:
    """Return what the scheduler of a run read back saw at `at` (s), before it decided."""
    workload, simulation = run.workload, run.record["simulation"]
    stops = None if run.segments is None else _Stops(run, run.segments, at)
    priority = priority_classes(workload, recorded_classes(simulation))
    there = (workload.submit <= at) & ~((run.start < at) & (run.end <= at))
    runs = stops.runs if stops else run.start < at
    queued, running = (np.flatnonzero(there & which).tolist() for which in (~runs, runs))
    known = {*workload.user[queued + running].tolist(), *users}
    return Snapshot(
        float(at),
        int(simulation["machine_size"]),
        tuple(_running(run, job, int(priority[job]), stops) for job in running),
        tuple(_queued(run, job, int(priority[job]), stops) for job in queued),
        tuple(_finished(run, job) for job in _remembered(run, at, known)),
        str(simulation["scheduler"]),
        clock_of(workload.header),
        str(simulation["preemption"]) if stops else "",
        basis_of(workload, run.record),
        *_failures(run, at),
    )


def _failures(run: StoredRun, at: float) -> tuple[tuple[OutageRecord, ...], FailureSource | None]:
    """Return what was down at a moment (s), and what all that failed follows from."""
    simulation = run.record["simulation"]
    record = FailureRecord.of(simulation)
    if record is None or not len(run.workload):
        return (), None
    if record.seed is None:
        raise InputError(
            f"nothing says what failed ({record.text})",
            remedy="simulate with failures that a text gives: `failures=NODES`",
        )
    again = record.again(int(simulation["machine_size"]))
    logged = run.workload.submit if run.logged_submit is None else run.logged_submit
    since, last = float(logged.min()), float(run.end.max())
    outages = again.between(since, last).before(last)
    record.check(outages)
    return tuple(
        OutageRecord(low, high - 1, start, end)
        for start, end, low, high, _ in outages.rows()
        if start <= at < end
    ), FailureSource(record.text, again.seed, since)


class _Stops:
    """What had become of jobs that could be preempted, before the decision at a moment."""

    def __init__(self, run: StoredRun, segments: Segments, at: float) -> None:
        rules = PreemptionRules.from_text(str(run.record["simulation"]["preemption"]))
        self.at = at
        self.interval, self.overhead = rules.intervals(run.workload), rules.overheads(run.workload)
        begun = segments.start < at
        # who is preempted at the moment itself still runs
        preempted, failed = (segments.stop == why for why in (Stop.PREEMPTED, Stop.FAILED))
        over = begun & ((segments.end < at) | ((segments.end == at) & ~preempted))
        jobs, stopped = len(run.workload), over & (segments.stop != Stop.COMPLETED)
        self.preemptions = np.bincount(segments.job[over & preempted], minlength=jobs)
        self.failures = np.bincount(segments.job[over & failed], minlength=jobs)
        self.done = np.bincount(segments.job[stopped], segments.kept[stopped], jobs)
        self.periodic = run.workload.checkpoint_interval
        self.held = segments.processors
        self.starts = np.bincount(segments.job[begun], minlength=jobs)
        self.last_start = np.full(jobs, np.nan)
        np.fmax.at(self.last_start, segments.job[begun], segments.start[begun])
        self.runs = np.zeros(jobs, np.bool_)
        self.runs[segments.job[begun & ~over]] = True
        self.segment = np.zeros(jobs, np.int64)
        self.segment[segments.job[begun & ~over]] = np.flatnonzero(begun & ~over)

    def checkpoints(self, job: int) -> PreemptionRecord:
        interval, overhead = self.interval.item(job), self.overhead.item(job)
        waits_again = self.starts[job] > 0 and not self.runs[job]
        return PreemptionRecord(
            overhead,
            None if interval == np.inf else interval,
            self.preemptions.item(job),
            self.done.item(job),
            self.last_start.item(job) if waits_again else None,
            overhead if self.starts[job] > 1 else 0.0,
            None if self.held is None else self.failures.item(job),
            None if self.held is None else float(self.periodic[job]),
        )


def _running(run: StoredRun, job: int, priority: int, stops: _Stops | None) -> RunningJob:
    workload, start = run.workload, run.start.item(job)
    request = float(workload.request[job])
    held = RunningJob(
        int(workload.job_id[job]),
        int(workload.size[job]),
        start + request,
        int(workload.user[job]),
        start,
        name=_name(workload, job),
    )
    if stops is None:
        return held
    saved, start = stops.checkpoints(job), stops.last_start.item(job)
    limit = start + (request - saved.done + saved.paid)
    return replace(
        held,
        # where limits do not kill, it may be past its own
        expected_end=max(limit, float(np.nextafter(stops.at, np.inf))),
        start=start,
        submit=float(workload.submit[job]),
        priority=priority,
        queue=int(workload.queue[job]),
        utility=workload.utility[job],
        checkpoints=saved,
        held=None if stops.held is None else stops.held[stops.segment[job]],
    )


def _queued(run: StoredRun, job: int, priority: int, stops: _Stops | None) -> QueuedJob:
    workload = run.workload
    return QueuedJob(
        int(workload.job_id[job]),
        float(workload.submit[job]),
        int(workload.size[job]),
        float(workload.request[job]),
        workload.utility[job],
        int(workload.user[job]),
        priority,
        int(workload.queue[job]),
        stops.checkpoints(job) if stops else None,
        _name(workload, job),
    )


def _name(workload: Workload, job: int) -> str | None:
    """Name of a job; None where it is the number."""
    number = int(workload.job_id[job])
    return workload.job_name(job) if number in workload.job_names.names else None


def _finished(run: StoredRun, job: int) -> FinishedJob:
    workload, curve = run.workload, run.workload.utility[job]
    turnaround = run.end.item(job) - workload.submit.item(job)
    return FinishedJob(
        int(workload.user[job]),
        float(workload.request[job]),
        float(workload.effective_run[job]),
        int(workload.size[job]),
        None if curve is None else float(curve(turnaround)),
    )


def _outside(run: StoredRun, at: float) -> str:
    """Say that nothing had happened yet at a moment (s), or all was over; nothing if neither."""
    first = np.fmin.reduce(run.workload.submit, initial=np.inf)
    last = np.fmax.reduce(run.end, initial=-np.inf)
    if at < first:
        return f"nothing is there at {at:.15g}: the first job is submitted at {first:.15g}"
    if at > last:
        return f"nothing is there at {at:.15g}: the last job ended at {last:.15g}"
    return ""


def _remembered(run: StoredRun, at: float, users: Iterable[int]) -> Iterator[int]:
    """Yield, by end, the jobs that forecasts for these users look at: each one's and all latest."""
    ended = np.flatnonzero((run.start < at) & (run.end <= at))
    ended = ended[np.argsort(run.end[ended], kind="stable")]
    wanted = set(ended[-LATEST:].tolist())
    owner = run.workload.user[ended]
    for user in users:
        wanted |= set(ended[(owner == user) & (user >= 0)][-LATEST_OF_USER:].tolist())
    return (job for job in ended.tolist() if job in wanted)
