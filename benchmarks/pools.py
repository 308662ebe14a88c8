"""How far off one pool is: ``python -m benchmarks pools [MACHINE LOG [SCHEDULER ...]]``.

A log is simulated on one pool of all processors, then on the pools of its machine with their
processors alone, then with one resource after the other. Each schedule is held against the whole
machine: starts for which it has no room are counted.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np

from benchmarks.logs import DATASTAR, ROOT, TRACES
from swfx import Workload
from swfx.machine import PROCESSORS, Machine, Pool, read_machine
from swfx.reading.sources import open_workload
from utilitysched import Schedule, simulate
from utilitysched.analysis.feasibility import violations
from utilitysched.analysis.metrics.jobs import bounded_slowdown
from utilitysched.model.machine_table import amounts_needed, machine_table

MACHINES = ROOT / "examples" / "machines"
STUDIED = [
    (MACHINES / "ub-hpc.toml", f"slurm-events:{TRACES / 'ubhpc-workload_week.events.gz'}"),
    (MACHINES / "datastar.toml", str(TRACES / f"{DATASTAR}.swf.gz")),
]
"""Machine files and logs that say which partition each job was in."""

SCHEDULERS = ("easy", "saf")


class View(NamedTuple):
    """What is known of a machine: a name, and the machine with so much of it."""

    name: str
    machine: Machine


class Row(NamedTuple):
    """A line of the table: mean wait (h), mean bounded slowdown, shares used, starts in excess."""

    scheduler: str
    view: str
    wait: float
    slowdown: float
    used: dict[str, float]
    impossible: int


def main(arguments: Sequence[str]) -> int:
    """Print a table for each machine."""
    studied = [(Path(arguments[0]), arguments[1])] if len(arguments) >= 2 else STUDIED
    for file, source in studied:
        machine = read_machine(file)
        jobs = _fitting(machine, open_workload(source, machine_size=machine.processors).workload)
        print(f"\n{file.stem}: {len(jobs):,} jobs of {source.rpartition('/')[2]}")
        _print(measured(machine, jobs, arguments[2:] or SCHEDULERS))
    return 0


def measured(machine: Machine, jobs: Workload, schedulers: Sequence[str]) -> Iterator[Row]:
    """Yield the rows of a table: every scheduler on every view of the machine."""
    for scheduler in schedulers:
        for view in views(machine):
            yield _row(machine, jobs, view, simulate(jobs, scheduler, machine=view.machine))


def views(machine: Machine) -> Iterator[View]:
    """Yield views of a machine, from one pool of processors to all of it."""
    everything = Pool("all", {PROCESSORS: machine.processors}, ("*",))
    yield View("one pool", replace(machine, pools=(everything,), limits=(), windows=()))
    known: list[str] = []
    for resource in machine.resources:
        known.append(resource)
        pools = tuple(
            replace(pool, capacity={name: pool.capacity[name] for name in known})
            for pool in machine.pools
        )
        name = f"{len(pools)} pools" if resource == PROCESSORS else f"and {resource}"
        if len(pools) > 1 or resource != PROCESSORS:
            yield View(name, replace(machine, pools=pools))


def _fitting(machine: Machine, jobs: Workload) -> Workload:
    """Return the jobs that fit into their pool."""
    large = dict.fromkeys(machine.resources, 2**40)
    pools = tuple(replace(pool, capacity=large) for pool in machine.pools)
    order = np.arange(len(jobs))
    table = machine_table(replace(machine, pools=pools), jobs, order).pools
    capacity = [[pool.capacity[name] for name in machine.resources] for pool in machine.pools]
    fits = (table.demand <= np.array(capacity)[table.pool]).all(axis=1)
    return jobs[np.flatnonzero(fits)]


def _row(machine: Machine, jobs: Workload, view: View, schedule: Schedule) -> Row:
    # what was used while jobs still came
    begin, end = float(jobs.submit.min()), float(jobs.submit.max())
    seconds = np.maximum(np.minimum(schedule.end, end) - schedule.start, 0.0)
    used = {}
    for resource in machine.resources:
        capacity = sum(pool.capacity[resource] for pool in machine.pools)
        area = float((seconds * amounts_needed(jobs, resource)).sum())
        used[resource] = area / (capacity * (end - begin))
    slowdown = bounded_slowdown(jobs, schedule)
    broken = violations(machine, jobs, schedule)
    return Row(
        schedule.scheduler,
        view.name,
        float(schedule.wait(jobs).mean()) / 3600,
        float(slowdown.mean()),
        used,
        len({each.job for each in broken}),
    )


def _print(rows: Iterator[Row]) -> None:
    """Print rows as they come."""
    heading = True
    for row in rows:
        if heading:
            shares = "".join(f"{f'{name} (%)':>15}" for name in row.used)
            print(f"{'':24}{'wait (h)':>9}{'slowdown':>9}{shares}{'no room for':>12}")
        heading = False
        shares = "".join(f"{100 * share:15.1f}" for share in row.used.values())
        figures = f"{row.wait:9.2f}{row.slowdown:9.1f}{shares}{row.impossible:12,}"
        print(f"{row.scheduler:10}{row.view:14}{figures}", flush=True)
