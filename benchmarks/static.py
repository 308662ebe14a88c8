"""Plans beside proven optima: ``python -m benchmarks.static [solve]``.

Five cells of 5,000 jobs, none of which anything was tuned on, are run under `value-and-delay` at a
load of 0.85. Of the moments at which 5 to 30 jobs are queued, 60 a cell are taken, evenly over the
run. A plan is worth the sum of values at its starts, if nobody else comes and all run as requested.
``solve`` asks CP-SAT for the best schedule of each and writes `FOUND`: moments and results, nothing
of the logs. Without it the table sets each planner beside what is stored there.
"""

import csv
import math
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import NamedTuple, TypeVar

import numpy as np

from benchmarks.logs import BLUE, DATASTAR, KTH, ROOT, SP2, log, short
from swfx import UtilityFunction, UtilityTable, Workload
from swfx.base.csv_rows import write_csv
from swfx.families.generators.utilities import attach_utilities
from swfx.families.generators.utility_spec import UtilitySpec
from utilitysched import Schedule, make_scheduler, simulate
from utilitysched.exact import StaticProblem, best_order, optimum, planned
from utilitysched.model.forecast import ForecastRule
from utilitysched.model.state import Floats
from utilitysched.runs.snapshot import QueuedJob, RunningJob, Snapshot
from utilitysched.runs.steps import transforming

CELLS = ((BLUE, 70000), (SP2, 35000), (KTH, 15000), (DATASTAR, 30000), ("UniLu-Gaia-2014-1", 0))
"""Log and first job."""

JOBS = 5000
LOAD = 0.85
MOMENTS = 60
FEWEST, MOST = 5, 30
"""Jobs queued."""

ENUMERATED = 7
"""Queues up to which all orders are tried."""

NEAR = 0.99

PROVEN = 1e-6
"""Roundings of the solver's whole numbers, in proportion."""

EFFORT = 0.5
LIMIT = 60.0
FOUND = ROOT / "benchmarks" / "static.csv"
PLANNERS = ("ga:delays=0", "ga", "value-density", "value-and-delay", "index", "easy")
READING = ForecastRule("zero")


Found = TypeVar("Found")


class Row(NamedTuple):
    """What CP-SAT found of a moment.

    Attributes
    ----------
    log : str
        Its name, in short.
    at : float
        The moment (s).
    queued : int
        Jobs.
    best, bound : float
        Of the best schedule found, and of all (SU).
    seconds : float
        Of one core.
    """

    log: str
    at: float
    queued: int
    best: float
    bound: float
    seconds: float


