from __future__ import annotations

import pytest

from swfx import InputError, Workload
from swfx.families.estimates.registry import ESTIMATE_MODELS


def test_requests_are_the_run_times_rounded_up_and_never_0() -> None:
    jobs = Workload.from_columns(submit=[0, 0, 0], run=[90, 0.25, 0], requested_time=[3600, -1, 60])

    workload, notes = ESTIMATE_MODELS.make("exact").annotate(jobs, seed=1)

    assert workload.requested_time.tolist() == [90, 1, 1]
    assert workload.run.tolist() == [90, 0.25, 0]
    assert workload.header.get("EstimateModel") == "exact; seed 1"
    assert notes == ("2 requested times replaced",)


def test_nothing_else_changes() -> None:
    jobs = Workload.from_columns(submit=[5, 9], run=[90, 7], processors=[2, 4], user=[1, 2])

    workload = ESTIMATE_MODELS.make("exact").annotate(jobs, seed=0).workload

    assert workload.replace(requested_time=jobs.requested_time, header=jobs.header) == jobs


def test_jobs_without_run_time_are_refused() -> None:
    jobs = Workload.from_columns(submit=[0, 0], run=[90, -1])

    with pytest.raises(InputError, match="job at position 1 has no run time to estimate; read"):
        ESTIMATE_MODELS.make("exact").annotate(jobs, seed=0)


def test_seeds_count_from_0() -> None:
    jobs = Workload.from_columns(submit=[0], run=[90])

    with pytest.raises(InputError, match="EstimateModel: field seed: -1 is out of bounds"):
        ESTIMATE_MODELS.make("exact").annotate(jobs, seed=-1)
