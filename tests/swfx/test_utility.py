import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from swfx import InputError, UtilityFunction
from tests.strategies import utility_functions

REMEDY = "give two or more points from time 0, with values that never rise"
BOTH = "give two or more points, each with both"
STEP = UtilityFunction([0, 10, 10.001, 20], [8, 8, 3, 3])


def test_value_is_linear_between_points_and_zero_after_the_last():
    curve = UtilityFunction([0, 100, 200], [8, 4, 1])
    assert curve(0) == 8
    assert curve(50) == 6
    assert curve(175) == 1.75
    assert curve(200) == 1
    assert curve(200.0001) == 0
    assert curve(np.inf) == 0


def test_jump_is_two_points_close_together():
    assert STEP([10, 10.001, 20, 21]).tolist() == [8, 3, 3, 0]
    assert 3 < STEP(10.0005) < 8


def test_times_before_the_submission_count_as_it_and_nan_stays():
    assert UtilityFunction([0, 1], [8, 0])(-5) == 8
    assert np.isnan(STEP(np.nan))


def test_start_value_and_deadline():
    assert STEP.start_value == 8
    assert STEP.deadline == 20


def test_curve_is_immutable_hashable_and_pickles():
    with pytest.raises(AttributeError, match="immutable"):
        STEP.times = np.zeros(4)
    with pytest.raises(ValueError, match="read-only"):
        STEP.times[0] = 1
    assert {STEP: 1}[pickle.loads(pickle.dumps(STEP))] == 1
    assert repr(UtilityFunction([0, 1], [2, 0])) == "UtilityFunction([0.0, 1.0], [2.0, 0.0])"


@pytest.mark.parametrize(
    ("times", "values", "message"),
    [
        ([], [], f"0 times and 0 values make no curve; {BOTH}"),
        ([0], [1], f"1 times and 1 values make no curve; {BOTH}"),
        ([0, 1], [1], f"2 times and 1 values make no curve; {BOTH}"),
        ([1, 2], [1, 0], f"point 1: the first time must be 0; {REMEDY}"),
        ([-1, 2], [1, 0], f"point 1: the first time must be 0; {REMEDY}"),
        ([0, 1, 1], [3, 2, 1], f"point 3: times must be strictly increasing; {REMEDY}"),
        ([0, 2, 1], [3, 2, 1], f"point 3: times must be strictly increasing; {REMEDY}"),
        ([0, 1, 2], [3, 1, 2], f"point 3: values must not increase; {REMEDY}"),
        ([0, 1], [1, -1], f"point 2: must not be negative; {REMEDY}"),
    ],
)
def test_refusals(times, values, message):
    with pytest.raises(InputError) as caught:
        UtilityFunction(times, values)
    assert str(caught.value) == f"field utility: {message}"


@pytest.mark.parametrize("bad", [np.nan, np.inf, 2.0**60])
def test_numbers_without_sense_are_refused(bad):
    with pytest.raises(InputError, match=r"utility times: .* at position 1"):
        UtilityFunction([0, bad], [1, 0])
    with pytest.raises(InputError, match=r"utility values: .* at position 0"):
        UtilityFunction([0, 1], [bad, 0])


@given(utility_functions(), st.lists(st.floats(0, 1e7), min_size=2))
def test_value_never_rises_and_is_zero_after_the_last_point(curve, moments):
    moments = sorted({*moments, *curve.times.tolist()})
    values = curve(moments)
    assert (np.diff(values) <= 0).all()
    assert values.max() == curve.start_value
    assert curve(np.nextafter(curve.deadline, np.inf)) == 0
