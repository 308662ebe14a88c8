from __future__ import annotations

import pytest
from hypothesis import given

from swfx import InputError, Workload
from swfx.families.transforms import apply_all
from swfx.families.transforms.submit_at import simulated
from tests.strategies import held_workloads

LOG = Workload.from_columns(
    job_id=[1, 2, 3, 4],
    submit=[0, 5, 6, 7],
    wait=[10, 60, 20, -1],
    run=[9, 9, 9, 9],
    processors=[1, 1, 1, 1],
    eligible=[0, 50, -1, 100],
)


def test_jobs_are_submitted_when_eligible_in_that_order() -> None:
    done = apply_all(LOG, ["submit-at"]).workload

    assert done.job_id.tolist() == [1, 3, 2, 4]
    assert done.submit.tolist() == [0, 6, 55, 107]
    assert done.wait.tolist() == [10, 20, 10, -1]
    assert done.submitted_before.tolist() == [0, 0, 50, 100]
    assert "eligible" not in done.extra
    assert done.header.get("Transformation") == "submit-at"


def test_submissions_come_back() -> None:
    done = apply_all(LOG, ["submit-at:time=eligible", "submit-at:time=submission"]).workload

    assert done.job_id.tolist() == [1, 2, 3, 4]
    assert done.submit.tolist() == LOG.submit.tolist()
    assert done.wait.tolist() == LOG.wait.tolist()
    assert not done.extra


@given(held_workloads())
def test_submissions_of_any_log_come_back(log: Workload) -> None:
    moved = apply_all(log, ["submit-at"]).workload
    back = apply_all(moved, ["submit-at:time=submission"]).workload

    def jobs(each: Workload) -> list[tuple[float, ...]]:
        return sorted(
            zip(each.job_id.tolist(), each.submit.tolist(), each.wait.tolist(), strict=True)
        )

    assert jobs(back) == jobs(log)


def test_simulations_say_how_many_jobs_are_submitted_later() -> None:
    done = simulated(LOG, ["slice:jobs=:3"])

    assert done.workload.submit.tolist() == [0, 6, 55]
    (note,) = done.notes
    assert note == (
        "1 job is submitted when eligible (begin times, holds, dependencies, array limits), up to"
        " 50 s after submission; the transformation submit-at:time=submission keeps the log's times"
    )
    assert simulated(done.workload, ()).workload == done.workload


def test_simulations_leave_logs_without_held_jobs_alone() -> None:
    log = Workload.from_columns(submit=[9, 0], eligible=[0, -1])

    assert simulated(log, ()).workload is log
    assert simulated(LOG, ["submit-at:time=submission"]).workload.submit.tolist() == [0, 5, 6, 7]


def test_other_times_are_refused() -> None:
    with pytest.raises(InputError, match="start"):
        apply_all(LOG, ["submit-at:time=start"])
