"""Plans with and without a job, by trying everything or by running the readable engine on."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations

from tests.reference.engine import Batch, Engine, Scheduler
from tests.reference.jobs import Job, Running
from tests.reference.plan import fitness, plan
from tests.reference.preempting_plan import Held, fitness_with_preemption, plan_with_preemption
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
    everybody = {job.number: job._replace(run=job.request) for job in jobs}
    held = {job.number: Job(job.number, now, 0.0, 0.0, job.size) for job in running}
    nobody = Job(-1, now, 0.0, 0.0, 0)
    count = max([*everybody, *held]) + 1
    table = [{**held, **everybody}.get(number, nobody) for number in range(count)]
    engine = Engine(table, processors, scheduler)
    engine.arrivals = []
    engine.queue = [everybody[job.number] for job in jobs]
    engine.running = {job.number: job for job in running}
    engine.completions = sorted((job.release, job.number) for job in running)
    engine.make_pass(now, Batch([], []))
    engine.run_on(now)
    return {job.number: engine.start[job.number] for job in jobs}
