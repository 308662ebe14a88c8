import numpy as np
import pytest

from swfx import InputError
from swfx.base.columns import LIMIT, column, frozen

BEYOND = "is beyond the limit of 2^53 = 9007199254740992"


def test_column_is_a_read_only_copy():
    data = np.array([1.0, 2.0])
    made = column("run", data, "float64")
    data[0] = 9
    assert made.tolist() == [1, 2]
    with pytest.raises(ValueError, match="read-only"):
        made[0] = 3


def test_column_takes_what_is_frozen_already():
    data = frozen(np.array([1.0, 2.0]))
    assert column("run", data, "float64") is data
    assert column("run", data[1:], "float64").base is data


def test_read_only_view_of_a_writable_array_is_copied():
    data = np.array([1.0, 2.0])
    view = data[:]
    view.setflags(write=False)
    made = column("run", view, "float64")
    data[0] = 9
    assert made[0] == 1


def test_integral_floats_make_an_integer_column():
    assert column("user", [1.0, -1.0], "int64").dtype == np.int64


def test_negative_zero_becomes_zero():
    assert not np.signbit(column("run", [-0.0, -1.0], "float64")[0])


def test_empty_column_keeps_its_type():
    assert column("user", [], "int64").dtype == np.int64


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ([[1]], "field run: has 2 dimensions; give one value per job"),
        (["a"], "field run: holds <U1 values; give numbers"),
        ([1, np.nan], "field run: nan at position 1 is not a finite number"),
        ([np.inf], "field run: inf at position 0 is not a finite number"),
        ([0.5], "field run: 0.5 at position 0 is not a whole number"),
        ([0, LIMIT + 1], f"field run: {LIMIT + 1} at position 1 {BEYOND}"),
        (np.array([2**63], np.uint64), f"field run: {2**63} at position 0 {BEYOND}"),
    ],
)
def test_refusals(data, message):
    with pytest.raises(InputError) as caught:
        column("run", data, "int64")
    assert str(caught.value) == message
