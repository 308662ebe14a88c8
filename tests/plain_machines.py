"""Machines of pools as the plain twin takes them, and what any schedule on one has to keep to."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.reference.machine import (
    RUNNING,
    SUBMITTED,
    PlainMachine,
    Played,
    PoolJob,
    PoolLimit,
    PoolWindow,
)
from utilitysched.model.arrivals import Arrivals
from utilitysched.model.machine import RUNNING_JOBS, SUBMITTED_JOBS, MachineTable

_MEASURES: dict[int, int | str] = {RUNNING_JOBS: RUNNING, SUBMITTED_JOBS: SUBMITTED}


def plain_jobs(arrivals: Arrivals, machine: MachineTable) -> list[PoolJob]:
    """Return jobs in arrival order as the twin takes them."""
    known, counter = arrivals.known, machine.limits.counter.tolist()
    return [
        PoolJob(
            job,
            known.submit.item(job),
            arrivals.run.item(job),
            known.request.item(job),
            machine.pools.pool.item(job),
            tuple(machine.pools.demand[job].tolist()),
            tuple(each for each in counter[job] if each >= 0),
            frozenset(np.flatnonzero(machine.windows.exempt[job]).tolist()),
        )
        for job in range(len(arrivals.run))
    ]


def played_plainly(arrivals: Arrivals, machine: MachineTable, *, backfills: bool) -> Played:
    """Return what becomes of first-come, first-served jobs by the twin."""
    limits, windows = machine.limits, machine.windows
    columns = zip(limits.measure.tolist(), limits.most.tolist(), strict=True)
    rows = zip(*(column.tolist() for column in windows[:5]), strict=True)
    twin = PlainMachine(
        [tuple(row) for row in machine.pools.capacity.tolist()],
        [PoolLimit(_MEASURES.get(measure, measure), most) for measure, most in columns],
        [PoolWindow(at, *times, tuple(taken)) for at, (*times, taken) in enumerate(rows)],
        backfills=backfills,
    )
    return twin.play(plain_jobs(arrivals, machine))


def assert_kept(arrivals: Arrivals, machine: MachineTable, outcome: Any) -> None:
    """Refuse a schedule that takes more than there is, or breaks a limit on what runs."""
    pools, limits = machine.pools, machine.limits
    for now in outcome.start:
        runs = (outcome.start <= now) & (now < outcome.end)
        for pool, capacity in enumerate(pools.capacity):
            assert (pools.demand[runs & (pools.pool == pool)].sum(axis=0) <= capacity).all()
        for number, (measure, most) in enumerate(zip(limits.measure, limits.most, strict=True)):
            group = runs & (limits.counter == number).any(axis=1)
            if measure != SUBMITTED_JOBS:
                used = (
                    group.sum() if measure == RUNNING_JOBS else pools.demand[group, measure].sum()
                )
                assert used <= most
