"""Users."""

from __future__ import annotations

import numpy as np
import pytest

from tests.utilitysched.three_jobs import three_jobs, three_scheduled
from utilitysched import metrics
from utilitysched.analysis.series import fairness, lorenz, users


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
