"""Runs of a report and their scale of time."""

from __future__ import annotations

import pytest

from swfx import InputError
from utilitysched.report.html.shown import Shown
from utilitysched.runs import RunResults


def test_schedulers_are_the_labels(shown: Shown) -> None:
    assert list(shown.by_label) == ["easy", "saf"]


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
