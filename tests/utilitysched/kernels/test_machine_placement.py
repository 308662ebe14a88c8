"""Placements on pools of several resources are those written from the semantics."""

from __future__ import annotations

from random import Random

import pytest

from tests.machines import drawn_machine
from tests.queues import random_workload
from tests.reference.machine_placements import ReadablePlacement
from tests.scale import many
from utilitysched import make_scheduler
from utilitysched.engine.machine.compiled import run_on_machine
from utilitysched.engine.machine.simulation import MachineSimulation
from utilitysched.model.arrivals import Arrivals
from utilitysched.model.scheduler import Setting
from utilitysched.schedulers.list_scheduler import ListScheduler

CASES = many(40)
TEXTS = {
    "none": "fcfs:placement=none",
    "easy": "fcfs:placement=easy,backfill=lqf",
    "reservations": "fcfs:placement=easy,reservations=2,backfill=lqf",
    "conservative": "fcfs:placement=conservative",
}


@pytest.mark.parametrize("placement", TEXTS)
def test_a_placement_is_that_of_its_twin(placement: str) -> None:
    rng = Random(f"twin {placement}")

    for case in range(CASES):
        arrivals = Arrivals.of(*random_workload(rng))
        table = drawn_machine(rng, arrivals)
        scheduler = make_scheduler(TEXTS[placement])
        assert isinstance(scheduler, ListScheduler)
        scheduler.prepare(Setting(arrivals.known.machine_size, arrivals.longest_request, 0))
        twin = MachineSimulation(arrivals, ReadablePlacement(placement, most=2), table)
        twin.finish()

        assert run_on_machine(arrivals, scheduler, table).start.tolist() == twin.start.tolist(), (
            case
        )
