"""Curves of a class of jobs on one scale."""

from __future__ import annotations

import numpy as np
import pytest

from swfx import UtilityFunction, UtilityTable, Workload
from tests.utilitysched.three_jobs import three_jobs
from utilitysched.analysis.series import band, deadlines, normalised, sample, valued


def test_jobs_without_a_start_value_are_left_out() -> None:
    everyone = np.ones(3, np.bool_)

    assert valued(three_jobs(), everyone).tolist() == [0, 1]
    assert deadlines(three_jobs(), np.array([0, 1])).tolist() == [20, 40]


def test_straight_curves_have_a_straight_median() -> None:
    found = band(three_jobs(), np.array([0, 1]), points=5)

    assert found.time.tolist() == [0, 0.25, 0.5, 0.75, 1]
    assert found.median.tolist() == [1, 0.75, 0.5, 0.25, 0]
    assert found.low.tolist() == found.high.tolist() == found.median.tolist()
    assert found.jobs == 2


def test_quartiles_are_over_the_jobs() -> None:
    ends = [0, 10, 20, 30, 100]
    curves = [UtilityFunction([0, 60], [100, end]) for end in ends]
    jobs = Workload.from_columns(submit=[0] * 5, utility=UtilityTable.from_functions(curves))

    found = band(jobs, np.arange(5), points=2)
    assert (found.low[1], found.median[1], found.high[1]) == pytest.approx((0.1, 0.2, 0.3))


def test_a_sample_is_spread_evenly() -> None:
    assert sample(np.arange(100), 3).tolist() == [0, 49, 99]
    assert sample(np.arange(2), 3).tolist() == [0, 1]


def test_a_curve_over_its_deadline_and_start_value() -> None:
    times, shares = normalised(UtilityFunction([0, 10, 40], [8, 4, 0]))

    assert times.tolist() == [0, 0.25, 1]
    assert shares.tolist() == [1, 0.5, 0]
