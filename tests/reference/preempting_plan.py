"""Plans in which running jobs are preempted (sections 6, last point, and 7), in plain Python.

A running job that may be preempted is queued for the plan, and its processors are free. Started in
the first pass it goes on running and needs what it has left; it is preempted if not, and then needs
what it has left after that, which is never less: work is lost and a restart overhead comes on top.
So what a backfilling pass refuses it for the shorter time, a later one refuses for the longer.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from tests.reference.jobs import Job, Running
from tests.reference.placements import SchedulingPass, place_easy
from tests.reference.plan import fitness


class Held(NamedTuple):
    """A running job that may be preempted.

    `job.request` is the requested time of its last start (s), which was at `start` (s) and began
    with `paid` (s) of overhead. `interval` is the work between checkpoints (s), 0 if the preemption
    writes one, infinite if nobody does; `overhead` that of the next start (s).
    """

    job: Job
    start: float
    paid: float
    interval: float
    overhead: float

    def work(self, now: float) -> float:
        """Work done since the last start (s)."""
        return max(0.0, now - self.start - self.paid)

    def kept(self, now: float) -> float:
        """Work that a preemption at `now` keeps (s)."""
        if self.interval == 0:
            return self.work(now)
        return self.work(now) - math.fmod(self.work(now), self.interval)

    def left(self, now: float) -> float:
        """Requested time left if it goes on running (s)."""
        return self.start + self.job.request - now

    def later(self, now: float) -> float:
        """Requested time left after a preemption at `now` (s)."""
        preempted = self.job.request - self.paid - self.kept(now) + self.overhead
        return max(preempted, self.left(now))

    def wasted(self, now: float) -> float:
        """Work lost by a preemption at `now`, and overhead (s)."""
        return self.work(now) - self.kept(now) + self.overhead


class PreemptingPlan(NamedTuple):
    """Planned starts (s) by number, and the numbers of the running jobs that are preempted."""

    start: dict[int, float]
    preempted: set[int]


def in_line(order: Sequence[Job], pinned: Sequence[Job], held: Sequence[Held]) -> list[Job]:
    """Put the pinned jobs ahead of all but the running jobs with which the order begins."""
    running = {one.job.number for one in held}
    ahead = 0
    while ahead < len(order) and order[ahead].number in running:
        ahead += 1
    return [*order[:ahead], *pinned, *order[ahead:]]


def plan_with_preemption(
    queue: Sequence[Job],
    held: Sequence[Held],
    now: float,
    running: Sequence[Running],
    processors: int,
) -> PreemptingPlan:
    """Plan the EASY placement of a queue that holds running jobs as well.

    Parameters
    ----------
    queue : sequence of Job
        In the order of the plan; those of `held` among them.
    held : sequence of Held
        The running jobs in it.
    now : float
        Time (s).
    running : sequence of Running
        The other running jobs.
    processors : int
        Of the machine.
    """
    left = {one.job.number: one.left(now) for one in held}
    waiting = [job._replace(request=left.get(job.number, job.request)) for job in queue]
    busy, start = list(running), {}
    first = place_easy(SchedulingPass(now, processors, busy, waiting))
    preempted = set(left) - {job.number for job in first}
    later = {one.job.number: one.later(now) for one in held if one.job.number in preempted}
    started = first
    while True:
        for job in started:
            start[job.number] = now
            busy.append(Running(now + job.request, job.number, job.size))
        gone = {job.number for job in started}
        waiting = [
            job._replace(request=later.get(job.number, job.request))
            for job in waiting
            if job.number not in gone
        ]
        if not waiting:
            return PreemptingPlan(start, preempted)
        now = min(job.release for job in busy)
        busy = [job for job in busy if job.release > now]
        started = place_easy(SchedulingPass(now, processors, busy, waiting))


def fitness_with_preemption(
    jobs: Sequence[Job],
    plan: PreemptingPlan,
    guesses: Sequence[Sequence[float]],
    not_preempted: Sequence[tuple[int, float]],
) -> float:
    """Return the plan's utility and what the running jobs that stay add to it (SU).

    Parameters
    ----------
    jobs : sequence of Job
        Queued and running jobs, in the order in which they are added up.
    plan : PreemptingPlan
        Of these jobs.
    guesses : sequence of sequences of float
        For each, durations at which its curve is read (s).
    not_preempted : sequence of (int, float)
        Running jobs by number, with what each adds.
    """
    total = fitness(jobs, [plan.start[job.number] for job in jobs], guesses)
    for number, value in not_preempted:
        total += 0.0 if number in plan.preempted else value
    return total


def needed_preemptions(
    plan: PreemptingPlan, starts: set[int], sizes: dict[int, int], free: int
) -> set[int]:
    """Return the preemptions without which the starts do not fit.

    Those planned to start again first are let run first, ties by number.

    Parameters
    ----------
    plan : PreemptingPlan
        The plan.
    starts : set of int
        Queued jobs that start now.
    sizes : dict of int to int
        Processors by number.
    free : int
        Processors in use by nobody.
    """
    room = free + sum(sizes[number] for number in plan.preempted) - sum(sizes[n] for n in starts)
    preempted = set()
    for number in sorted(plan.preempted, key=lambda number: (plan.start[number], number)):
        if sizes[number] <= room:
            room -= sizes[number]
        else:
            preempted.add(number)
    return preempted
