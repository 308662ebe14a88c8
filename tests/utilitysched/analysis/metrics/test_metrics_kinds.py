from __future__ import annotations

import numpy as np
import pytest

from swfx import Workload
from tests.utilitysched.metrics_jobs import four_jobs, four_scheduled, schedule_of
from tests.utilitysched.preempted import ByPlan, preempted_workload
from utilitysched import metrics, simulate


def test_jobs_that_started_at_once() -> None:
    assert metrics.at_once(four_jobs(), four_scheduled()).tolist() == [True, False, False, False]


def test_premature_jobs_asked_for_a_hundred_times_what_they_ran() -> None:
    jobs = Workload.from_columns(
        submit=[0] * 5,
        run=[10, 10, 0, 10, 0],
        requested_time=[1000, 999, 1, -1, -1],
        processors=[1] * 5,
    )

    assert metrics.premature(jobs).tolist() == [True, False, True, False, False]


def test_starved_jobs_waited_longer_than_the_threshold() -> None:
    jobs, schedule = four_jobs(), four_scheduled()

    assert metrics.starved(jobs, schedule, threshold=299).tolist() == [False, False, False, True]
    assert metrics.starved(jobs, schedule, threshold=300).sum() == 0


def test_without_a_threshold_it_is_three_times_the_longest_request() -> None:
    jobs = four_jobs()  # the longest request is 1000 s

    assert metrics.starved(jobs, schedule_of(jobs, [3000, 3001, 0, 0])).tolist() == [
        False,
        True,
        False,
        False,
    ]


@pytest.mark.parametrize("text", ["fcfs:threshold=0.3x", "ga:threshold=300"])
def test_a_scheduler_with_a_threshold_is_judged_by_it(text: str) -> None:
    jobs = Workload.from_columns(
        submit=[0] * 4, run=[300, 1, 600, 1], requested_time=[1000] * 4, processors=[4] * 4
    )
    schedule = simulate(jobs, text, machine_size=4)

    assert schedule.starvation_threshold == 300
    assert metrics.starved(jobs, schedule).tolist() == (schedule.wait(jobs) > 300).tolist()
    assert metrics.summary(jobs, schedule)["starvation_threshold"] == 300
    assert metrics.starved(jobs, schedule).any()


def test_a_restart_that_takes_too_long_cuts_a_job_short() -> None:
    """70 s of work are left of job 11, and a restart takes 16 s of the 78 s that it may run."""
    tight = preempted_workload().replace(requested_time=np.array([100.0, 20.0, 20.0]))

    for actual, expected in (("1", False), ("2", True)):
        schedule = simulate(tight, ByPlan(), preemption=f"actual={actual}")
        assert metrics.cut_short(tight, schedule).tolist() == [expected, False, False]
        assert metrics.summary(tight, schedule)["jobs_cut_short"] == int(expected)
    assert not metrics.cut_short(tight, simulate(tight, "easy")).any()
