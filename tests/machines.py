"""Small machines with pools, several resources, limits and windows, drawn from a seed."""

from __future__ import annotations

from random import Random

import numpy as np

from utilitysched.model.arrivals import Arrivals
from utilitysched.model.machine import (
    RUNNING_JOBS,
    SUBMITTED_JOBS,
    LimitTable,
    MachineTable,
    PoolTable,
    ShareTable,
    WindowTable,
)


def whole_machine(arrivals: Arrivals) -> MachineTable:
    """Return the machine of one pool with nothing but processors."""
    jobs = len(arrivals.run)
    demand, capacity = arrivals.known.size[:, None].copy(), [[arrivals.known.machine_size]]
    pools = PoolTable(np.zeros(jobs, np.int64), demand, np.array(capacity))
    return MachineTable(pools, no_limits(jobs), no_windows(jobs, 1), no_shares(jobs))


def drawn_pools(rng: Random, arrivals: Arrivals, pools: int, resources: int) -> PoolTable:
    """Draw pools in each of which every job fits, and what jobs need of them."""
    jobs, processors = len(arrivals.run), arrivals.known.machine_size
    capacity = [
        [processors + rng.randint(0, 3), *(rng.randint(1, 9) for _ in range(resources - 1))]
        for _ in range(pools)
    ]
    pool = [rng.randrange(pools) for _ in range(jobs)]
    demand = [
        [size, *(rng.choice([0, rng.randint(0, most)]) for most in capacity[number][1:])]
        for number, size in zip(pool, arrivals.known.size.tolist(), strict=True)
    ]
    return PoolTable(np.array(pool), np.array(demand), np.array(capacity))


def drawn_limits(rng: Random, demand: np.ndarray) -> LimitTable:
    """Draw limits on groups of jobs, none of which keeps a job out for ever."""
    jobs, count = len(demand), rng.randint(1, 4)
    measure = [
        rng.choice([RUNNING_JOBS, SUBMITTED_JOBS, *range(demand.shape[1])]) for _ in range(count)
    ]
    counter = np.full((jobs, count), -1, np.int64)
    for job in range(jobs):
        own = [number for number in range(count) if rng.random() < 0.6]
        counter[job, : len(own)] = own
    most = [
        rng.randint(1, 3) if each < 0 else int(demand[:, each].max()) + rng.randint(0, 2)
        for each in measure
    ]
    return LimitTable(counter, np.array(measure, np.int64), np.array(most, np.int64))


def drawn_windows(rng: Random, pools: PoolTable, span: float) -> WindowTable:
    """Draw windows that begin within a span (s), some of which nobody knows of at first."""
    rows = []
    for _ in range(rng.randint(1, 4)):
        pool, begin = rng.randrange(len(pools.capacity)), float(rng.randint(0, int(span)))
        taken = [rng.choice([most, rng.randint(0, most)]) for most in pools.capacity[pool].tolist()]
        known = rng.choice([-np.inf, begin - rng.randint(0, 20), begin + 2.0])
        rows.append((pool, known, begin, begin + rng.randint(1, 30), taken))
    rows.sort(key=lambda row: row[2])
    pool_, known_, begin_, end_, taken_ = zip(*rows, strict=True)
    exempt = [[rng.random() < 0.2 for _ in rows] for _ in range(len(pools.pool))]
    return WindowTable(
        np.array(pool_),
        np.array(known_, np.float64),
        np.array(begin_),
        np.array(end_, np.float64),
        np.array(taken_),
        np.zeros(len(rows), np.bool_),
        np.array(exempt),
    )


def drawn_machine(rng: Random, arrivals: Arrivals) -> MachineTable:
    """Draw a machine with any of what one can have."""
    pools = drawn_pools(rng, arrivals, rng.randint(1, 3), rng.randint(1, 3))
    jobs, resources = pools.demand.shape
    limits, windows = no_limits(jobs), no_windows(jobs, resources)
    if rng.random() < 0.6:
        limits = drawn_limits(rng, pools.demand)
    if rng.random() < 0.6:
        windows = drawn_windows(rng, pools, float(arrivals.known.submit.max()) + 20.0)
    return MachineTable(pools, limits, windows, no_shares(jobs))


def drawn_shares(rng: Random, arrivals: Arrivals) -> ShareTable:
    """Draw a tree of accounts with some users, whose jobs these are, and what factors weigh."""
    jobs, accounts, users = len(arrivals.run), rng.randint(1, 3), rng.randint(1, 5)
    parent = [-1, *(rng.randrange(1 + number) for number in range(accounts))]
    parent += [rng.randint(0, accounts) for _ in range(users)]
    shares = np.array([1, *(rng.choice([0, 1, 1, 2, 5]) for _ in parent[1:])], np.float64)
    siblings = np.bincount(np.array(parent) + 1, shares)[np.array(parent) + 1]
    factors = [[rng.choice([0.0, 0.25, 1.0]) for _ in range(jobs)] for _ in range(2)]
    weights = [rng.choice([0.0, 100.0, 1000.0]) for _ in range(5)]
    return ShareTable(
        np.array([rng.randint(accounts + 1, accounts + users) for _ in range(jobs)]),
        np.array(parent),
        np.divide(shares, siblings, out=np.zeros(len(shares)), where=siblings > 0),
        np.array(factors[0]),
        np.array(factors[1]),
        np.array([10.0, *weights]),
        np.array([rng.choice([5.0, 300.0]), rng.choice([0.0, 3.7, 1e4]), 0.0, 0.0]),
    )


def no_limits(jobs: int) -> LimitTable:
    """Return a table without limits."""
    nothing = np.empty(0, np.int64)
    return LimitTable(np.empty((jobs, 0), np.int64), nothing, nothing)


def no_windows(jobs: int, resources: int) -> WindowTable:
    """Return a table without windows."""
    number, time, flag = np.empty(0, np.int64), np.empty(0), np.empty(0, np.bool_)
    taken, exempt = np.empty((0, resources), np.int64), np.empty((jobs, 0), np.bool_)
    return WindowTable(number, time, time, time, taken, flag, exempt)


def no_shares(jobs: int) -> ShareTable:
    """Return shares of which nobody knows anything."""
    nobody, nothing = np.zeros(jobs, np.int64), np.zeros(jobs)
    root = np.array([-1]), np.ones(1)
    return ShareTable(nobody, *root, nothing, nothing, np.zeros(6), np.ones(4))
