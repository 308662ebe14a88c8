"""Small crowded machines whose users lie."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np

from checkpoint.failures import Outages
from swfx import UtilityFunction, UtilityTable, Workload
from swfx.machine import Machine
from utilitysched.market.audit.scenario import AuditScenario, AuditSubject, make_scenario

PROCESSORS = 8


def crowd(seed: int, jobs: int = 40, users: int = 6, processors: int = PROCESSORS) -> Workload:
    """Return a workload in which queues are long and every job has a curve."""
    rng = Random(seed)
    run = [rng.randint(1, 60) for _ in range(jobs)]
    request = [time * rng.choice([1, 1, 2, 3]) for time in run]
    deadline = [rng.randint(50, 400) for _ in range(jobs)]
    worth = [rng.randint(1, 90) for _ in range(jobs)]
    curves = [
        UtilityFunction([0, end / 2, end], [value, value * rng.choice([0.5, 1.0]), 0])
        for end, value in zip(deadline, worth, strict=True)
    ]
    return Workload.from_columns(
        submit=np.array(sorted(rng.randint(0, 8 * jobs) for _ in range(jobs)), dtype=float),
        run=np.array(run, dtype=float),
        requested_time=np.array(request, dtype=float),
        processors=np.array([rng.randint(1, processors) for _ in range(jobs)]),
        user=np.array([rng.randrange(users) for _ in range(jobs)]),
        queue=np.array([rng.randint(1, 4) for _ in range(jobs)]),
        utility=UtilityTable.from_functions(curves),
    )


def checkpointing(workload: Workload, seed: int) -> Workload:
    """Return the jobs, most of which write checkpoints every few seconds."""
    rng, jobs = Random(seed), len(workload)
    return workload.replace(
        checkpoint_interval=np.array([rng.choice([-1.0, 1.0, 5.0, 8.0]) for _ in range(jobs)]),
        restart_overhead=np.array([rng.choice([0.0, 2.0]) for _ in range(jobs)]),
    )


def scenario_of(
    workload: Workload,
    scheduler: str,
    *mechanisms: str,
    processors: int = PROCESSORS,
    preemption: str | None = None,
    failures: Outages | None = None,
    machine: Machine | None = None,
) -> AuditScenario:
    conditions: dict[str, Any] = {"preemption": preemption, "failures": failures}
    subject = AuditSubject(scheduler, mechanisms, processors, seed=5, **conditions, machine=machine)
    return make_scenario(workload, subject, None)[0]
