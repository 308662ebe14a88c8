"""Replays of schedulers that preempt, beside whole logs simulated without the job."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

import pricing
from pricing.counterfactual import ReplayRule
from swfx import Workload
from tests.queues import random_workload
from tests.scale import enough, many
from utilitysched import Schedule, simulate
from utilitysched.counterfactual.charges import Counterfactuals
from utilitysched.counterfactual.replays import Question
from utilitysched.counterfactual.replays.replayer import Replayer
from utilitysched.model.segments import Stop

SCHEDULER = "priority-preempt"
RULES = "scratch=true,overhead=1,actual=2"


def checkpointing(seed: int) -> tuple[Workload, int]:
    """Jobs of several classes in arrival order, of which some take checkpoints."""
    rng = Random(f"replayed {seed}")
    drawn = random_workload(rng, most=20)
    jobs = drawn.workload[np.argsort(drawn.workload.submit, kind="stable")]
    interval = np.array([rng.choice([-1.0, 1.0, 2.5]) for _ in range(len(jobs))])
    return jobs.replace(checkpoint_interval=interval), drawn.processors


def simulated(jobs: Workload, processors: int) -> Schedule:
    return simulate(jobs, SCHEDULER, machine_size=processors, preemption=RULES)


@pytest.mark.parametrize("seed", range(many(12)))
def test_replays_find_what_a_log_without_the_job_would_bring(seed: int) -> None:
    jobs, processors = checkpointing(seed)
    schedule = simulated(jobs, processors)
    having = jobs.utility.evaluate(schedule.turnaround(jobs))
    asked = Question(
        jobs,
        SCHEDULER,
        processors,
        preemption=schedule_rules(schedule),
        start=schedule.start,
        rule=ReplayRule(),
    )
    replayer = Replayer(asked)

    for gone in range(len(jobs)):
        others = np.arange(len(jobs)) != gone
        rest = jobs[others]
        lacking = np.zeros(len(jobs))
        if len(rest):
            without = simulated(rest, processors)
            lacking[others] = rest.utility.evaluate(without.turnaround(rest))
        (found,) = replayer.without(gone).differences

        loss = dict(zip(found.victims, found.losses, strict=True))
        expected = {
            job: float(lacking[job] - having[job])
            for job in np.flatnonzero(others & (lacking != having)).tolist()
        }
        assert {job: lost for job, lost in loss.items() if lost} == pytest.approx(expected)


def schedule_rules(schedule: Schedule) -> str:
    return str(schedule.provenance["preemption"])


def test_there_are_preemptions_to_be_replayed() -> None:
    schedules = [simulated(*checkpointing(seed)) for seed in range(12)]

    stops = [schedule.segments.stop for schedule in schedules if schedule.segments is not None]
    assert sum(int(np.count_nonzero(stop == Stop.PREEMPTED)) for stop in stops) > enough(5)


def test_a_bill_by_replays_balances() -> None:
    jobs, processors = checkpointing(2)
    schedule = simulated(jobs, processors)

    charges = pricing.charge(
        jobs,
        schedule.start,
        schedule.end,
        "vcg:method=replay",
        counterfactual=Counterfactuals.of(jobs, schedule),
        used=schedule.running_time,
    )

    assert len(charges) == len(jobs)
    assert (charges.charge >= 0).all()
    assert float(charges.billed) == charges.total
