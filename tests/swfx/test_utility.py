import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from swfx import InputError, UtilityFunction, UtilityTable
from tests.strategies import utility_functions, utility_tables

REMEDY = "give two or more points from time 0, with values that never rise"
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
        ([0], [1], "curve 0 has 1 times and 1 values; give two or more points, each with both"),
        ([0, 1], [1], "curve 0 has 2 times and 1 values; give two or more points, each with both"),
        ([1, 2], [1, 0], f"curve 0, point 1: the first time must be 0; {REMEDY}"),
        ([-1, 2], [1, 0], f"curve 0, point 1: the first time must be 0; {REMEDY}"),
        ([0, 1, 1], [3, 2, 1], f"curve 0, point 3: times must be strictly increasing; {REMEDY}"),
        ([0, 2, 1], [3, 2, 1], f"curve 0, point 3: times must be strictly increasing; {REMEDY}"),
        ([0, 1, 2], [3, 1, 2], f"curve 0, point 3: values must not increase; {REMEDY}"),
        ([0, 1], [1, -1], f"curve 0, point 2: must not be negative; {REMEDY}"),
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


def test_table_names_the_curve_that_is_wrong():
    with pytest.raises(InputError, match="curve 2, point 2: values must not increase"):
        UtilityTable(np.array([0, 2, 2, 4]), np.array([0.0, 1, 0, 1]), np.array([3.0, 2, 1, 2]))


@pytest.mark.parametrize("offsets", [[], [1, 2], [0, 1], [0, 2, 1, 2], [0, 3]])
def test_offsets_that_do_not_fit_are_refused(offsets):
    with pytest.raises(InputError, match="do not divide 2 times and 2 values"):
        UtilityTable(np.array(offsets, np.int64), np.array([0.0, 1]), np.array([1.0, 0]))


def test_single_point_in_a_table_is_refused():
    with pytest.raises(InputError, match=r"curve 1, point 1: .* needs at least two points"):
        UtilityTable(np.array([0, 2, 3]), np.array([0.0, 1, 0]), np.array([1.0, 0, 5]))


def test_table_gives_back_its_functions():
    table = UtilityTable.from_functions([None, STEP, None])
    assert len(table) == 3
    assert [table[0], table[1], table[-1]] == [None, STEP, None]
    assert table.defined.tolist() == [False, True, False]
    assert table.start_values.tolist() == [0, 8, 0]
    with pytest.raises(IndexError):
        table[3]


def test_take_reorders_and_repeats():
    other = UtilityFunction([0, 1], [5, 5])
    table = UtilityTable.from_functions([STEP, None, other])
    taken = table.take([2, 1, 2, 0])
    assert [taken[i] for i in range(4)] == [other, None, other, STEP]


def test_empty_table_is_worth_nothing():
    assert UtilityTable.empty(2).evaluate([0, 1]).tolist() == [0, 0]
    assert UtilityTable.empty(0).evaluate([]).tolist() == []


def test_evaluate_wants_one_time_per_job():
    with pytest.raises(InputError, match=r"turnaround: has shape \(3,\) for 2 jobs"):
        UtilityTable.empty(2).evaluate([0, 1, 2])


@given(st.data())
def test_table_and_function_agree_to_the_last_bit(data):
    table = data.draw(st.integers(0, 5).flatmap(utility_tables))
    marks = st.sampled_from([0.0, *table.times.tolist()])
    moments = marks | st.floats(-1, 1e10) | st.just(np.inf)
    turnaround = data.draw(st.lists(moments, min_size=len(table), max_size=len(table)))
    expected = [
        0.0 if f is None else f(t)
        for f, t in zip(map(table.__getitem__, range(len(table))), turnaround, strict=True)
    ]
    assert table.evaluate(turnaround).tolist() == expected


@given(utility_functions(), st.lists(st.floats(0, 1e7), min_size=2))
def test_value_never_rises_and_is_zero_after_the_last_point(curve, moments):
    moments = sorted({*moments, *curve.times.tolist()})
    values = curve(moments)
    assert (np.diff(values) <= 0).all()
    assert values.max() == curve.start_value
    assert curve(np.nextafter(curve.deadline, np.inf)) == 0


@given(st.data())
def test_take_is_indexing(data):
    table = data.draw(st.integers(1, 5).flatmap(utility_tables))
    rows = data.draw(st.lists(st.integers(-len(table), len(table) - 1)))
    taken = table.take(rows)
    assert [taken[i] for i in range(len(rows))] == [table[row] for row in rows]
