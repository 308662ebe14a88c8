"""Charges on machines of pools: replays and plans, pool by pool."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from pricing import charge
from swfx import Header, InputError, UtilityFunction, UtilityTable, Workload
from swfx.machine import Limit, Machine, Pool, PriorityWeights, Window
from utilitysched import Schedule, simulate
from utilitysched.counterfactual.charges import Counterfactuals

PIVOT, REPLAY = "vcg:method=pivot", "vcg:method=replay"
NAMES = Header(("User: 1 ann", "User: 2 bob", "Partition: 1 batch", "Partition: 2 gpu"))
TWO = Machine((Pool("batch", {"processors": 4}), Pool("gpu", {"processors": 8, "gpu": 2})))
FALLING = UtilityFunction([0, 100], [100, 0])


def log(**columns: Any) -> Workload:
    """Return jobs of 10 s whose value falls by one SU a second."""
    jobs = len(columns["submit"])
    usual = {"run": [10] * jobs, "requested_time": [10] * jobs, "user": range(1, jobs + 1)}
    curves = UtilityTable.from_functions([FALLING] * jobs)
    return Workload.from_columns(**usual | columns, header=NAMES, utility=curves)


def charges(jobs: Workload, schedule: Schedule, mechanism: str) -> list[float]:
    known = Counterfactuals.of(jobs, schedule)
    found = charge(jobs, schedule.start, schedule.end, mechanism, counterfactual=known)
    return found.charge.tolist()


@pytest.mark.parametrize("mechanism", [PIVOT, REPLAY])
@pytest.mark.parametrize("scheduler", ["easy", "index", "ga"])
def test_a_job_pays_for_whom_it_delays_in_its_own_pool(scheduler: str, mechanism: str) -> None:
    # the first job of each pool makes the second wait; pools do not compete
    jobs = log(
        submit=[0] * 4,
        partition=[1, 2, 1, 2],
        processors=[4, 1, 4, 1],
        **{"tres/gres/gpu": [0, 2, 0, 2]},
    )
    schedule = simulate(jobs, scheduler, machine=TWO)

    assert schedule.start.tolist() == [0, 0, 10, 10]
    assert charges(jobs, schedule, mechanism) == [10, 10, 0, 0]


def test_a_job_left_out_frees_room_in_a_limit() -> None:
    # the user may run one job at a time: the first holds back the second, on a machine that is free
    machine = Machine((Pool("all", {"processors": 8}),), limits=(Limit("user", {"jobs": 1}),))
    jobs = log(submit=[0, 1, 2], processors=[1, 1, 1], user=[1, 1, 2])
    schedule = simulate(jobs, "easy", machine=machine)

    assert schedule.start.tolist() == [0, 10, 2]
    assert charges(jobs, schedule, REPLAY) == [9, 0, 0]
    # plans are of jobs that no limit bars
    assert charges(jobs, schedule, PIVOT) == [0, 0, 0]


def test_a_job_left_out_frees_room_beside_a_window() -> None:
    # of four processors the window leaves two, from 5 s to 50 s
    window = Window("half", 5.0, 50.0, taken={"processors": 2})
    machine = Machine((Pool("all", {"processors": 4}),), windows=(window,))
    jobs = log(submit=[0, 0], processors=[2, 2])
    schedule = simulate(jobs, "easy", machine=machine)

    assert schedule.start.tolist() == [0, 10]
    assert charges(jobs, schedule, REPLAY) == charges(jobs, schedule, PIVOT) == [10, 0]


def test_a_machine_of_one_pool_is_charged_as_its_processors_are() -> None:
    rng = np.random.default_rng(3)
    jobs = log(
        submit=np.sort(rng.integers(0, 60, 20)),
        processors=rng.integers(1, 5, 20),
        partition=[1] * 20,
    )
    plain = simulate(jobs, "easy", machine_size=4)
    # nobody needs a GPU, but that there is one has the other loop play
    pooled = simulate(jobs, "easy", machine=Machine((Pool("batch", {"processors": 4, "gpu": 1}),)))

    assert pooled.start.tolist() == plain.start.tolist()
    for mechanism in (PIVOT, REPLAY):
        assert charges(jobs, pooled, mechanism) == charges(jobs, plain, mechanism)


def test_restarts_are_charged_pool_by_pool() -> None:
    jobs = log(submit=[0, 0, 1, 1], partition=[1, 2, 1, 2], processors=[4, 8, 4, 8])
    failures = "nodes=12,mtbf=100s,repair=5s,seed=4"
    schedule = simulate(jobs, "easy", machine=TWO, failures=failures)

    assert schedule.segments is not None
    for mechanism in (PIVOT, REPLAY):
        assert len(charges(jobs, schedule, mechanism)) == 4


def test_what_reservations_cost_is_refused_on_several_resources() -> None:
    jobs = log(submit=[0, 0], partition=[2, 2], processors=[8, 8])
    schedule = simulate(jobs, "conservative", machine=TWO)

    with pytest.raises(InputError, match="what reservations of conservative are worth"):
        charges(jobs, schedule, PIVOT)
    assert charges(jobs, schedule, REPLAY) == [10, 0]


def test_what_each_pool_learns_is_not_repeated() -> None:
    jobs = log(submit=[0, 0], partition=[1, 2], processors=[4, 8])
    schedule = simulate(jobs, "index:duration=predicted", machine=TWO)

    with pytest.raises(InputError, match="learns of each pool by itself"):
        charges(jobs, schedule, "first-price:reading=scheduler")
    assert charges(jobs, schedule, "first-price") == [90, 90]


FAIR = Machine((Pool("all", {"processors": 4}),), priority=PriorityWeights(age=0, fairshare=9))


@pytest.mark.parametrize(
    ("scheduler", "machine"), [("fairshare", None), ("fairshare", FAIR), ("multifactor", FAIR)]
)
def test_without_a_job_its_user_has_used_less(scheduler: str, machine: Machine | None) -> None:
    # ann's first job runs until 10 s, so that bob's, of 20 s, goes before her second: they end at
    # 30 and 40 s. Without it she has used nothing: hers goes first, and they end at 15 and 35 s;
    # had she used as much, they would end at 35 and 25 s
    jobs = log(submit=[0, 5, 5], run=[10, 10, 20], processors=[4] * 3, user=[1, 1, 2])
    jobs = jobs.replace(requested_time=[10, 10, 20], header=jobs.header.with_value("MaxProcs", 4))
    schedule = simulate(jobs, scheduler, machine=machine)

    assert schedule.start.tolist() == [0, 30, 10]
    assert charges(jobs, schedule, REPLAY) == [20, 0, 20]
    assert charges(jobs, schedule, PIVOT) == [0, 0, 20]
