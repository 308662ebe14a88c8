from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from swfx.families.estimates.modal.counts import jobs_of, repaired


def test_percents_are_rounded_half_up_and_nobody_is_left_out() -> None:
    assert jobs_of([50, 2.5, 0.01, 0], 100) == [50, 3, 1, 1]


def test_additions_go_to_the_largest_in_proportion() -> None:
    assert repaired([10, 60, 30], 110) == [11, 66, 33]
    assert repaired([10, 60, 30], 101) == [10, 61, 30]


def test_removals_leave_one_job_while_they_can() -> None:
    assert repaired([5, 3, 1], 6) == [3, 2, 1]
    assert repaired([2, 2, 1], 3) == [1, 1, 1]
    assert repaired([2, 1, 1], 1) == [0, 0, 1]


@given(st.lists(st.integers(1, 1000), min_size=1), st.integers(0, 10_000))
def test_the_sum_is_right_and_nothing_negative(counts: list[int], total: int) -> None:
    changed = repaired(counts, total)

    assert sum(changed) == total
    assert min(changed) >= (1 if total >= len(counts) else 0)
