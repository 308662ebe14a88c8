"""Machines of pools against one pool of processors, on the same jobs."""

from collections.abc import Callable, Iterator
from functools import partial

import numpy as np

from benchmarks.logs import BLUE, KTH, SP2, log, short
from benchmarks.row import Row
from benchmarks.timing import race
from swfx import Workload
from tests.machines import no_limits, no_shares, no_windows, whole_machine
from utilitysched import make_scheduler
from utilitysched.engine.loops import play, table_of
from utilitysched.engine.machine.compiled import run_on_machine
from utilitysched.engine.machine.play import play_on_machine
from utilitysched.model.arrivals import Arrivals
from utilitysched.model.machine import MachineTable, PoolTable
from utilitysched.model.schedule import SimulationOutcome
from utilitysched.model.scheduler import Scheduler, Setting
from utilitysched.model.state import Floats, Integers

TARGETS = {"one pool": 1.02, "two pools": 1.3, "three resources": 2.0}
ROUNDS = 9
DYNAMIC = "wfp3"
BY_USAGE = ("fairshare", "multifactor:age=1000,fairshare=2000")


def measure() -> Iterator[Row]:
    """Compare loops on each log, of which the jobs are left out that no half machine has room for.

    Halves of a machine are pools to which jobs go by turns. Of three resources, the other two bind
    now and then. EASY in order of arrival has loops of its own; an order that changes has not, nor
    has one that goes by usage.
    """
    for name in (KTH, SP2, BLUE):
        arrivals = Arrivals.of(_narrow(log(name)))
        for what, table in _machines(arrivals).items():
            yield from _easy(f"{what} on {short(name)}", arrivals, table, TARGETS[what])
            yield _dynamic(f"{what} on {short(name)}", arrivals, table)
    jobs = log(KTH)
    for order in BY_USAGE:
        arrivals, scheduler = Arrivals.of(jobs), make_scheduler(order)
        whole = table_of(None, scheduler, arrivals, jobs)
        raced = race({order: _action(arrivals, partial(play, table=whole), order)})
        yield Row(f"{order} on {short(KTH)}", raced.median(order) * 1e3, "ms")


def _dynamic(what: str, arrivals: Arrivals, table: MachineTable) -> Row:
    raced = race(
        {
            "today": _action(arrivals, play, DYNAMIC),
            "together": _action(arrivals, partial(run_on_machine, table=table), DYNAMIC),
        },
        ROUNDS,
    )
    note = f"{raced.median('today') * 1e3:.1f} ms with one pool of processors"
    return Row(f"{DYNAMIC}, {what}", raced.ratio("together", "today"), "x", note=note)


def _easy(what: str, arrivals: Arrivals, table: MachineTable, target: float) -> Iterator[Row]:
    one_pool = table.pools.capacity.shape == (1, 1)
    chosen = partial(play, table=table) if one_pool else partial(play_on_machine, table=table)
    raced = race(
        {
            "today": _action(arrivals, play),
            "chosen": _action(arrivals, chosen),
            "together": _action(arrivals, partial(run_on_machine, table=table)),
        },
        ROUNDS,
    )
    if not np.array_equal(raced.results["chosen"], raced.results["together"]):
        raise RuntimeError(f"{what}: loops that differ")
    note = f"{raced.median('today') * 1e3:.1f} ms with one pool of processors"
    yield Row(what, raced.ratio("chosen", "today"), "x", target, note=note)
    note = "the loop that knows limits and windows"
    yield Row(f"{what}, one loop", raced.ratio("together", "today"), "x", note=note)


def _action(
    arrivals: Arrivals,
    loop: Callable[[Arrivals, Scheduler], SimulationOutcome],
    name: str = "easy",
) -> Callable[[], Floats]:
    """Return what plays all jobs by a loop, and returns their starts."""
    scheduler = make_scheduler(name)

    def run() -> Floats:
        scheduler.prepare(Setting(arrivals.known.machine_size, arrivals.longest_request, 0))
        return loop(arrivals, scheduler).start

    return run


def _narrow(jobs: Workload) -> Workload:
    assert jobs.machine_size is not None
    return jobs[jobs.size <= jobs.machine_size // 2]


def _machines(arrivals: Arrivals) -> dict[str, MachineTable]:
    size, processors = arrivals.known.size, arrivals.known.machine_size
    half = processors // 2
    turns = np.arange(len(size)) % 2
    pools = PoolTable(turns, size[:, None].copy(), np.array([[half], [processors - half]]))
    return {
        "one pool": whole_machine(arrivals),
        "two pools": _table(pools),
        "three resources": _table(_three_resources(size, processors)),
    }


def _three_resources(size: Integers, processors: int) -> PoolTable:
    """Draw for each job memory by the processor, and for every fifth licences."""
    rng = np.random.default_rng(41)
    memory = size * rng.choice([1, 2, 4], len(size), p=[0.6, 0.3, 0.1])
    licences = np.where(rng.random(len(size)) < 0.2, rng.integers(1, 9, len(size)), 0)
    demand = np.stack([size, memory, licences], axis=1)
    capacity = [[processors, 2 * processors, 32]]
    return PoolTable(np.zeros(len(size), np.int64), demand, np.array(capacity))


def _table(pools: PoolTable) -> MachineTable:
    jobs, resources = pools.demand.shape
    return MachineTable(pools, no_limits(jobs), no_windows(jobs, resources), no_shares(jobs))
