"""The queue of a real machine at a moment, as quotes take it."""

from collections.abc import Iterable, Sequence
from datetime import UTC
from zlib import crc32

from swfx.clock import Clock
from utilitysched.runs.snapshot import FinishedJob, QueuedJob, RunningJob, Snapshot
from utilitysched.slurm.queue import STAYS, Worth, expected_end, first_release, plannable
from utilitysched.slurm.reading import ProcessorPool, SlurmJob

_AWAY = RunningJob(0, 0, 0.0)
"""Whoever has the processors of which nobody says when they come back; Slurm numbers from 1."""

_TASKS = 2**32
"""More than an array has tasks, or a cluster jobs."""


def snapshot_of(
    now: float,
    jobs: Sequence[SlurmJob],
    pool: ProcessorPool,
    worth: Worth,
    scheduler: str = "",
    finished: Iterable[FinishedJob] = (),
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
    finished : iterable of FinishedJob
        Jobs that ended before those, the latest last.

    Examples
    --------
    >>> from swfx.accounting.annotations import Annotations
    >>> snapshot_of(60.0, [], ProcessorPool(8, 6), lambda job: Annotations()).free
    6
    """
    queued = tuple(_queued(job, now, worth) for job in plannable(jobs)[0])
    running = [_running(job, now) for job in jobs if job.holds]
    used = sum(job.processors for job in running)
    size = max(pool.processors, used, *(job.processors for job in queued), 1)
    if away := max(0, size - used - pool.idle):
        running.append(_AWAY._replace(processors=away, expected_end=now + STAYS))
    ended = [job for job in jobs if job.over and 0 < job.start < job.end]
    return Snapshot(
        now,
        size,
        tuple(running),
        queued,
        (*finished, *map(_finished, sorted(ended, key=lambda job: job.end))),
        scheduler,
        Clock(0, UTC),
    )


def user_number(name: str) -> int:
    """Return the number of a user in every snapshot of a queue."""
    return crc32(name.encode())


def job_number(job: SlurmJob) -> int:
    """Return the number of a job in every snapshot; waiting tasks have none of their own."""
    return job.number or job.array * _TASKS + int(job.key.partition("_")[2])


def _queued(job: SlurmJob, now: float, worth: Worth) -> QueuedJob:
    return QueuedJob(
        job_number(job),
        first_release(job, now),
        job.processors,
        job.limit,
        worth(job).utility,
        user_number(job.user),
    )


def _running(job: SlurmJob, now: float) -> RunningJob:
    return RunningJob(
        job_number(job),
        job.processors,
        expected_end(job, now),
        user_number(job.user),
        min(job.start, now) if job.start else None,
    )


def _finished(job: SlurmJob) -> FinishedJob:
    run = min(job.end - job.start, job.limit)
    return FinishedJob(user_number(job.user), job.limit, run, job.processors)
