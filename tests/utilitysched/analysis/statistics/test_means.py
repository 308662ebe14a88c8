from __future__ import annotations

import numpy as np
import pytest

from utilitysched.analysis.statistics import (
    MEANS,
    Pairs,
    compare,
    ratio_of_geometric_means,
    ratio_of_means,
)

TWICE_AND_HALF = np.array([2.0, 50.0]), np.array([1.0, 100.0])


def test_the_ratio_of_means_counts_pairs_by_their_size() -> None:
    assert ratio_of_means(*TWICE_AND_HALF) == pytest.approx(52 / 101)


def test_the_ratio_of_geometric_means_counts_pairs_alike() -> None:
    assert ratio_of_geometric_means(*TWICE_AND_HALF) == pytest.approx(1.0)


def test_the_ratio_of_medians_leaves_out_a_few_that_are_large() -> None:
    values, baseline = np.array([2.0, 3.0, 1e9]), np.array([1.0, 2.0, 3.0])

    assert MEANS["median"].ratio(values, baseline, -1) == pytest.approx(1.5)
    assert compare(Pairs(("a", "b", "c"), values, baseline), mean="median").mean == 3.0


def test_the_mean_of_ratios_would_be_above_1_either_way() -> None:
    """Why it is not offered."""
    ours, theirs = TWICE_AND_HALF

    assert np.mean(ours / theirs) == np.mean(theirs / ours) == 1.25


def test_along_an_axis() -> None:
    values, baseline = np.array([[2.0, 4.0], [3.0, 27.0]]), np.array([[1.0, 1.0], [1.0, 1.0]])

    assert ratio_of_means(values, baseline).tolist() == [3.0, 15.0]
    assert ratio_of_means(values, baseline, axis=0).tolist() == [2.5, 15.5]
    assert ratio_of_geometric_means(values, baseline) == pytest.approx([8**0.5, 9])


@pytest.mark.parametrize("baseline", [[0.0, 0.0], [1.0, -1.0], [-1.0, -2.0]])
def test_no_ratio_to_nothing_or_less(baseline: list[float]) -> None:
    assert np.isnan(ratio_of_means(np.array([1.0, 2.0]), np.array(baseline)))


def test_one_baseline_of_0_is_part_of_a_mean_but_of_no_geometric_one() -> None:
    values, baseline = np.array([1.0, 3.0]), np.array([0.0, 2.0])

    assert ratio_of_means(values, baseline) == 2.0
    assert np.isnan(ratio_of_geometric_means(values, baseline))
    assert np.isnan(ratio_of_geometric_means(baseline, values))
