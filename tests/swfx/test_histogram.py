from __future__ import annotations

import numpy as np
import pytest

from swfx.estimates.modal.histogram import Histogram, Shape, distinct_estimates, draw_histogram


@pytest.mark.parametrize(
    ("jobs", "distinct"),
    [(20, 10), (200, 20), (227, 21), (1000, 35), (10_000, 90), (70_000, 340), (10**7, 565)],
)
def test_knots_of_the_table(jobs: int, distinct: int) -> None:
    assert distinct_estimates(jobs) == distinct


def test_one_estimate_per_job_longest_first() -> None:
    assert Histogram(np.array([60, 300]), np.array([2, 1])).expanded().tolist() == [300, 60, 60]


def test_given_numbers_of_jobs_are_kept_exactly() -> None:
    shape = Shape(5000, 64_800, 60, 1.8, {64_800: 2000, 777: 3})

    time, jobs = draw_histogram(shape, np.random.default_rng(4))

    assert dict(zip(time.tolist(), jobs.tolist(), strict=True)).items() >= shape.given.items()
    assert jobs.sum() == 5000


def test_estimates_that_lose_all_their_jobs_are_gone() -> None:
    shape = Shape(200, 64_800, 20, 2.0, {64_800: 195})

    time, jobs = draw_histogram(shape, np.random.default_rng(4))

    assert jobs.tolist() == [1, 1, 1, 1, 1, 195]
    assert time[-1] == 64_800
