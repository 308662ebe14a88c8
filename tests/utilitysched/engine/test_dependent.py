"""Jobs submitted once another has ended, worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest

from swfx import InputError, UtilityFunction, UtilityTable, Workload
from swfx.dependencies import dependencies
from utilitysched import Decision, InfeasibleDecision, QueueState, Schedule, metrics, simulate
from utilitysched.engine import compiled
from utilitysched.engine.simulation import Simulation
from utilitysched.model.arrivals import Arrivals
from utilitysched.model.scheduler import Setting
from utilitysched.schedulers.registry import make_scheduler

MACHINE = 4


def workload(**columns: list[float]) -> Workload:
    """Job 2 follows the first after 3 s, job 3 at once, job 4 follows the second."""
    default: dict[str, object] = {
        "submit": [0, 1, 2, 30],
        "run": [10, 5, 5, 4],
        "processors": [4, 2, 4, 1],
        "preceding_job": [-1, 1, 1, 2],
        "think_time": [-1, 3, 0, 2],
    }
    return Workload.from_columns(**(default | columns))  # type: ignore[arg-type]


def dependent(jobs: Workload, scheduler: str = "easy") -> Schedule:
    return simulate(jobs, scheduler, machine_size=MACHINE, dependencies=True)


@pytest.mark.parametrize("scheduler", ["fcfs", "easy", "conservative", "saf", "ga"])
def test_four_jobs(scheduler: str) -> None:
    # 10: job 1 ends, job 3 starts; 13: job 2 queues until 15; its end + 2 is before 30
    schedule = dependent(workload(), scheduler)

    assert schedule.release is not None
    assert schedule.release.tolist() == [0, 13, 10, 30]
    assert schedule.start.tolist() == [0, 15, 10, 30]
    assert schedule.end.tolist() == [10, 20, 15, 34]
    assert schedule.passes == 7


def test_waits_and_turnarounds_count_from_the_release() -> None:
    jobs = workload()
    schedule = dependent(jobs)

    assert schedule.wait(jobs).tolist() == [0, 2, 0, 0]
    assert schedule.turnaround(jobs).tolist() == [10, 7, 5, 4]


def test_utilities_and_summaries_count_from_the_release() -> None:
    curve = UtilityFunction([0, 10], [100, 0])
    jobs = workload().replace(utility=UtilityTable.from_functions([None, curve, curve, None]))
    schedule = dependent(jobs)
    figures = metrics.summary(jobs, schedule)

    assert figures["aggregate_utility"] == 30 + 50
    assert figures["wait_mean"] == 0.5
    assert figures["makespan"] == 34


def test_an_ended_predecessor_does_not_bring_the_submit_time_forward() -> None:
    jobs = workload(submit=[0, 1, 2, 3], preceding_job=[-1, -1, -1, 1], processors=[1, 1, 1, 1])

    assert dependent(jobs).start.tolist() == [0, 1, 2, 12]
    assert dependent(jobs.replace(submit=[0, 1, 2, 50])).start.tolist() == [0, 1, 2, 50]


def test_released_together_is_arrival_order() -> None:
    # both are released at 12; the third comes first in the log
    jobs = workload(
        submit=[0, 5, 2, 40],
        preceding_job=[-1, 1, 1, -1],
        think_time=[-1, 2, 2, -1],
        processors=[4, 4, 4, 1],
    )

    assert dependent(jobs).start.tolist() == [0, 17, 12, 40]


def test_a_job_without_run_time_releases_others_at_its_instant() -> None:
    jobs = workload(run=[0, 5, 5, 4], requested_time=[9, 9, 9, 9], submit=[0, 0, 0, 0])

    assert dependent(jobs).release.tolist() == [0, 3, 0, 12]  # type: ignore[union-attr]


def test_cycles_end_and_are_told() -> None:
    schedule = dependent(workload(preceding_job=[2, 1, 2, 9]))

    assert schedule.start.tolist() == [0, 10, 15, 30]
    told = schedule.provenance["dependencies"]
    assert isinstance(told, dict)
    assert [(rule["rule"], rule["job_ids"]) for rule in told["rules"]] == [
        ("dangling", [4]),
        ("cycle", [1, 2]),
    ]


class Watching:
    """First come, first served, keeping what it was shown."""

    def __init__(self) -> None:
        self.seen: list[tuple[float, list[int], list[float]]] = []

    def decide(self, state: QueueState) -> Decision:
        self.seen.append((state.now, state.queued.tolist(), state.known.submit.tolist()))
        first = state.queued[:1]
        return Decision(first if state.known.size[first].sum() <= state.free else first[:0])


def test_a_scheduler_knows_no_job_before_its_release() -> None:
    watching = Watching()
    simulate(workload(), watching, machine_size=MACHINE, dependencies=True)

    assert watching.seen == [
        (0, [0], [0]),
        (10, [1], [0, 10]),
        (13, [2], [0, 10, 13]),
        (15, [2], [0, 10, 13]),
        (30, [3], [0, 10, 13, 30]),
    ]


class Idle:
    """Starts nothing."""

    def decide(self, _: QueueState) -> Decision:
        return Decision()


def test_jobs_never_released_are_never_started() -> None:
    with pytest.raises(InfeasibleDecision, match="4 jobs are never started, the first is job 1"):
        simulate(workload(), Idle(), machine_size=MACHINE, dependencies=True)


def test_impossible_decisions_name_the_job_that_was_released() -> None:
    class Again:
        """Starts everything, and what ended last once more."""

        def decide(self, state: QueueState) -> Decision:
            return Decision([*state.queued, *state.finished[-1:]])  # type: ignore[arg-type]

    jobs = Workload.from_columns(
        job_id=[7, 8, 9], submit=[0, 1, 2], run=[9] * 3, processors=[1] * 3,
        preceding_job=[-1, 9, -1],
    )  # fmt: skip
    with pytest.raises(InfeasibleDecision, match=r"at 11 s: job 9 \(index 1\) is not in the queue"):
        simulate(jobs, Again(), machine_size=MACHINE, dependencies=True)


def test_progress_reaches_all_jobs() -> None:
    chain = Workload.from_columns(
        run=[1] * 200, processors=[1] * 200, preceding_job=[-1, *range(1, 200)]
    )
    shares: list[float] = []
    simulate(chain, Watching(), machine_size=1, dependencies=True, on_progress=shares.append)

    assert shares == [0.5, 1.0]


def test_progress_of_the_compiled_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiled, "PASSES_PER_REPORT", 100)
    chain = Workload.from_columns(
        run=[1] * 250, processors=[1] * 250, preceding_job=[-1, *range(1, 250)]
    )
    shares: list[float] = []
    simulate(chain, "easy", machine_size=1, dependencies=True, on_progress=shares.append)

    assert shares == [0.4, 0.8]


def test_the_workload_is_checked_first() -> None:
    with pytest.raises(InputError, match="job 1 is wider than the machine"):
        simulate(workload(), machine_size=2, dependencies=True)


def test_without_asking_the_fields_mean_nothing() -> None:
    schedule = simulate(workload(), machine_size=MACHINE)

    assert schedule.release is None
    assert schedule.start.tolist() == [0, 10, 15, 30]
    assert "dependencies" not in schedule.provenance


def test_who_depends_on_a_job_that_never_comes_does_not_wait_for_it() -> None:
    jobs = workload(submit=[0, 1, 2, 30])
    arrivals = Arrivals.of(jobs, MACHINE)
    scheduler = make_scheduler("easy")
    scheduler.prepare(Setting(MACHINE, arrivals.longest_request, 0))
    simulation = Simulation(arrivals, scheduler, dependencies=dependencies(jobs))

    simulation.leave_out(0)
    simulation.finish()

    outcome = simulation.outcome()
    assert outcome.release is not None
    assert outcome.release.tolist() == [0, 1, 2, 30]
    assert outcome.start[1:].tolist() == [1, 6, 30]
    assert np.isnan(outcome.start[0])


def test_a_fork_releases_what_the_simulation_does() -> None:
    jobs = workload()
    arrivals = Arrivals.of(jobs, MACHINE)
    scheduler = make_scheduler("easy")
    scheduler.prepare(Setting(MACHINE, arrivals.longest_request, 0))
    simulation = Simulation(arrivals, scheduler, dependencies=dependencies(jobs))
    branches = []

    while simulation.step():
        branches.append(simulation.fork(scheduler))

    for branch in branches:
        branch.finish()
        assert branch.outcome().release is not None
        assert branch.outcome().release.tolist() == [0, 13, 10, 30]  # type: ignore[union-attr]
        assert branch.outcome().start.tolist() == [0, 15, 10, 30]


def test_users_are_numbered_as_their_jobs_come() -> None:
    # the last user's job comes first, and memories have no room for more users than jobs
    count = 20
    users: list[int] = []

    class Watching:
        def decide(self, state: QueueState) -> Decision:
            users[:] = state.known.user.tolist()
            return Decision(state.queued[: state.free])

    jobs = Workload.from_columns(
        submit=np.arange(count),
        run=np.ones(count),
        processors=np.ones(count),
        user=[*range(1, count), 0],
        preceding_job=[count] * (count - 1) + [-1],
        think_time=np.zeros(count),
    )
    simulate(jobs, Watching(), machine_size=1, dependencies=True)

    assert users == [*range(count)]
