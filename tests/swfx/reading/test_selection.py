from __future__ import annotations

import pytest

from swfx import InputError
from swfx.reading.streaming import selected


@pytest.mark.parametrize(
    ("jobs", "rows"),
    [
        (slice(None), (0, 8)),
        (slice(2, 5), (2, 5)),
        (slice(-2, None), (6, 8)),
        (slice(6, 99), (6, 8)),
    ],
)
def test_positions(jobs: slice, rows: tuple[int, int]) -> None:
    assert selected(jobs, 8) == slice(*rows, 1)


@pytest.mark.parametrize(
    ("jobs", "message"),
    [
        (slice(5, 5), "positions 5:5 select none of 8 job lines; give A:B"),
        (slice(9, None), "positions 9:None select none of 8 job lines"),
        (slice(0, 8, 2), "job lines cannot be selected with step 2"),
    ],
)
def test_refusals(jobs: slice, message: str) -> None:
    with pytest.raises(InputError, match=message):
        selected(jobs, 8)
