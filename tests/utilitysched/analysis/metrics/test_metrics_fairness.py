from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.utilitysched.metrics_jobs import four_jobs
from utilitysched.analysis.metrics import gini, jain, user_means

shares = st.lists(st.integers(0, 1000).map(float), min_size=1, max_size=30).map(np.array)


def test_means_per_user_leave_unknown_users_and_undefined_figures_out() -> None:
    jobs = four_jobs().replace(user=[7, -1, 3, 7])

    assert user_means(jobs, np.array([1.0, 100.0, 5.0, 2.0])).tolist() == [5, 1.5]
    assert user_means(jobs, np.array([1.0, 100.0, np.nan, 2.0])).tolist() == [1.5]


def test_one_of_four_has_everything() -> None:
    assert jain(np.array([0.0, 0.0, 0.0, 9.0])) == 0.25
    assert gini(np.array([0.0, 9.0, 0.0, 0.0])) == 0.75


def test_equal_shares_and_no_shares() -> None:
    assert (jain(np.full(5, 3.0)), gini(np.full(5, 3.0))) == (1, 0)
    assert (jain(np.zeros(5)), gini(np.zeros(5))) == (1, 0)
    assert (jain(np.array([])), gini(np.array([]))) == (None, None)


@given(shares)
def test_the_gini_coefficient_is_half_the_relative_mean_difference(sample: np.ndarray) -> None:
    differences = np.abs(sample[:, None] - sample[None, :]).mean()
    mean = sample.mean()

    assert gini(sample) == pytest.approx(differences / (2 * mean) if mean else 0, abs=1e-12)


@given(shares)
def test_jains_index_lies_between_one_nth_and_one(sample: np.ndarray) -> None:
    found = jain(sample)

    assert found is not None
    assert 1 / len(sample) - 1e-12 <= found <= 1 + 1e-12
