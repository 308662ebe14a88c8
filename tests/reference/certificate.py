"""A checker of EASY schedules that knows nothing of how they were made.

EASY's promise: the queue's head starts at the latest at the shadow time that the running jobs'
requests gave when it became the head, and no job that starts past it moves that time.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from tests.reference.jobs import Job, Running
from tests.reference.placements import shadow_and_extra


class Broken(NamedTuple):
    """A head that was delayed: its number, its shadow time (s), and the time (s) it got instead."""

    head: int
    shadow: float
    delayed_to: float


def as_seen(jobs: Sequence[Job], start: Sequence[float]) -> list[Running]:
    """Return running jobs as a scheduler sees them, by their requests."""
    return [Running(start[job.number] + job.request, job.number, job.size) for job in jobs]


def shadow_time(head: Job, running: Sequence[Running], processors: int) -> float:
    """Earliest time (s) at which the head fits if all use their requests; -inf if it fits now."""
    free = processors - sum(job.size for job in running)
    return shadow_and_extra(head, free, running)[0]


def broken_promises(
    jobs: Sequence[Job], start: Sequence[float], end: Sequence[float], processors: int
) -> Iterator[Broken]:
    """Yield the broken promises of a first-come-first-served EASY schedule.

    Parameters
    ----------
    jobs : sequence of Job
        In arrival order.
    start, end : sequence of float
        In the same order (s).
    """
    promised: dict[int, float] = {}
    running: list[Job] = []
    position = 0
    starting = sorted(jobs, key=lambda job: start[job.number], reverse=True)
    for now in sorted({*start, *end, *(job.submit for job in jobs)}):
        running = [job for job in running if end[job.number] > now]
        ahead = list(running)
        while starting and start[starting[-1].number] == now:
            running.append(starting.pop())
        while position < len(jobs) and start[position] <= now:
            position += 1
        if position == len(jobs) or jobs[position].submit > now:
            continue
        head = jobs[position]
        ahead += [job for job in running[len(ahead) :] if job.number < position]
        shadow = shadow_time(head, as_seen(ahead, start), processors)
        moved = shadow_time(head, as_seen(running, start), processors)
        if moved > shadow:
            yield Broken(position, shadow, moved)
        promised.setdefault(position, shadow)
    for number, shadow in promised.items():
        if start[number] > shadow:
            yield Broken(number, shadow, start[number])


def easy_head_respected(
    jobs: Sequence[Job], start: Sequence[float], end: Sequence[float], processors: int
) -> bool:
    """Whether the schedule keeps every promise an EASY makes to the head of its queue."""
    return next(broken_promises(jobs, start, end, processors), None) is None
