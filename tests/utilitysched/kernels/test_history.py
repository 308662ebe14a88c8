"""Forecasts of run times: from the latest jobs, and against sums over half octaves of all."""

from __future__ import annotations

import numpy as np
import pytest

from utilitysched.kernels.history import (
    EDGES,
    EXPECTED,
    fill,
    learn,
    learn_runtime,
    outlook,
    request_class,
)
from utilitysched.model.forecast import SAMPLES, Forecast, RuntimeHistory
from utilitysched.model.restarts import RuntimeHistogram
from utilitysched.model.state import JobTable


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


def test_expected_durations_are_of_the_user_then_of_the_log_then_the_request() -> None:
    history = RuntimeHistory.blank(2)
    learn(history, 1, 50.0, 100.0)
    learn(history, 0, 20.0, 100.0)
    learn(history, 1, 75.0, 100.0)
    first, one, none = np.zeros(1, np.int64), np.ones(1), np.zeros(0)
    offsets = np.zeros(2, np.int64)
    known = JobTable(1, one, one, first + 1, 1000 * one, first, first, offsets, none, none)
    forecast = Forecast(np.zeros((1, SAMPLES)), np.zeros(1))

    fill(first, known, history, (EXPECTED, 1.0, 0), forecast)

    assert forecast.duration[0].tolist() == [200.0, 750.0, 200.0, 500.0, *[1000.0] * (SAMPLES - 4)]
