"""Plans at a snapshot beside what happened: nobody else came and all ran as requested."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from tests.queues import random_workload
from tests.scale import enough, many
from utilitysched import make_scheduler, simulate
from utilitysched.exact import planned
from utilitysched.model.forecast import ForecastRule
from utilitysched.runs.snapshot import QueuedJob, RunningJob, Snapshot
from utilitysched.runs.snapshot.stored import snapshot_of
from utilitysched.runs.stored import StoredRun


@pytest.mark.parametrize(
    "text",
    [
        "easy",
        "saf",
        "fcfs",
        "lexp",
        "value-density:occupancy=requested",
        "first-reward:occupancy=requested",
    ],
)
def test_the_plan_happens(text: str) -> None:
    rng = Random(21)
    compared = 0
    for _ in range(many(60)):
        jobs, processors = random_workload(rng)
        jobs = jobs.replace(
            submit=np.round(jobs.submit),
            requested_time=np.maximum(np.round(jobs.run), 1.0),
            run=np.maximum(np.round(jobs.run), 1.0),
        )
        schedule = simulate(jobs, text, machine_size=processors)
        run = StoredRun(jobs, schedule.start, schedule.end, {"simulation": schedule.provenance})
        moment = snapshot_of(run, jobs.submit.max())

        plan = planned(moment, make_scheduler(text))

        happened = dict(zip(jobs.job_id.tolist(), schedule.start.tolist(), strict=True))
        assert plan.tolist() == [happened[job] for job in moment.ids.tolist()]
        compared += len(plan)
    assert compared > enough(50)


def test_reservations_keep_clear_of_running_jobs() -> None:
    moment = Snapshot(
        100.0,
        4,
        (RunningJob(1, 3, 160.0), RunningJob(2, 1, 120.0)),
        (QueuedJob(3, 90.0, 2, 50.0), QueuedJob(4, 95.0, 1, 30.0), QueuedJob(5, 96.0, 1, 41.0)),
    )

    assert planned(moment, make_scheduler("conservative")).tolist() == [160, 120, 150]


def test_the_genetic_scheduler_plans_where_it_has_no_choice() -> None:
    moment = Snapshot(0.0, 2, (RunningJob(1, 2, 9.0),), (QueuedJob(2, 0.0, 1, 5.0),))

    assert planned(moment, make_scheduler("ga")).tolist() == [9]


def test_without_a_queue_nothing_is_planned() -> None:
    assert planned(Snapshot(0.0, 2), make_scheduler("easy")).tolist() == []


def test_utilities_are_read_as_the_scheduler_does() -> None:
    assert make_scheduler("ga:duration=predicted").rule == ForecastRule("predicted")
    assert make_scheduler("easy").rule == ForecastRule("requested")


def test_where_nobody_can_be_stopped_a_plan_stops_nobody() -> None:
    rng = Random(3)
    compared = 0
    for _ in range(many(20)):
        jobs, processors = random_workload(rng)
        schedule = simulate(jobs, "easy", machine_size=processors)
        run = StoredRun(jobs, schedule.start, schedule.end, {"simulation": schedule.provenance})
        moment = snapshot_of(run, float(jobs.submit[len(jobs) // 2]))

        plans = [
            planned(moment, make_scheduler(text)).tolist()
            for text in ("easy", "easy:holes=true,restarts=true")
        ]

        assert plans[0] == plans[1]
        compared += len(plans[0])
    assert compared > enough(20)
