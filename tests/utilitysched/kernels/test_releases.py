"""Running jobs by end, and the shadow time of who waits for them."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from utilitysched.kernels.releases import add_ending, shadow


@pytest.mark.parametrize(
    ("need", "expected"),
    [
        (2, (10.0, 1)),  # both releases at 10 s count
        (4, (12.0, 0)),  # so does who is started now and ends in between
        (6, (20.0, 2)),
    ],
)
def test_all_releases_at_the_shadow_time_count(need: int, expected: tuple[float, int]) -> None:
    size, request = np.array([1, 1, 4, 1]), np.array([9.0, 9.0, 9.0, 7.0])
    ends, running, begun = np.array([10.0, 10.0, 20.0]), np.array([0, 1, 2]), np.array([3])

    found = shadow(5.0, 1, ends, running, request, size, begun, need)

    assert found == expected


def test_the_next_to_end_is_last_and_of_equal_ends_the_first_job() -> None:
    running = [(5.0, 3), (7.0, 4), (5.0, 1), (5.0, 2), (3.0, 9), (7.0, 0)]
    Random(1).shuffle(running)
    ends, jobs = np.empty(len(running)), np.empty(len(running), np.int64)
    for count, (end, job) in enumerate(running):
        add_ending(ends, jobs, count, end, job)

    assert list(zip(ends.tolist(), jobs.tolist(), strict=True)) == sorted(running, reverse=True)
