"""Forecasts of run times, against sums over the half octaves of the jobs that ended."""

from __future__ import annotations

import numpy as np
import pytest

from utilitysched.kernels.runtimes import EDGES, learn_runtime, outlook, request_class
from utilitysched.model.restarts import RuntimeHistogram


def histogram(*jobs: tuple[float, float]) -> RuntimeHistogram:
    """Run times (s) of jobs with these requests (s)."""
    past = RuntimeHistogram.blank()
    for run, request in jobs:
        learn_runtime(past, run, request)
    return past


def test_classes_are_octaves_of_requests_from_five_minutes() -> None:
    requests = (1, 300, 599, 600, 1200, 3600, 300 * 2**11, 1e9)
    assert [request_class(float(request)) for request in requests] == [0, 0, 0, 1, 2, 3, 11, 11]


def test_other_classes_count_as_ten_jobs() -> None:
    past = histogram(*[(100.0, 3600.0)] * 30, (1000.0, 86_400.0))

    known, other = (outlook(past, request, 0.0, 500.0)[0] for request in (3600.0, 86_400.0))
    assert known == pytest.approx((30 + 300 / 31) / 40)
    assert other == pytest.approx(300 / 31 / 11)


@pytest.mark.parametrize("outlasted", [0.0, 70.0, 600.0])
@pytest.mark.parametrize("within", [80.0, 400.0, np.inf])
def test_forecasts_are_those_of_run_times_spread_over_their_bins(
    outlasted: float, within: float
) -> None:
    runs, request = (20.0, 75.0, 100.0, 900.0), 1000.0
    past = histogram(*((run, request) for run in runs))
    chance, mean = outlook(past, request, outlasted, within)

    spread = []
    for run in runs:
        at = np.searchsorted(EDGES, run, side="right")
        points = np.linspace(EDGES[at - 1], EDGES[at], 100_001)
        spread.append((points[1:] + points[:-1]) / 2)
    likely = np.concatenate(spread)
    likely = likely[likely > outlasted]
    assert chance == pytest.approx(np.mean(likely <= within), abs=1e-3)
    assert mean == pytest.approx(np.minimum(likely, min(within, request)).mean(), rel=1e-3)


def test_who_outlasted_all_runs_for_its_request() -> None:
    past = histogram((100.0, 1000.0))
    assert outlook(past, 1000.0, 500.0, np.inf) == (1.0, 1000.0)
    assert outlook(past, 1000.0, 500.0, 600.0) == (0.0, 600.0)
