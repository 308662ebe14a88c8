"""Snapshots of stored runs."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from swfx import InputError, priority_classes
from swfx.clock import clock_of
from utilitysched.runs.snapshot.jobs import FinishedJob, QueuedJob, RunningJob
from utilitysched.runs.snapshot.snapshot import Snapshot
from utilitysched.runs.stored import StoredRun, read_run

LATEST = 200
"""Jobs that ended last, whoever's: what is known of how long jobs run."""

LATEST_OF_USER = 32
"""Those of each user who is there."""


def snapshot_of_run(
    directory: Path,
    at: float,
    users: Iterable[int] = (),
    on_note: Callable[[str], None] = lambda _: None,
) -> Snapshot:
    """Return what a stored run's scheduler saw at an instant, before it decided.

    What ended until then has ended, what was submitted until then is queued; what was started at
    the instant itself still waits.

    Parameters
    ----------
    directory : Path
        Of one run, as `simulate --out` leaves it.
    at : float
        On the log's clock (s).
    users : iterable of int
        Whose past is wanted, besides those who are there.
    on_note : callable
        Called with a sentence if the moment is before the first event of the run or after the last.

    Raises
    ------
    InputError
        It is no run directory, `at` is no time, or what was there then has no place in a snapshot:
        processors that had failed, or a job that had been preempted and was not done.
    """
    if not np.isfinite(at):
        raise InputError(f"{at} is no time", field="at", remedy="give seconds on the log's clock")
    run = read_run(directory)
    if note := _outside(run, at):
        on_note(note)
    return snapshot_of(run, at, users)


def snapshot_of(run: StoredRun, at: float, users: Iterable[int] = ()) -> Snapshot:
    """Return what the scheduler of a run read back saw at `at` (s), before it decided."""
    _refuse_stopped(run, at)
    workload, simulation = run.workload, run.record["simulation"]
    priority = priority_classes(workload, _classes(run.record))
    began = run.start < at
    queued = np.flatnonzero((workload.submit <= at) & ~began).tolist()
    running = np.flatnonzero(began & (run.end > at)).tolist()
    known = {*workload.user[queued + running].tolist(), *users}
    return Snapshot(
        float(at),
        int(simulation["machine_size"]),
        tuple(_running(run, job) for job in running),
        tuple(_queued(run, job, int(priority[job])) for job in queued),
        tuple(_finished(run, job) for job in _remembered(run, at, known)),
        str(simulation["scheduler"]),
        clock_of(workload.header),
    )


def _running(run: StoredRun, job: int) -> RunningJob:
    workload, start = run.workload, run.start.item(job)
    return RunningJob(
        int(workload.job_id[job]),
        int(workload.size[job]),
        start + float(workload.request[job]),
        int(workload.user[job]),
        start,
    )


def _queued(run: StoredRun, job: int, priority: int) -> QueuedJob:
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
    )


def _finished(run: StoredRun, job: int) -> FinishedJob:
    workload = run.workload
    return FinishedJob(
        int(workload.user[job]), float(workload.request[job]), float(workload.effective_run[job])
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


def _refuse_stopped(run: StoredRun, at: float) -> None:
    """Refuse a moment at which a job had been stopped and was not done, or processors may fail."""
    if "failures" in run.record["simulation"]:
        raise InputError(
            "processors failed in this run, and a snapshot does not say which are down",
            remedy="simulate without --failures",
        )
    if run.segments is None:
        return
    before = ~run.segments.last & (run.segments.end < at)
    stopped = run.segments.job[before]
    undone = stopped[run.end[stopped] > at]
    if len(undone):
        raise InputError(
            f"job {run.workload.job_id[undone.min()]} had been preempted by then and was not done,"
            " and a snapshot does not say what is left of a job",
            field="at",
            remedy="give another moment",
        )


def _remembered(run: StoredRun, at: float, users: Iterable[int]) -> Iterator[int]:
    """Yield, by end, the jobs that forecasts for these users look at: each one's and all latest."""
    ended = np.flatnonzero((run.start < at) & (run.end <= at))
    ended = ended[np.argsort(run.end[ended], kind="stable")]
    wanted = set(ended[-LATEST:].tolist())
    owner = run.workload.user[ended]
    for user in users:
        wanted |= set(ended[(owner == user) & (user >= 0)][-LATEST_OF_USER:].tolist())
    return (job for job in ended.tolist() if job in wanted)


def _classes(record: Mapping[str, Any]) -> dict[int, int] | None:
    classes = record["simulation"]["classes"]
    return {int(queue): int(rank) for queue, rank in classes.items()} if classes else None
