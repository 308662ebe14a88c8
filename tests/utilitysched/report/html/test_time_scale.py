"""Times as dates of the machine's place, or as days."""

from __future__ import annotations

import numpy as np
import pytest

import swfx
from utilitysched.report.html.shown import time_scale
from utilitysched.runs import RunResults

SUMMER = 962_409_600  # 2000-07-01 00:00 UTC


def with_header(run: RunResults, *lines: str) -> list[RunResults]:
    return [run._replace(workload=run.workload.replace(header=swfx.Header(lines)))]


def test_without_a_clock_days_are_counted_from_the_first_submission(
    runs: list[RunResults],
) -> None:
    scale = time_scale(with_header(runs[0]))

    assert scale.label == "time since the first submission (d)"
    assert scale.place(np.array([0.0, 86_400.0])).tolist() == [0.0, 1.0]
    assert scale.last == pytest.approx(float(runs[0].schedule.end.max()) / 86_400)


def test_dates_are_those_of_the_place(runs: list[RunResults]) -> None:
    header = (f" UnixStartTime: {SUMMER}", " TimeZoneString: Asia/Kolkata")
    scale = time_scale(with_header(runs[0], *header))

    assert scale.label == "time (Asia/Kolkata)"
    assert scale.place(np.array([60.0])).tolist() == [1000.0 * (SUMMER + 5.5 * 3600 + 60)]


def test_summer_time_is_ignored_and_the_scale_says_so(runs: list[RunResults]) -> None:
    header = (f" UnixStartTime: {SUMMER}", " TimeZoneString: US/Pacific")
    scale = time_scale(with_header(runs[0], *header))

    assert scale.label == "time (US/Pacific, summer time ignored)"
    assert scale.first == 1000.0 * (SUMMER - 8 * 3600)
