"""The queue of a real machine at a moment, as quotes take it."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC
from math import inf
from zlib import crc32

from swfx.clock import Clock
from utilitysched.runs.snapshot import (
    FinishedJob,
    PreemptionRecord,
    QueuedJob,
    RunningJob,
    Snapshot,
)
from utilitysched_slurm.queue import (
    STAYS,
    Worth,
    expected_end,
    first_release,
    plannable,
    stop_costs,
)
from utilitysched_slurm.reading import ProcessorPool, SlurmJob

_AWAY = 0
"""Whoever has the processors of which nobody says when they come back; Slurm numbers from 1."""

_TASKS = 2**32
"""More than an array has tasks, or a cluster jobs."""


def snapshot_of(
    now: float,
    jobs: Sequence[SlurmJob],
    pool: ProcessorPool,
    worth: Worth,
    scheduler: str = "",
    *,
    preempts: bool = False,
) -> Snapshot:
    """Return what is known at a moment of a queue, before anything is decided at it.

    What no plan can express is left out, as a look at the queue leaves it out: whoever shows jobs
    that the market holds shows them as waiting.

    Parameters
    ----------
    now : float
        The moment (s of Unix time).
    jobs : sequence of SlurmJob
        All that are there; those that ended say how long jobs run.
    pool : ProcessorPool
        Processors.
    worth : callable
        What jobs are worth.
    scheduler : str
        Who decides.
    preempts : bool
        Say what preempting each job would mean, as the queue says it to schedulers. What was kept
        of earlier runs nobody knows: they count for nothing.

    Examples
    --------
    >>> from swfx.accounting.annotations import Annotations
    >>> snapshot_of(60.0, [], ProcessorPool(8, 6), lambda job: Annotations()).free
    6
    """
    waits, runs = plannable(jobs)[0], [job for job in jobs if job.holds]
    stops = _stops([*waits, *runs], worth) if preempts else {}
    queued = tuple(_queued(job, now, worth, stops.get(job.key)) for job in waits)
    running = [_running(job, now, worth, stops.get(job.key)) for job in runs]
    used = sum(job.processors for job in running)
    size = max(pool.processors, used, *(job.processors for job in queued), 1)
    if away := max(0, size - used - pool.idle):
        running.append(RunningJob(_AWAY, away, now + STAYS))
    ended = [job for job in jobs if job.over and 0 < job.start < job.end]
    return Snapshot(
        now,
        size,
        tuple(running),
        queued,
        tuple(map(_finished, sorted(ended, key=lambda job: job.end))),
        scheduler,
        Clock(0, UTC),
        "default" if preempts else "",
    )


def with_all_back(snapshot: Snapshot) -> Snapshot:
    """Return a snapshot in which the processors are idle that nobody can have."""
    return replace(snapshot, running=tuple(job for job in snapshot.running if job.id != _AWAY))


def user_number(name: str) -> int:
    """Return the number of a user in every snapshot of a queue."""
    return crc32(name.encode())


def job_number(job: SlurmJob) -> int:
    """Return the number of a job in every snapshot; waiting tasks have none of their own."""
    return job.number or job.array * _TASKS + int(job.key.partition("_")[2])


def _name(job: SlurmJob) -> str | None:
    """Name of a job; None where it is the number."""
    return None if job.key == str(job_number(job)) else job.key


def _stops(jobs: Sequence[SlurmJob], worth: Worth) -> dict[str, PreemptionRecord]:
    """Return the preemption record of each job, by key."""
    interval, overhead = stop_costs([(job, worth(job)) for job in jobs])
    return {
        job.key: PreemptionRecord(
            cost, None if every == inf else every, job.restarts, paid=cost if job.restarts else 0.0
        )
        for job, every, cost in zip(jobs, interval.tolist(), overhead.tolist(), strict=True)
    }


def _queued(job: SlurmJob, now: float, worth: Worth, stops: PreemptionRecord | None) -> QueuedJob:
    return QueuedJob(
        job_number(job),
        first_release(job, now),
        job.processors,
        job.limit,
        worth(job).utility,
        user_number(job.user),
        checkpoints=stops,
        name=_name(job),
    )


def _running(job: SlurmJob, now: float, worth: Worth, stops: PreemptionRecord | None) -> RunningJob:
    held = RunningJob(
        job_number(job),
        job.processors,
        expected_end(job, now),
        user_number(job.user),
        min(job.start, now) if job.start else None,
        name=_name(job),
    )
    if stops is None or held.start is None:
        return held
    submit, curve = first_release(job, now), worth(job).utility
    return replace(held, submit=submit, utility=curve, checkpoints=stops)


def _finished(job: SlurmJob) -> FinishedJob:
    run = min(job.end - job.start, job.limit)
    return FinishedJob(user_number(job.user), job.limit, run, job.processors)
