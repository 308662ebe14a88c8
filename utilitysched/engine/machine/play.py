"""Playing a workload on a machine of pools: the fastest loop that can do it."""

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from utilitysched.engine.compiled import run_compiled
from utilitysched.engine.conditions import Failures, StopTerms
from utilitysched.engine.machine.compiled import is_bounded, run_easy_on_pool, run_on_machine
from utilitysched.engine.machine.simulation import MachineSimulation
from utilitysched.kernels.machine.placement import VECTOR_PLACEMENTS
from utilitysched.model.arrivals import Arrivals
from utilitysched.model.machine import MachineTable, PoolTable
from utilitysched.model.schedule import SimulationOutcome
from utilitysched.model.scheduler import Scheduler
from utilitysched.model.state import Integers
from utilitysched.schedulers.list_scheduler import ListScheduler

if TYPE_CHECKING:
    from swfx.dependencies import Dependencies

Watch = Callable[[float], None]


def is_ordinary(table: MachineTable, scheduler: Scheduler, size: Integers) -> bool:
    """Whether a machine is one pool of processors, of which nothing else is said that matters.

    `size` is what jobs need of them if they get no more than that.
    """
    bounded = is_bounded(table) or scheduler.reads_usage
    exact = bool((table.pools.demand[:, 0] == size).all())
    return table.pools.capacity.shape == (1, 1) and exact and not bounded


def play_on_machine(  # noqa: PLR0913 - one keyword per source
    arrivals: Arrivals,
    scheduler: Scheduler,
    table: MachineTable,
    on_progress: Watch | None = None,
    *,
    dependencies: "Dependencies | None" = None,
    terms: StopTerms | None = None,
    failures: Failures | None = None,
    seed: int = 0,
) -> SimulationOutcome:
    """Return what becomes of all jobs on a machine.

    Parameters
    ----------
    arrivals, scheduler, dependencies, terms, failures
        As `utilitysched.engine.simulation.Simulation` takes them.
    table : MachineTable
        The machine.
    on_progress : callable, optional
        Called now and then with the share of jobs submitted so far.
    seed : int
        Of the draws of schedulers and failures; each pool adds its number.
    """
    listed = None
    if dependencies is None and terms is None and failures is None:
        listed = scheduler.compiled_on_machine
    if listed is not None and _are_apart(listed, table):
        return _pool_by_pool(arrivals, listed, table.pools, on_progress)
    if listed is not None and listed.placement.name in VECTOR_PLACEMENTS:
        return run_on_machine(arrivals, listed, table, on_progress)
    loop = MachineSimulation(
        arrivals,
        scheduler,
        table,
        dependencies=dependencies,
        terms=terms,
        failures=failures,
        seed=seed,
    )
    loop.finish(on_progress)
    return loop.outcome()


def _are_apart(scheduler: ListScheduler, table: MachineTable) -> bool:
    """Whether each pool can be played by itself.

    So it is where nothing spans pools, and a pass of a pool without an event of its own starts
    nothing, so that it need not be made. For several resources there is such a loop for EASY only.
    """
    resources = table.pools.capacity.shape[1]
    apart = not (is_bounded(table) or scheduler.reads_usage)
    playable = scheduler.waits_for_events if resources == 1 else scheduler.is_plain_easy
    return apart and playable


def _pool_by_pool(
    arrivals: Arrivals, scheduler: ListScheduler, pools: PoolTable, on_progress: Watch | None
) -> SimulationOutcome:
    """Play pools one after the other, each with the loop of a machine of its own."""
    if len(pools.capacity) == 1:
        return _play_pool(arrivals, scheduler, pools.demand, pools.capacity[0], on_progress)
    jobs = len(arrivals.run)
    start, end, backfilled = np.empty(jobs), np.empty(jobs), np.empty(jobs, np.bool_)
    passes, done = 0, 0
    for number, capacity in enumerate(pools.capacity):
        mine = np.flatnonzero(pools.pool == number)
        # where nobody reads curves, copies of them are a tenth of the time
        part = _part(arrivals, mine, curves=scheduler.bids_matter)
        watch = _share(on_progress, done, len(mine), jobs)
        played = _play_pool(part, scheduler, pools.demand.take(mine, axis=0), capacity, watch)
        start[mine], end[mine], backfilled[mine] = played.start, played.end, played.backfilled
        passes += played.passes
        done += len(mine)
    return SimulationOutcome(start, end, backfilled, passes)


def _play_pool(
    arrivals: Arrivals,
    scheduler: ListScheduler,
    demand: Integers,
    capacity: Integers,
    watch: Watch | None,
) -> SimulationOutcome:
    """Play the jobs of one pool."""
    size = np.ascontiguousarray(demand[:, 0])
    known = arrivals.known._replace(machine_size=int(capacity[0]), size=size)
    jobs = Arrivals(arrivals.order, known, arrivals.run, arrivals.job_id)
    if len(capacity) > 1:
        return run_easy_on_pool(jobs, scheduler, demand, capacity, watch)
    return run_compiled(jobs, scheduler, watch)


def _share(watch: Watch | None, done: int, part: int, jobs: int) -> Watch | None:
    """Return what reports the progress of a part as progress of the whole."""
    return watch and (lambda share: watch((done + share * part) / jobs))


def _part(arrivals: Arrivals, jobs: Integers, *, curves: bool) -> Arrivals:
    """Return some jobs as the compiled loops take them, which learn nothing of users."""
    known = arrivals.known.of(jobs, curves=curves)
    return Arrivals(
        arrivals.order.take(jobs), known, arrivals.run.take(jobs), arrivals.job_id.take(jobs)
    )
