"""What holds for every schedule of every workload, whatever made it."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from swfx import Workload
from swfx.families.generators import UtilitySpec, attach_utilities
from tests.queues import Machine, Row, jobs_of, random_workload, workload_of, workloads
from tests.reference.certificate import broken_promises
from tests.reference.orderings import ORDERINGS
from tests.scale import many
from utilitysched import Decision, QueueState, Schedule, make_scheduler, scheduler_names, simulate
from utilitysched.model.scheduler import Setting

VARIANTS = [
    "easy:reservations=0",
    "easy:reservations=2,window=6",
    "saf:placement=none",
    "lpf:placement=conservative",
    "wfp3:placement=conservative",
    "saf:threshold=5,backfill=lqf",
    "conservative:replan=true",
    "mixed:size=1,wait=-1",
    "fcfs:placement=easy,depth=2",
]
CLASSIC = [*VARIANTS, *sorted({"easy", "conservative", *ORDERINGS})]
often = settings(max_examples=many(100), derandomize=True)


def scheduled(machine: Machine, scheduler: str) -> Schedule:
    return simulate(machine.workload, scheduler, machine_size=machine.processors)


def exact(workload: Workload) -> Workload:
    """Let every job use its request to the last second."""
    return workload.replace(run=workload.request, requested_time=workload.request)


@given(workloads(), st.sampled_from(["easy", "easy:reservations=1", "fcfs", "conservative"]))
@often
def test_the_head_is_never_delayed_past_its_shadow_time(machine: Machine, scheduler: str) -> None:
    jobs = jobs_of(machine.workload)
    order = np.argsort(machine.workload.submit, kind="stable")

    schedule = scheduled(machine, scheduler)

    start, end = schedule.start[order].tolist(), schedule.end[order].tolist()
    assert list(broken_promises(jobs, start, end, machine.processors)) == []


def reserved_start(machine: Machine, schedule: Schedule, job: int) -> float:
    """Return when conservative backfilling reserved a start for `job` as it arrived.

    That is when it starts if nobody arrives later and whoever had not ended by then uses the
    whole request, for then nothing ever moves.
    """
    workload = machine.workload
    arrival = workload.submit[job]
    ended = (schedule.end < arrival) | ((schedule.end == arrival) & (schedule.start < arrival))
    run = np.where(ended, workload.run, workload.request)
    known = np.arange(len(workload)) <= job
    reservation = scheduled(
        Machine(workload.replace(run=run)[known], machine.processors), "conservative"
    )
    return float(reservation.start[job])


@given(workloads())
@often
def test_conservative_reservations_are_never_broken(machine: Machine) -> None:
    workload = machine.workload
    machine = Machine(workload[np.argsort(workload.submit, kind="stable")], machine.processors)

    schedule = scheduled(machine, "conservative")

    # a request of no time at all reserves nothing
    for job in np.flatnonzero(workload.request > 0).tolist():
        assert schedule.start[job] <= reserved_start(machine, schedule, job)


def test_a_request_of_no_time_reserves_nothing() -> None:
    # job 1 could start at 9, but nothing keeps job 2 from running from 5 to 15
    rows = [Row(0, 9, 9, 1), Row(1, 0, 0, 3), Row(5, 10, 10, 2)]
    machine = Machine(workload_of(rows), 3)

    schedule = scheduled(machine, "conservative")

    assert reserved_start(machine, schedule, 1) == 9.0
    assert schedule.start.tolist() == [0.0, 15.0, 5.0]


def test_a_broken_promise_is_noticed() -> None:
    # job 3 has a reservation at 2; when jobs 0 and 1 end early, planning anew prefers job 2
    rows = [Row(0, 1, 2, 3), Row(0, 1, 20, 1), Row(0, 4, 4, 4), Row(0, 6, 6, 1)]
    machine = Machine(workload_of(rows), 4)

    schedule = scheduled(machine, "conservative:replan=true")

    reserved = [reserved_start(machine, schedule, job) for job in range(4)]
    assert reserved == [0.0, 0.0, 20.0, 2.0]
    assert schedule.start.tolist() == [0.0, 0.0, 1.0, 5.0]


@given(workloads())
@often
def test_planning_anew_changes_nothing_if_requests_are_exact(machine: Machine) -> None:
    exactly = Machine(exact(machine.workload), machine.processors)

    kept = scheduled(exactly, "conservative")
    anew = scheduled(exactly, "conservative:replan=true")

    assert kept.start.tolist() == anew.start.tolist()


class Stepwise:
    """A built-in scheduler that the engine takes for a stranger, so it asks at every pass."""

    def __init__(self, text: str) -> None:
        self.inner = make_scheduler(text)
        self.label = text

    def prepare(self, setting: Setting) -> None:
        self.inner.prepare(setting)

    def decide(self, state: QueueState) -> Decision:
        return self.inner.decide(state)


@given(workloads(), st.sampled_from(CLASSIC), st.integers(0, 3))
@often
def test_deciding_in_python_gives_the_compiled_schedule(
    machine: Machine, scheduler: str, seed: int
) -> None:
    workload = with_utilities(machine.workload, seed)

    compiled = simulate(workload, scheduler, machine_size=machine.processors)
    stepwise = simulate(workload, Stepwise(scheduler), machine_size=machine.processors)

    assert compiled.start.tolist() == stepwise.start.tolist()
    assert compiled.backfilled.tolist() == stepwise.backfilled.tolist()
    assert compiled.passes == stepwise.passes


LEARNING = [
    "value-density:duration=expected,occupancy=predicted",
    "conservative",
    "ga",
    "ga:duration=expected",
]


def long_queue(seed: int) -> Machine:
    """Up to 80 jobs with utility functions, many more than a scheduler first makes room for."""
    return random_workload(Random(f"memory {seed}"), most=80)


@pytest.mark.parametrize("scheduler", LEARNING[:2])
def test_memory_outlasts_the_room_first_made_for_it(scheduler: str) -> None:
    for seed in range(many(12)):
        workload, processors = long_queue(seed)

        compiled = simulate(workload, scheduler, machine_size=processors)
        stepwise = simulate(workload, Stepwise(scheduler), machine_size=processors)

        assert compiled.start.tolist() == stepwise.start.tolist()


@pytest.mark.parametrize("scheduler", LEARNING)
def test_a_scheduler_used_again_remembers_nothing(scheduler: str) -> None:
    used = Stepwise(scheduler)
    for seed in range(many(12)):
        workload, processors = long_queue(seed)

        again = simulate(workload, used, machine_size=processors)
        fresh = simulate(workload, Stepwise(scheduler), machine_size=processors)

        assert again.start.tolist() == fresh.start.tolist()


SEEDED = sorted(
    "multifactor:age=1,value=1" if name == "multifactor" else name
    for name in {*scheduler_names()} - {"recorded", "coscheduled"}
)
"""All that schedule a log without more; multifactor refuses to go by no factor at all."""


def with_utilities(workload: Workload, seed: int) -> Workload:
    return attach_utilities(workload, UtilitySpec(), seed, waits=np.full(len(workload), 20.0))


@pytest.mark.parametrize("scheduler", SEEDED)
@given(machine=workloads(most=6), seed=st.integers(0, 3))
@settings(max_examples=many(5), derandomize=True)
def test_the_same_seed_gives_the_same_bytes(machine: Machine, seed: int, scheduler: str) -> None:
    workload = with_utilities(machine.workload, seed)

    once, again = (
        simulate(workload, scheduler, machine_size=machine.processors, seed=seed) for _ in range(2)
    )

    assert once.start.tobytes() == again.start.tobytes()
    assert once.backfilled.tobytes() == again.backfilled.tobytes()
    assert (once.passes, once.provenance) == (again.passes, again.provenance)
