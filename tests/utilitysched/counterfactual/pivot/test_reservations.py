"""What a reservation costs the others before its holder starts, worked out by hand."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from pricing import PivotRule
from pricing.pivots import Pivots
from swfx import UtilityFunction, UtilityTable, Workload
from tests.queues import random_workload
from tests.scale import many
from utilitysched import simulate
from utilitysched.counterfactual.pivots import PivotRecorder
from utilitysched.model.arrivals import Arrivals
from utilitysched.schedulers.registry import make_scheduler

FIRST, WIDE, LONG, LATE = range(4)
STEEP = UtilityFunction([0.0, 15.0], [1000.0, 1000.0])
SLOW = UtilityFunction([0.0, 100.0], [100.0, 0.0])


def waiting_in_the_wake(late: float | None = None) -> Workload:
    """Of 4 processors 2 are taken until 10 s; WIDE wants 4 from then on, LONG 2 for 20 s at once.

    Both come at 1 s. LATE makes one more pass and wants nothing that anybody else could use.
    """
    jobs = [(0.0, 10.0, 2, None), (1.0, 5.0, 4, STEEP), (1.0, 20.0, 2, SLOW)]
    if late is not None:
        jobs.append((late, 1.0, 4, None))
    submit, run, size, curve = (list(column) for column in zip(*jobs, strict=True))
    return Workload.from_columns(
        submit=submit,
        run=run,
        requested_time=run,
        processors=size,
        utility=UtilityTable.from_functions(curve),
    )


def recorded(jobs: Workload, scheduler: str, processors: int, *, reservations: bool) -> Pivots:
    recorder = PivotRecorder(make_scheduler(scheduler), PivotRule(reservations=reservations))
    simulate(jobs, recorder, machine_size=processors, seed=1)
    return recorder.pivots(Arrivals.of(jobs, processors).order)


@pytest.mark.parametrize(
    "scheduler",
    ["easy", "ga", "conservative", "fcfs:placement=reservations", "easy:placement=conservative"],
)
@pytest.mark.parametrize("late", [None, 4.0])
def test_from_pass_to_pass_it_adds_up_to_the_whole_delay(
    scheduler: str, late: float | None
) -> None:
    found = recorded(waiting_in_the_wake(late), scheduler, 4, reservations=True)

    # LONG loses 1 SU a second: from 1 to 10 s to the reservation, to 15 s to the run
    assert found.reserved[WIDE] == pytest.approx(9.0)
    assert found.charge[WIDE] == pytest.approx(14.0)
    assert found.without_job[WIDE] - found.with_job[WIDE] == pytest.approx(5.0)
    assert set(found.losses.victim[found.losses.cause == WIDE].tolist()) == {LONG}
    assert found.reserved[[FIRST, LONG]].tolist() == [0.0, 0.0]


@pytest.mark.parametrize("users", [[1, 2, 2, 3], [1, 2, 4, 3]])
def test_holders_of_one_player_pay_for_the_delay_once(users: list[int]) -> None:
    """Two wide jobs hold reservations from 10 and 15 s on, and LONG waits for both until 20 s.

    In the way together they pay by halves for what waiting from 1 to 10 s costs it; as players by
    themselves each pays only for what LONG could have had without that job alone: nothing.
    """
    jobs = Workload.from_columns(
        submit=[0, 1, 1, 1],
        run=[10, 5, 5, 20],
        requested_time=[10, 5, 5, 20],
        processors=[2, 4, 4, 2],
        utility=UtilityTable.from_functions([None, STEEP, STEEP, SLOW]),
    )
    recorder = PivotRecorder(
        make_scheduler("conservative"), PivotRule(reservations=True), player=np.array(users)
    )
    schedule = simulate(jobs, recorder, machine_size=4)
    found = recorder.pivots(np.arange(4))

    assert schedule.start.tolist() == [0, 10, 15, 20]
    if users[1] == users[2]:
        assert found.reserved.tolist() == [0, 4.5, 4.5, 0]
        assert found.charge.tolist() == [0, 9.5, 9.5, 0]
        assert found.losses.time.tolist() == [1, 10, 1, 15]
    else:
        assert found.reserved.tolist() == [0, 0, 0, 0]


def test_without_a_reservation_or_the_option_nothing_is_added() -> None:
    jobs = waiting_in_the_wake()

    assert recorded(jobs, "fcfs:placement=none", 4, reservations=True).reserved.max() == 0
    easy = recorded(jobs, "easy", 4, reservations=False)
    assert easy.reserved.max() == 0
    assert easy.charge[WIDE] == pytest.approx(5.0)


def test_a_job_that_does_not_fit_anyway_loses_nothing_to_a_reservation() -> None:
    jobs = waiting_in_the_wake().replace(processors=np.array([2, 4, 3]))

    assert recorded(jobs, "easy", 4, reservations=True).reserved.max() == 0


@pytest.mark.parametrize("scheduler", ["easy", "ga:generations=3", "conservative", "saf"])
def test_charges_are_what_starts_and_reservations_cost(scheduler: str) -> None:
    rng = Random(21)
    reserved = 0.0
    for _ in range(many(20, least=10)):
        jobs, processors = random_workload(rng)
        plain = recorded(jobs, scheduler, processors, reservations=False)
        added = recorded(jobs, scheduler, processors, reservations=True)

        assert (added.reserved >= 0).all()
        assert added.charge == pytest.approx(plain.charge + added.reserved, abs=1e-9)
        rows = list(zip(*added.losses[:2], added.losses.time, strict=True))
        assert len(rows) == len(set(rows))
        assert all(cause != victim for cause, victim, _ in rows)
        reserved += added.reserved.sum()
    assert reserved > 0
