"""Running a list scheduler in the compiled event loop of a machine."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from utilitysched.engine.compiled import ranks
from utilitysched.engine.machine.calendar import instants
from utilitysched.engine.machine.limits import refuse_for_ever
from utilitysched.kernels.history import fill
from utilitysched.kernels.machine.easy import advance_easy_pool
from utilitysched.kernels.machine.loop import (
    ARRIVED,
    FULL,
    LIMIT,
    PASSES,
    WINDOW,
    MachineProgress,
    MachineRules,
    advance_machine,
)
from utilitysched.kernels.machine.placement import CONSERVATIVE, VECTOR_PLACEMENTS
from utilitysched.kernels.machine.usage import UsageState
from utilitysched.kernels.progress import PASSES as OF_POOL
from utilitysched.kernels.progress import Progress
from utilitysched.model.arrivals import Arrivals
from utilitysched.model.forecast import RuntimeHistory
from utilitysched.model.machine import (
    SUBMITTED_JOBS,
    HeldBack,
    LimitTable,
    MachineTable,
    PoolTable,
)
from utilitysched.model.schedule import SimulationOutcome
from utilitysched.model.state import Floats, Integers, JobTable
from utilitysched.schedulers.list_scheduler import ListScheduler
from utilitysched.schedulers.orders import Order
from utilitysched.schedulers.pools import dominant_sizes, ranked_by_share
from utilitysched.schedulers.usage_orders import UsageOrder

INSTANTS_PER_REPORT = 20_000
_ROWS = 1024
"""Steps of a profile for which there is room at first."""


def run_on_machine(
    arrivals: Arrivals,
    scheduler: ListScheduler,
    table: MachineTable,
    on_progress: Callable[[float], None] | None = None,
) -> SimulationOutcome:
    """Simulate all jobs on a machine, as `MachineSimulation` does.

    Parameters
    ----------
    arrivals : Arrivals
        The jobs.
    scheduler : ListScheduler
        Ordering and placement, prepared; the placement is one of `VECTOR_PLACEMENTS`.
    table : MachineTable
        The machine.
    on_progress : callable, optional
        Called now and then with the share of jobs submitted so far.
    """
    jobs, pools = len(arrivals.run), len(table.pools.capacity)
    known = ranked_by_share(arrivals.known, table.pools)
    policy = scheduler.policy(known, once=False)
    for order, ranking in scheduler.usage_rankings(policy):
        order.settle(ranking.parameters, table.shares)
    policy = policy._replace(learns=policy.learns and scheduler.rule.learns)
    rules = MachineRules(
        arrivals.run,
        known,
        table,
        np.array(instants(table.windows)),
        _fixed(scheduler.order, known, table.pools),
        VECTOR_PLACEMENTS.index(scheduler.placement.name),
        scheduler.waits_for_events and not is_bounded(table),
        np.array([isinstance(each, UsageOrder) for each in (scheduler.order, scheduler.backfill)]),
    )
    histories = _histories(int(known.user.max(initial=0)) + 1, pools)
    forecast = scheduler.rule.blank(jobs)
    if not policy.learns:
        nothing = RuntimeHistory.blank(len(histories.completed[0]))
        fill(np.arange(jobs), known, nothing, scheduler.rule.codes, forecast)
    progress = _blank(arrivals, table, keeps=rules.code == CONSERVATIVE)
    if scheduler.reads_usage:
        progress = progress._replace(usage=UsageState.blank(len(table.shares.parent)))
    while not advance_machine(rules, policy, forecast, histories, progress, INSTANTS_PER_REPORT):
        if progress.counts[FULL]:
            progress = _with_more_room(progress)
        elif on_progress:
            on_progress(progress.counts[ARRIVED] / jobs)
    _refuse_for_ever(arrivals, progress)
    held = progress.held if is_bounded(table) else None
    passes = int(progress.counts[PASSES])
    return SimulationOutcome(progress.start, progress.end, progress.backfilled, passes, held=held)


def run_easy_on_pool(
    arrivals: Arrivals,
    scheduler: ListScheduler,
    demand: Integers,
    capacity: Integers,
    on_progress: Callable[[float], None] | None = None,
) -> SimulationOutcome:
    """Simulate the jobs of a pool of several resources under plain EASY.

    Parameters
    ----------
    arrivals : Arrivals
        The jobs.
    scheduler : ListScheduler
        One of which `is_plain_easy` holds, prepared.
    demand : (n, r) int64
        Amounts that jobs need, processors first.
    capacity : (r,) int64
        Amounts that there are.
    on_progress : callable, optional
        Called now and then with the share of jobs submitted so far.
    """
    known, jobs = arrivals.known, len(arrivals.run)
    sizes = dominant_sizes(demand, capacity)
    rank = ranks(scheduler.order.fixed_scores(known._replace(size=sizes)))
    progress, free = Progress.blank(jobs, known.machine_size), capacity.copy()
    columns = arrivals.run, known.submit, known.request, demand, rank, progress, free
    while not advance_easy_pool(*columns, INSTANTS_PER_REPORT):
        if on_progress:
            on_progress(progress.counts[ARRIVED] / jobs)
    passes = int(progress.counts[OF_POOL])
    return SimulationOutcome(progress.start, progress.end, progress.backfilled, passes)


def _refuse_for_ever(arrivals: Arrivals, progress: MachineProgress) -> None:
    """Refuse jobs that still wait and that nothing will ever let start."""
    for what, name in ((LIMIT, "a limit"), (WINDOW, "a window to end")):
        barred = np.flatnonzero(np.isnan(progress.start) & (progress.waits_for == what))
        if len(barred):
            refuse_for_ever(arrivals.job_id[barred[0]], name)


def is_bounded(table: MachineTable) -> bool:
    """Whether there are limits or windows."""
    return len(table.limits.most) > 0 or len(table.windows.begin) > 0


def _fixed(order: Order, known: JobTable, pools: PoolTable) -> Floats:
    """Return the scores that never change, if the ordering has such."""
    if order.ordering.dynamic:
        return np.empty(0)
    fixed = np.empty(len(known.submit))
    for pool, processors in enumerate(pools.capacity[:, 0].tolist()):
        mine = np.flatnonzero(pools.pool == pool)
        fixed[mine] = order.fixed_scores(known.of(mine)._replace(machine_size=processors))
    return fixed


def _histories(users: int, pools: int) -> RuntimeHistory:
    """Return blank memories of all pools as one, of which arrays have one dimension more."""
    blank = RuntimeHistory.blank(users)
    return RuntimeHistory._make(np.repeat(column[None], pools, axis=0) for column in blank)


def _admitted(limits: LimitTable) -> NDArray[np.bool_]:
    """Return the jobs that no limit on submitted jobs concerns."""
    counts = limits.measure[limits.counter] == SUBMITTED_JOBS
    admitted: NDArray[np.bool_] = ~(counts & (limits.counter >= 0)).any(axis=1)
    return admitted


def _blank(arrivals: Arrivals, table: MachineTable, *, keeps: bool) -> MachineProgress:
    """Return the state before the first event; `keeps` says whether profiles are kept."""
    jobs, (pools, resources) = len(arrivals.run), table.pools.capacity.shape
    windows = len(table.windows.begin)
    per_pool = np.bincount(table.pools.pool, minlength=pools)
    columns = resources * (1 + _most_windows(table)) if keeps else 1
    rows = _ROWS if keeps else 1
    room = np.zeros((pools, rows, columns), np.int64)
    room[:, 0, :resources] = table.pools.capacity if keeps else 0
    whole, times = np.empty((5, jobs), np.int64), np.empty((2, jobs))
    return MachineProgress(
        start=np.full(jobs, np.nan),
        end=np.full(jobs, np.nan),
        backfilled=np.zeros(jobs, np.bool_),
        held=HeldBack(np.zeros(jobs), np.zeros(jobs)),
        waits_for=np.zeros(jobs, np.int64),
        admitted=_admitted(table.limits),
        waiting=whole[0],
        used=np.zeros(len(table.limits.most), np.int64),
        usage=UsageState.blank(0),
        started=np.zeros(jobs, np.bool_),
        first=np.cumsum(per_pool) - per_pool,
        queue=whole[1],
        ends=times[0],
        ending=whole[2],
        release_end=times[1],
        release_job=whole[3],
        ended=whole[4],
        ended_count=np.zeros(pools, np.int64),
        lengths=np.zeros((pools, 2), np.int64),
        free=table.pools.capacity.copy(),
        wake_up=np.full(pools, np.inf),
        shows=np.zeros((pools, windows), np.bool_),
        reserved=np.full(jobs, np.inf),
        time=np.full((pools, rows), -np.inf),
        room=room,
        steps=np.ones((pools, 1), np.int64),
        last=np.full(1, -np.inf),
        counts=np.zeros(4, np.int64),
    )


def _most_windows(table: MachineTable) -> int:
    """Return how many windows a pool has at most."""
    return int(np.bincount(table.windows.pool).max(initial=0))


def _with_more_room(progress: MachineProgress) -> MachineProgress:
    """Return the same state with room for twice as many steps."""
    time, room = progress.time, progress.room
    return progress._replace(
        time=np.concatenate([time, np.empty_like(time)], axis=1),
        room=np.concatenate([room, np.empty_like(room)], axis=1),
    )
