"""Comparisons at the starts of a job, put together."""

from __future__ import annotations

import numpy as np

from pricing.pivots import Starts


def test_of_a_job_sums_over_its_starts_are_told_and_errors_added_by_their_squares() -> None:
    unknown = np.nan
    starts = Starts(
        job=np.array([0, 0, 0, 2, 2, 3]),
        at=np.arange(6.0),
        held=np.full(6, unknown),
        others=np.array([1, 2, 3, 4, 5, 0]),
        with_job=np.array([10.0, 20.0, unknown, 5.0, 6.0, unknown]),
        without_job=np.array([11.0, 22.0, unknown, 5.0, 7.0, unknown]),
        error=np.array([3.0, 4.0, unknown, 0.0, 2.0, unknown]),
    )

    others, with_job, without_job, error = starts.by_job(4)

    assert others.tolist() == [6, 0, 9, 0]
    np.testing.assert_array_equal(with_job, [30.0, unknown, 11.0, unknown])
    np.testing.assert_array_equal(without_job, [33.0, unknown, 12.0, unknown])
    np.testing.assert_array_equal(error, [5.0, unknown, 2.0, unknown])
