"""Utility functions of jobs and of classes."""

from __future__ import annotations

import numpy as np
import pytest

from swfx import InputError, UtilityFunction, UtilityTable, Workload
from tests.utilitysched.three_jobs import three_jobs
from utilitysched.analysis.series import band, deadlines, normalised, sample, valued
from utilitysched.analysis.series.curves import named_classes, numbered, of_size


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


def test_jobs_are_found() -> None:
    assert numbered(three_jobs(), [3, 1]) == [2, 0]
    assert of_size(three_jobs(), 2, 4).tolist() == [0, 2]


def test_classes_are_told_by_numbers_names_and_sizes() -> None:
    found = named_classes(three_jobs(), ["1"], ["1"], [(2, 4)])
    assert [places.tolist() for places in found.values()] == [[1, 2], [0, 2], [0, 2]]
    assert list(found)[-1] == "2 to 4 processors"
    assert named_classes(three_jobs(), [], [], [])["all"].tolist() == [0, 1, 2]


def test_of_jobs_that_share_a_number_the_first_is_meant() -> None:
    assert numbered(three_jobs().replace(job_id=np.array([7, 7, 7])), [7]) == [0]


def test_what_is_not_there_is_refused_with_what_is() -> None:
    with pytest.raises(InputError, match="no job has the number 9; numbers go from 1 to 3"):
        numbered(three_jobs(), [9])
    with pytest.raises(InputError, match="no job has the queue '4'"):
        named_classes(three_jobs(), ["4"], [], [])
    with pytest.raises(InputError, match="no job has the user '4'"):
        named_classes(three_jobs(), [], ["4"], [])
    with pytest.raises(InputError, match="no job has 5 to 7 processors; jobs have 2 to 8"):
        of_size(three_jobs(), 5, 7)
