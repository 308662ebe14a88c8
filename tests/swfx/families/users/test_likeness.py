from __future__ import annotations

from swfx import Workload
from swfx.families.users.likeness import alike


def test_size_class_then_run_time_then_submit_time() -> None:
    log = Workload.from_columns(
        submit=[9, 8, 7, 6, 5, 4], run=[2, 2, 1, 3, 3, 1], processors=[3, 4, 2, 1, 1, 5]
    )

    assert alike(log).tolist() == [4, 3, 2, 5, 1, 0]


def test_a_size_belongs_to_the_nearest_power_of_two_in_proportion() -> None:
    # from 5.66 to 11.3 processors it is 8
    log = Workload.from_columns(submit=[0] * 4, run=[4, 3, 2, 1], processors=[5, 6, 11, 12])

    assert alike(log).tolist() == [0, 2, 1, 3]


def test_jobs_of_unknown_size_count_as_serial() -> None:
    log = Workload.from_columns(submit=[0, 0], run=[5, 6], processors=[2, -1])

    assert alike(log).tolist() == [1, 0]
