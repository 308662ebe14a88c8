"""Submissions by hour, weekday and week."""

from __future__ import annotations

from typing import Any

import pytest

from swfx import Header
from tests.utilitysched.analysis.description.sections import (
    DAY,
    HEADER,
    HOUR,
    captions,
    jobs,
    panels,
)
from utilitysched.analysis.description.describe import MOST_WEEKS, WEEK, Load

SUMMER = 200 * DAY
"""July 1970: Paris is an hour ahead of UTC, as it had no summer time then."""


def found(chart: dict[str, Any]) -> dict[str, float]:
    """Values above 0 by label."""
    pairs = zip(chart["labels"], chart["values"], strict=True)
    return {label: value for label, value in pairs if value}


def test_hours_and_days_are_those_of_the_place() -> None:
    # Unix time begins on Thursday, 1 January 1970, at 1:00 in Paris
    shown = panels(Load(HEADER, 8), jobs(submit=[0, 22 * HOUR, 23 * HOUR, SUMMER]))

    assert found(shown["jobs_by_hour_of_day"]) == {"00": 25, "01": 50, "23": 25}
    assert found(shown["jobs_by_day_of_week"]) == {"Thu": 50, "Fri": 25, "Mon": 25}


def test_summer_time_is_kept() -> None:
    header = HEADER.with_value("UnixStartTime", 1_262_304_000)  # 1 January 2010, 0:00 UTC
    shown = panels(Load(header, 8), jobs(submit=[0, SUMMER]))

    assert found(shown["jobs_by_hour_of_day"]) == {"01": 50, "02": 50}


def test_work_counts_by_submission() -> None:
    part = jobs(submit=[0, 5 * HOUR], run=[HOUR, 3 * HOUR], processors=[2, 2])
    shown = panels(Load(HEADER, 8), part)

    assert found(shown["work_by_hour_of_day"]) == {"01": 25, "06": 75}


def test_without_a_clock_days_are_the_logs_own() -> None:
    load = Load(Header(), None)
    shown = panels(load, jobs(submit=[0, DAY + HOUR]))

    assert found(shown["jobs_by_hour_of_day"]) == {"00": 50, "01": 50}
    assert found(shown["jobs_by_day_of_week"]) == {"day 1": 50, "day 2": 50}
    assert "counted from time 0 of the log" in captions(load)["jobs_by_day_of_week"]


def test_weeks_begin_with_the_first_job_and_none_is_left_out() -> None:
    part = jobs(submit=[DAY, 2 * DAY, DAY + 2 * WEEK], processors=[8, 4, 1], run=[WEEK, WEEK, HOUR])
    shown = panels(Load(HEADER, 8), part)

    assert found(shown["jobs_by_week"]) == {"1970-01-02": 2, "1970-01-16": 1}
    assert shown["jobs_by_week"]["values"] == [2, 0, 1]
    assert shown["load_by_week"]["values"] == pytest.approx([150, 0, 100 / 8 / 168])


def test_the_load_of_a_machine_of_unknown_size_is_unknown() -> None:
    shown = panels(Load(Header(), None), jobs(submit=[0, WEEK]))

    assert shown["jobs_by_week"]["labels"] == ["week 1", "week 2"]
    assert "load_by_week" not in shown


def test_one_week_is_no_chart() -> None:
    assert "jobs_by_week" not in panels(Load(HEADER, 8), jobs(submit=[0, DAY]))


def test_a_job_in_a_far_future_does_not_fill_the_memory() -> None:
    shown = panels(Load(HEADER, 8), jobs(submit=[0, 2.0**52]))

    assert shown["jobs_by_week"]["values"] == [1, 1]
    assert shown["jobs_by_week"]["labels"][1] == f"week {2**52 // int(WEEK) + 1}"
    assert MOST_WEEKS == 2_000


def test_a_job_that_comes_after_a_later_one_has_its_week() -> None:
    shown = panels(Load(HEADER, 8), jobs(submit=[2 * WEEK]), jobs(submit=[WEEK]))

    assert shown["jobs_by_week"]["labels"] == ["1970-01-08", "1970-01-15"]
