"""The compiled loop equals the loop for schedulers that decide in Python, whatever is asked for."""

from __future__ import annotations

from dataclasses import fields
from random import Random
from typing import Any, NamedTuple

import numpy as np
import pytest

from checkpoint.failures import Outages
from swfx import Workload
from tests.checked import linked
from tests.preempting import failing_case, random_case
from tests.queues import Machine
from tests.reference.orderings import ORDERINGS
from tests.scale import many
from tests.test_differential import PLACEMENTS, STATIC, drawn
from utilitysched import Schedule, make_scheduler, simulate
from utilitysched.engine.conditions import Failures
from utilitysched.model.segments import Stop
from utilitysched.schedulers.list_scheduler import ListScheduler

CASES = many(150)


class AskedEveryTime(ListScheduler):
    """A list scheduler that no compiled loop knows."""


def asked_every_time(text: str) -> AskedEveryTime:
    chosen = make_scheduler(text)
    assert isinstance(chosen, ListScheduler)
    options = {field.name: getattr(chosen, field.name) for field in fields(chosen) if field.init}
    return AskedEveryTime(**options)


class Simulated(NamedTuple):
    """A random workload, a list scheduler, and what else is asked for."""

    workload: Workload
    text: str
    options: dict[str, Any]


def simulated(seed: int) -> Simulated:
    rng = Random(f"compiled {seed}")
    fails, depends, stops = (rng.random() < share for share in (0.6, 0.7, 0.5))
    most = rng.choice([6, 14, 40])
    case = failing_case(rng, most) if fails else random_case(rng, most)
    workload = linked(rng, Machine(*case[:2])).workload if depends else case.workload
    placement = PLACEMENTS[seed % len(PLACEMENTS)]
    ordering = rng.choice(STATIC if placement == "conservative" else tuple(ORDERINGS))
    options: dict[str, Any] = {"machine_size": case.processors, "dependencies": depends}
    if stops:
        options["preemption"] = case.rules
    if fails:
        options["failures"] = failures(rng, case.processors, case.drawn_outages())
    return Simulated(workload, drawn(rng, ordering, placement).text, options)


def failures(rng: Random, processors: int, outages: Any) -> Any:
    """Outages, or nodes that fail at random."""
    if rng.random() < 0.5:
        return outages
    text = f"nodes={processors},mtbf={rng.choice([600, 6000])},repair=20"
    return Failures.from_text(text, seed=rng.randint(0, 9))


def assert_equal(compiled: Schedule, asked: Schedule) -> None:
    assert compiled == asked
    assert compiled.passes == asked.passes
    assert compiled.segments == asked.segments
    assert compiled.provenance == asked.provenance


@pytest.mark.parametrize("seed", range(CASES))
def test_all_that_can_be_asked_for(seed: int) -> None:
    workload, text, options = simulated(seed)

    compiled = simulate(workload, text, **options)

    assert_equal(compiled, simulate(workload, asked_every_time(text), **options))


def test_much_is_asked_for() -> None:
    found = [simulated(seed) for seed in range(CASES)]
    assert sum(each.options["dependencies"] and "failures" in each.options for each in found) > (
        CASES / 4
    )
    assert sum(isinstance(each.options.get("failures"), Failures) for each in found) > CASES / 6


@pytest.mark.parametrize("text", ["saf", "conservative"])
def test_room_is_made_for_many_restarts(text: str) -> None:
    jobs = Workload.from_columns(
        submit=np.arange(30), run=[40] * 30, requested_time=[90] * 30, processors=[2, 1] * 15,
        checkpoint_interval=[1] * 30, restart_overhead=[1] * 30,
    )  # fmt: skip
    options: dict[str, Any] = {
        "machine_size": 3, "failures": "nodes=3,mtbf=20,repair=5", "preemption": "overrun=run"
    }  # fmt: skip
    compiled = simulate(jobs, text, **options)

    assert_equal(compiled, simulate(jobs, asked_every_time(text), **options))
    assert compiled.segments is not None
    assert np.count_nonzero(compiled.segments.stop == Stop.FAILED) > 2 * len(jobs)


def test_what_is_learnt_is_the_useful_run_time_in_order_of_release() -> None:
    text = "value-density:duration=predicted,threshold=20"
    rng = Random("learnt")
    for _ in range(many(10)):
        case = failing_case(rng, most=60)
        machine = linked(rng, Machine(*case[:2]))
        workload = machine.workload.replace(user=np.arange(len(machine.workload)) % 3)
        options: dict[str, Any] = {
            "machine_size": case.processors, "dependencies": True,
            "failures": case.drawn_outages(), "preemption": case.rules,
        }  # fmt: skip
        compiled = simulate(workload, text, **options)

        assert_equal(compiled, simulate(workload, asked_every_time(text), **options))


def test_a_fixed_order_follows_what_is_left_of_a_request() -> None:
    # the long job has little left when it is stopped: it goes before the other
    jobs = Workload.from_columns(
        submit=[0, 1, 2], run=[100, 20, 60], requested_time=[100, 20, 60], processors=[2, 2, 2],
        checkpoint_interval=[10, -1, -1],
    )  # fmt: skip
    at_95 = Outages.union([(95.0, 96.0, 0, 1, 0)], ("node",))

    found = simulate(jobs, "spf", machine_size=2, failures=at_95, preemption="overhead=0")

    assert found.segments is not None
    assert found.segments.job.tolist() == [0, 0, 1, 2]
    assert found.end.tolist() == [106, 126, 186]
