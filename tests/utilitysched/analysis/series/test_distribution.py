"""Distributions over the jobs."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

from swfx import Workload
from tests.utilitysched.metrics_jobs import scheduled
from tests.utilitysched.three_jobs import three_jobs, three_scheduled
from utilitysched import Schedule
from utilitysched.analysis.series import (
    Distribution,
    bounded_slowdown_distribution,
    start_value_share_distribution,
    wait_distribution,
)


def test_waits_of_the_three_jobs() -> None:
    found = wait_distribution(three_jobs(), three_scheduled())

    assert found.value.tolist() == [0, 10]
    assert found.share.tolist() == [pytest.approx(2 / 3), 1]
    assert found.count == 3


def test_slowdowns_of_the_three_jobs() -> None:
    found = bounded_slowdown_distribution(three_jobs(), three_scheduled())

    assert found.value.tolist() == [1, 1.5]


def test_jobs_without_a_start_value_are_left_out_of_the_shares() -> None:
    found = start_value_share_distribution(three_jobs(), three_scheduled())

    assert found.value.tolist() == [0.25, 0.5]
    assert found.share.tolist() == [0.5, 1]
    assert found.count == 2


@given(scheduled())
def test_it_rises_to_one(case: tuple[Workload, Schedule]) -> None:
    found = wait_distribution(*case)

    assert found.share[-1] == 1
    assert np.all(np.diff(found.share) > 0)
    assert np.all(np.diff(found.value) > 0)


def test_thinned_it_is_nowhere_off_by_more_than_a_row() -> None:
    figures = np.random.default_rng(3).lognormal(5, 3, 20_000)
    found = Distribution.of(figures)
    fewer = found.thinned(100)

    assert len(fewer) <= 200
    assert fewer.share[-1] == 1
    off = np.abs(fewer.at(found.value) - found.share)
    assert off.max() <= 0.01 + 1e-12
    assert off.max() > 0


def test_of_nothing_there_is_nothing() -> None:
    assert Distribution.of(np.array([np.nan])).count == 0
    assert len(Distribution.of(np.array([])).thinned()) == 0
