"""Checkpoints that take time to be written."""

from __future__ import annotations

import numpy as np
import pytest

from swfx import Workload
from swfx.families.transforms import apply_all
from utilitysched import simulate


def longer(cost: str = "60", **columns: object) -> Workload:
    jobs = Workload.from_columns(**columns)
    return apply_all(jobs, [f"checkpoint-cost:cost={cost}"], 0).workload


@pytest.mark.parametrize(
    ("run", "written"), [(900.0, 0), (901.0, 1), (1800.0, 1), (3600.0, 3), (3601.0, 4), (1.0, 0)]
)
def test_one_is_written_after_each_interval_and_none_at_the_end(run: float, written: int) -> None:
    jobs = longer(run=[run], checkpoint_interval=[900])

    assert jobs.run.tolist() == [run + 60 * written]
    assert jobs.checkpoint_interval.tolist() == [960.0]


def test_who_takes_none_and_what_is_not_known_stay_as_they_are() -> None:
    jobs = longer(run=[3600, -1], requested_time=[-1, 7200], checkpoint_interval=[-1, 900])

    assert jobs.run.tolist() == [3600.0, -1.0]
    assert jobs.requested_time.tolist() == [-1.0, 7620.0]


def test_no_cost_changes_nothing_but_the_header() -> None:
    jobs = longer("0", run=[3600], requested_time=[7200], checkpoint_interval=[900])

    assert (jobs.run.tolist(), jobs.requested_time.tolist()) == ([3600.0], [7200.0])
    assert jobs.header.get("Transformation") == "checkpoint-cost:cost=0"


def test_a_preempted_job_goes_on_from_its_last_complete_checkpoint() -> None:
    # the first job has done 2 of its intervals (1920 s) when an urgent one takes its processors at
    # 2000 s; of 3780 s it then has 1860 s left, and starts again when the urgent one has ended
    jobs = longer(
        submit=[0, 2000],
        run=[3600, 100],
        requested_time=[4000, 100],
        processors=[4, 4],
        queue=[3, 0],
        checkpoint_interval=[900, -1],
    )

    schedule = simulate(jobs, "priority-preempt", machine_size=4)

    np.testing.assert_allclose(schedule.end, [2100 + 3780 - 1920, 2100])
