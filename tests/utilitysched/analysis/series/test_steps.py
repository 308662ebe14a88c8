"""Step functions."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from utilitysched.analysis.series import StepFunction

STEPS = StepFunction(np.array([0.0, 5.0, 9.0]), np.array([2.0, 6.0, 0.0]))


def test_a_value_holds_from_its_instant_to_the_next() -> None:
    assert STEPS.at([-1, 0, 4.9, 5, 8, 9, 99]).tolist() == [0, 2, 2, 6, 6, 0, 0]


def test_the_integral_grows_as_long_as_the_value_holds() -> None:
    assert STEPS.integral([-3, 0, 1, 5, 6, 9, 20]).tolist() == [0, 0, 2, 10, 16, 34, 34]
    assert STEPS.area() == 34


def test_means_are_over_time() -> None:
    assert STEPS.means(np.array([-5.0, 0.0, 10.0])).tolist() == [0.0, 3.4]


def test_instants_without_a_change_are_left_out_but_the_first_and_the_last() -> None:
    steps = StepFunction.from_changes([0, 1, 1, 2, 3], [0, 5, -5, 1, 0])

    assert steps.time.tolist() == [0, 2, 3]
    assert steps.value.tolist() == [0, 1, 1]


def test_a_part_begins_and_ends_with_what_holds_there() -> None:
    part = STEPS.within(4, 7)

    assert part.time.tolist() == [4, 5, 7]
    assert part.value.tolist() == [2, 6, 6]


def test_of_nothing_there_is_nothing() -> None:
    nothing = StepFunction.from_changes([], [])

    assert len(nothing) == 0
    assert nothing.area() == 0
    assert nothing.at([3]).tolist() == [0]
    assert nothing.means(np.array([0.0, 1.0])).tolist() == [0]


@given(st.lists(st.tuples(st.integers(0, 50), st.integers(-9, 9)), min_size=1))
def test_the_last_value_is_the_sum_of_all_changes(changes: list[tuple[int, int]]) -> None:
    times, sizes = zip(*changes, strict=True)
    steps = StepFunction.from_changes(times, sizes)

    assert steps.value[-1] == sum(sizes)
    assert np.all(np.diff(steps.time) > 0)
    assert steps.integral([60.0])[0] == pytest.approx(
        sum(size * (60 - time) for time, size in changes)
    )
