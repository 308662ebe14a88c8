from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from swfx.families.estimates.modal.histogram import (
    Histogram,
    Shape,
    distinct_estimates,
    draw_histogram,
)
from swfx.families.estimates.tsafrir import Tsafrir


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


@given(
    jobs=st.integers(191, 5000),
    maximum=st.integers(5701, 10**6),
    given_jobs=st.dictionaries(st.integers(1, 5701), st.integers(1, 500), max_size=19),
    of_maximum=st.integers(0, 500),
    seed=st.integers(0, 99),
)
def test_any_given_numbers_that_fit_are_kept(
    jobs: int, maximum: int, given_jobs: dict[int, int], of_maximum: int, seed: int
) -> None:
    known = given_jobs | ({maximum: of_maximum} if of_maximum else {})
    model = Tsafrir(max=maximum, bins=tuple(known.items()))
    assume(sum(known.values()) < jobs and len(known) < 20)

    time, number = draw_histogram(model.shape(jobs, 0.0), np.random.default_rng(seed))

    assert number.sum() == jobs
    assert number.min() >= 1
    assert np.all(np.diff(time) > 0)
    assert time[0] >= 1
    assert time[-1] <= maximum
    assert dict(zip(time.tolist(), number.tolist(), strict=True)).items() >= known.items()
