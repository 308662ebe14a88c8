from __future__ import annotations

from hypothesis import given

from swfx import Workload
from swfx.families.transforms import apply_all
from tests.strategies import workloads


@given(workloads())
def test_requests_are_what_jobs_run_and_jobs_run_as_before(log: Workload) -> None:
    done = apply_all(log, ["accurate"]).workload

    assert done.request.tolist() == log.effective_run.tolist()
    assert done.effective_run.tolist() == log.effective_run.tolist()
    assert done.run.tolist() == done.requested_time.tolist()


def test_it_says_how_many() -> None:
    log = Workload.from_columns(submit=[0, 0, 0], run=[5, 9, 9], requested_time=[5, 10, 8])

    assert apply_all(log, ["accurate"]).changed == {
        "accurate: requested times became run times": 1,
        "accurate: run times ended at the request": 1,
    }
