"""Runs of a report and their scale of time."""

from __future__ import annotations

import numpy as np
import pytest

import swfx
from swfx import InputError
from utilitysched.report.html.shown import Shown, time_scale
from utilitysched.runs import RunResults


def test_schedulers_are_the_labels(shown: Shown) -> None:
    assert shown.key == {0: "easy", 1: "saf"}


def test_two_runs_of_one_scheduler_are_told_apart_by_directory(runs: list[RunResults]) -> None:
    labels = Shown.of([runs[0], runs[0]._replace(directory=runs[1].directory)]).labels

    assert labels == [f"easy ({runs[0].directory})", f"easy ({runs[1].directory})"]


def test_runs_of_different_workloads_are_refused(runs: list[RunResults]) -> None:
    workload = {**runs[1].record["workload"], "digest": "other"}
    other = runs[1]._replace(record={**runs[1].record, "workload": workload})

    with pytest.raises(InputError, match="the runs are of different workloads; name those of one"):
        Shown.of([runs[0], other])


def test_more_runs_than_can_be_told_apart_are_refused(runs: list[RunResults]) -> None:
    with pytest.raises(InputError, match=r"8 runs cannot be told apart.*; name at most 7"):
        Shown.of(runs * 4)


def test_a_run_of_no_job_is_refused(runs: list[RunResults]) -> None:
    with pytest.raises(InputError, match="no job ran"):
        Shown.of([runs[0]._replace(workload=runs[0].workload[:0])])


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


def test_relative_times_are_days_since_the_first_submission(runs: list[RunResults]) -> None:
    scale = time_scale(with_header(runs[0], " UnixStartTime: 0"))

    assert scale == time_scale(with_header(runs[0]))


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
