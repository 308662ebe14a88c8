"""How slowdowns are distributed."""

from __future__ import annotations

import pytest

from swfx import Header, Workload
from utilitysched import simulate
from utilitysched.analysis.metrics import slowdown_metrics


def test_classes_premature_jobs_and_sizes_of_the_slowest() -> None:
    # one behind the other: waits 0, 90, 1090, 1010 and 1210 s; the third and the last end early
    log = Workload.from_columns(
        submit=[0, 10, 10, 100, 100],
        run=[100, 1000, 10, 200, 1],
        requested_time=[100, 1000, 1000, 200, 1000],
        processors=[4, 4, 2, 4, 3],
        header=Header((" MaxProcs: 4",)),
    )

    found = slowdown_metrics(log, simulate(log, "fcfs"))

    shares = [found[f"share_slowdown_{name}"] for name in ("1", "to_10", "to_100", "over_100")]
    assert shares == [0.2, 0.4, 0.0, 0.4]
    early, others = (110 + 121.1) / 2, (1 + 1.09 + 6.05) / 3
    assert found["premature_slowdown_ratio"] == pytest.approx(early / others)
    assert found["slowest_size_median"] == 4
    assert slowdown_metrics(log[:2], simulate(log[:2], "fcfs"))["premature_slowdown_ratio"] is None
