"""Jobs in columns, which are added part by part."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from swfx.accounting.job_columns import JobColumns


@pytest.mark.parametrize("alike", [0, 1, 5])
def test_columns_hold_every_job_however_they_were_added(alike: int) -> None:
    rng = Random(alike)
    numbers = [7] * alike + [rng.choice([7, 7, 8]) for _ in range(20)]
    jobs, added = JobColumns(), 0
    while added < len(numbers):
        part = numbers[added : added + rng.randint(0, 4)]
        line = np.arange(added, added + len(part))
        jobs.extend({"line": line, "user": np.array(part, np.float64)})
        added += len(part)

    assert jobs["user"].tolist() == numbers
    assert jobs["user"].dtype == np.int64
    assert jobs["group"].tolist() == [-1] * len(numbers)
    assert jobs.take(np.array([19, 0]))["line"].tolist() == [19, 0]


def test_a_resource_that_others_have_is_not_held_where_some_is_known() -> None:
    jobs = JobColumns()
    jobs.extend({"line": np.array([1, 2]), "tres/node": np.array([2.0, -1.0])})
    jobs.extend({"line": np.array([3, 4]), "tres/gres/gpu": np.array([1.0, -1.0])})
    jobs.settle_resources()

    assert jobs["tres/gres/gpu"].tolist() == [0, -1, 1, -1]
    assert jobs["tres/node"].tolist() == [2, -1, -1, -1]
