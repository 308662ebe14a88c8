"""What every figure makes of a job that is preempted and goes on later."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.utilitysched.preempted import preempted_schedule, preempted_workload
from utilitysched import allocations, metrics
from utilitysched.analysis import series
from utilitysched.model.segments import Segments, Stop


def test_time_running_is_that_of_all_segments() -> None:
    workload, schedule = preempted_workload(), preempted_schedule()

    assert schedule.start.tolist() == [0, 50, 55]
    assert schedule.end.tolist() == [153, 60, 75]
    assert schedule.running_time.tolist() == [128, 10, 20]
    assert schedule.used(workload).tolist() == [512, 30, 20]
    assert schedule.queued(workload).tolist() == [25, 0, 0]
    assert schedule.wait(workload).tolist() == [0, 0, 0]


def test_utilisations() -> None:
    workload, schedule = preempted_workload(), preempted_schedule()

    assert metrics.makespan(workload, schedule) == 153
    assert metrics.utilisation(workload, schedule) == pytest.approx(562 / (4 * 153))
    assert metrics.effective_utilisation(workload, schedule) == pytest.approx(450 / (4 * 153))
    # until the last submission at 55: 4 processors for 50 s, 3 for 5 s
    assert metrics.submission_utilisation(workload, schedule) == 215 / 220


def test_where_no_job_can_be_stopped_all_that_is_used_is_useful() -> None:
    workload = preempted_workload()
    schedule = replace(preempted_schedule(), segments=None)

    assert metrics.effective_utilisation(workload, schedule) == metrics.utilisation(
        workload, schedule
    )
    assert metrics.preempted(schedule).tolist() == [False, False, False]
    assert "preemptions" not in metrics.summary(workload, schedule)


def test_figures_of_the_summary() -> None:
    figures = metrics.summary(preempted_workload(), preempted_schedule())

    assert (figures["preemptions"], figures["preemptions_max"]) == (1, 1)
    assert (figures["jobs_preempted"], figures["share_preempted"]) == (1, 1 / 3)
    assert figures["queued_mean"] == 25 / 3
    assert figures["processor_hours_lost"] == 80 / 3600
    assert (figures["failures"], figures["processor_hours_lost_to_failures"]) == (0, 0)
    assert figures["processor_hours_overhead"] == 32 / 3600
    assert figures["effective_utilisation"] == 450 / 612
    assert figures["slowdown_mean"] == pytest.approx((1.53 + 1 + 1) / 3)
    assert figures["requested_expansion_factor_p100"] == 225 / 200
    assert figures["aggregate_utility"] == 47


def test_weeks_count_segments() -> None:
    (week,) = metrics.weekly(preempted_workload(), preempted_schedule())

    assert week.utilisation == 562 / (4 * 604800)


def test_processors_in_use_and_queues_over_time() -> None:
    workload, schedule = preempted_workload(), preempted_schedule()

    used = series.processors_in_use(workload, schedule)
    waiting = series.waiting_processors(workload, schedule)

    assert used.time.tolist() == [0, 50, 55, 60, 75, 153]
    assert used.at([49, 50, 56, 61, 75]).tolist() == [4, 3, 4, 1, 4]
    assert used.area() == 562
    assert waiting.at([0, 49, 50, 74, 75]).tolist() == [0, 0, 4, 4, 0]
    assert series.waiting_jobs(workload, schedule).area() == schedule.queued(workload).sum()


def test_users_used_what_their_segments_did() -> None:
    found = series.users(preempted_workload(), preempted_schedule())

    assert found.processor_hours.tolist() == pytest.approx([512 / 3600, 50 / 3600])


def test_every_segment_has_processors_of_its_own() -> None:
    workload, schedule = preempted_workload(), preempted_schedule()

    held = allocations(workload, schedule)
    found = series.rectangles(workload, schedule)

    assert held == ["0-3", "0-2", "3", "0-3"]
    assert found.job.tolist() == [0, 1, 2, 0]
    assert found.start.tolist() == [0, 50, 55, 75]
    assert found.end.tolist() == [50, 60, 75, 153]


def segments(job: list[int], start: list[float], end: list[float]) -> Segments:
    nothing = np.zeros(len(job))
    stop = np.full(len(job), Stop.COMPLETED)
    return Segments(
        np.array(job, dtype=np.int64),
        np.array(start, float),
        np.array(end, float),
        nothing,
        nothing.copy(),
        nothing.copy(),
        stop,
        stop - 1,
    )


def test_a_job_comes_into_the_queue_when_it_is_submitted_and_when_it_is_stopped() -> None:
    found = segments([1, 0, 1, 1], [5, 5, 5, 9], [5, 7, 8, 9])

    assert found.entered(np.array([2.0, 3.0])).tolist() == [3, 2, 5, 8]
    assert found.last.tolist() == [False, True, False, True]
    assert found.per_job(found.elapsed, 3).tolist() == [2, 3, 0]


def test_no_segments() -> None:
    found = segments([], [], [])

    assert found.entered(np.empty(0)).tolist() == []
    assert found.last.tolist() == []
    assert found == segments([], [], [])


def test_schedules_differ_by_their_segments() -> None:
    schedule = preempted_schedule()

    assert schedule == preempted_schedule()
    assert schedule != replace(schedule, segments=None)
