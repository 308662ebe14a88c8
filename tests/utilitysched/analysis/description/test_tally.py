"""Counting part by part gives what counting at once gives."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from utilitysched.analysis.description.tally import NumberTally, Sums

LEVELS = (0.0, 0.25, 0.5, 0.75, 1.0)
whole_numbers = st.lists(st.integers(-5, 40), max_size=60)


def tally_of(*parts: list[int]) -> NumberTally:
    tally = NumberTally()
    for part in parts:
        tally.add(np.array(part, dtype=np.int64))
    return tally


def test_quantiles_are_values() -> None:
    tally = tally_of([4, 1], [3, 2])

    assert tally.quantiles(LEVELS) == [1, 1, 2, 3, 4]
    assert (tally.count, tally.mean) == (4, 2.5)


def test_nothing_has_no_quantiles() -> None:
    assert tally_of([]).quantiles(LEVELS) == [None] * 5
    assert tally_of().mean is None


def test_classes_include_their_lower_end() -> None:
    bounds = np.array([0.0, 10.0, 20.0, np.inf])

    assert tally_of([0, 9, 10, 10, 20, 500]).between(bounds).tolist() == [2, 2, 2]


@given(st.lists(whole_numbers, max_size=6))
def test_any_division_into_parts(parts: list[list[int]]) -> None:
    values = sorted(value for part in parts for value in part)
    tally = tally_of(*parts)

    assert tally.count == len(values)
    if values:
        wanted = [values[max(math.ceil(level * len(values)), 1) - 1] for level in LEVELS]
        assert tally.quantiles(LEVELS) == wanted
        assert tally.mean == sum(values) / len(values)
    ends = [-5, 0, 7, 41]
    counts = [sum(low <= value < high for value in values) for low, high in pairwise(ends)]
    assert tally.between(np.array(ends, dtype=np.float64)).tolist() == counts


def test_sums_per_key() -> None:
    sums = Sums(2)
    sums.add(np.array([7, 3, 7]), np.ones(3), np.array([1.0, 2.0, 4.0]))
    sums.add(np.array([3]), np.ones(1), np.array([0.5]))

    assert (list(sums), len(sums)) == ([3, 7], 2)
    assert sums.rows([7, 3, 9]).tolist() == [[2, 5], [2, 2.5], [0, 0]]
    assert sums.rows([]).shape == (0, 2)
