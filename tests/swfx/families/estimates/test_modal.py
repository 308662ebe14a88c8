from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from swfx import InputError
from swfx.families.estimates.modal import (
    DEADLINE,
    assign,
    deal_ranks,
    head_times,
    jobs_of,
    repaired,
    tail_times,
)

TIMES = 10_000


def test_all_feasible_assignments_are_equally_likely(estimate_statistics: dict[str, Any]) -> None:
    example = estimate_statistics["assignment_tiny_example"]
    run, estimates = (np.array(example[name]) for name in ("runtimes", "estimates"))
    rng = np.random.default_rng(1)

    seen = Counter(tuple(assign(run * 1.0, estimates[::-1], rng).tolist()) for _ in range(8000))

    assert sorted(seen) == sorted(map(tuple, example["feasible"]))
    assert sum((count - 1000) ** 2 / 1000 for count in seen.values()) < 24.3  # chi2(7), p = 0.001


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=1), st.integers(0, 99))
def test_every_estimate_goes_to_a_job_that_runs_no_longer(
    pairs: list[tuple[int, int]], seed: int
) -> None:
    run = np.array([min(pair) for pair in pairs], dtype=float)
    estimates = np.sort([max(pair) for pair in pairs])[::-1]

    dealt = assign(run, estimates, np.random.default_rng(seed))

    assert np.all(dealt >= run)
    assert sorted(dealt) == sorted(estimates)


def test_an_impossible_assignment_names_the_bound() -> None:
    with pytest.raises(InputError) as error:
        assign(np.array([5.0, 60.0, 61.0]), np.array([90, 30, 30]), np.random.default_rng(0))

    assert str(error.value) == (
        "tsafrir: field max: 2 jobs run 60 s or longer, estimates that long: 1; give a larger max="
    )


def test_deadlines_are_the_papers() -> None:
    assert list(DEADLINE.values()) == [
        *(1, 8, 6, 8, 13, 9, 9, 18, 18, 16),
        *(19, 19, 17, 14, 17, 15, 18, 12, 19, 19),
    ]


def test_frequencies_meet_the_reference(estimate_statistics: dict[str, Any]) -> None:
    reference = estimate_statistics["rank_map"]
    expected = np.array(reference["probability_of_popularity_rank_given_head_position"])
    rng = np.random.default_rng(1)
    counts = np.zeros((20, 20))

    for _ in range(TIMES):
        counts[np.arange(20), np.array(deal_ranks(rng)) - 1] += 1

    # both are samples: 4.5 deviations of the difference, and what one or two rare cases may add
    deviation = np.sqrt(expected * (1 - expected) * (1 / TIMES + 1 / reference["repetitions"]))
    assert np.all(abs(counts / TIMES - expected) <= 4.5 * deviation + 5e-4)


def test_the_second_position_has_rank_3_4_or_6() -> None:
    rng = np.random.default_rng(2)

    second = np.bincount([deal_ranks(rng)[1] for _ in range(3200)], minlength=7)

    assert second[[3, 4, 6]].sum() == 3200
    assert abs(second[[3, 4, 6]] - [2400, 600, 200]).max() < 100


def test_every_rank_once() -> None:
    for seed in range(50):
        assert sorted(deal_ranks(np.random.default_rng(seed))) == list(range(1, 21))


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


def test_the_smallest_longest_estimate_leaves_every_5_minutes() -> None:
    assert head_times(5701) == [5701, *range(300, 5701, 300)]


def test_a_time_that_is_taken_moves_and_one_without_a_free_place_goes() -> None:
    # every i/count rounds to one of the 2 minutes up to 120 s
    assert tail_times(16, 120, [60, 120], 1e6) == [30, 20, 10, 90, 80, 40, 70, 50, 100, 110]
