import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from swfx.base.number_set import NumberSet

PARTS = st.lists(st.lists(st.integers(0, 60), max_size=9), max_size=20)


@given(PARTS)
def test_it_has_what_was_added(parts: list[list[int]]) -> None:
    numbers = NumberSet()
    for part in parts:
        numbers.add(np.array(part, np.int64))

    asked = np.arange(-1, 62)
    assert numbers.has(asked).tolist() == [any(n in part for part in parts) for n in asked]


def test_many_parts_are_few_arrays() -> None:
    numbers = NumberSet()
    for first in range(0, 100_000, 10):
        numbers.add(np.arange(first, first + 10))

    assert len(numbers) == 100_000
    assert numbers.arrays < 15
