from __future__ import annotations

import numpy as np
import pytest

from swfx import InputError, Workload
from swfx.families.resampling import WEEK, read_weeks, rearranged, weeks_of

LOG = Workload.from_columns(
    job_id=[11, 12, 13],
    submit=[100, WEEK + 99, WEEK + 100.5],
    preceding_job=[-1, 11, 12],
    think_time=[-1, 4, 5],
)


def test_weeks_are_counted_from_the_first_submission() -> None:
    assert weeks_of(LOG).tolist() == [0, 0, 1]


def test_jobs_are_put_at_the_same_time_of_another_week() -> None:
    done = rearranged(LOG, np.array([2, 0, 1]), np.array([0, 2, 2]), np.array([0, 1, 1]))

    assert done.workload.submit.tolist() == [100.5, 2 * WEEK + 100, 3 * WEEK + 99]
    assert done.workload.job_id.tolist() == [1, 2, 3]
    assert done.workload.original_job.tolist() == [13, 11, 12]
    assert done.workload.preceding_job.tolist() == [-1, -1, 2]
    assert done.workload.think_time.tolist() == [-1, -1, 4]
    assert done.cut == 1


@pytest.mark.parametrize("text", ["0", "-3", "two"])
def test_numbers_of_weeks(text: str) -> None:
    with pytest.raises(InputError, match="resampling: field weeks"):
        read_weeks(text)
