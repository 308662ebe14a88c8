from __future__ import annotations

from dataclasses import replace
from random import Random

import numpy as np
import pytest

import pricing
from swfx import InputError, UtilityFunction, UtilityTable, Workload
from tests.queues import random_workload
from tests.scale import many
from tests.utilitysched.schedulers.genetic.test_genetic_preemption import workload as checkpointing
from utilitysched import simulate
from utilitysched.counterfactual.charges import Counterfactuals
from utilitysched.model.segments import Segments, Stop


def crowded(seed: int) -> tuple[Workload, int]:
    """Return a random workload in which some job has a utility function."""
    rng = Random(seed)
    while True:
        jobs, processors = random_workload(rng)
        if jobs.has_utilities:
            return jobs, processors


@pytest.mark.parametrize("scheduler", ["easy", "conservative", "lexp", "ga:generations=5"])
def test_a_bill_by_vcg_charges_what_others_lose(scheduler: str) -> None:
    charged = 0.0
    for seed in range(many(15)):
        jobs, processors = crowded(seed)
        schedule = simulate(jobs, scheduler, machine_size=processors, seed=seed)
        asked = Counterfactuals.of(jobs, schedule)

        bill = pricing.charge(jobs, schedule.start, schedule.end, "vcg", counterfactual=asked)

        assert isinstance(bill.evidence, pricing.Pivots)
        lost = bill.evidence.losses.by_cause(len(jobs))
        assert bill.charge.tolist() == np.maximum(lost, 0.0).tolist()
        charged += bill.total
    assert charged > 0


def test_losses_say_how_much_later_their_victims_start() -> None:
    """On one processor the second job waits 20 s for the first, the third 5 s for the second."""
    curve = UtilityFunction([0, 100], [100, 0])
    jobs = Workload.from_columns(
        submit=[0, 0, 0],
        run=[20, 5, 10],
        requested_time=[20, 5, 10],
        processors=[1, 1, 1],
        utility=UtilityTable.from_functions([curve] * 3),
    )
    schedule = simulate(jobs, "easy", machine_size=1)

    losses = Counterfactuals.of(jobs, schedule).pivots().losses

    assert losses.cause.tolist() == [0, 0, 1]
    assert losses.victim.tolist() == [1, 2, 2]
    assert losses.loss.tolist() == losses.delay.tolist() == [20.0, 20.0, 5.0]


def test_the_same_questions_have_the_same_answers() -> None:
    jobs, processors = crowded(3)
    schedule = simulate(jobs, "ga", machine_size=processors, seed=5)

    first, second = (Counterfactuals.of(jobs, schedule).pivots(searches=2) for _ in range(2))

    assert first.charge.tolist() == second.charge.tolist()
    assert first.losses.loss.tolist() == second.losses.loss.tolist()


def test_a_value_blind_scheduler_charges_the_same_whatever_the_job_says_of_itself() -> None:
    """Under EASY a job's own curve is in nobody's plan."""
    jobs, processors = crowded(4)
    schedule = simulate(jobs, "easy", machine_size=processors)
    truth = Counterfactuals.of(jobs, schedule).pivots()

    for liar in np.flatnonzero(jobs.utility.defined):
        functions = [jobs.utility[i] for i in range(len(jobs))]
        own = functions[liar]
        assert own is not None
        functions[liar] = type(own)(own.times, own.values * 10)
        lied = jobs.replace(utility=type(jobs.utility).from_functions(functions))
        again = simulate(lied, "easy", machine_size=processors)
        assert again.start.tolist() == schedule.start.tolist()
        assert Counterfactuals.of(lied, again).pivots().charge[liar] == truth.charge[liar]


def test_another_schedule_is_refused() -> None:
    jobs, processors = crowded(5)
    schedule = simulate(jobs, "easy", machine_size=processors)
    moved = schedule.start.copy()
    moved[-1] += 1
    asked = Counterfactuals.recorded(jobs, moved, schedule.provenance)

    with pytest.raises(InputError, match="no longer decides as it did"):
        asked.pivots()


def test_a_schedule_that_goes_otherwise_later_is_refused() -> None:
    """Where jobs are preempted, all may start as they did, and still not go on as they did."""
    jobs = checkpointing(40, 0)
    text = "ga:preempt=true,population=6,generations=3,lost=0"
    schedule = simulate(jobs, text, machine_size=8)
    segments, late = schedule.segments, schedule.end.copy()
    assert segments is not None
    preempted = segments.job[segments.stop == Stop.PREEMPTED].item(0)
    late[preempted] += 1.0
    # as if nobody had been preempted
    once = Segments(*(column[segments.last] for column in segments._columns()))  # type: ignore[arg-type]

    for other, said in (
        (replace(schedule, end=late), "ends at another time"),
        (replace(schedule, segments=once), "is stopped more often, or less"),
    ):
        with pytest.raises(InputError) as error:
            Counterfactuals.of(jobs, other).pivots()
        assert str(error.value).startswith(f"{schedule.scheduler} no longer decides as it did: job")
        assert str(error.value).endswith(f" {said}; simulate again with this version, then bill")
    assert Counterfactuals.of(jobs, schedule).pivots().charge.any()


def test_plans_of_a_long_queue_are_not_searched_for() -> None:
    """All of 5,000 jobs of one instant wait for one processor when the first one starts."""
    queued = 5_000
    curves = UtilityTable.from_functions([UtilityFunction([0, 100], [100, 0])] * queued)
    jobs = Workload.from_columns(
        submit=[0] * queued, run=[10] * queued, processors=[1] * queued, utility=curves
    )
    asked = Counterfactuals(jobs, np.arange(queued) * 10.0, "ga", machine_size=1)

    with pytest.raises(InputError, match="5,000 jobs are queued, and plans without one of them"):
        asked.pivots()
