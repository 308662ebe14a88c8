"""What lies bring on a machine of pools: against whole simulations, and by hand."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from swfx import Header, InputError, UtilityFunction, UtilityTable, Workload
from swfx.machine import Limit, Machine, Pool, PriorityWeights, Window
from tests.scale import enough, many
from tests.utilitysched.market.audit.markets import checkpointing, crowd, scenario_of
from tests.utilitysched.market.audit.test_trial import (
    BY_JOB,
    FEW,
    FOR_EVER,
    STOPPING,
    but,
    compared_with_whole_simulations,
    served,
)
from utilitysched.counterfactual.charges import Counterfactuals
from utilitysched.market.audit import AuditSubject, Design, audit
from utilitysched.market.audit.trial import Case

NAMES = Header(("Partition: 1 batch", "Partition: 2 gpu", "User: 1 ann"))
BOUNDED = Machine(
    (Pool("batch", {"processors": 8}), Pool("gpu", {"processors": 8, "gpu": 2})),
    limits=(Limit("user", {"jobs": 3}),),
    windows=(Window("maintenance", 100, 150, known=0),),
    priority=PriorityWeights(half_life=100),
)
REQUEUING = replace(BOUNDED, windows=(Window("maintenance", 100, 150, requeue=True),))


def pooled(jobs: Workload) -> Workload:
    """Put every third job on the pool with GPUs, of which it needs one or two."""
    place = np.arange(len(jobs))
    partition, gpus = np.where(place % 3 == 0, 2, 1), np.where(place % 3 == 0, 1 + place % 2, 0)
    return jobs.replace(header=NAMES, partition=partition, **{"tres/gres/gpu": gpus})


@pytest.mark.parametrize("scheduler", ["easy", "value-density", "conservative", "fairshare"])
def test_gains_are_those_of_whole_simulations(scheduler: str) -> None:
    changed = 0
    lies = (*FOR_EVER.lies, "accounts", "shill:request=2min")
    for seed in range(many(1)):
        scenario = scenario_of(pooled(crowd(seed)), scheduler, *BY_JOB, machine=BOUNDED)
        changed += compared_with_whole_simulations(scenario, replace(FOR_EVER, lies=lies), (3, 17))
    assert changed > enough(5)


def test_a_scheduler_that_reads_usage_needs_no_machine_file() -> None:
    scenario = scenario_of(crowd(2), "fairshare", *BY_JOB)

    design = replace(FOR_EVER, lies=("request", "accounts", "split"))
    assert compared_with_whole_simulations(scenario, design, (3, 17)) > 0


@pytest.mark.parametrize("asked", [{"scheduler": "easy", "machine": REQUEUING}, *STOPPING])
def test_where_jobs_are_stopped_gains_are_those_of_whole_simulations(asked: dict[str, Any]) -> None:
    changed, asked = 0, {"machine": BOUNDED} | asked
    for seed in range(many(1)):
        jobs = checkpointing(pooled(crowd(seed)), seed)
        scenario = scenario_of(jobs, asked["scheduler"], *BY_JOB, **but(asked))
        changed += compared_with_whole_simulations(scenario, FEW, (3, 17))
    assert changed > enough(1)


@pytest.mark.parametrize("scheduler", ["easy", "value-density", "ga:generations=2,population=4"])
def test_starts_cost_others_by_plans_what_they_do_in_whole_simulations(scheduler: str) -> None:
    alone = pooled(crowd(9, jobs=24, users=1)).replace(user=np.arange(24))
    scenario = scenario_of(alone, scheduler, "vcg", machine=replace(BOUNDED, limits=()))
    baseline, found = scenario.beginning(), 0
    for job in range(8, 18):
        baseline.advance(scenario.workload.submit.item(job))
        case = Case(scenario, baseline, job, math.inf)
        told = case.told(Design(lies=("request" if job % 2 else "delay",)).told[0])

        trajectory = case.lied(told, None, case.truth(None))

        schedule = served(told.workload, scenario)
        losses = Counterfactuals.of(told.workload, schedule).pivots().losses
        mine = losses.of(told.owner[losses.cause] == job)
        for known, column in zip(mine, trajectory.losses, strict=True):
            np.testing.assert_array_equal(known, column)
        found += len(mine.loss)
    assert found > 2


def test_replays_charge_what_the_others_lose_through_all_jobs_of_a_user() -> None:
    jobs = pooled(crowd(8))
    scenario = scenario_of(jobs, "value-density", "vcg:method=replay", machine=BOUNDED)
    own = jobs.user == jobs.user[0]
    case = Case(scenario, scenario.beginning(), 0, math.inf)

    account = case.account(case.truth(None)[0], None)

    alone = jobs[~own]
    without = alone.utility.evaluate(served(alone, scenario).turnaround(alone))
    value = jobs.utility.evaluate(served(jobs, scenario).turnaround(jobs))
    assert account.charge.item() == pytest.approx(math.fsum(without) - math.fsum(value[~own]))
    assert account.charge.item() != 0


def test_a_lie_brings_something_in_its_own_pool_only() -> None:
    # two jobs of 10 s come at 1 s to either pool, which is full until 10 s; the second of them is
    # worth less. With ten times the value it goes first: that is 10 s, at 1 SU a second
    falling, low = UtilityFunction([0, 100], [200, 0]), UtilityFunction([0, 100], [100, 0])
    jobs = Workload.from_columns(
        header=NAMES,
        submit=[0, 0, 1, 1, 1],
        run=[10] * 5,
        requested_time=[10] * 5,
        processors=[4, 4, 4, 4, 4],
        user=[1, 2, 3, 4, 5],
        partition=[1, 2, 1, 1, 2],
        utility=UtilityTable.from_functions([falling, falling, falling, low, low]),
    )
    pools = Machine((Pool("batch", {"processors": 4}), Pool("gpu", {"processors": 4})))
    subject = AuditSubject("value-density", ("single-price:rate=0",), machine=pools)
    design = Design(5, 1, ("scale:factor=10",), "recoupled")

    found = audit(jobs, subject, design)

    assert found.scored[:, 0, 0].tolist() == [0, 0, 0, 10, 0]


def test_what_each_pool_learns_is_not_repeated() -> None:
    mechanism = "first-price:reading=scheduler"

    with pytest.raises(InputError, match="learns of each pool by itself"):
        scenario_of(pooled(crowd(1)), "index:duration=predicted", mechanism, machine=BOUNDED)
