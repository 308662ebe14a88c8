"""Machines of pools as the plain twin takes them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

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
from tests.reference.usage import Stretch, Tree, factor
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


class FairMachine(PlainMachine):
    """A machine on which those go first who have used least for their shares.

    Attributes
    ----------
    tree : Tree
        Entities.
    entity, amount : sequence
        Entity of each job, and its dominant share, as processors.
    half_life : float
        Time in which usage counts half (s).
    """

    tree: Tree
    entity: Sequence[int]
    amount: Sequence[int]
    half_life: float

    def _queue(self, jobs: Sequence[PoolJob], pool: int, now: float) -> list[PoolJob]:
        stretches = [
            Stretch(
                self.entity[job.number],
                self.amount[job.number],
                start,
                start + job.run if job in self.ended else math.inf,
            )
            for job, start in self.start.items()
        ]
        factors = {
            each: round(factor(self.tree, stretches, each, now, self.half_life), 9)
            for each in set(self.entity)
        }
        queue = super()._queue(jobs, pool, now)
        return sorted(queue, key=lambda job: -factors[self.entity[job.number]])


def _dominant(arrivals: Arrivals, machine: MachineTable) -> list[int]:
    """Return the dominant share of each job in processors of its pool, rounded up."""
    amounts = []
    for job in range(len(arrivals.run)):
        there = machine.pools.capacity[machine.pools.pool[job]].tolist()
        needs = zip(machine.pools.demand[job].tolist(), there, strict=True)
        shares = (Fraction(need * there[0], max(have, 1)) for need, have in needs)
        amounts.append(math.ceil(max(shares)))
    return amounts


def played_plainly(
    arrivals: Arrivals, machine: MachineTable, *, backfills: bool, fair: bool = False
) -> Played:
    """Return what becomes of jobs by the twin, first come, first served or by fair share."""
    limits, windows = machine.limits, machine.windows
    columns = zip(limits.measure.tolist(), limits.most.tolist(), strict=True)
    rows = zip(*(column.tolist() for column in windows[:5]), strict=True)
    twin = (FairMachine if fair else PlainMachine)(
        [tuple(row) for row in machine.pools.capacity.tolist()],
        [PoolLimit(_MEASURES.get(measure, measure), most) for measure, most in columns],
        [PoolWindow(at, *times, tuple(taken)) for at, (*times, taken) in enumerate(rows)],
        backfills=backfills,
    )
    if isinstance(twin, FairMachine):
        shares = machine.shares
        twin.tree = Tree(shares.parent.tolist(), shares.share.tolist())
        twin.entity, twin.amount = shares.entity.tolist(), _dominant(arrivals, machine)
        twin.half_life = float(shares.constants[1])
    return twin.play(plain_jobs(arrivals, machine))
