"""Priority preemption in plain Python, from its description in docs/schedulers.md.

`decide` takes the decisions of one pass, which `tests.reference.checker` asks for.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from tests.reference.jobs import Job, Running
from tests.reference.placements import SchedulingPass, place_easy, shadow_and_extra
from tests.reference.protocol import Checkpoints, Choice, State


class Wanted(NamedTuple):
    """Who may preempt whom: the options of ``priority-preempt``."""

    urgent: int
    latest: bool
    preemptions: int
    minimum: float


class Candidate(NamedTuple):
    """A running job that may be preempted; least first, as tuples are compared."""

    urgency: int
    ties: tuple[float, float]
    lateness: int
    number: int
    size: int


class Pass(NamedTuple):
    """One pass: jobs with what is left of their requests, and who runs until when."""

    now: float
    processors: int
    queue: list[Job]
    running: list[Running]


def decide(
    state: State,
    jobs: Sequence[Job],
    saves: Sequence[Checkpoints],
    processors: int,
    wanted: Wanted,
    down: Sequence[Running] = (),
) -> Choice:
    """Return whom to preempt and whom to start, while some processors are `down`."""
    queue = [jobs[seen.number]._replace(request=seen.request) for seen in state.queued]
    queue.sort(key=lambda job: (job.priority, job.number))
    order = [job.number for job in queue]
    running = [Running(end, seen.number, jobs[seen.number].size) for end, seen in state.running]
    this = Pass(state.now, processors, queue, sorted([*running, *down]))
    urgent = [job for job in queue if job.priority <= wanted.urgent]
    wait = sum(job.size for job in urgent) > free(this)
    preemptible = candidates(state, jobs, saves, wanted) if wait else []
    if not preemptible:
        return Choice([], placed(this), order)

    preempted: list[int] = []
    started: list[Job] = []
    head: Job | None = None
    for job in urgent:
        victims = least(preemptible, preempted, job.size - free(this))
        after = None if victims is None else without(this, victims, job)
        if after is None:
            head = head or job
        elif head is None or shadow(soon(after, preemptible), head) <= shadow(
            soon(this, preemptible), head
        ):
            this = after
            started.append(job)
            preempted += victims or []
    if head is not None:
        this = soon(this, preemptible)
    return Choice(preempted, [*(job.number for job in started), *placed(this)], order)


def placed(this: Pass) -> list[int]:
    """Return who starts by easy placement; who came first gets processors first."""
    return sorted(job.number for job in place_easy(moment(this)))


def moment(this: Pass) -> SchedulingPass:
    return SchedulingPass(this.now, this.processors, this.running, this.queue)


def free(this: Pass) -> int:
    return this.processors - sum(job.size for job in this.running)


def without(this: Pass, victims: list[int], job: Job) -> Pass:
    """Return the pass in which `victims` are gone and `job` runs."""
    running = [other for other in this.running if other.number not in victims]
    running.append(Running(this.now + job.request, job.number, job.size))
    return this._replace(running=running, queue=[other for other in this.queue if other != job])


def soon(this: Pass, preemptible: list[Candidate]) -> Pass:
    """Return the pass as a blocked urgent job sees it: others are preemptible any time."""
    numbers = [candidate.number for candidate in preemptible]
    running = [
        job._replace(release=this.now) if job.number in numbers else job for job in this.running
    ]
    return this._replace(running=running)


def shadow(this: Pass, head: Job) -> float:
    return shadow_and_extra(head, free(this), this.running)[0]


def least(preemptible: list[Candidate], preempted: list[int], lacking: int) -> list[int] | None:
    """Return the shortest beginning of the list that suffices, less who is not needed in it."""
    left = [candidate for candidate in preemptible if candidate.number not in preempted]
    for count in range(len(left) + 1):
        taken = left[:count]
        if sum(candidate.size for candidate in taken) >= lacking:
            break
    else:
        return None
    for candidate in taken[::-1]:
        others = [other for other in taken if other != candidate]
        if sum(other.size for other in others) >= lacking:
            taken = others
    return [candidate.number for candidate in taken]


def candidates(
    state: State, jobs: Sequence[Job], saves: Sequence[Checkpoints], wanted: Wanted
) -> list[Candidate]:
    """Return who may be preempted, first who is to be preempted first."""
    found = []
    for _, seen in state.running:
        job, save, started = jobs[seen.number], saves[seen.number], state.last_start[seen.number]
        assert started is not None
        elapsed = state.now - started
        within = seen.preemptions < wanted.preemptions and elapsed >= wanted.minimum
        if job.priority > wanted.urgent and save.interval >= 0 and within:
            work = max(0.0, elapsed - seen.paid)
            lost = lost_of(work, save.interval)
            ties = (-started, lost) if wanted.latest else (lost, -started)
            found.append(Candidate(-job.priority, ties, -job.number, job.number, job.size))
    return sorted(found)


def lost_of(work: float, interval: float) -> float:
    if interval == 0:
        return 0.0
    return work if interval == math.inf else work - math.floor(work / interval) * interval
