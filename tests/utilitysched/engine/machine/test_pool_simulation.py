"""Simulations of machines of pools, worked out by hand."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from checkpoint.failures import Outages
from swfx import InputError, Workload
from swfx.dependencies import dependencies
from tests.machines import no_limits, no_shares, no_windows
from utilitysched import Decision, InfeasibleDecision, QueueState, make_scheduler
from utilitysched.engine.conditions import Failures, StopTerms
from utilitysched.engine.machine.play import play_on_machine
from utilitysched.engine.machine.simulation import MachineSimulation
from utilitysched.model.arrivals import Arrivals
from utilitysched.model.machine import (
    RUNNING_JOBS,
    SUBMITTED_JOBS,
    LimitTable,
    MachineTable,
    PoolTable,
    WindowTable,
)
from utilitysched.model.scheduler import Decider, Setting
from utilitysched.model.segments import Stop

NO_CHECKPOINTS = -1.0


class InOrder:
    """First come, first served by processors alone: who fits, whatever is ahead of it."""

    def __init__(self) -> None:
        self.seen: list[QueueState] = []

    def decide(self, state: QueueState) -> Decision:
        self.seen.append(state)
        need = np.cumsum(state.known.size[state.queued])
        return Decision(state.queued[need <= state.free])


def jobs(**columns: list[float]) -> Arrivals:
    """Jobs of 10 s, by default on one processor each."""
    count = len(columns["submit"])
    default: dict[str, list[float]] = {"run": [10.0] * count, "processors": [1.0] * count}
    return Arrivals.of(Workload.from_columns(**(default | columns)), 100)  # type: ignore[arg-type]


def pools(pool: list[int], capacity: list[list[int]], *more: list[int]) -> PoolTable:
    """Jobs of one processor in pools, with columns of what they need besides."""
    ones = np.ones(len(pool), np.int64)
    demand = np.stack([ones, *map(np.array, more)], axis=1)
    return PoolTable(np.array(pool), demand, np.array(capacity))


def machine(table: PoolTable, **parts: Any) -> MachineTable:
    """Return a machine of pools and nothing else but `parts`."""
    count, resources = table.demand.shape
    nothing = no_limits(count), no_windows(count, resources), no_shares(count)
    return MachineTable(table, *nothing)._replace(**parts)


def limits(measure: list[int], most: list[int], counter: list[list[int]]) -> LimitTable:
    return LimitTable(np.array(counter), np.array(measure), np.array(most))


def window(
    begin: float, end: float, taken: list[int], exempt: list[bool], **columns: Any
) -> WindowTable:
    """One window of the first pool, known always."""
    rows = WindowTable(
        np.array([0]),
        np.array([-math.inf]),
        np.array([begin]),
        np.array([end]),
        np.array([taken]),
        np.array([False]),
        np.array(exempt)[:, np.newaxis],
    )
    return rows._replace(**{name: np.array([value]) for name, value in columns.items()})


def played(
    arrivals: Arrivals, table: MachineTable, decider: Decider | None = None, **conditions: Any
) -> MachineSimulation:
    simulation = MachineSimulation(arrivals, decider or InOrder(), table, **conditions)
    simulation.finish()
    return simulation


def scratch(count: int) -> StopTerms:
    never = np.full(count, NO_CHECKPOINTS)
    return StopTerms(never, np.zeros(count), never, actual=1.0, kills=True)


def test_pools_do_not_compete_and_each_has_its_own_queue() -> None:
    simulation = played(
        jobs(submit=[0, 0, 1, 2]), machine(pools([0, 1, 1, 0], [[1], [2]])), InOrder()
    )

    assert simulation.start.tolist() == [0, 0, 1, 10]
    assert simulation.outcome().held is None


def test_a_scheduler_sees_its_pool_alone() -> None:
    watching = InOrder()
    table = machine(pools([1, 0, 1, 0], [[4], [7]]))
    played(jobs(submit=[0, 0, 1, 2], user=[9, 3, 3, 9]), table, watching)
    last = watching.seen[-1]  # the scheduler itself decides on the first pool

    assert last.known.submit.tolist() == [0, 2]
    assert last.known.user.tolist() == [0, 1]
    assert (last.known.machine_size, last.free) == (4, 3)
    assert last.pool is not None
    assert (last.pool.number, last.pool.free.tolist()) == (0, [3])


def test_each_pool_draws_for_a_seed_of_its_own() -> None:
    prepared = []

    class Prepared(InOrder):
        def prepare(self, setting: Setting) -> None:
            prepared.append(setting)

    played(jobs(submit=[0, 0]), machine(pools([0, 1], [[1], [2]])), Prepared(), seed=5)

    assert [(each.machine_size, each.seed) for each in prepared] == [(1, 5), (2, 6)]
    assert {each.longest_request for each in prepared} == {10.0}


def test_dependencies_hold_across_pools() -> None:
    arrivals = jobs(submit=[0, 0, 0, 1], preceding_job=[-1, 1, 2, -1], think_time=[-1, 3, 0, -1])
    assert arrivals.facts is not None
    links = dependencies(arrivals.facts.workload)
    simulation = played(arrivals, machine(pools([0, 1, 0, 1], [[1], [1]])), dependencies=links)
    outcome = simulation.outcome()

    assert outcome.start.tolist() == [0, 13, 23, 1]
    assert outcome.release is not None
    assert outcome.release.tolist() == [0, 13, 23, 1]


def test_limits_span_pools() -> None:
    counter = [[0], [0], [0], [-1]]
    table = machine(pools([0, 1, 1, 1], [[4], [4]]), limits=limits([RUNNING_JOBS], [2], counter))
    outcome = played(jobs(submit=[0, 0, 1, 2]), table).outcome()

    assert outcome.start.tolist() == [0, 0, 10, 2]
    assert outcome.held is not None
    assert outcome.held.limit.tolist() == [0, 0, 9, 0]


def test_who_is_not_admitted_waits_for_the_first_to_end() -> None:
    table = machine(pools([0, 0, 0], [[1]]), limits=limits([SUBMITTED_JOBS], [1], [[0], [0], [-1]]))
    outcome = played(jobs(submit=[0, 1, 2]), table).outcome()

    assert outcome.start.tolist() == [0, 10, 20]
    assert outcome.held is not None
    assert outcome.held.limit.tolist() == [0, 9, 0]


def test_a_job_holds_no_reservation_as_long_as_a_limit_bars_it() -> None:
    # 5: the second job starts, and the others lose what was reserved; 9: the third is first again
    arrivals = Arrivals.of(
        Workload.from_columns(
            submit=[0, 0, 0, 0],
            run=[5, 4, 8, 8],
            requested_time=[10, 8, 8, 8],
            processors=[4, 2, 2, 4],
        ),
        4,
    )
    table = PoolTable(np.zeros(4, np.int64), np.array([[4], [2], [2], [4]]), np.array([[4]]))
    limited = machine(table, limits=limits([RUNNING_JOBS], [1], [[0]] * 4))
    readable = played(arrivals, limited, make_scheduler("conservative"))
    compiled = play_on_machine(arrivals, make_scheduler("conservative"), limited)

    assert readable.start.tolist() == [0, 5, 9, 17]
    assert compiled.start.tolist() == [0, 5, 9, 17]


def test_a_machine_has_a_pass_for_each_instant_or_for_each_of_a_pool_played_by_itself() -> None:
    # all pools: 0, 3, 10, 13; one by one: 0, 10 and 0, 3, 10, 13
    arrivals, table = jobs(submit=[0, 0, 3]), machine(pools([0, 1, 1], [[1], [2]]))

    assert played(arrivals, table, make_scheduler("easy")).passes == 4
    assert play_on_machine(arrivals, make_scheduler("easy"), table).passes == 6


def test_who_knows_processors_alone_is_asked_again_without_who_lacks_a_gpu() -> None:
    watching = InOrder()
    table = machine(pools([0, 0, 0], [[2, 1]], [1, 1, 0]))
    outcome = played(jobs(submit=[0, 0, 0]), table, watching).outcome()

    assert outcome.start.tolist() == [0, 10, 0]
    assert [state.queued.tolist() for state in watching.seen[:2]] == [[0, 1, 2], [0, 2]]


def test_what_ended_is_told_once_however_often_a_scheduler_is_asked() -> None:
    watching = InOrder()
    table = machine(pools([0, 0, 0], [[3, 1]], [1, 1, 1]))
    played(jobs(submit=[0, 0, 0]), table, watching)
    told = [job for state in watching.seen for job in state.finished.tolist()]

    assert told == [0, 1]


def test_more_than_the_free_processors_is_refused() -> None:
    class Greedy:
        def decide(self, state: QueueState) -> Decision:
            return Decision(state.queued)

    with pytest.raises(InfeasibleDecision, match="the starts need 2 processors, 1 are free"):
        played(jobs(submit=[0, 0]), machine(pools([0, 0], [[1]])), Greedy())


def test_nobody_is_preempted_for_who_may_not_start() -> None:
    class Urgent:
        """The last job takes the place of the first, whatever else it needs."""

        def decide(self, state: QueueState) -> Decision:
            if state.queued[-1] == 1 and 0 in state.running:
                return Decision([1], preempts=[0])
            return Decision(state.queued[:1][state.known.size[state.queued[:1]] <= state.free])

    counter = [[-1], [0], [0]]
    bound = machine(pools([0, 1, 0], [[1], [1]]), limits=limits([RUNNING_JOBS], [1], counter))
    terms = StopTerms(np.zeros(3), np.zeros(3), np.zeros(3), actual=1.0, kills=True)
    arrivals = jobs(submit=[0, 0, 1])

    barred = played(arrivals, bound, Urgent(), terms=terms).outcome()
    free = played(arrivals, machine(bound.pools), Urgent(), terms=terms).outcome()

    assert barred.start.tolist() == [0, 0, 10]
    assert free.start.tolist() == [0, 0, 1]


@pytest.mark.parametrize(
    ("exempt", "start", "held"), [(False, [0, 20], [0, 19]), (True, [0, 1], [0, 0])]
)
def test_a_window_bars_who_would_run_into_it(
    exempt: bool, start: list[float], held: list[float]
) -> None:
    table = machine(pools([0, 0], [[2]]), windows=window(10, 20, [2], [False, exempt]))
    outcome = played(jobs(submit=[0, 1]), table).outcome()

    assert outcome.start.tolist() == start
    assert outcome.held is not None
    assert outcome.held.window.tolist() == held


def test_a_window_leaves_what_it_does_not_take() -> None:
    # 3 processors, of which a window takes 1: two jobs run into it, the third waits
    table = machine(pools([0, 0, 0], [[3]]), windows=window(5, 30, [1], [False] * 3))

    assert played(jobs(submit=[0, 0, 0]), table).start.tolist() == [0, 0, 10]


def test_jobs_that_run_when_a_window_becomes_known_run_on() -> None:
    table = machine(pools([0, 0], [[1]]), windows=window(5, 20, [1], [False] * 2, known=4.0))

    assert played(jobs(submit=[0, 1]), table).start.tolist() == [0, 20]


def test_a_window_stops_the_last_to_start_and_they_go_on_behind_it() -> None:
    windows = window(8, 20, [1], [False, False, True], known=8.0, requeue=True)
    table = machine(pools([0, 0, 0], [[3]]), windows=windows)
    simulation = played(jobs(submit=[0, 1, 2], run=[30, 30, 30]), table, terms=scratch(3))
    outcome = simulation.outcome()
    pieces = outcome.segments
    assert pieces is not None

    # two of those that are not exempt have what the window leaves
    assert outcome.end.tolist() == [30, 31, 32]
    narrower = table._replace(windows=windows._replace(taken=np.array([[2]])))
    outcome = played(jobs(submit=[0, 1, 2], run=[30, 30, 30]), narrower, terms=scratch(3)).outcome()
    pieces = outcome.segments
    assert pieces is not None
    assert outcome.end.tolist() == [30, 50, 32]
    assert outcome.start.tolist() == [0, 1, 2]
    stopped = pieces.stop == Stop.REQUEUED
    assert (pieces.job[stopped].tolist(), pieces.end[stopped].tolist()) == ([1], [8])
    assert pieces.lost[stopped].tolist() == [7]


def test_checkpoints_keep_work_of_who_is_stopped_by_a_window() -> None:
    terms = StopTerms(np.full(1, -1.0), np.zeros(1), np.full(1, 3.0), actual=1.0, kills=True)
    windows = window(8, 20, [1], [False], known=8.0, requeue=True)
    outcome = played(
        jobs(submit=[0], run=[30]), machine(pools([0], [[1]]), windows=windows), terms=terms
    ).outcome()

    assert outcome.end.tolist() == [20 + 30 - 6]


def test_outages_hit_the_pool_whose_processors_they_are() -> None:
    down = Outages.union([(5.0, 40.0, 1, 3, 0)], ("rack",))
    table = machine(pools([0, 1, 1, 1], [[2], [2]]))
    simulation = played(jobs(submit=[0, 0, 0, 1]), table, terms=scratch(4), failures=Failures(down))
    outcome = simulation.outcome()

    # processor 1 of the first pool is idle; of the second, processor 0 fails, 1 does not
    assert outcome.end.tolist() == [10, 20, 10, 30]
    assert outcome.segments is not None
    failed = outcome.segments.stop == Stop.FAILED
    assert outcome.segments.job[failed].tolist() == [1]
    assert outcome.outages == down


def test_nodes_fail_as_on_one_machine_whatever_its_pools() -> None:
    failures = Failures.from_text("nodes=6,mtbf=200,repair=20", seed=4)
    count = 40
    arrivals = jobs(submit=list(range(count)), run=[15.0] * count)
    table = machine(pools([job % 2 for job in range(count)], [[2], [4]]))
    outcome = played(arrivals, table, terms=scratch(count), failures=failures).outcome()
    assert outcome.outages is not None

    drawn = failures.between(0.0, float(outcome.end.max()))
    assert outcome.outages.rows() == drawn.rows()
    assert (outcome.end >= outcome.start + 15).all()
    assert outcome.segments is not None
    assert (outcome.segments.stop == Stop.FAILED).any()


@pytest.mark.parametrize(
    ("parts", "what"),
    [
        (
            {"limits": limits([0], [0], [[-1], [0]])},
            "a limit",
        ),
        (
            {"windows": window(5, math.inf, [1], [True, False])},
            "a window to end",
        ),
    ],
)
def test_who_can_never_start_is_told(parts: dict[str, Any], what: str) -> None:
    with pytest.raises(InputError) as error:
        played(jobs(submit=[0, 0]), machine(pools([0, 0], [[1]]), **parts))

    refusal = f"machine: job 2 waits for ever for {what}; change the machine, or drop the job"
    assert str(error.value) == refusal
