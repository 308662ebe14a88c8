"""Jobs in columns: many more than are put in at once."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from swfx.accounting.growing import Growing
from swfx.accounting.job_columns import JobColumns, within_limit
from swfx.accounting.jobs import LogJob
from swfx.accounting.listing import Listing
from swfx.base.columns import LIMIT


@pytest.mark.parametrize("alike", [0, 1, 5])
def test_many_numbers_added_are_those_added_one_by_one(alike: int) -> None:
    rng = Random(alike)
    one, many, numbers = Growing("q"), Growing("q"), [7] * alike
    numbers += [rng.choice([7, 7, 8]) for _ in range(20)]
    for number in numbers:
        one.append(number)
    rest = numbers
    while rest:
        count = rng.randint(1, 4)
        many.extend(rest[:count])
        rest = rest[count:]
    assert many.values().tolist() == one.values().tolist() == numbers
    assert len(many) == len(numbers)


def test_columns_hold_every_job_and_the_most_memory_of_the_last() -> None:
    jobs, expected = JobColumns(), []
    for line in range(3_000):
        jobs.append(LogJob(line, float(line % 7), run=60.0, memory=float(line % 5)))
        if line % 3 == 0:
            jobs.use_more_memory(2.0)
        expected.append(max(line % 5, 2.0) if line % 3 == 0 else line % 5)
        if line == 1_500:
            assert len(jobs) == 1_501
            assert jobs["line"].tolist() == list(range(1_501))
    assert jobs["memory"].tolist() == expected
    assert jobs["submit"].tolist() == [float(line % 7) for line in range(3_000)]
    assert jobs.take(np.array([2_999, 0]))["line"].tolist() == [2_999, 0]


@pytest.mark.parametrize("value", [LIMIT + 2, -LIMIT - 2])
def test_a_number_beyond_what_a_workload_holds_is_listed(value: int) -> None:
    listing = Listing("log", lines=2, records=2)
    assert within_limit(LogJob(1, 0.0, run=5.0), listing)
    assert not within_limit(LogJob(2, 0.0, run=5.0, user=value), listing)
    assert listing.report(kept=1).counts() == {"beyond-limit": 1}
