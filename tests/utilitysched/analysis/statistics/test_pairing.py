from __future__ import annotations

import math

import numpy as np
import pytest

from utilitysched.analysis.statistics import Pairs, UnpairedRuns, pair, pooled


def test_equal_circumstances_meet_whatever_their_order() -> None:
    pairs = pair({("blue", 2): [4.0], ("blue", 1): [3.0]}, {("blue", 1): [1.0], ("blue", 2): [2.0]})

    assert pairs.keys == (("blue", 1), ("blue", 2))
    assert pairs.values.tolist() == [3.0, 4.0]
    assert pairs.baseline.tolist() == [1.0, 2.0]
    assert pairs.left_out == ()


def test_repeats_become_one_value_before_they_are_paired() -> None:
    pairs = pair({1: [1.0, 2.0, 6.0], 2: [5.0, 7.0]}, {1: [4.0], 2: [3.0, 4.0]})

    assert len(pairs) == 2
    assert pairs.values.tolist() == [3.0, 6.0]
    assert pairs.baseline.tolist() == [4.0, 3.5]


def test_the_mean_of_equal_repeats_is_no_other_number() -> None:
    value = 0.1  # three of them are 0.30000000000000004, and a third of that is no 0.1

    pairs = pair({1: [value] * 3}, {1: [value]})

    assert pairs.values.tolist() == pairs.baseline.tolist() == [0.1]


def test_what_makes_no_pair_is_told() -> None:
    ours = {1: [1.0], 2: [1.0, None], 3: [math.nan], 4: [1.0], 6: [1.0]}
    theirs = {1: [1.0], 2: [1.0], 3: [1.0], 4: [math.inf], 5: [1.0]}

    pairs = pair(ours, theirs)

    assert pairs.keys == (1,)
    assert pairs.left_out == (
        UnpairedRuns(2, "not defined"),
        UnpairedRuns(3, "not defined"),
        UnpairedRuns(4, "baseline not defined"),
        UnpairedRuns(5, "not run"),
        UnpairedRuns(6, "baseline not run"),
    )


def test_pairs_of_one_origin_are_one() -> None:
    keys = (("log", 1), ("other", 1), ("log", 2))
    left_out = (UnpairedRuns(("other", 2), "not run"),)
    pairs = Pairs(keys, np.array([1.0, 6.0, 3.0]), np.array([1.0, 4.0, 2.0]), left_out)

    found = pooled(pairs, lambda key: key[0] if isinstance(key, tuple) else key)

    assert found.keys == ("log", "other")
    assert (found.values.tolist(), found.baseline.tolist()) == ([2.0, 6.0], [1.5, 4.0])
    assert found.left_out == left_out


def test_nothing_in_common() -> None:
    pairs = pair({}, {})

    assert (len(pairs), pairs.values.shape, pairs.left_out) == (0, (0,), ())


@pytest.mark.parametrize(
    ("values", "message"), [([1.0, 2.0], "as many as each other"), ([math.nan], "finite")]
)
def test_refused(values: list[float], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Pairs((1,), np.array(values), np.array([1.0]))
