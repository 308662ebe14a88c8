"""Plans with and without a job, by trying everything or by asking a readable scheduler on."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations

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
