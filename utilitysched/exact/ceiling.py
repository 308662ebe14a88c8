"""Ceiling of a whole log: what no schedule can be worth more than, and the prices that prove it.

On a machine each pool has a ceiling and each of its resources prices; the ceiling of the machine is
their sum. Limits and windows are left out: they only take schedules away.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np

from swfx import InputError, Workload
from swfx.base.csv_rows import write_csv
from swfx.machine import PROCESSORS, Machine
from utilitysched.analysis.metrics import aggregate_utility, effective_losers
from utilitysched.engine.engine import simulate
from utilitysched.model.arrivals import Arrivals
from utilitysched.model.machine_table import machine_table
from utilitysched.model.schedule import Schedule
from utilitysched.model.state import Floats, Integers
from utilitysched.runs.files import write_json
from utilitysched.schedulers.offline.clearing import (
    ITERATIONS,
    TICKS,
    Amounts,
    ClearingPrices,
    ClearingProblem,
    Watch,
    clearing_prices,
    part_of,
    preemptive,
    unwatched,
)

CEILING_FILE = "ceiling.json"
PROFITS_FILE = "profits.csv"
FORMAT = "utilitysched ceiling 1"
HOUR = 3600.0


class PoolCeiling(NamedTuple):
    """Bounds on what the schedules of the jobs of a pool are worth.

    Attributes
    ----------
    name : str
        The pool; empty for a machine without pools.
    resources : tuple of str
        Its resources, processors first.
    capacity : (r,) int64
        Amount of each.
    jobs : (k,) int64
        Its jobs, by place in arrival order.
    prices : ClearingPrices
        Of the time of each resource, and the bound on schedules that run each job in one piece.
    preemptive : ClearingPrices or None
        The same for schedules that may stop jobs and let them go on at no cost, if asked for.
    """

    name: str
    resources: tuple[str, ...]
    capacity: Integers
    jobs: Integers
    prices: ClearingPrices
    preemptive: ClearingPrices | None = None


class ResourcePrice(NamedTuple):
    """Price of a resource of a pool, dual to its capacity.

    Attributes
    ----------
    pool, resource : str
        Which.
    capacity : int
        How much there is.
    rent : float
        What all of it costs over the whole time (SU).
    mean, highest : float
        Price of one of it for an hour, over the whole time and where it is highest (SU).
    processor_hours : float or None
        So many processor-hours of the pool cost as much as an hour of one of it; None where
        processors cost nothing, or the bound is as good without their prices, as closely as these
        were searched for.
    """

    pool: str
    resource: str
    capacity: int
    rent: float
    mean: float
    highest: float
    processor_hours: float | None


@dataclass(frozen=True, eq=False)
class UtilityCeiling:
    """Bounds on what the schedules of a workload are worth, EASY's for comparison.

    Attributes
    ----------
    workload : Workload
        n jobs, with utility functions.
    pools : tuple of PoolCeiling
        Bounds of each pool that has jobs; the only one of a machine without pools.
    easy : float
        Aggregate utility under EASY (SU).
    """

    workload: Workload
    pools: tuple[PoolCeiling, ...]
    easy: float

    @property
    def prices(self) -> ClearingPrices:
        """Prices of the first pool: of processor time, where there is nothing else."""
        return self.pools[0].prices

    @property
    def has_pools(self) -> bool:
        """Whether it is of a machine of pools."""
        return any(pool.name for pool in self.pools)

    @property
    def bound(self) -> float:
        """No schedule that runs each job in one piece is worth more (SU)."""
        return _sum_above(pool.prices.bound for pool in self.pools)

    @property
    def trivial(self) -> float:
        """Bound by prices of 0: each job starts when it is submitted (SU)."""
        return _sum_above(pool.prices.trivial for pool in self.pools)

    @property
    def preemptive(self) -> float | None:
        """Bound on schedules that may stop jobs and let them go on at no cost (SU), if known."""
        bounds = [pool.preemptive.bound for pool in self.pools if pool.preemptive is not None]
        return _sum_above(bounds) if bounds else None

    @property
    def rent(self) -> float:
        """Rent of the whole machine (SU)."""
        return math.fsum(pool.prices.rent for pool in self.pools)

    @property
    def resource_prices(self) -> list[ResourcePrice]:
        """Prices of all resources, pool by pool."""
        return [price for pool in self.pools for price in _resource_prices(pool)]

    @property
    def profits(self) -> tuple[Floats, Floats]:
        """Profit of the best start of each job (SU), and that start (s), in workload order."""
        profit, start = (np.empty(len(self.workload)) for _ in range(2))
        for pool in self.pools:
            profit[pool.jobs], start[pool.jobs] = pool.prices.profit, pool.prices.start
        return self.in_workload_order(profit), self.in_workload_order(start)

    def gap_share(self, utility: float) -> float | None:
        """Return the share of the gap between EASY and the ceiling that a schedule closes."""
        return gap_share(utility, self.bound, self.easy)

    def in_workload_order(self, column: Floats) -> Floats:
        """Return a column given in arrival order in that of the workload."""
        placed = np.empty(len(column))
        placed[np.argsort(self.workload.submit, kind="stable")] = column
        return placed


def ceiling_of(
    workload: Workload,
    iterations: int = ITERATIONS,
    *,
    preemptively: bool = False,
    watch: Watch = unwatched,
    machine: Machine | None = None,
) -> UtilityCeiling:
    """Find the ceiling of a workload.

    Parameters
    ----------
    workload : Workload
        Cleaned jobs with utility functions.
    iterations : int
        Steps towards the clearing prices, at most. The bound holds after any number.
    preemptively : bool
        Bound schedules that may stop jobs, too.
    watch : callable
        Takes the share that is done.
    machine : Machine, optional
        Pools and resources; default: one pool of processors.

    Raises
    ------
    InputError
        No machine size, or a job that cannot run; a bound on schedules that stop jobs where jobs
        need several resources.

    Examples
    --------
    >>> from swfx import UtilityFunction, UtilityTable, Workload
    >>> curve = UtilityFunction([0, 10, 20], [8, 8, 0])
    >>> jobs = Workload.from_columns(submit=[0, 0], run=[10, 10], processors=[1, 1],
    ...                              utility=UtilityTable.from_functions([curve, curve]))
    >>> found = ceiling_of(jobs.replace(header=jobs.header.with_value("MaxProcs", 1)))
    >>> round(found.bound, 2)
    8.0
    """
    size = None if machine is None else machine.processors
    arrivals = Arrivals.of(workload, size)
    parts, found = _pools_of(workload, arrivals, machine), []
    for number, (name, resources, jobs, amounts, bidding) in enumerate(parts):
        problem = ClearingProblem.of(bidding, amounts)
        if preemptively and len(resources) > 1:
            raise InputError(
                f"jobs of pool {name} need {', '.join(resources)}",
                field="preemptive",
                remedy="bounds of schedules that preempt are of processors alone: leave it out",
            )
        part = part_of(watch, number / len(parts), 1 / len(parts))
        share = 0.5 if preemptively else 1.0
        prices = clearing_prices(problem, iterations, part_of(part, 0.0, share))
        spread = None
        if preemptively:
            rest = part_of(part, share, share)
            spread = clearing_prices(preemptive(problem), iterations, rest)
        found.append(PoolCeiling(name, resources, amounts.capacity, jobs, prices, spread))
    easy = aggregate_utility(workload, simulate(workload, "easy", machine=machine))
    return UtilityCeiling(workload, tuple(found), easy)


class _Bidding(NamedTuple):
    """Jobs of a pool that bid for its resources."""

    name: str
    resources: tuple[str, ...]
    jobs: Integers
    amounts: Amounts
    arrivals: Arrivals


def _pools_of(workload: Workload, arrivals: Arrivals, machine: Machine | None) -> list[_Bidding]:
    """Return the jobs of each pool that has any."""
    everybody = np.arange(len(workload))
    if machine is None:
        processors = Amounts.of_processors(arrivals)
        return [_Bidding("", (PROCESSORS,), everybody, processors, arrivals)]
    table, pools = machine_table(machine, workload, arrivals.order).pools, []
    for number, pool in enumerate(machine.pools):
        jobs = np.flatnonzero(table.pool == number)
        named = [place for place, name in enumerate(machine.resources) if name in pool.capacity]
        demand, capacity = table.demand[jobs][:, named], table.capacity[number, named]
        part = arrivals.of_pool(jobs, demand[:, 0].copy(), capacity.item(0))
        resources = tuple(machine.resources[place] for place in named)
        pools.append(_Bidding(pool.name, resources, jobs, Amounts(demand, capacity), part))
    return [pool for pool in pools if len(pool.jobs)] or pools[:1]


def _resource_prices(pool: PoolCeiling) -> Iterator[ResourcePrice]:
    prices = pool.prices
    hours = float(prices.time[-1] - prices.time[0]) / HOUR or 1.0
    rents = prices.rents.tolist()
    means = [
        rent / max(amount, 1) / hours for rent, amount in zip(rents, pool.capacity, strict=True)
    ]
    highest = prices.price.max(axis=1, initial=0.0) * HOUR / prices.problem.grain
    for place, resource in enumerate(pool.resources):
        yield ResourcePrice(
            pool.name,
            resource,
            int(pool.capacity[place]),
            rents[place],
            means[place],
            float(highest[place]),
            means[place] / means[0] if prices.proven[0] > prices.gap else None,
        )


def _sum_above(bounds: Iterable[float]) -> float:
    """Return a sum of bounds that rounding does not make less."""
    each = list(bounds)
    return each[0] if len(each) == 1 else math.nextafter(math.fsum(each), math.inf)


def ceiling_metrics(ceiling: UtilityCeiling, schedule: Schedule) -> dict[str, float | None]:
    """Return how near a schedule comes to the ceiling, and how concentrated its losses are.

    By the names of `utilitysched.analysis.metrics.catalogue.OF_CEILINGS`.
    """
    return _metrics(ceiling.workload, schedule, ceiling.bound, ceiling.easy)


def stored_ceiling_metrics(
    directory: Path, workload: Workload, schedule: Schedule
) -> dict[str, float | None]:
    """Return the same by the ceiling that a results directory holds; nothing if it holds none.

    Parameters
    ----------
    directory : Path
        As `write_ceiling` takes it.
    workload, schedule
        Of a run in it.
    """
    path = directory / CEILING_FILE
    try:
        record = json.loads(path.read_text("utf-8"))
        bound, easy = float(record["bound"]), float(record["easy"])
    except (OSError, ValueError, KeyError, TypeError):
        return {}
    if record.get("workload_digest") != workload.digest():
        return {}
    return _metrics(workload, schedule, bound, easy)


def _metrics(
    workload: Workload, schedule: Schedule, bound: float, easy: float
) -> dict[str, float | None]:
    return {
        "ceiling": bound,
        "gap_share": gap_share(aggregate_utility(workload, schedule), bound, easy),
        "effective_losers": effective_losers(workload, schedule),
    }


def gap_share(utility: float, bound: float, easy: float) -> float | None:
    """Return the share of the gap between EASY and a bound that a utility closes (SU all).

    None where there is no gap.

    >>> gap_share(120.0, 150.0, 100.0)
    0.4
    """
    return (utility - easy) / (bound - easy) if bound > easy else None


def ceiling_record(ceiling: UtilityCeiling, utility: float) -> dict[str, object]:
    """Return what programs want to know, prices apart.

    Parameters
    ----------
    ceiling : UtilityCeiling
        The bounds.
    utility : float
        What the best schedule known is worth (SU).
    """
    record: dict[str, object] = {
        "bound": ceiling.bound,
        "found": utility,
        "found_share": utility / ceiling.bound if ceiling.bound else None,
        "trivial_bound": ceiling.trivial,
        "preemptive_bound": ceiling.preemptive,
        "easy": ceiling.easy,
        "gap_share": ceiling.gap_share(utility),
        "rent": ceiling.rent,
        "free_share": free_share(ceiling.prices),
        "jobs": len(ceiling.workload),
        "machine_size": sum(int(pool.capacity[0]) for pool in ceiling.pools),
        "iterations": max(pool.prices.iterations for pool in ceiling.pools),
        "price_steps": sum(len(pool.prices.time) for pool in ceiling.pools),
    }
    if ceiling.has_pools:
        del record["free_share"]
        record["resources"] = [price._asdict() for price in ceiling.resource_prices]
    return record


def free_share(prices: ClearingPrices) -> float:
    """Return the share of the time in which a processor costs nothing."""
    length = np.diff(prices.time)
    whole = float(length.sum())
    return float(length[prices.steps.price[0, :-1] == 0].sum()) / whole if whole else 1.0


def write_ceiling(directory: Path, ceiling: UtilityCeiling, schedule: Schedule) -> list[Path]:
    """Write the certificate, and what every job would gain, beside a workload.

    Prices are whole numbers, so that the certificate says exactly what it means: from time[i] /
    ticks_per_second (s) to the next, price[i] * unit * ticks_per_second is the price of a
    processor-second (SU). Times at which it does not change are left out. On a machine there are
    such lists for each resource of each pool; `counted_by`: that much of it has the price.

    Raises
    ------
    InputError
        A file cannot be written.
    """
    workload = ceiling.workload
    document = {
        "format": FORMAT,
        "workload_digest": workload.digest(),
        **ceiling_record(ceiling, aggregate_utility(workload, schedule)),
        "ticks_per_second": TICKS,
    }
    if ceiling.has_pools:
        document["pools"] = [
            {"pool": pool.name, "resource": resource, **_certificate(pool.prices, place)}
            for pool in ceiling.pools
            for place, resource in enumerate(pool.resources)
        ]
    else:
        document |= _certificate(ceiling.prices, 0)
    write_json(directory / CEILING_FILE, document, indent=None)
    value = schedule.utility(workload)
    columns = (
        workload.job_id,
        workload.utility.evaluate(workload.effective_run),
        *ceiling.profits,
        schedule.start,
        value,
    )
    header = ("job_id", "most", "profit", "start", "found_start", "found_value")
    jobs = workload.job_names
    names = [[name] for name in jobs.of_jobs()] if jobs.names else [[]] * len(workload)
    rows = zip(names, *(column.tolist() for column in columns), strict=True)
    write_csv(
        directory / PROFITS_FILE,
        (*header, "job") if jobs.names else header,
        ([*row[:3], "" if row[3] != row[3] else row[3], *row[4:], *name] for name, *row in rows),
    )
    return [directory / CEILING_FILE, directory / PROFITS_FILE]


def _certificate(prices: ClearingPrices, resource: int) -> dict[str, object]:
    """Return where the price of a resource changes, and to what."""
    steps, grain = prices.steps, int(prices.problem.grain[resource])
    changes = np.flatnonzero(np.diff(steps.price[resource], prepend=-1))
    return {
        "unit": prices.problem.unit,
        **({"counted_by": grain} if grain > 1 else {}),
        "time": steps.time[changes],
        "price": steps.price[resource, changes],
    }
