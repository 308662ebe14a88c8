"""Users charged in place of jobs, and recorders that go on elsewhere."""

from __future__ import annotations

import math

import numpy as np
import pytest

from swfx import UtilityFunction, UtilityTable, Workload
from utilitysched import make_scheduler
from utilitysched.counterfactual.pivots import PivotRecorder
from utilitysched.counterfactual.plan_comparison import Players
from utilitysched.engine.simulation import Simulation
from utilitysched.model.arrivals import Arrivals
from utilitysched.model.scheduler import Setting
from utilitysched.schedulers.list_scheduler import ListScheduler


def jobs(*users: int) -> Workload:
    """Jobs of 10 s on one processor: the first runs when the others come."""
    count = len(users)
    return Workload.from_columns(
        submit=[0, *[1] * (count - 1)],
        run=[10] * count,
        requested_time=[10] * count,
        processors=[1] * count,
        user=list(users),
        utility=UtilityTable.from_functions([UtilityFunction([0, 100], [100, 0])] * count),
    )


def begun(workload: Workload, *, users: bool, scheduler: str = "easy") -> Simulation:
    arrivals = Arrivals.of(workload, 1)
    player = arrivals.known.user if users else None
    recorder = PivotRecorder(make_scheduler(scheduler), player=player)
    recorder.prepare(Setting(1, 10.0, 0))
    return Simulation(arrivals, recorder)


def charges(simulation: Simulation) -> list[float]:
    assert isinstance(simulation.scheduler, PivotRecorder)
    order = np.arange(len(simulation.start))
    return [float(charge) for charge in simulation.scheduler.pivots(order).charge]


def test_a_fork_records_what_comes_and_nothing_of_what_was() -> None:
    stem = begun(jobs(0, 1, 2, 3), users=True)
    stem.advance(15.0)
    assert isinstance(stem.scheduler, PivotRecorder)

    branch = stem.fork(stem.scheduler.fork())
    branch.finish(None)

    assert charges(stem) == pytest.approx([0, 20, 0, 0])
    assert charges(branch) == pytest.approx([0, 0, 10, 0])


def test_others_may_come_than_was_expected() -> None:
    stem = begun(jobs(0, 1), users=True)
    stem.advance(1.0)

    others = Arrivals.of(jobs(0, 2, 3), 1)
    stem.expect(others)
    assert isinstance(stem.scheduler, PivotRecorder)
    stem.scheduler.players = Players(others.known.user)
    stem.finish(None)

    assert stem.start.tolist() == [0, 10, 20]
    assert charges(stem) == pytest.approx([0, 10, 0])


def test_what_was_reserved_for_a_withdrawn_job_is_free_again() -> None:
    four = Workload.from_columns(
        submit=[0, 1, 1, 5], run=[10] * 4, requested_time=[10] * 4, processors=[1] * 4
    )
    arrivals = Arrivals.of(four, 1)
    scheduler = make_scheduler("conservative")
    assert isinstance(scheduler, ListScheduler)
    scheduler.prepare(Setting(1, 10.0, 0))
    simulation = Simulation(arrivals, scheduler)
    simulation.advance(5.0)

    scheduler.withdraw(np.array([1]), simulation.known)
    simulation.queue.remove(1)
    simulation.finish(None)

    assert simulation.start[[0, 2, 3]].tolist() == [0, 20, 10]
    assert math.isnan(simulation.start[1])
