"""Schedules on machines of all combinations keep the rules, by whatever loop they are played."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from tests.machine_cases import MachineCase, drawn_case
from tests.preempting import random_rules
from tests.scale import enough, many
from tests.test_differential import PLACEMENTS, STATIC, drawn
from utilitysched import Schedule, make_scheduler, simulate
from utilitysched.analysis.feasibility import violations
from utilitysched.engine.machine.simulation import MachineSimulation
from utilitysched.model.arrivals import Arrivals
from utilitysched.model.machine_table import machine_table
from utilitysched.schedulers.orderings import orderings

CASES = 1000
"""Ten thousand with ``make test-long``, two hundred with ``make test``."""

ORDERINGS = [*orderings()]
USAGE = [name for name in ORDERINGS if orderings()[name].reads_usage]
OTHERS = ("ga:generations=2,population=4", "climb", "select", "priority-preempt")


def assert_kept(case: MachineCase, schedule: Schedule, text: str) -> None:
    """Refuse a schedule that breaks a rule of its machine."""
    broken = violations(case.machine, case.workload, schedule)

    assert broken == [], f"{text}: {broken[:3]}\n{case.machine}\n{case.workload.to_frame()}"


def list_text(rng: Random) -> str:
    """Draw a list scheduler."""
    ordering, placement = rng.choice(ORDERINGS), rng.choice(PLACEMENTS)
    if placement == "conservative" and ordering not in STATIC:
        placement = "replan"
    if ordering in USAGE:
        name = {"limits": "easy", "reservations": "easy", "replan": "conservative,replan=true"}
        return f"{ordering}:placement={name.get(placement, placement)}"
    return drawn(rng, ordering, placement, reserves=False).text


def readable(case: MachineCase, text: str) -> MachineSimulation:
    """Play a list scheduler in the readable loop."""
    arrivals = Arrivals.of(case.workload, case.machine.processors)
    table = machine_table(case.machine, case.workload, arrivals.order)
    scheduler = make_scheduler(text)
    loop = MachineSimulation(arrivals, scheduler, table)
    loop.finish()
    return loop


@pytest.mark.parametrize("seed", range(10))
def test_list_schedulers_keep_the_rules_in_both_loops(seed: int) -> None:
    rng = Random(f"lists {seed}")

    for _ in range(many(CASES // 20)):
        case, text = drawn_case(rng), list_text(rng)
        schedule = simulate(case.workload, text, machine=case.machine)
        assert_kept(case, schedule, text)
        loop = readable(case, text)
        order = loop.arrivals.order
        assert loop.start.tolist() == schedule.start[order].tolist(), text
        assert loop.end.tolist() == schedule.end[order].tolist(), text


def conditions(rng: Random, case: MachineCase) -> dict[str, object]:
    """Draw what can happen to jobs besides."""
    given: dict[str, object] = {}
    if rng.random() < 0.5:
        nodes = case.machine.processors
        given["failures"] = f"nodes={nodes},mtbf={rng.choice([500, 2000])},repair=5,seed=1"
    if rng.random() < 0.3:
        given["preemption"] = random_rules(rng)
    return given


@pytest.mark.parametrize("seed", range(10))
def test_all_schedulers_keep_the_rules_whatever_happens(seed: int) -> None:
    rng, met = Random(f"all {seed}"), Counter[str]()

    for _ in range(many(CASES // 20)):
        depends = rng.random() < 0.4
        case = drawn_case(rng, depends=depends, requeues=rng.random() < 0.4)
        text = rng.choice(OTHERS) if rng.random() < 0.5 else list_text(rng)
        given = conditions(rng, case)
        schedule = simulate(
            case.workload, text, machine=case.machine, dependencies=depends, **given
        )
        assert_kept(case, schedule, f"{text} {given}")
        met["stopped"] += schedule.segments is not None
        met["held"] += schedule.held is not None and bool(schedule.held.limit.any())

    assert met["stopped"] >= enough(15)
    assert met["held"] >= enough(5)
