"""Plans with and without a job, by trying everything or by asking a readable scheduler on.

And charges by definition: see docs/pricing.md, "What the others lose".
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby, pairwise, permutations
from typing import NamedTuple

from tests.reference.jobs import Job, Running
from tests.reference.lists import ListTwin, Scheduler
from tests.reference.plan import fitness, plan
from tests.reference.preempting_plan import Held, fitness_with_preemption, plan_with_preemption
from tests.reference.protocol import Seen, State
from tests.reference.refinement import Situation


def best_value(
    jobs: Sequence[Job],
    guesses: Sequence[Sequence[float]],
    now: float,
    running: Sequence[Running],
    processors: int,
) -> float:
    """Return the most that any queue order's plan is worth (SU)."""
    return max(
        fitness(jobs, plan(order, jobs, now, running, processors), guesses)
        for order in permutations(range(len(jobs)))
    )


def best_value_with_preemption(
    queue: Sequence[Job],
    held: Sequence[Held],
    guesses: Sequence[Sequence[float]],
    situation: Situation,
) -> float:
    """Return the most that any plan of queued and running jobs is worth to them (SU)."""
    jobs = [*queue, *(one.job for one in held)]
    plans = (plan_with_preemption(order, held, *situation) for order in permutations(jobs))
    return max(fitness_with_preemption(jobs, found, guesses, []) for found in plans)


def projection(
    jobs: Sequence[Job],
    now: float,
    running: Sequence[Running],
    processors: int,
    scheduler: Scheduler,
) -> dict[int, float]:
    """Return when each queued job starts (s) if nobody else comes and all run as requested."""
    twin, start = ListTwin(processors, scheduler), dict[int, float]()
    queue, holding = list(jobs), sorted(running)
    count = 1 + max(job.number for job in [*jobs, *running])
    come = [Job(number, now, 0.0, 0.0, 0) for number in range(count)]
    for job in jobs:
        come[job.number] = job
    while queue:
        free = processors - sum(held.size for held in holding)
        waiting = [seen(job.number, job.request, job.size) for job in queue]
        held = [(job.release, seen(job.number, 0.0, job.size)) for job in holding]
        state = State(now, free, waiting, held, [], [None] * count, [], False, come, [])
        choice = twin.choose(state)
        for number in choice.starts:
            start[number] = now
            queue.remove(come[number])
            holding.append(Running(now + come[number].request, number, come[number].size))
        holding.sort()
        now = min(job.release for job in holding)
        holding = [job for job in holding if job.release > now]
    return start


def seen(number: int, request: float, size: int) -> Seen:
    """Return a job that takes no checkpoints as a scheduler sees it."""
    return Seen(number, request, 0, 0.0, size, -1.0)


class PlannedLoss(NamedTuple):
    """What one job loses by the plans because another one starts (SU)."""

    time: float
    cause: int
    victim: int
    loss: float


class Served(NamedTuple):
    """Jobs with their realised starts and ends (s), and the machine and scheduler behind these."""

    jobs: Sequence[Job]
    start: Sequence[float]
    end: Sequence[float]
    processors: int
    scheduler: Scheduler


def worth(job: Job, start: float) -> float:
    """Return what a job is worth that starts then and runs as requested (SU)."""
    age = start + job.request - job.submit
    points = job.points
    if not points or age > points[-1][0]:
        return 0.0
    for (begin, high), (end, low) in pairwise(points):
        if begin <= age <= end:
            return high + (low - high) * (age - begin) / (end - begin)
    return 0.0


def planned_losses(
    served: Served, player: Sequence[int], *, by_end: bool = False
) -> list[PlannedLoss]:
    """Return what every start costs jobs of other players, by plans of the readable engine.

    Jobs of a player that start together share the loss by the processor-seconds requested. The
    player's other queued jobs are in no plan; where it has none, the plan decided on counts as one
    with the jobs. If `by_end`, starting jobs are in the way for as long as they ran.
    """
    losses = []
    by_time = sorted(served.jobs, key=lambda job: (served.start[job.number], job.number))
    for now, starting in groupby(by_time, key=lambda job: served.start[job.number]):
        groups: dict[int, list[Job]] = {}
        for job in starting:
            whose = player[job.number]
            groups.setdefault(whose if whose >= 0 else -1 - job.number, []).append(job)
        for begun in groups.values():
            losses += _losses_at(served, now, begun, player, by_end=by_end)
    return losses


def _losses_at(
    served: Served, now: float, begun: list[Job], player: Sequence[int], *, by_end: bool
) -> list[PlannedLoss]:
    queued = [job for job in served.jobs if job.submit <= now <= served.start[job.number]]
    running = [
        Running(served.start[job.number] + job.request, job.number, job.size)
        for job in served.jobs
        if served.start[job.number] < now < served.end[job.number]
    ]
    whose = player[begun[0].number]
    own = [job for job in queued if job in begun or player[job.number] == whose >= 0]
    others = [job for job in queued if job not in own]
    if not others:
        return []

    def plan_of(jobs: list[Job], holding: list[Running]) -> dict[int, float]:
        return projection(jobs, now, holding, served.processors, served.scheduler)

    lasts = [job.effective if by_end else job.request for job in begun]
    holding = [
        Running(now + length, job.number, job.size)
        for job, length in zip(begun, lasts, strict=True)
        if length > 0
    ]
    plans_with = [plan_of(others, running + holding)]
    if len(own) == len(begun):
        plans_with.append(plan_of(queued, running))
    with_jobs = max(
        plans_with, key=lambda starts: sum(worth(job, starts[job.number]) for job in others)
    )
    without = plan_of(others, running)
    lost = [worth(job, without[job.number]) - worth(job, with_jobs[job.number]) for job in others]
    if sum(lost) <= 0:
        return []
    weight = [job.size * job.request for job in begun]
    return [
        PlannedLoss(now, job.number, victim.number, loss * part / sum(weight))
        for job, part in zip(begun, weight, strict=True)
        for victim, loss in zip(others, lost, strict=True)
        if loss
    ]


def charges(
    losses: Sequence[PlannedLoss], had: Sequence[float], brief: Sequence[bool]
) -> list[float]:
    """Return what each job is charged (SU), from what all victims lose.

    Losses of brief victims do not count. In order of time, at one time by cause, at most what a
    victim had is charged for it in all; gains lower the charge of their cause and nothing else.
    """
    charge = [0.0] * len(had)
    spent = [0.0] * len(had)
    for _, cause, victim, loss in sorted(losses):
        if brief[victim]:
            continue
        counted = loss if loss < 0 else min(loss, had[victim] - spent[victim])
        spent[victim] += max(counted, 0.0)
        charge[cause] += counted
    return [max(0.0, each) for each in charge]
