from __future__ import annotations

import numpy as np

from utilitysched.kernels.history import EXPECTED, fill, learn
from utilitysched.model.forecast import SAMPLES, Forecast, RuntimeHistory
from utilitysched.model.state import JobTable


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
