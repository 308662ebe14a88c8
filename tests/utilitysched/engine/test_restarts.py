"""Preemptions worked out by hand, what is refused, and that no work comes from nowhere."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import deepcopy
from random import Random
from typing import Any

import numpy as np
import pytest

from checkpoint import PreemptionRules
from swfx import Workload
from tests.preempting import Preemptor, random_case
from tests.queues import random_workload
from tests.scale import many
from utilitysched import Decision, InfeasibleDecision, QueueState, Schedule, simulate
from utilitysched.engine.conditions import StopTerms
from utilitysched.engine.simulation import Simulation
from utilitysched.model.arrivals import Arrivals
from utilitysched.model.segments import Stop
from utilitysched.model.state import Integers

Plan = Mapping[float, tuple[Sequence[int], Sequence[int]]]
"""At each time (s), whom to preempt and whom to start."""


def indices(jobs: Sequence[int]) -> Integers:
    return np.array(jobs, dtype=np.int64)


class Planned:
    """Does what a plan says; remembers what it saw."""

    preempts = True

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.seen: dict[float, QueueState] = {}

    def decide(self, state: QueueState) -> Decision:
        self.seen[state.now] = deepcopy(state)  # its columns change with the simulation
        preemptions, starts = self.plan.get(state.now, ((), ()))
        later = [time for time in self.plan if time > state.now]
        return Decision(indices(starts), min(later, default=None), preempts=indices(preemptions))


def two_jobs(**columns: Any) -> Workload:
    """A job of 100 s that takes a checkpoint every 30 s, and one of 10 s; 4 processors each."""
    return Workload.from_columns(
        **{
            "submit": [0, 50],
            "run": [100, 10],
            "requested_time": [200, 20],
            "processors": [4, 4],
            "checkpoint_interval": [30, -1],
            "restart_overhead": [8, -1],
        }
        | columns
    )


PREEMPTED_AT_50 = {0.0: ((), [0]), 50.0: ([0], [1]), 60.0: ((), [0])}


def simulated(workload: Workload, scheduler: Any, preemption: str | None = None) -> Schedule:
    return simulate(workload, scheduler, machine_size=4, preemption=preemption)


def rows(schedule: Schedule) -> list[tuple[float, ...]]:
    found = schedule.segments
    assert found is not None
    names = ("job", "start", "end", "overhead", "kept", "lost", "stop", "cause")
    return list(zip(*(getattr(found, name).tolist() for name in names), strict=True))


def test_a_preemptioned_job_keeps_its_checkpoints_and_pays_for_its_restart() -> None:
    schedule = simulated(two_jobs(), Planned(PREEMPTED_AT_50))

    assert rows(schedule) == [
        (0, 0, 50, 0, 30, 20, Stop.PREEMPTED, 1),
        (1, 50, 60, 0, 10, 0, Stop.COMPLETED, -1),
        (0, 60, 138, 8, 70, 0, Stop.COMPLETED, -1),
    ]
    assert schedule.start.tolist() == [0, 50]
    assert schedule.end.tolist() == [138, 60]
    assert schedule.running_time.tolist() == [128, 10]
    assert schedule.used(two_jobs()).tolist() == [512, 40]
    assert schedule.queued(two_jobs()).tolist() == [10, 0]
    assert schedule.provenance["preemption"] == "default"


def test_schedulers_see_what_is_left_of_the_request() -> None:
    scheduler = Planned(PREEMPTED_AT_50 | {70.0: ((), ())})

    simulated(two_jobs(submit=[0, 50]), scheduler)

    at_50, at_60 = scheduler.seen[50.0], scheduler.seen[60.0]
    assert (at_50.known.request[0], at_50.expected_end.tolist()) == (200, [200])
    assert at_60.known.request[0] == 200 - 30 + 8
    assert at_60.queued.tolist() == [0]
    assert at_60.preemption is not None
    assert at_60.preemption.interval.tolist() == [30, -1]
    assert at_60.preemption.preemptions.tolist() == [1, 0]
    assert at_60.preemption.last_start.tolist() == [0, 50]


def test_once_ended_a_job_is_seen_as_if_nobody_had_preempted_it() -> None:
    scheduler = Planned(PREEMPTED_AT_50)

    simulated(
        two_jobs(
            submit=[0, 50, 200],
            run=[100, 10, 1],
            requested_time=[200, 20, 1],
            processors=[4, 4, 4],
            checkpoint_interval=[30, -1, -1],
            restart_overhead=[8, -1, -1],
        ),
        Starting(scheduler, 200),
    )

    state = scheduler.seen[200.0]
    assert (state.finished.tolist(), state.finished_run.tolist()) == ([0], [100])
    assert state.known.request[0] == 200


class Starting:
    """Does what another does, and from some time (s) on starts all that waits."""

    preempts = True

    def __init__(self, other: Planned, since: float) -> None:
        self.other = other
        self.since = since

    def decide(self, state: QueueState) -> Decision:
        decision = self.other.decide(state)
        return Decision(state.queued) if state.now >= self.since else decision


@pytest.mark.parametrize(
    ("rules", "end", "last"),
    [
        # overhead, kept; the job needs 100 s in all and asked for 110
        ("actual=2", 60 + 16 + 70, (16, 70)),
        ("actual=4", 60 + 88, (32, 56)),
        ("actual=4,overrun=run", 60 + 32 + 70, (32, 70)),
        ("actual=20", 60 + 88, (88, 0)),
        ("actual=0", 60 + 70, (0, 70)),
    ],
)
def test_restarts_may_take_longer_than_expected(
    rules: str, end: float, last: tuple[float, float]
) -> None:
    workload = two_jobs(requested_time=[110, 20])

    schedule = simulated(workload, Planned(PREEMPTED_AT_50), rules)

    assert schedule.end[0] == end
    assert rows(schedule)[-1][3:5] == last


def test_who_runs_past_its_limit_is_expected_to_end_at_any_moment() -> None:
    scheduler = Planned(PREEMPTED_AT_50 | {150.0: ((), [2])})
    workload = two_jobs(
        submit=[0, 50, 150],
        run=[100, 10, 5],
        requested_time=[110, 20, 5],
        processors=[3, 4, 1],
        checkpoint_interval=[30, -1, -1],
        restart_overhead=[8, -1, -1],
    )

    simulated(workload, scheduler, "actual=4,overrun=run")

    assert scheduler.seen[150.0].expected_end.tolist() == [np.nextafter(150, np.inf)]


@pytest.mark.parametrize(
    ("rules", "interval", "kept", "end"),
    [
        ("on_demand=5", 30, 50, 60 + 5 + 50),
        ("on_demand=2/processor", -1, 50, 60 + 8 + 50),
        ("scratch=true", -1, 0, 60 + 100),
        ("scratch=true,overhead=7", -1, 0, 60 + 7 + 100),
    ],
)
def test_jobs_without_checkpoints_of_their_own(
    rules: str, interval: float, kept: float, end: float
) -> None:
    workload = two_jobs(checkpoint_interval=[interval, -1], restart_overhead=[-1, -1])

    schedule = simulated(workload, Planned(PREEMPTED_AT_50), rules)

    assert rows(schedule)[0][4] == kept
    assert schedule.end[0] == end


def test_preempted_within_its_overhead_a_job_pays_it_again() -> None:
    plan: Plan = {
        0.0: ((), [0]),
        50.0: ([0], [1]),
        60.0: ((), [0]),
        63.0: ([0], [2]),
        64.0: ((), [0]),
    }
    workload = two_jobs(
        submit=[0, 50, 63],
        run=[100, 10, 1],
        requested_time=[200, 20, 1],
        processors=[4, 4, 4],
        checkpoint_interval=[30, -1, -1],
        restart_overhead=[8, -1, -1],
    )

    schedule = simulated(workload, Planned(plan))

    assert rows(schedule)[2] == (0, 60, 63, 3, 0, 0, Stop.PREEMPTED, 2)
    assert rows(schedule)[-1] == (0, 64, 142, 8, 70, 0, Stop.COMPLETED, -1)


@pytest.mark.parametrize(
    ("plan", "message"),
    [
        (
            {0.0: ((), [0]), 50.0: ([1], ())},
            "at 50 s: job 2 (index 1) cannot be preempted: it is not running",
        ),
        (
            {0.0: ((), [0]), 50.0: ([0, 0], ())},
            "at 50 s: job 1 (index 0) cannot be preempted: it is preempted already",
        ),
        (
            {0.0: ((), [0]), 50.0: ([0], [0])},
            "at 50 s: job 1 (index 0) cannot be preempted: it is to be started in the same pass",
        ),
        (
            {0.0: ((), [0]), 50.0: ([0], [1]), 55.0: ([1], [0])},
            "at 55 s: job 2 (index 1) cannot be preempted: it takes no checkpoints",
        ),
        ({0.0: ((), [0]), 50.0: ((), [1])}, "at 50 s: the starts need 4 processors, 0 are free"),
        (
            {0.0: ([7], [0])},
            "at 0 s: index 7, of no job that was submitted, cannot be preempted: it is not running",
        ),
    ],
)
def test_preemptions_that_cannot_be_done(plan: Plan, message: str) -> None:
    with pytest.raises(InfeasibleDecision) as error:
        simulated(two_jobs(), Planned(plan))

    assert str(error.value).startswith(message)


def test_without_preemption_a_preemption_is_refused() -> None:
    class Undeclared(Planned):
        preempts = False

    with pytest.raises(InfeasibleDecision) as error:
        simulated(two_jobs(), Undeclared(PREEMPTED_AT_50))

    assert str(error.value) == (
        "at 50 s: job 1 (index 0) cannot be preempted: this simulation has no preemption; "
        "give the scheduler preempts = True"
    )
    assert simulated(two_jobs(), Undeclared(PREEMPTED_AT_50), "default").end[0] == 138


def test_a_job_that_is_preempted_for_ever_is_named() -> None:
    plan: Plan = {0.0: ((), [0]), 50.0: ([0], [1])}

    with pytest.raises(
        InfeasibleDecision, match="1 jobs are never started again, the first is job 1:"
    ):
        simulated(two_jobs(), Planned(plan))


def test_a_preemptioned_job_keeps_others_waiting_that_depend_on_it() -> None:
    workload = two_jobs(
        submit=[0, 50, 0],
        run=[100, 10, 5],
        requested_time=[200, 20, 5],
        processors=[4, 4, 4],
        preceding_job=[-1, -1, 1],
        think_time=[-1, -1, 2],
        checkpoint_interval=[30, -1, -1],
        restart_overhead=[8, -1, -1],
    )
    # the job that is released last is known by the number 2, as if it had come last
    scheduler = Planned(PREEMPTED_AT_50 | {140.0: ((), [2])})

    schedule = simulate(workload, scheduler, machine_size=4, dependencies=True)

    assert rows(schedule) == [
        (0, 0, 50, 0, 30, 20, Stop.PREEMPTED, 1),
        (1, 50, 60, 0, 10, 0, Stop.COMPLETED, -1),
        (0, 60, 138, 8, 70, 0, Stop.COMPLETED, -1),
        (2, 140, 145, 0, 5, 0, Stop.COMPLETED, -1),
    ]
    assert schedule.release is not None
    assert schedule.release.tolist() == [0, 50, 140]


def test_a_job_may_be_preempted_as_it_starts() -> None:
    # job 1 takes no time: its end makes another pass at 0, in which job 0 is preempted for job 2
    workload = two_jobs(
        submit=[0, 0, 0],
        run=[100, 0, 5],
        requested_time=[200, 0, 5],
        processors=[3, 1, 4],
        checkpoint_interval=[30, -1, -1],
        restart_overhead=[8, -1, -1],
    )

    class AtOnce(Planned):
        def decide(self, state: QueueState) -> Decision:
            if state.now == 5:
                return Decision(indices([0]))
            if len(state.running):
                return Decision(indices([2]), preempts=indices([0]))
            return Decision(indices([0, 1]))

    schedule = simulated(workload, AtOnce({}))

    assert rows(schedule) == [
        (0, 0, 0, 0, 0, 0, Stop.PREEMPTED, 2),
        (1, 0, 0, 0, 0, 0, Stop.COMPLETED, -1),
        (2, 0, 5, 0, 5, 0, Stop.COMPLETED, -1),
        (0, 5, 113, 8, 100, 0, Stop.COMPLETED, -1),
    ]


@pytest.mark.parametrize(
    "scheduler",
    [
        "easy",
        "saf",
        "conservative",
        "wfp3:placement=none",
        "value-density",
        "ga:population=4,generations=3",
    ],
)
def test_where_nobody_preempts_nothing_changes(scheduler: str) -> None:
    for seed in range(many(8)):
        workload, processors = random_workload(Random(f"plain {seed}"))
        plain = simulate(workload, scheduler, machine_size=processors)

        schedule = simulate(workload, scheduler, machine_size=processors, preemption="scratch=true")

        assert schedule.start.tolist() == plain.start.tolist()
        assert schedule.end.tolist() == plain.end.tolist()
        assert schedule.backfilled.tolist() == plain.backfilled.tolist()
        assert schedule.passes == plain.passes
        found = schedule.segments
        assert found is not None
        once = np.lexsort((np.arange(len(workload)), plain.start))
        assert found.job.tolist() == once.tolist()
        assert found.start.tolist() == plain.start[once].tolist()
        assert found.kept.tolist() == workload.effective_run[once].tolist()


def test_a_fork_goes_on_by_itself() -> None:
    case = random_case(Random(17), most=40)
    rules = PreemptionRules(scratch=True)
    arrivals = Arrivals.of(case.workload, case.processors)
    terms = StopTerms.of(case.workload, arrivals.order, rules)
    preemptor = Preemptor(case._replace(rules=rules, eagerness=0.8), 3)
    whole = Simulation(arrivals, preemptor, terms=terms)
    whole.finish()
    stem = Simulation(arrivals, preemptor, terms=terms)
    branches = []

    while stem.step():
        branches.append(stem.fork(preemptor))
    for branch in branches:
        branch.finish()

    assert len(branches) == whole.passes
    expected = whole.outcome().segments
    assert np.count_nonzero(expected.stop == Stop.PREEMPTED)  # type: ignore[union-attr]
    for branch in branches:
        assert branch.outcome().segments == expected
        assert branch.end.tolist() == whole.end.tolist()
