"""Forecasts of a month, by numbers worked out by hand."""

from __future__ import annotations

from datetime import UTC

import numpy as np
import pytest

from swfx.clock import Clock
from utilitysched_web.month import DAY, month_forecast

JANUARY = Clock(1767225600, UTC)
"""2026-01-01 00:00."""


def test_a_month_goes_on_as_its_days_were() -> None:
    end = np.arange(0.5, 10) * DAY

    found = month_forecast(end, np.full(10, 3.0), 0.0, 10 * DAY, JANUARY)

    assert found.month == "2026-01"
    assert found.charged == 30
    assert found.left == 21
    assert (found.low, found.expected, found.high) == pytest.approx((93, 93, 93))


def test_what_ended_before_the_month_counts_for_its_days_only() -> None:
    end = np.array([-1.5, -0.5, 0.5]) * DAY

    found = month_forecast(end, np.array([6.0, 0.0, 3.0]), -2 * DAY, DAY, JANUARY)

    assert found.charged == 3
    assert found.days == 3
    assert found.expected == pytest.approx(3 + 30 * 3)
    assert found.low < found.expected < found.high


def test_days_longer_ago_than_four_weeks_are_forgotten() -> None:
    found = month_forecast(np.array([0.5 * DAY]), np.array([31.0]), 0.0, 30.75 * DAY, JANUARY)

    assert found.left == 0.25
    assert found.days == 28
    assert (found.charged, found.expected) == (31, 31)
