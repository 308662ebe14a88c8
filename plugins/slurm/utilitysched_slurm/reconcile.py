"""Reconciliation: from what is and what was decided to what Slurm is to be told."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from utilitysched_slurm.commands import Action
from utilitysched_slurm.reading import SlurmJob
from utilitysched_slurm.store import AdmittedJob

HIGHEST = 1_000_000
"""Priority of who is to start first, far below those that Slurm gives by itself."""

LOWEST = 1
"""Priority of what a plan cannot express: it takes what released jobs leave."""

PREFERRED = -1_000_000_000
"""Nice of jobs that are to start first, above all others, where Slurm orders and places them."""

PATIENCE = 5.0
"""s after which a released job that has not started is left to Slurm: something is in its way of
which a plan of processors knows nothing."""


class Desired(NamedTuple):
    """Decision to carry out: jobs to start, in order, and jobs to preempt for them.

    Where jobs do not `hold`, all may start, and those of `starts` come first.
    """

    starts: Sequence[str] = ()
    preempts: Sequence[str] = ()
    hold: bool = True


def reconcile(
    now: float,
    jobs: Sequence[SlurmJob],
    idle: int,
    plan: Desired,
    admitted: Mapping[str, AdmittedJob],
    grace: float,
) -> list[Action]:
    """Return the actions that bring the queue to the decision, most urgent first.

    Parameters
    ----------
    now : float
        When the queue was read (s).
    jobs : sequence of SlurmJob
        The queue.
    idle : int
        Processors that are idle.
    plan : Desired
        What is to be.
    admitted : mapping of str to AdmittedJob
        Jobs of the market, by what users call them; no others are touched.
    grace : float
        For how long a job may write its checkpoint before it is ended (s).
    """
    ours = [(job, admitted[job.key]) for job in jobs if job.key in admitted]
    wanted = _fitting(plan.starts, ours, idle)
    steps: list[Action] = []
    for job, entry in ours:
        if job.holds:
            steps += _ending(job, entry, now, grace, job.key in plan.preempts)
        elif job.waits and plan.hold:
            steps += _waiting(job, entry, wanted.get(job.key))
        elif job.waits:
            steps += _ordered(job, entry, preferred=job.key in plan.starts)
        if not job.over and job.admin_comment != entry.text:
            steps.append(Action("describe", job.key, entry.text))
    return sorted(steps, key=_urgency)


def left_to_slurm(job: SlurmJob, entry: AdmittedJob, since: float) -> bool:
    """Return whether a waiting job was released before that, and should have started."""
    return not job.held and entry.released is not None and entry.released < since


def is_leaving(job: SlurmJob, entry: AdmittedJob) -> bool:
    """Return whether a job has processors and is to give them up, if its user still lets it."""
    gives = job.rerunnable or "COMPLETING" in job.states
    return job.holds and entry.leaving is not None and gives


def _fitting(
    starts: Iterable[str], ours: Iterable[tuple[SlurmJob, AdmittedJob]], idle: int
) -> dict[str, int]:
    """Return the priorities of the starts for which processors are idle by now.

    The others wait for who makes room for them: what starts before leaves that room alone.
    """
    waiting = {job.key: job for job, _ in ours if job.waits}
    room = idle
    fitting: dict[str, int] = {}
    for rank, key in enumerate(starts):
        job = waiting.get(key)
        if job is not None and job.processors <= room:
            room -= job.processors
            fitting[key] = max(HIGHEST - rank, LOWEST)
    return fitting


def _ending(
    job: SlurmJob, entry: AdmittedJob, now: float, grace: float, preempted: bool
) -> Iterator[Action]:
    """Yield the next step of ending a run: the signal, and after the grace the end."""
    if "COMPLETING" in job.states or not (preempted or is_leaving(job, entry)):
        return
    writes = entry.said.checkpoint_interval > 0
    if writes and entry.leaving is None:
        yield Action("checkpoint", job.key)
    elif not writes or now - (entry.leaving or now) >= grace:
        yield Action("requeue", job.key)


def _waiting(job: SlurmJob, entry: AdmittedJob, priority: int | None) -> Iterator[Action]:
    """Yield what a waiting job needs to start, or to stay held by an administrator."""
    released = entry.released is not None and not job.held
    if job.parted and not released:
        yield Action("release", job.key, str(LOWEST))
    elif priority is not None and not released:
        yield Action("release", job.key, str(priority))
    elif not released and not (job.held and job.reason == "JobHeldAdmin"):
        yield Action("hold", job.key)


def _ordered(job: SlurmJob, entry: AdmittedJob, *, preferred: bool) -> Iterator[Action]:
    """Yield what a waiting job needs to have its place in Slurm's own order."""
    if entry.refused:
        yield from _waiting(job, entry, None)
        return
    if job.held or entry.released is None:
        yield Action("release", job.key)
    if preferred != (job.nice == PREFERRED):
        yield Action("nice", job.key, str(PREFERRED if preferred else 0))


def _urgency(action: Action) -> tuple[int, int]:
    """Return where an action belongs: ends first, then holds, then starts by priority."""
    order = ("checkpoint", "requeue", "hold", "release", "nice", "describe").index(action.verb)
    return order, -int(action.value or 0) if action.verb == "release" else 0
