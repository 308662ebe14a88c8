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
from utilitysched.model.state import Floats, Integers
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
    jobs = len(arrivals.run)
    start, end = np.full(jobs, np.nan), np.full(jobs, np.nan)
    backfilled, repeats, done = np.zeros(jobs, np.bool_), 0, 0
    for number, capacity in enumerate(pools.capacity):
        mine = np.flatnonzero(pools.pool == number)
        demand, watch = pools.demand[mine], _share(on_progress, done, len(mine), jobs)
        part = _part(arrivals, mine, demand[:, 0].copy(), int(capacity[0]))
        if len(capacity) > 1:
            played = run_easy_on_pool(part, scheduler, demand, capacity, watch)
        else:
            played = run_compiled(part, scheduler, watch)
        start[mine], end[mine], backfilled[mine] = played.start, played.end, played.backfilled
        # in a pool, jobs without run time may follow one another at one instant
        repeats += played.passes - _instants(part.known.submit, played.start, played.end)
        done += len(mine)
    passes = _instants(arrivals.known.submit, start, end) + repeats
    return SimulationOutcome(start, end, backfilled, passes)


def _instants(submit: Floats, start: Floats, end: Floats) -> int:
    """Return at how many times something happens, twice where a job has no run time."""
    every = np.unique(np.concatenate([submit, start, end]))
    return len(every) + len(np.unique(start[start == end]))


def _share(watch: Watch | None, done: int, part: int, jobs: int) -> Watch | None:
    """Return what reports the progress of a part as progress of the whole."""
    return watch and (lambda share: watch((done + share * part) / jobs))


def _part(arrivals: Arrivals, jobs: Integers, size: Integers, processors: int) -> Arrivals:
    """Return the jobs of a pool as the compiled loops take them, which learn nothing of users."""
    known = arrivals.known.of(jobs)._replace(machine_size=processors, size=size)
    return Arrivals(arrivals.order[jobs], known, arrivals.run[jobs], arrivals.job_id[jobs])
