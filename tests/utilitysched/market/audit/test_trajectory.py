"""Trajectories served as a whole are those of the event loop, charges included."""

from __future__ import annotations

import numpy as np
import pytest

from swfx import UtilityFunction, UtilityTable, Workload
from tests.utilitysched.market.audit.markets import crowd, scenario_of
from utilitysched.market.audit.misreport import MISREPORTS
from utilitysched.market.audit.reported import tell
from utilitysched.market.audit.trajectory import Before, Branch, can_replay, replayed

LIES = ("scale", "cliff", "request:factor=0.5", "split", "delay:by=5")


@pytest.mark.parametrize(
    "scheduler",
    ["easy", "value-density", "value-density:duration=predicted", "fcfs:placement=none"],
)
@pytest.mark.parametrize("mechanism", ["vcg", "vcg:duration=expected", "vcg:settle=end"])
@pytest.mark.parametrize("at_once", [0, 4], ids=["", "some end at once"])
def test_a_replay_is_the_event_loop_gone_on_with(
    scheduler: str, mechanism: str, at_once: int
) -> None:
    crowded = crowd(3, 25, 5)
    run = np.where(np.arange(25) % 5 < at_once, 0, crowded.run)
    workload = crowded.replace(run=run)
    scenario = scenario_of(workload, scheduler, "first-price:reading=end", mechanism)
    jobs, job = scenario.workload, 8
    now, own = jobs.submit.item(job), scenario.owners == scenario.owners[job]
    fair = scenario.pivots.fair if scenario.pivots else 0.0
    baseline = scenario.beginning()
    baseline.advance(now)
    assert can_replay(scenario)

    for text in LIES:
        told = tell(jobs, {job: MISREPORTS.make(text)}, None)
        stepped = Branch(scenario, baseline, told, None).follow(np.inf)
        found = replayed(scenario, told, own, now)

        mine = own[told.owner]
        assert (found.start == stepped.start).all()
        assert (found.end == stepped.end).all()
        charge = stepped.charge(own, fair)
        assert found.charge(own, fair) == pytest.approx(charge)
        alone = Branch(scenario, baseline, told, None, jobs=own).follow(np.inf)
        assert (alone.charge(own, fair) == charge).all()
        assert not charge[~mine].any()
    before = Before.of(scenario, stepped.start, now)
    assert before == (baseline.queue, baseline.arrived)


@pytest.mark.parametrize(
    ("scheduler", "mechanism"),
    [
        ("easy", "vcg:method=replay"),
        ("easy", "vcg:reservations=true"),
        ("conservative", "vcg"),
        ("ga", "first-price:reading=end"),
        ("priority-preempt", "first-price:reading=end"),
    ],
)
def test_what_more_decides_or_is_charged_for_is_stepped_through(
    scheduler: str, mechanism: str
) -> None:
    assert not can_replay(scenario_of(crowd(3, 10, 3), scheduler, mechanism))


def test_under_two_names_jobs_that_displace_a_rival_together_pay_nothing() -> None:
    """Each needs half of the machine, and is worth 14.5 SU after the rival's job of 150 SU."""
    curves = [UtilityFunction([0, 10, 20], [500, 500, 145])] * 2
    curves.append(UtilityFunction([0, 10, 10.5], [150, 150, 0]))
    jobs = Workload.from_columns(
        submit=[0, 0, 0],
        run=[10] * 3,
        requested_time=[10] * 3,
        processors=[1, 1, 2],
        user=[1, 1, 2],
        utility=UtilityTable.from_functions(curves),
    )
    scenario = scenario_of(jobs, "easy", "vcg", processors=2)

    for text, charge in (("scale:factor=1", [75, 75, 0]), ("accounts", [0, 0, 0])):
        told = tell(scenario.workload, dict.fromkeys((0, 1), MISREPORTS.make(text)), None)
        assert replayed(scenario, told).charge(np.ones(3, np.bool_), 0.0).tolist() == charge
