"""Metrics of jobs that share nodes, worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest

from swfx import Workload
from utilitysched import Schedule, metrics, simulate


def test_slowdowns_and_speedups_are_by_realised_run_times() -> None:
    workload = Workload.from_columns(submit=[0, 0, 0], run=[10, 20, 0], processors=[2, 1, 1])
    schedule = Schedule(
        np.array([0.0, 15.0, 0.0]),
        np.array([8.0, 40.0, 0.0]),
        np.zeros(3, np.bool_),
        4,
        "by hand",
        passes=0,
        provenance={"shared": {}},
    )

    found = metrics.summary(workload, schedule)

    # 8/8 and 40/25; the third has no run time
    assert found["realised_slowdown_mean"] == pytest.approx(1.3)
    assert found["realised_slowdown_sd"] == pytest.approx(0.3)
    # bounded by 10 s: 8/10, counted as 1, 40/25 and 1
    assert found["realised_bounded_slowdown_mean"] == pytest.approx(1.2)
    assert found["realised_bounded_slowdown_sd"] == pytest.approx(np.std([1.0, 1.6, 1.0]))
    assert found["processor_slowdown_mean"] == pytest.approx((0.5 + 1.6) / 2)
    # 10/8 and 20/25, weights 16 and 25
    assert found["job_speedup_mean"] == pytest.approx((1.25 + 0.8) / 2)
    assert found["job_speedup_sd"] == pytest.approx(0.225)
    assert found["job_speedup_weighted"] == pytest.approx((1.25 * 16 + 0.8 * 25) / 41)
    of_each_processor_second = [1.25] * 16 + [0.8] * 25
    assert found["job_speedup_weighted_sd"] == pytest.approx(np.std(of_each_processor_second))
    assert (found["jobs_slowed"], found["share_slowed"]) == (1, 0.5)


def test_schedules_without_shared_nodes_have_none_of_them() -> None:
    workload = Workload.from_columns(submit=[0], run=[10], processors=[2])

    found = metrics.summary(workload, simulate(workload, "easy", machine_size=4))

    assert "job_speedup_mean" not in found
