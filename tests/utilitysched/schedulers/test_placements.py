"""Reservations worked out by hand; `tests/test_differential.py` has every placement."""

from __future__ import annotations

import pytest

from swfx import Workload
from utilitysched import simulate


def test_what_a_reservation_leaves_over_goes_to_one_job() -> None:
    jobs = Workload.from_columns(submit=[0, 1, 2, 2], run=[10, 5, 99, 99], processors=[2, 3, 1, 1])

    # from 10 s on the second job has 3 of 4 processors; backfill=lqf has the general loop run
    schedule = simulate(jobs, "easy:backfill=lqf", machine_size=4)

    assert schedule.start.tolist() == [0.0, 10.0, 2.0, 15.0]


@pytest.mark.parametrize(
    ("window", "starts"), [("8", [0.0, 10.0, 15.0]), ("7.5", [0.0, 101.0, 2.0])]
)
def test_a_reservation_is_held_up_to_the_end_of_the_window(
    window: str, starts: list[float]
) -> None:
    jobs = Workload.from_columns(submit=[0, 1, 2], run=[10, 5, 99], processors=[2, 4, 1])

    schedule = simulate(jobs, f"easy:reservations=2,window={window}", machine_size=4)

    assert schedule.start.tolist() == starts
