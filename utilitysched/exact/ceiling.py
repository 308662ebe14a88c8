"""Ceiling of a whole log: what no schedule can be worth more than, and the prices that prove it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from swfx import Workload
from swfx.base.csv_rows import write_csv
from utilitysched.analysis.metrics import aggregate_utility, effective_losers
from utilitysched.engine.engine import simulate
from utilitysched.model.arrivals import Arrivals
from utilitysched.model.schedule import Schedule
from utilitysched.model.state import Floats
from utilitysched.runs.files import write_json
from utilitysched.schedulers.offline.clearing import (
    ITERATIONS,
    TICKS,
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


@dataclass(frozen=True, eq=False)
class UtilityCeiling:
    """Bounds on what the schedules of a workload are worth, EASY's for comparison.

    Attributes
    ----------
    workload : Workload
        n jobs, with utility functions.
    prices : ClearingPrices
        Of processor time, and the bound on schedules that run each job in one piece.
    preemptive : ClearingPrices or None
        The same for schedules that may stop jobs and let them go on at no cost, if asked for.
    easy : float
        Aggregate utility under EASY (SU).
    """

    workload: Workload
    prices: ClearingPrices
    preemptive: ClearingPrices | None
    easy: float

    @property
    def bound(self) -> float:
        """No schedule that runs each job in one piece is worth more (SU)."""
        return self.prices.bound

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

    Raises
    ------
    InputError
        No machine size, or a job that cannot run.

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
    problem = ClearingProblem.of(Arrivals.of(workload))
    share = 0.5 if preemptively else 1.0
    prices = clearing_prices(problem, iterations, part_of(watch, 0.0, share))
    spread = None
    if preemptively:
        spread = clearing_prices(preemptive(problem), iterations, part_of(watch, share, share))
    easy = aggregate_utility(workload, simulate(workload, "easy"))
    return UtilityCeiling(workload, prices, spread, easy)


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
    prices, spread = ceiling.prices, ceiling.preemptive
    return {
        "bound": ceiling.bound,
        "found": utility,
        "found_share": utility / ceiling.bound if ceiling.bound else None,
        "trivial_bound": prices.trivial,
        "preemptive_bound": spread and spread.bound,
        "easy": ceiling.easy,
        "gap_share": ceiling.gap_share(utility),
        "rent": prices.rent,
        "free_share": free_share(prices),
        "jobs": len(ceiling.workload),
        "machine_size": ceiling.workload.machine_size,
        "iterations": prices.iterations,
        "price_steps": len(prices.time),
    }


def free_share(prices: ClearingPrices) -> float:
    """Return the share of the time in which a processor costs nothing."""
    length = np.diff(prices.time)
    whole = float(length.sum())
    return float(length[prices.steps.price[:-1] == 0].sum()) / whole if whole else 1.0


def write_ceiling(directory: Path, ceiling: UtilityCeiling, schedule: Schedule) -> list[Path]:
    """Write the certificate, and what every job would gain, beside a workload.

    Prices are whole numbers, so that the certificate says exactly what it means: from time[i] /
    ticks_per_second (s) to the next, price[i] * unit * ticks_per_second is the price of a
    processor-second (SU). Times at which it does not change are left out.

    Raises
    ------
    InputError
        A file cannot be written.
    """
    prices, workload = ceiling.prices, ceiling.workload
    steps = prices.steps
    changes = np.flatnonzero(np.diff(steps.price, prepend=-1))
    utility = aggregate_utility(workload, schedule)
    document = {
        "format": FORMAT,
        "workload_digest": workload.digest(),
        **ceiling_record(ceiling, utility),
        "ticks_per_second": TICKS,
        "unit": prices.problem.unit,
        "time": steps.time[changes],
        "price": steps.price[changes],
    }
    write_json(directory / CEILING_FILE, document, indent=None)
    value = schedule.utility(workload)
    columns = (
        workload.job_id,
        workload.utility.evaluate(workload.effective_run),
        ceiling.in_workload_order(prices.profit),
        ceiling.in_workload_order(prices.start),
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
