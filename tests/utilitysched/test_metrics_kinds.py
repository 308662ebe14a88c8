from __future__ import annotations

from swfx import Workload
from tests.utilitysched.metrics_jobs import four_jobs, four_scheduled, schedule_of
from utilitysched import metrics


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
