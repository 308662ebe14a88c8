from __future__ import annotations

import numpy as np

from pricing.months import LAST_SECOND, UNKNOWN, months
from tests.pricing.jobs import APRIL_2000, three_charges


def test_a_month_ends_at_midnight_utc() -> None:
    last_second = 30 * 86400 - 1.0

    found = months(np.array([0.0, last_second, last_second + 0.5, last_second + 1]), APRIL_2000)

    assert found.tolist() == ["2000-04", "2000-04", "2000-04", "2000-05"]


def test_without_a_start_time_months_are_unknown() -> None:
    assert months(np.array([0.0, 1e9]), None).tolist() == ["unknown", "unknown"]
    assert months(np.array([0.0]), -1).tolist() == ["unknown"]


def test_times_beyond_the_calendar_are_unknown() -> None:
    assert months(np.array([0.0, 1e15]), 0).tolist() == ["1970-01", "unknown"]


def test_a_job_belongs_to_the_month_of_its_completion() -> None:
    assert three_charges().month.tolist() == ["2000-04", "2000-04", "2000-05"]


def test_months_end_with_the_year_9999() -> None:
    assert months(np.array([LAST_SECOND, LAST_SECOND + 1.0]), 0).tolist() == ["9999-12", UNKNOWN]
