"""Plans worked out by hand, and what holds for every plan."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from tests.planning import random_case
from tests.scale import many
from utilitysched.kernels.plan import place
from utilitysched.kernels.planned_queue import PlannedQueue, Scratch
from utilitysched.schedulers.genetic.options import GeneticOptions


def planned(queue: PlannedQueue, order: list[int]) -> tuple[list[float], int]:
    """Return the planned starts and how many jobs start at once."""
    jobs = len(queue.size)
    start = np.empty(jobs)
    scratch = Scratch.empty(jobs, len(queue.release_time))
    immediate = place(np.array(order, dtype=np.int64), queue, scratch, start)
    return start.tolist(), immediate


def queue_of(
    free: int, jobs: list[tuple[int, float]], *releases: tuple[float, int]
) -> PlannedQueue:
    """Return jobs (processors, requested s) beside releases (s, processors), planned from 0 s."""
    return PlannedQueue(
        now=0.0,
        free=free,
        pinned=0,
        size=np.array([size for size, _ in jobs]),
        request=np.array([request for _, request in jobs]),
        later=np.empty(0),
        release_time=np.array([time for time, _ in releases], dtype=np.float64),
        release_size=np.array([size for _, size in releases], dtype=np.int64),
    )


def test_all_start_at_once_where_all_fit() -> None:
    assert planned(queue_of(4, [(1, 5.0), (3, 9.0)]), [1, 0]) == ([0.0, 0.0], 2)


def test_a_job_is_backfilled_up_to_the_shadow_time() -> None:
    queue = queue_of(2, [(4, 5.0), (2, 10.0), (2, 11.0)], (10.0, 2))

    assert planned(queue, [0, 1, 2]) == ([10.0, 0.0, 15.0], 1)
    assert planned(queue, [0, 2, 1]) == ([10.0, 0.0, 15.0], 1)


def test_a_job_may_pass_the_shadow_time_on_spare_processors() -> None:
    queue = queue_of(2, [(3, 5.0), (1, 99.0), (1, 99.0)], (10.0, 2))

    # at 10 s there are 4, the first needs 3: one long job beside it, not two
    assert planned(queue, [0, 1, 2]) == ([10.0, 0.0, 15.0], 1)


def test_all_releases_at_the_shadow_time_are_spare() -> None:
    queue = queue_of(1, [(2, 5.0), (1, 99.0)], (10.0, 1), (10.0, 1))

    assert planned(queue, [0, 1]) == ([10.0, 0.0], 1)


def test_a_job_is_backfilled_at_a_release_before_the_shadow_time() -> None:
    queue = queue_of(0, [(4, 5.0), (2, 4.0)], (3.0, 2), (10.0, 2))

    assert planned(queue, [0, 1]) == ([10.0, 3.0], 0)


def test_a_job_without_a_request_makes_room_at_once_but_not_in_the_same_pass() -> None:
    queue = queue_of(2, [(2, 0.0), (2, 7.0)])

    assert planned(queue, [0, 1]) == ([0.0, 0.0], 1)


def test_pinned_jobs_stay_in_front() -> None:
    queue = queue_of(2, [(2, 3.0), (2, 4.0), (2, 5.0)])._replace(pinned=1)

    assert planned(queue, [1, 0]) == ([0.0, 8.0, 3.0], 1)


def test_a_running_job_that_is_preempted_takes_its_later_time() -> None:
    # the last job runs, with 3 s left; started later it takes 9
    queue = queue_of(2, [(2, 5.0), (2, 1.0), (2, 3.0)])._replace(later=np.array([9.0]))

    assert planned(queue, [2, 0, 1]) == ([3.0, 8.0, 0.0], 1)
    assert planned(queue, [0, 2, 1]) == ([0.0, 14.0, 5.0], 1)


def test_running_jobs_may_come_before_pinned_ones() -> None:
    queue = queue_of(2, [(2, 3.0), (2, 4.0), (2, 5.0), (2, 1.0)])
    queue = queue._replace(pinned=1, later=np.array([9.0, 8.0]))

    assert planned(queue, [1, 0, 2]) == ([5.0, 8.0, 0.0, 12.0], 1)
    assert planned(queue, [0, 1, 2]) == ([0.0, 3.0, 7.0, 16.0], 1)


@pytest.mark.parametrize("batch", range(4))
def test_no_plan_uses_more_processors_than_there_are(batch: int) -> None:
    rng = Random(1000 + batch)
    for _ in range(many(250)):
        case = random_case(rng, most=20)
        queue = case.problem(GeneticOptions()).queue
        jobs = len(case.jobs)
        starts, _ = planned(queue, rng.sample(range(jobs), jobs))
        spans = [
            (start, start + job.request, job.size)
            for start, job in zip(starts, case.jobs, strict=True)
        ]
        spans += [(case.now, job.release, job.size) for job in case.running]

        assert min(starts) >= case.now
        for instant in starts:
            used = sum(size for begin, end, size in spans if begin <= instant < end)
            assert used <= case.processors
