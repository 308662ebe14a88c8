import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from swfx import InputError, UtilityFunction, UtilityTable
from tests.strategies import utility_tables

STEP = UtilityFunction([0, 10, 10.001, 20], [8, 8, 3, 3])


def test_table_names_the_curve_that_is_wrong():
    with pytest.raises(InputError, match="curve 2, point 2: values must not increase"):
        UtilityTable(np.array([0, 2, 2, 4]), np.array([0.0, 1, 0, 1]), np.array([3.0, 2, 1, 2]))


@pytest.mark.parametrize("offsets", [[], [1, 2], [0, 1], [0, 2, 1, 2], [0, 3]])
def test_offsets_that_do_not_fit_are_refused(offsets):
    with pytest.raises(InputError, match="do not divide 2 times and 2 values"):
        UtilityTable(np.array(offsets, np.int64), np.array([0.0, 1]), np.array([1.0, 0]))


def test_curves_of_unequal_times_and_values_are_refused():
    with pytest.raises(InputError, match="curves differ in the number of times and values"):
        UtilityTable.from_points([[0, 1], [0, 1, 2]], [[1, 0, 0], [1, 0]])


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


@given(st.data())
def test_take_is_indexing(data):
    table = data.draw(st.integers(1, 5).flatmap(utility_tables))
    rows = data.draw(st.lists(st.integers(-len(table), len(table) - 1)))
    taken = table.take(rows)
    assert [taken[i] for i in range(len(rows))] == [table[row] for row in rows]


def test_stacked_tables_follow_one_another():
    curves = [UtilityFunction([0, 5], [4, 2]), None, UtilityFunction([0, 1, 9], [7, 3, 0])]
    tables = [
        UtilityTable.from_functions(curves[:2]),
        UtilityTable.empty(0),
        UtilityTable.from_functions(curves[2:]),
    ]

    assert UtilityTable.stacked(tables) == UtilityTable.from_functions(curves)
