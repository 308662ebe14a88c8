import numpy as np
import pytest

from swfx.base.ranges import ranges_text


@pytest.mark.parametrize(
    ("numbers", "text"),
    [([], ""), ([7], "7"), ([1, 2], "1-2"), ([1, 3, 4, 5, 9], "1 3-5 9")],
)
def test_neighbours_are_one_range(numbers, text):
    assert ranges_text(np.array(numbers, np.int64)) == text


def test_more_ranges_than_are_told_at_a_time():
    odd = np.arange(1, 100_001, 2)
    assert ranges_text(odd).split() == [str(number) for number in odd.tolist()]
