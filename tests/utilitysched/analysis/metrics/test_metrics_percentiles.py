from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from swfx import InputError
from utilitysched.analysis.metrics import LEE_LEVELS, percentiles

samples = st.lists(st.integers(0, 50).map(float), min_size=1, max_size=60).map(np.array)


def test_percentiles_are_values_of_the_sample() -> None:
    hundred = np.arange(1.0, 101.0)

    assert percentiles(hundred, LEE_LEVELS) == [25, 50, 75, 98, 100]
    assert percentiles(hundred[:3], [0, 33, 34, 100]) == [1, 1, 2, 3]


def test_counted_from_the_best_downward() -> None:
    assert percentiles(np.array([0.0, 0.1, 0.5, 1.0]), [25, 50, 75, 100], best_first=True) == [
        1.0,
        0.5,
        0.1,
        0.0,
    ]


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
