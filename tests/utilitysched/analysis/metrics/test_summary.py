"""Summaries: percentiles, LEE's table, every metric by name."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from swfx import InputError, Workload
from tests.utilitysched.metrics_jobs import four_jobs, four_scheduled, schedule_of, scheduled
from utilitysched import Schedule, metrics
from utilitysched.analysis.metrics import LeeRow, lee_table_row, percentiles, summary

PAGE = Path(__file__).parents[4] / "docs" / "metrics.md"


def test_every_figure_of_four_jobs() -> None:
    assert metrics.summary(four_jobs(), four_scheduled(), threshold=250) == {
        "scheduler": "by-hand",
        "jobs": 4,
        "jobs_measured": 4,
        "trim": 0.0,
        "tau": 10.0,
        "wait_mean": 75.75,
        "wait_p25": 0,
        "wait_p50": 1,
        "wait_p75": 2,
        "wait_p98": 300,
        "wait_p100": 300,
        "turnaround_mean": 151,
        "slowdown_mean": 5.5 / 3,
        "bounded_slowdown_mean": 1.375,
        "bounded_slowdown_max": 2.5,
        "processor_bounded_slowdown_mean": 1,
        "expansion_factor_p25": 1,
        "expansion_factor_p50": 2,
        "expansion_factor_p75": 2.5,
        "expansion_factor_p98": 2.5,
        "expansion_factor_p100": 2.5,
        "requested_expansion_factor_p25": 1,
        "requested_expansion_factor_p50": 1.01,
        "requested_expansion_factor_p75": 1.2,
        "requested_expansion_factor_p98": 2.5,
        "requested_expansion_factor_p100": 2.5,
        "jobs_without_run_time": 1,
        "jobs_over_slowdown_100": 0,
        "weekly_bounded_slowdown_sum": 1.375,
        "aggregate_utility": 9,
        "start_value": 14,
        "aggregate_share": 9 / 14,
        "start_value_share_mean": 0.625,
        "start_value_share_p25": 0.75,
        "start_value_share_p50": 0.75,
        "start_value_share_p75": 0.5,
        "start_value_share_p98": 0.5,
        "start_value_share_p100": 0.5,
        "jobs_without_utility": 1,
        "starvation_threshold": 250,
        "jobs_run_at_once": 1,
        "share_run_at_once": 0.25,
        "jobs_premature": 2,
        "share_premature": 0.5,
        "jobs_backfilled": 1,
        "share_backfilled": 0.25,
        "jobs_starved": 1,
        "share_starved": 0.25,
        "machine_size": 8,
        "makespan": 700,
        "utilisation": 1602 / 5600,
        "submission_utilisation": 802 / 1600,
        "passes": 4,
        "users": 2,
        "jain_user_bounded_slowdown": pytest.approx(2.75**2 / (2 * (1 + 1.75**2))),
        "gini_user_bounded_slowdown": pytest.approx(0.75 / (2 * 2.75)),
    }


def test_weekly_slowdowns_add_up_exactly() -> None:
    """Ten times 1.1: added up one by one, it ends in ...98 up to Python 3.11, and not later."""
    submit = 604_800.0 * np.arange(10)
    jobs = Workload.from_columns(submit=submit, run=[100] * 10, processors=[1] * 10)

    measured = metrics.summary(jobs, schedule_of(jobs, [10.0] * 10))

    assert measured["weekly_bounded_slowdown_sum"] == 11.0


def test_jobs_over_slowdown_100_are_above_it() -> None:
    jobs = four_jobs()

    for wait, over in ((99, 0), (99.5, 1)):  # the second job runs for 1 s
        found = metrics.summary(jobs, schedule_of(jobs, [0, wait, 0, 0]))
        assert found["jobs_over_slowdown_100"] == over


def test_trimming_leaves_out_the_first_and_last_submitted() -> None:
    found = metrics.summary(four_jobs(), four_scheduled(), trim=0.25)

    assert metrics.measured(four_jobs(), 0.25).tolist() == [False, True, True, False]
    assert (found["jobs"], found["jobs_measured"], found["trim"]) == (4, 2, 0.25)
    assert (found["wait_mean"], found["wait_p100"]) == (1.5, 2)
    assert (found["jobs_backfilled"], found["share_backfilled"]) == (1, 0.5)
    assert (found["aggregate_utility"], found["makespan"]) == (9, 700)


@pytest.mark.parametrize("trim", [-0.1, 0.5, float("nan")])
def test_a_trim_that_leaves_no_jobs_is_refused(trim: float) -> None:
    with pytest.raises(InputError, match=r"field trim: .* give a share from 0 to below 0.5"):
        metrics.summary(four_jobs(), four_scheduled(), trim=trim)


def test_an_empty_workload_has_a_summary_too() -> None:
    nothing = four_jobs()[:0]

    found = metrics.summary(nothing, schedule_of(nothing, []))

    assert (found["jobs"], found["aggregate_utility"], found["makespan"]) == (0, 0, 0)
    assert found["wait_mean"] is found["wait_p50"] is found["utilisation"] is None
    assert found["jain_user_bounded_slowdown"] is None


@given(scheduled())
def test_a_summary_is_json_without_nan_and_the_same_every_time(
    case: tuple[Workload, Schedule],
) -> None:
    text = json.dumps(metrics.summary(*case), allow_nan=False)

    assert json.loads(text) == metrics.summary(*case)


def test_every_figure_is_documented() -> None:
    names = {
        re.sub(r"_p\d+$", "_p25", name) for name in metrics.summary(four_jobs(), four_scheduled())
    }

    documented = set(re.findall(r"`([a-z0-9_]+)`", PAGE.read_text("utf-8")))
    assert names - documented == set()


samples = st.lists(st.integers(0, 50).map(float), min_size=1, max_size=60).map(np.array)


def test_undefined_values_are_left_out() -> None:
    assert percentiles(np.array([np.nan, 2.0, 1.0]), [50, 100]) == [1, 2]
    assert percentiles(np.array([np.nan]), [50, 100]) == [None, None]


def test_a_level_beyond_the_sample_is_refused() -> None:
    with pytest.raises(InputError, match="101 is not a percentile; use 0 to 100"):
        percentiles(np.array([1.0]), [101])


@given(samples, st.integers(0, 100))
def test_it_is_the_smallest_value_at_which_the_distribution_reaches_the_level(
    sample: np.ndarray, level: int
) -> None:
    (found,) = percentiles(sample, [level])

    assert 100 * np.count_nonzero(sample <= found) >= level * len(sample)
    assert 100 * np.count_nonzero(sample < found) < level * len(sample) or found == sample.min()


@given(samples, st.integers(1, 100))
def test_from_the_best_downward_at_least_the_level_reach_it(sample: np.ndarray, level: int) -> None:
    (found,) = percentiles(sample, [level], best_first=True)

    assert 100 * np.count_nonzero(sample >= found) >= level * len(sample)
    assert 100 * np.count_nonzero(sample > found) < level * len(sample)


def test_the_columns_of_table_4_1() -> None:
    row = lee_table_row(summary(four_jobs(), four_scheduled()))

    assert row == LeeRow(
        scheduler="by-hand",
        wait=(0, 1, 2, 300, 300),
        expansion_factor=(1, 2, 2.5, 2.5, 2.5),
        requested_expansion_factor=(1, 1.01, 1.2, 2.5, 2.5),
        bounded_slowdown=1.375,
        start_value_share=(0.75, 0.75, 0.5, 0.5, 0.5),
        aggregate_utility=9,
    )
