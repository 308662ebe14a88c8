"""Distributions, users, bills and classes of jobs."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

from swfx import Workload
from tests.utilitysched.metrics_jobs import scheduled
from tests.utilitysched.three_jobs import three_jobs, three_scheduled
from utilitysched import Schedule, metrics
from utilitysched.analysis.series import (
    Bill,
    Distribution,
    charges_by,
    fairness,
    lorenz,
    start_value_share_distribution,
    users,
    wait_distribution,
)


def test_users_of_the_three_jobs() -> None:
    found = users(three_jobs(), three_scheduled(), charge=np.array([3.0, np.nan, 4.0]))

    assert found.user.tolist() == [1, 2]
    assert found.jobs.tolist() == [2, 1]
    assert found.processor_hours.tolist() == pytest.approx([50 / 3600, 160 / 3600])
    assert found.wait.tolist() == [0, 10]
    assert found.bounded_slowdown.tolist() == [1, 1.5]
    assert found.start_value_share.tolist() == [0.5, 0.25]
    assert found.utility.tolist() == [10, 2]
    assert found.charge.tolist() == [7, 0]


def test_unknown_users_are_left_out() -> None:
    found = users(three_jobs().replace(user=np.array([-1, 2, -1])), three_scheduled())

    assert found.user.tolist() == [2]
    assert np.isnan(found.charge).all()


def test_a_user_without_start_value_has_no_share_of_it() -> None:
    found = users(three_jobs().replace(user=np.array([1, 1, 3])), three_scheduled())

    assert found.start_value_share.tolist() == [0.375, pytest.approx(np.nan, nan_ok=True)]


def test_fairness_is_that_of_the_metrics() -> None:
    figures = np.array([1.0, np.nan, 1.0, 4.0])

    assert fairness(figures) == (1 / 3, 2 / 3)
    assert fairness(figures[1:2]) == (None, None)


def test_half_the_gini_coefficient_lies_below_the_diagonal() -> None:
    figures = np.random.default_rng(1).lognormal(0, 1, 500)
    curve = lorenz(figures)
    below = 0.5 - np.trapezoid(curve.metric, curve.users)

    assert (curve.metric[0], curve.metric[-1]) == (0, pytest.approx(1))
    assert 2 * below == pytest.approx(metrics.gini(figures))


def test_of_nothing_all_have_the_same() -> None:
    curve = lorenz(np.zeros(4))

    assert curve.metric.tolist() == curve.users.tolist() == [0, 0.25, 0.5, 0.75, 1]


def test_waits_of_the_three_jobs() -> None:
    found = wait_distribution(three_jobs(), three_scheduled())

    assert found.value.tolist() == [0, 10]
    assert found.share.tolist() == [pytest.approx(2 / 3), 1]
    assert found.count == 3


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


BILL = Bill("first-price:reading=end", np.array([1.0, np.nan, 5.0, 2.0]))


def test_whoever_pays_most_comes_first() -> None:
    found = charges_by(BILL, np.array([7, 7, 9, 7]), np.array([1.0, 100.0, 6.0, 2.0]))

    assert found.key.tolist() == [9, 7]
    assert found.jobs.tolist() == [1, 2]
    assert found.charge.tolist() == [5, 3]
    assert found.utility.tolist() == [6, 3]
