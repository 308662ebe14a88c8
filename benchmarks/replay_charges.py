"""Charges by replays: what one job costs, beside replaying the whole log, and in larger logs."""

import time
from collections.abc import Iterator

import numpy as np

from benchmarks.logs import BLUE, log
from benchmarks.row import Row
from pricing.counterfactual import ReplayRule
from swfx import Workload
from swfx.families.generators.utilities import attach_utilities
from swfx.families.generators.utility_spec import UtilitySpec
from utilitysched import simulate
from utilitysched.counterfactual.replays import Question, replay_jobs
from utilitysched.model.state import Integers

JOBS = slice(5000, 10000)
DAY = ReplayRule(86400.0)
EVERY = 25
"""Of so many jobs one is left out under the genetic scheduler: all of them take minutes."""

NAIVE = 3
"""Jobs left out of a replay of the whole log."""

COPIES = 10
"""How many times the log is repeated: its load stays as it is."""

MINUTES = 10.0
CORES = 2


def measure() -> Iterator[Row]:
    """Leave jobs out by processor time; other work on the machine does not count."""
    workload = attach_utilities(log(BLUE)[JOBS], UtilitySpec(), seed=1)
    rng = np.random.default_rng(1)
    sample = np.arange(EVERY // 2, len(workload), EVERY)
    job = _cost(workload, "ga", sample)
    whole = _naive(workload, "ga", rng.choice(len(workload), NAIVE, replace=False))
    minutes = job * len(workload) / CORES / 60
    note = f"{job * 1e3:.0f} ms a job of {len(sample)}, times {len(workload):,}, on {CORES} cores"
    yield Row("replay VCG bill, ga, BLUE 5000..10000", minutes, "min", MINUTES, "at most", note)
    note = f"the log replayed without the job: {whole:.2f} s, of {NAIVE}"
    yield Row("replay VCG of a job, ga", whole / job, "x", 20, "at least", note)
    yield from _growth(workload, rng)


def _growth(workload: Workload, rng: np.random.Generator) -> Iterator[Row]:
    larger = repeated(workload, COPIES)
    for scheduler in ("easy", "conservative"):
        small, large = (
            _cost(log_, scheduler, rng.choice(len(log_), 2000, replace=False))
            for log_ in (workload, larger)
        )
        note = f"{small * 1e3:.2f} ms a job, {large * 1e3:.2f} in {COPIES} times the log"
        yield Row(f"replay VCG of a job, {scheduler}", large / small, "x", 1.25, "at most", note)


def repeated(workload: Workload, copies: int) -> Workload:
    """Return the log so many times, one after the other."""
    jobs, span = len(workload), float(np.ptp(workload.submit)) + 1.0
    several = workload[np.tile(np.arange(jobs), copies)]
    shift = np.repeat(np.arange(copies) * span, jobs)
    numbers = np.arange(1, len(several) + 1)
    return several.replace(submit=several.submit + shift, job_id=numbers)


def _cost(workload: Workload, scheduler: str, jobs: Integers) -> float:
    """Return the processor time of leaving out one of these jobs (s)."""
    schedule = simulate(workload, scheduler, seed=1)
    question = Question(
        workload, scheduler, schedule.machine_size, 1, start=schedule.start, rule=DAY
    )
    replay_jobs(question, jobs[:1])
    began = time.process_time()
    replay_jobs(question, jobs)
    return (time.process_time() - began) / len(jobs)


def _naive(workload: Workload, scheduler: str, jobs: Integers) -> float:
    """Return the processor time of replaying the whole log without one of these jobs (s)."""
    began = time.process_time()
    for job in jobs:
        simulate(workload[np.arange(len(workload)) != job], scheduler, seed=1)
    return (time.process_time() - began) / len(jobs)
