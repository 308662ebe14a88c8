"""Simulations with dependencies equal their readable twin, and the compiled engine fed releases."""

from __future__ import annotations

from random import Random
from typing import NamedTuple

import numpy as np
import pytest

from swfx import MISSING, Workload
from swfx.dependencies import dependencies
from tests.queues import Machine, jobs_of, random_workload
from tests.reference.jobs import Schedule
from tests.reference.lists import ListTwin
from tests.reference.preemptive import After, Checkpoints, Rules
from tests.reference.preemptive import simulate as readable
from tests.test_differential import CORE, Twins, conservative_cases, drawn
from utilitysched import simulate

QUEUES_PER_CASE = 8


class Released(NamedTuple):
    """A schedule, and when each job was submitted (s), in the order of the log."""

    schedule: Schedule
    release: list[float]


def linked(rng: Random, machine: Machine) -> Machine:
    """Give most jobs a preceding job: earlier, later, itself, or none that is there."""
    workload = machine.workload
    jobs = len(workload)
    columns = workload.replace(
        preceding_job=np.array(
            [rng.randint(1, jobs + 1) if rng.random() < 0.7 else -1 for _ in range(jobs)]
        ),
        think_time=np.array([rng.choice([-1.0, 0.0, 1.0, 7.5, 30.0]) for _ in range(jobs)]),
    )
    return Machine(columns, machine.processors)


def after_of(workload: Workload) -> dict[int, After]:
    """Dependencies as the twin takes them, by numbers in arrival order."""
    found = dependencies(workload)
    order = np.argsort(workload.submit, kind="stable").tolist()
    number = {job: place for place, job in enumerate(order)}
    return {
        number[job]: After(number[int(found.predecessor[job])], float(found.think_time[job]))
        for job in order
        if found.predecessor[job] != MISSING
    }


def dependent(machine: Machine, text: str) -> Released:
    """Run the engine; its schedule in arrival order."""
    workload, processors = machine
    schedule = simulate(workload, text, machine_size=processors, dependencies=True)
    order = np.argsort(workload.submit, kind="stable")
    assert schedule.release is not None
    columns = (schedule.start, schedule.end, schedule.backfilled)
    start, end, backfilled = (column[order].tolist() for column in columns)
    release = schedule.release[order].tolist()
    return Released(Schedule(start, end, backfilled, schedule.passes), release)


def assert_twins_agree(machine: Machine, twins: Twins) -> None:
    """Compare whole schedules, naming what is needed to repeat a difference."""
    jobs, after = jobs_of(machine.workload), after_of(machine.workload)
    choose, saves = ListTwin(machine.processors, twins.readable).choose, Checkpoints(-1.0, 0.0)
    twin = readable(jobs, [saves] * len(jobs), machine.processors, choose, Rules(), after=after)
    schedule = Schedule(twin.start, twin.end, twin.backfilled, twin.passes)
    expected = Released(schedule, twin.release)
    assert dependent(machine, twins.text) == expected, (twins.text, machine.processors, jobs, after)


@pytest.mark.parametrize(("ordering", "placement"), conservative_cases())
def test_small_queues(ordering: str, placement: str) -> None:
    rng = Random(f"dependent {ordering} {placement}")

    for _ in range(QUEUES_PER_CASE):
        assert_twins_agree(linked(rng, random_workload(rng)), drawn(rng, ordering, placement))


@pytest.mark.parametrize("twins", CORE, ids=lambda twins: twins.text)
def test_long_queues(twins: Twins) -> None:
    rng = Random(f"dependent {twins.text}")

    for _ in range(4):
        assert_twins_agree(linked(rng, random_workload(rng, most=200)), twins)


def sorted_and_running(machine: Machine) -> Machine:
    """Return the jobs by submit time, each of at least one second."""
    workload = machine.workload[np.argsort(machine.workload.submit, kind="stable")]
    run = np.maximum(workload.run, 1.0)
    return Machine(workload.replace(run=run, requested_time=run), machine.processors)


@pytest.mark.parametrize("twins", CORE, ids=lambda twins: twins.text)
def test_the_compiled_engine_agrees_once_the_releases_are_the_submit_times(twins: Twins) -> None:
    # a job without run time releases others in a second pass at its instant, hence a second each
    rng = Random(f"released {twins.text}")

    for _ in range(20):
        workload, processors = linked(rng, sorted_and_running(random_workload(rng)))
        found = simulate(workload, twins.text, machine_size=processors, dependencies=True)
        again = simulate(
            workload.replace(submit=found.release), twins.text, machine_size=processors
        )

        assert (found.start == again.start).all()
        assert (found.end == again.end).all()


@pytest.mark.parametrize("twins", CORE, ids=lambda twins: twins.text)
def test_without_dependencies_in_the_log_nothing_changes(twins: Twins) -> None:
    rng = Random(f"none {twins.text}")
    workload, processors = random_workload(rng, most=60)

    with_none = simulate(workload, twins.text, machine_size=processors, dependencies=True)
    compiled = simulate(workload, twins.text, machine_size=processors)

    assert (with_none.start == compiled.start).all()
    assert (with_none.backfilled == compiled.backfilled).all()
    assert with_none.passes == compiled.passes
    assert (with_none.release == workload.submit).all()
