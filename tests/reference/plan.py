"""The phenotype and the fitness of the genetic scheduler (section 6)."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean

from tests.reference.jobs import Job, Running
from tests.reference.placements import SchedulingPass, place_easy
from tests.reference.values import mean_over, utility


def plan(
    permutation: Sequence[int],
    jobs: Sequence[Job],
    now: float,
    running: Sequence[Running],
    processors: int,
) -> list[float]:
    """Plan the EASY placement of a permutation until every job has started.

    Every job is taken to use its request, so the next pass is made at the next release; a job
    with a request of zero seconds ends at once and brings another pass at its instant.

    Parameters
    ----------
    permutation : sequence of int
        Positions in `jobs`, first in the queue first; also the backfill order.
    jobs : sequence of Job
        The queued jobs.
    running : sequence of Running
        The running jobs; `release` is when they are expected to end (s).

    Returns
    -------
    list of float
        Planned starts (s), in the order of `jobs`.
    """
    queue = [jobs[position] for position in permutation]
    held = list(running)
    starts: dict[int, float] = {}
    while queue:
        moment = SchedulingPass(now, processors, held, queue)
        for job in place_easy(moment):
            starts[job.number] = now
            held.append(moment.starts_now(job))
            queue.remove(job)
        if queue:
            now = min(job.release for job in held)
            held = [job for job in held if job.release > now]
    return [starts[job.number] for job in jobs]


def fitness(
    jobs: Sequence[Job], starts: Sequence[float], guesses: Sequence[Sequence[float]]
) -> float:
    """Return the sum, in the order of `jobs`, of the mean of u(start - submit + d_k) in SU."""
    total = 0.0
    for job, start, durations in zip(jobs, starts, guesses, strict=True):
        total += mean_over(utility, job, start - job.submit, durations)
    return total


def terms_of(
    jobs: Sequence[Job],
    starts: Sequence[float],
    guesses: Sequence[Sequence[float]],
    compared: tuple[Sequence[float], Sequence[float]],
) -> list[float]:
    """Return what a plan has of the utility and of every term that is charged for.

    The planned utility (SU), mean wait (s), mean bounded slowdown, longest wait (s), mean delay
    beyond the fair start, mean delay beyond the start decided on before (s), and mean wait by
    processors.

    Parameters
    ----------
    jobs, starts, guesses
        As for `fitness`.
    compared : (sequence of float, sequence of float)
        Fair starts, and those decided on before (s).
    """
    fair, before = compared
    waits = [start - job.submit for job, start in zip(jobs, starts, strict=True)]
    slowdowns = [
        max(1.0, (wait + job.request) / max(job.request, 10.0))
        for job, wait in zip(jobs, waits, strict=True)
    ]
    size = [job.size for job in jobs]
    return [
        fitness(jobs, starts, guesses),
        fmean(waits),
        fmean(slowdowns),
        max(waits),
        fmean(max(0.0, start - other) for start, other in zip(starts, fair, strict=True)),
        fmean(max(0.0, start - other) for start, other in zip(starts, before, strict=True)),
        fmean(waits, size),
    ]
