"""Charges for who displaced whom, by hand: what the displaced lose is what others lose."""

from __future__ import annotations

import numpy as np
import pytest

from pricing import Charges
from swfx import Workload
from tests.pricing import stopped
from tests.utilitysched.displaced import MACHINE, TEXT, URGENT, VICTIM, displacing, giving_way
from utilitysched import Schedule, simulate
from utilitysched.counterfactual.charges import Counterfactuals
from utilitysched.counterfactual.explanation import causes, losers


def billed(jobs: Workload, schedule: Schedule, mechanism: str) -> Charges:
    known = Counterfactuals.of(jobs, schedule)
    return stopped.charged(jobs, schedule, mechanism, counterfactual=known)


@pytest.mark.parametrize("scheduler", [TEXT, "ga:restarts=true,population=4,generations=2"])
@pytest.mark.parametrize("mechanism", ["vcg", "vcg:settle=end", "vcg:method=replay"])
def test_who_displaces_a_job_is_charged_what_that_loses(mechanism: str, scheduler: str) -> None:
    jobs = displacing()
    schedule = simulate(jobs, scheduler, machine_size=MACHINE)

    charges = billed(jobs, schedule, mechanism)

    assert schedule.end.tolist()[VICTIM:] == [1150.0, 150.0]
    assert charges.charge.tolist()[VICTIM:] == pytest.approx([0.0, 7.5])
    assert [(loss.job, loss.loss) for loss in losers(charges, URGENT)] == [
        (VICTIM, pytest.approx(7.5))
    ]
    assert [loss.job for loss in causes(charges, VICTIM)] == [URGENT]


def test_a_victim_that_runs_for_less_than_it_asked_loses_as_much_in_a_replay() -> None:
    jobs = displacing(run=600.0)
    schedule = simulate(jobs, TEXT, machine_size=MACHINE)

    charges = billed(jobs, schedule, "vcg:method=replay")

    assert schedule.end.tolist()[VICTIM:] == [750.0, 150.0]
    assert charges.charge[URGENT] == pytest.approx(7.5)


def test_without_who_displaced_it_a_job_is_never_stopped() -> None:
    jobs = displacing()
    without = np.arange(len(jobs)) != URGENT

    schedule = simulate(jobs[without], TEXT, machine_size=MACHINE)

    assert schedule.end[VICTIM] == 1000.0


@pytest.mark.parametrize(("mechanism", "first"), [("vcg", 0.0), ("vcg:method=replay", 0.9)])
def test_who_takes_a_hole_back_is_charged_what_that_loses(mechanism: str, first: float) -> None:
    """Nobody owes it anything for that, but without the wide job it would have gone on.

    Without the first job, before which nobody waits, both others would be done 9 s sooner.
    """
    jobs = giving_way()
    schedule = simulate(jobs, "easy:holes=true", machine_size=MACHINE)

    charges = billed(jobs, schedule, mechanism)

    assert schedule.segments is not None
    assert schedule.segments.value_lost is not None
    assert not schedule.segments.value_lost.any()
    assert charges.charge.tolist()[10:] == pytest.approx([first, 5.8, 0.0])