def corpus() -> Iterator[tuple[str, Snapshot]]:
    """Yield the moments of every cell."""
    step = transforming((f"scale-load:load={LOAD}",), 1)
    assert step is not None
    for name, first in CELLS:
        jobs = step(log(name)[first : first + JOBS]).workload
        jobs = attach_utilities(jobs, UtilitySpec(), seed=1)
        schedule = simulate(jobs, "value-and-delay")
        at = np.sort(jobs.submit)
        queued = np.arange(1, len(at) + 1) - np.searchsorted(np.sort(schedule.start), at)
        found = np.unique(at[(queued >= FEWEST) & (queued <= MOST)])
        for i in range(MOMENTS):
            yield short(name), moment(jobs, schedule, float(found[i * len(found) // MOMENTS]))


def moment(jobs: Workload, schedule: Schedule, at: float) -> Snapshot:
    """Return what a run's scheduler saw at an arrival (s), before it decided."""
    start, end = schedule.start, schedule.end
    queued = np.flatnonzero((jobs.submit <= at) & (start >= at))
    running = np.flatnonzero((start < at) & (end > at))
    limit = start + jobs.request
    return Snapshot(
        at,
        schedule.machine_size,
        tuple(RunningJob(job, int(jobs.size[job]), limit.item(job)) for job in running.tolist()),
        tuple(
            QueuedJob(
                job,
                float(jobs.submit[job]),
                int(jobs.size[job]),
                float(jobs.request[job]),
                jobs.utility[job],
                int(jobs.user[job]),
            )
            for job in queued.tolist()
        ),
    )


def solve() -> None:
    """Find the best schedules, and store what they are worth."""
    rows = []
    for name, seen in corpus():
        problem = StaticProblem(seen, READING)
        spent, found = timed(partial(optimum, problem, EFFORT, limit=LIMIT))
        rows.append(
            Row(name, seen.now, len(seen.queued), found.total, found.bound, round(spent, 3))
        )
        print(*rows[-1], found.timed_out, flush=True)
    write_csv(FOUND, Row._fields, rows)


def stored() -> list[Row]:
    """Return what is stored."""
    with FOUND.open(newline="") as file:
        return [
            Row(row[0], float(row[1]), int(row[2]), *map(float, row[3:]))
            for row in list(csv.reader(file))[1:]
        ]


def offline(problem: StaticProblem) -> Floats:
    """Return the starts (s) that the search with hindsight finds if the moment is the whole log.

    It reads values at ends: curves are moved back by the requested times. A running job is worth
    more than the queue if it goes on, and nothing otherwise.
    """
    moment = problem.snapshot
    left = [job.expected_end - moment.now for job in moment.running]
    request = np.array([*left, *problem.request])
    most = 2.0 * problem.values(np.full(len(moment.queued), moment.now)).sum() + 1.0
    curves: list[UtilityFunction | None]
    curves = [UtilityFunction([0.0, end], [most, most]) for end in left]
    curves += [_from_now(job, moment.now) for job in moment.queued]
    jobs = Workload.from_columns(
        submit=np.full(len(request), moment.now),
        run=request,
        requested_time=request,
        processors=[*(job.processors for job in moment.running), *problem.size],
        utility=UtilityTable.from_functions(curves),
    )
    jobs = jobs.replace(header=jobs.header.with_value("MaxProcs", moment.machine_size))
    start: Floats = simulate(jobs, "offline").start[len(left) :]
    return start


def _from_now(job: QueuedJob, now: float) -> UtilityFunction | None:
    if job.utility is None:
        return None
    waited = now - job.submit
    points = [
        (age - waited + job.request, value)
        for age, value in zip(job.utility.times, job.utility.values, strict=True)
        if age > waited
    ]
    begin = float(job.utility(waited))
    head = dict.fromkeys((0.0, job.request), begin)
    points = [*head.items(), *points]
    return UtilityFunction([time for time, _ in points], [value for _, value in points])


def timed(action: Callable[[], Found]) -> tuple[float, Found]:
    """Return the processor time (s) of an action, and what it returned."""
    before = time.process_time()
    found = action()
    return time.process_time() - before, found


class Plan(NamedTuple):
    """A planner's share of the bound at a moment, and its processor time (s)."""

    share: float
    seconds: float


def plan(problem: StaticProblem, name: str, bound: float) -> Plan:
    """Ask a planner."""
    if name == "offline":
        spent, start = timed(partial(offline, problem))
    else:
        scheduler = make_scheduler(name)
        spent, start = timed(partial(planned, problem.snapshot, scheduler))
    worth = math.fsum(problem.values(start))
    return Plan(worth / bound if bound else 1.0, spent)


def table() -> None:
    """Print how near planners come to the stored bounds."""
    names = [*PLANNERS, "offline"]
    plans: dict[str, list[Plan]] = {name: [] for name in names}
    orders, rows = [], stored()
    for row, (name, seen) in zip(rows, corpus(), strict=True):
        assert (row.log, row.at, row.queued) == (name, seen.now, len(seen.queued))
        problem = StaticProblem(seen, READING)
        for planner in names:
            if not plans[planner]:
                plan(problem, planner, row.bound)  # compiled code is loaded
            plans[planner].append(plan(problem, planner, row.bound))
        if row.queued <= ENUMERATED:
            start = best_order(problem)
            assert start is not None
            orders.append(math.fsum(problem.values(start)) / row.bound if row.bound else 1.0)
    _print(rows, plans, orders)


def _print(rows: list[Row], plans: dict[str, list[Plan]], orders: list[float]) -> None:
    gaps = np.array([row.best / row.bound if row.bound else 1.0 for row in rows])
    seconds = np.array([row.seconds for row in rows])
    print(f"{len(rows)} moments; CP-SAT: {np.mean(gaps > 1 - PROVEN):.1%} proven, ", end="")
    print(f"{np.mean(gaps >= NEAR):.1%} within 1% of the bound, ", end="")
    print(f"{seconds.mean():.3f} s each, median {np.median(seconds):.3f}")
    print("planner          within 1%  if proven     mean    worst  ms each  of CP-SAT's time")
    proven = gaps > 1 - PROVEN
    for name, found in plans.items():
        share, spent = np.array(found).T
        near = share >= NEAR
        print(
            f"{name:<16} {np.mean(near):9.1%} {np.mean(near[proven]):10.1%}"
            f" {share.mean():8.2%} {share.min():8.1%}"
            f" {1e3 * spent.mean():8.2f}  1/{seconds.mean() / spent.mean():.0f}"
        )
    best = np.array(orders)
    print(
        f"best of all orders by easy, {len(best)} moments of at most {ENUMERATED}:"
        f" {np.mean(best >= NEAR):.1%} within 1%, {np.mean(best > 1 - PROVEN):.1%} the optimum"
    )


if __name__ == "__main__":
    solve() if sys.argv[1:] == ["solve"] else table()
