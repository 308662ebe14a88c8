from __future__ import annotations

from typing import Any

import numpy as np

from swfx.families.estimates.modal.ranks import DEADLINE, deal_ranks

TIMES = 10_000


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
        counts[np.arange(20), np.array(deal_ranks({}, rng)) - 1] += 1

    # both are samples: 4.5 deviations of the difference, and what one or two rare cases may add
    deviation = np.sqrt(expected * (1 - expected) * (1 / TIMES + 1 / reference["repetitions"]))
    assert np.all(abs(counts / TIMES - expected) <= 4.5 * deviation + 5e-4)


def test_the_second_position_has_rank_3_4_or_6() -> None:
    rng = np.random.default_rng(2)

    second = np.bincount([deal_ranks({}, rng)[1] for _ in range(3200)], minlength=7)

    assert second[[3, 4, 6]].sum() == 3200
    assert abs(second[[3, 4, 6]] - [2400, 600, 200]).max() < 100


def test_every_rank_once_and_given_ones_where_they_belong() -> None:
    for seed in range(50):
        ranks = deal_ranks({0: 7, 5: 1, 19: 20}, np.random.default_rng(seed))
        assert sorted(ranks) == list(range(1, 21))
        assert (ranks[0], ranks[5], ranks[19]) == (7, 1, 20)


def test_an_empty_pool_gives_the_smallest_rank_left() -> None:
    # ranks 3, 4 and 6, which alone are in the pool of position 1, belong to other positions
    ranks = deal_ranks({10: 3, 11: 4, 14: 6}, np.random.default_rng(1))

    assert ranks[:2] == [1, 2]
