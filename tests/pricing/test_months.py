from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone, tzinfo
from zoneinfo import ZoneInfo

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from pricing import charge
from pricing.months import LAST_SECOND, UNKNOWN, days, months
from swfx.clock import Clock
from tests.pricing.jobs import APRIL_2000, three_charges, three_jobs


def test_a_month_ends_at_midnight_utc() -> None:
    last_second = 30 * 86400 - 1.0

    found = months(
        np.array([0.0, last_second, last_second + 0.5, last_second + 1]), Clock(APRIL_2000, UTC)
    )

    assert found.tolist() == ["2000-04", "2000-04", "2000-04", "2000-05"]


def test_without_a_start_time_months_are_unknown() -> None:
    assert months(np.array([0.0, 1e9]), None).tolist() == ["unknown", "unknown"]
    assert months(np.array([0.0]), Clock(-1, UTC)).tolist() == ["unknown"]


def test_relative_times_are_of_no_month() -> None:
    header = three_jobs().header.with_value("UnixStartTime", 0)
    jobs = three_jobs().replace(header=header)
    charges = charge(jobs, jobs.submit, jobs.submit + 3600, "single-price")

    assert charges.month.tolist() == ["unknown"] * 3


def test_times_beyond_the_calendar_are_unknown() -> None:
    assert months(np.array([0.0, 1e15]), Clock(0, UTC)).tolist() == ["1970-01", "unknown"]


def test_a_job_belongs_to_the_month_of_its_completion() -> None:
    assert three_charges().month.tolist() == ["2000-04", "2000-04", "2000-05"]


def test_months_end_with_the_year_9999() -> None:
    assert months(np.array([LAST_SECOND, LAST_SECOND + 1.0]), Clock(0, UTC)).tolist() == [
        "9999-12",
        UNKNOWN,
    ]


ZONES = ("Europe/Berlin", "America/Los_Angeles", "Pacific/Kiritimati", "Asia/Kolkata")


@given(
    st.lists(st.integers(0, 4_000_000_000), max_size=5),
    st.sampled_from([*map(ZoneInfo, ZONES), UTC, timezone(timedelta(hours=-8))]),
)
def test_months_are_those_of_the_log_s_zone(stamps: list[int], zone: tzinfo) -> None:
    found = months(np.array(stamps, np.float64), Clock(0, zone)).tolist()

    assert found == [f"{datetime.fromtimestamp(stamp, zone):%Y-%m}" for stamp in stamps]


def test_the_last_month_has_an_end_in_any_zone() -> None:
    for zone in ZONES:
        found = months(np.array([LAST_SECOND]), Clock(0, ZoneInfo(zone))).tolist()
        assert found == ["9999-12"]


@given(
    st.lists(st.integers(0, 4_000_000_000), max_size=5),
    st.sampled_from([*map(ZoneInfo, ZONES), UTC, timezone(timedelta(hours=-8))]),
)
def test_days_are_those_of_the_log_s_zone(stamps: list[int], zone: tzinfo) -> None:
    found = days(np.array(stamps, np.float64), Clock(0, zone)).astype(str).tolist()

    assert found == [f"{datetime.fromtimestamp(stamp, zone):%Y-%m-%d}" for stamp in stamps]


def test_days_that_no_calendar_has_are_unknown() -> None:
    assert np.isnat(days(np.array([0.0]), None)).all()
    found = days(np.array([LAST_SECOND, LAST_SECOND + 1.0]), Clock(0, UTC))
    assert found.astype(str).tolist() == ["9999-12-31", "NaT"]
