from __future__ import annotations

from random import Random

import numpy as np

from utilitysched.kernels.releases import add_ending


def test_the_next_to_end_is_last_and_of_equal_ends_the_first_job() -> None:
    running = [(5.0, 3), (7.0, 4), (5.0, 1), (5.0, 2), (3.0, 9), (7.0, 0)]
    Random(1).shuffle(running)
    ends, jobs = np.empty(len(running)), np.empty(len(running), np.int64)
    for count, (end, job) in enumerate(running):
        add_ending(ends, jobs, count, end, job)

    assert list(zip(ends.tolist(), jobs.tolist(), strict=True)) == sorted(running, reverse=True)
