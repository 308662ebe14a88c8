"""The compiled loop of machines is that of the readable one, and of one pool that of today."""

from __future__ import annotations

from random import Random

import pytest

from tests.machines import (
    drawn_machine,
    drawn_pools,
    drawn_shares,
    no_limits,
    no_shares,
    no_windows,
    whole_machine,
)
from tests.queues import random_workload
from tests.scale import enough, many
from tests.test_differential import PLACEMENTS, STATIC, conservative_cases, drawn
from utilitysched import make_scheduler, simulate
from utilitysched.engine.machine.compiled import run_on_machine
from utilitysched.engine.machine.play import play_on_machine
from utilitysched.engine.machine.simulation import MachineSimulation
from utilitysched.model.arrivals import Arrivals
from utilitysched.model.machine import MachineTable
from utilitysched.model.schedule import SimulationOutcome
from utilitysched.model.scheduler import Setting
from utilitysched.schedulers.list_scheduler import ListScheduler

CASES = many(4)


def prepared(text: str, arrivals: Arrivals) -> ListScheduler:
    scheduler = make_scheduler(text)
    assert isinstance(scheduler, ListScheduler)
    scheduler.prepare(Setting(arrivals.known.machine_size, arrivals.longest_request, 0))
    return scheduler


def compiled(text: str, arrivals: Arrivals, table: MachineTable) -> SimulationOutcome:
    scheduler = prepared(text, arrivals)
    table = table._replace(shares=scheduler.shares(table.shares))
    return run_on_machine(arrivals, scheduler, table)


def readable(text: str, arrivals: Arrivals, table: MachineTable) -> SimulationOutcome:
    loop = MachineSimulation(arrivals, prepared(text, arrivals), table)
    loop.finish()
    return loop.outcome()


def assert_same(one: SimulationOutcome, other: SimulationOutcome, case: str) -> None:
    assert one.start.tolist() == other.start.tolist(), case
    assert one.end.tolist() == other.end.tolist(), case
    assert one.backfilled.tolist() == other.backfilled.tolist(), case
    if one.held is not None or other.held is not None:
        assert one.held is not None, case
        assert other.held is not None, case
        assert one.held.limit.tolist() == other.held.limit.tolist(), case
        assert one.held.window.tolist() == other.held.window.tolist(), case


@pytest.mark.parametrize(("ordering", "placement"), conservative_cases())
def test_one_pool_of_processors_is_scheduled_as_ever(ordering: str, placement: str) -> None:
    rng = Random(f"one pool {ordering} {placement}")

    for _ in range(CASES):
        workload, processors = random_workload(rng)
        text = drawn(rng, ordering, placement).text
        arrivals = Arrivals.of(workload, processors)
        schedule = simulate(workload, text, machine_size=processors)
        outcome = compiled(text, arrivals, whole_machine(arrivals))

        assert outcome.start.tolist() == schedule.start[arrivals.order].tolist(), text
        assert outcome.backfilled.tolist() == schedule.backfilled[arrivals.order].tolist(), text


@pytest.mark.parametrize(("ordering", "placement"), conservative_cases())
def test_a_machine_is_scheduled_as_by_the_readable_loop(ordering: str, placement: str) -> None:
    rng = Random(f"machine {ordering} {placement}")

    for number in range(CASES):
        workload, processors = random_workload(rng)
        text = drawn(rng, ordering, placement).text
        arrivals = Arrivals.of(workload, processors)
        table = drawn_machine(rng, arrivals)
        one, other = compiled(text, arrivals, table), readable(text, arrivals, table)

        assert_same(one, other, f"{number} {text}")


@pytest.mark.parametrize(
    "text",
    [
        "fairshare",
        "fairshare:by=value,recalc=7",
        "fairshare:by=value-density,placement=none",
        "multifactor:placement=conservative",
        "multifactor:value=700,duration=requested,reservations=2",
        "multifactor:recalc=4,half_life=20,favor_small=1,threshold=30",
        "spf:backfill=fairshare",
        "fairshare:backfill=multifactor,half_life=0",
    ],
)
def test_usage_is_that_of_the_readable_loop(text: str) -> None:
    rng, reordered = Random(text), 0

    for number in range(many(12)):
        arrivals = Arrivals.of(*random_workload(rng))
        table = drawn_machine(rng, arrivals)._replace(shares=drawn_shares(rng, arrivals))
        one, other = (play(text, arrivals, table) for play in (compiled, readable))

        assert_same(one, other, f"{number} {text}")
        first_come = compiled("easy", arrivals, table)
        reordered += one.start.tolist() != first_come.start.tolist()
    assert reordered >= enough(2)


@pytest.mark.parametrize("ordering", STATIC)
def test_pools_of_several_resources_are_played_one_by_one(ordering: str) -> None:
    rng = Random(f"easy {ordering}")

    for _ in range(CASES):
        arrivals = Arrivals.of(*random_workload(rng, most=60))
        pools = drawn_pools(rng, arrivals, rng.randint(1, 3), rng.randint(2, 3))
        jobs, resources = pools.demand.shape
        table = MachineTable(pools, no_limits(jobs), no_windows(jobs, resources), no_shares(jobs))
        scheduler = prepared(f"{ordering}:placement=easy", arrivals)
        assert scheduler.is_plain_easy

        apart = play_on_machine(arrivals, scheduler, table)

        assert_same(apart, compiled(scheduler.label, arrivals, table), ordering)


@pytest.mark.parametrize("placement", PLACEMENTS)
def test_pools_that_do_not_touch_are_played_one_by_one(placement: str) -> None:
    rng = Random(f"apart {placement}")

    for _ in range(CASES):
        arrivals = Arrivals.of(*random_workload(rng))
        text = drawn(rng, rng.choice(STATIC), placement).text
        pools = drawn_pools(rng, arrivals, rng.randint(2, 3), 1)
        jobs = len(arrivals.run)
        table = MachineTable(pools, no_limits(jobs), no_windows(jobs, 1), no_shares(jobs))
        apart = play_on_machine(arrivals, prepared(text, arrivals), table)

        assert_same(apart, compiled(text, arrivals, table), text)
