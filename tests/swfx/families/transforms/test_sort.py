from __future__ import annotations

from hypothesis import given

from swfx import Workload
from swfx.families.transforms import apply_all
from tests.strategies import workloads


@given(workloads())
def test_the_order_is_that_of_arrivals_in_the_engine(log: Workload) -> None:
    done = apply_all(log, ["sort"]).workload

    expected = sorted(range(len(log)), key=lambda job: (log.submit[job], job))
    assert done.job_id.tolist() == log.job_id[expected].tolist()
    assert done.utility == log.utility.take(expected)


def test_links_and_numbers_stay() -> None:
    log = Workload.from_columns(submit=[9, 5, 7], preceding_job=[2, -1, -1])

    done = apply_all(log, ["sort"])

    assert done.workload.job_id.tolist() == [2, 3, 1]
    assert done.workload.preceding_job.tolist() == [-1, -1, 2]
    assert done.notes == ("sort: 3 jobs stand elsewhere",)
