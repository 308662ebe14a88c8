"""Rectangles and what is seen of many."""

from __future__ import annotations

import numpy as np
import pytest

import utilitysched
from tests.utilitysched.small import plain_workload
from tests.utilitysched.three_jobs import three_jobs, three_scheduled
from utilitysched.analysis.series import (
    Rectangles,
    largest,
    occupancy,
    processors_in_use,
    rectangles,
)


def test_rectangles_of_the_three_jobs() -> None:
    found = rectangles(three_jobs(), three_scheduled())

    assert found.job.tolist() == [0, 1, 2]
    assert found.start.tolist() == [0, 10, 5]
    assert found.end.tolist() == [10, 30, 10]
    assert found.low.tolist() == [0, 0, 4]
    assert found.high.tolist() == [4, 8, 6]


def test_a_job_has_a_rectangle_for_each_range_of_processors() -> None:
    found = rectangles(three_jobs(), three_scheduled(), ["0-2 7", "0-7", ""])

    assert found.job.tolist() == [0, 0, 1]
    assert found.low.tolist() == [0, 7, 0]
    assert found.high.tolist() == [3, 8, 8]


def test_a_job_that_took_no_time_has_none() -> None:
    jobs = three_jobs().replace(run=np.array([10.0, 20.0, 0.0]))
    schedule = utilitysched.simulate(jobs)

    assert 2 not in rectangles(jobs, schedule).job


def test_rectangles_fill_the_processors_in_use() -> None:
    jobs = plain_workload()
    schedule = utilitysched.simulate(jobs)
    found = rectangles(jobs, schedule)

    area = np.sum((found.end - found.start) * (found.high - found.low))
    assert area == processors_in_use(jobs, schedule).area()
    assert len(found.job) > len(jobs)


def test_the_largest_stay_in_their_order() -> None:
    found = largest(rectangles(three_jobs(), three_scheduled()), 2)

    assert found.job.tolist() == [0, 1]


def test_cells_are_filled_by_their_share() -> None:
    found = rectangles(three_jobs(), three_scheduled())

    shares = occupancy(found, 8, (2, 4), (0, 40))
    assert shares.tolist() == [[1, 1, 1, 0], pytest.approx([0.25, 1, 1, 0])]


def test_a_window_shows_what_is_in_it() -> None:
    found = rectangles(three_jobs(), three_scheduled())

    shares = occupancy(found, 8, (4, 2), (4, 6))
    assert shares.tolist() == [[1, 1], [1, 1], [0, 1], [0, 0]]


@pytest.mark.parametrize("shape", [(1, 1), (3, 7), (8, 40), (20, 5)])
def test_the_picture_is_as_full_as_the_machine(shape: tuple[int, int]) -> None:
    jobs = plain_workload()
    schedule = utilitysched.simulate(jobs)
    found = rectangles(jobs, schedule)
    span = found.end.max() - found.start.min()

    shares = occupancy(found, schedule.machine_size, shape)
    used = processors_in_use(jobs, schedule).area()
    assert shares.mean() == pytest.approx(used / (schedule.machine_size * span))
    assert shares.min() >= 0
    assert shares.max() <= 1


def test_no_rectangles_fill_nothing() -> None:
    none = Rectangles(*(np.array([], dtype) for dtype in ("i8", "f8", "f8", "i8", "i8", "i8")))

    assert occupancy(none, 8, (2, 2)).tolist() == [[0, 0], [0, 0]]
