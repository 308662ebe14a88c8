"""Choices among policies whose costs are only seen when they are in use."""

from __future__ import annotations

import numpy as np
import pytest

from utilitysched.schedulers.selection.bandits import (
    CHOICES,
    Evidence,
    exp3_chances,
    exp3_update,
    greedy,
)

MEANS = np.array([3.0, 1.0, 4.0, 2.0])
JOBS = 10


def played(choice: str, epsilon: float, rounds: int) -> list[int]:
    """Policies chosen in rounds whose costs are drawn around `MEANS`."""
    known, chosen = Evidence.none(len(MEANS)), []
    costs = np.random.default_rng(7)
    for number in range(rounds):
        policy = CHOICES[choice](known, np.random.default_rng([1, number]), epsilon)
        mean = float(costs.normal(MEANS[policy], 0.3))
        known.add(policy, JOBS * mean, JOBS, 1.0)
        if choice == "exp3":
            exp3_update(known, policy, mean, epsilon)
        chosen.append(policy)
    return chosen


@pytest.mark.parametrize(
    ("choice", "epsilon", "share"),
    [("greedy", 0.1, 0.85), ("ucb1", 0.0, 0.6), ("thompson", 0.0, 0.9), ("exp3", 0.2, 0.6)],
)
def test_the_best_policy_is_found(choice: str, epsilon: float, share: float) -> None:
    late = played(choice, epsilon, 600)[200:]

    assert late.count(1) / len(late) > share


@pytest.mark.parametrize("choice", ["greedy", "ucb1", "thompson"])
def test_every_policy_is_tried_first(choice: str) -> None:
    assert played(choice, 0.0, len(MEANS)) == [0, 1, 2, 3]


def test_greedy_chooses_at_random_as_often_as_it_is_told_to() -> None:
    chosen = played("greedy", 0.4, 2000)[100:]

    assert chosen.count(1) / len(chosen) == pytest.approx(0.6 + 0.4 / 4, abs=0.04)


def test_what_a_policy_cost_is_not_forgotten_while_others_are_in_use() -> None:
    known = Evidence.none(2)
    known.add(0, 50.0, 10, 0.5)
    for _ in range(20):
        known.add(1, 60.0, 10, 0.5)

    assert known.cost[0] / known.jobs[0] == pytest.approx(5.0)
    assert greedy(known, np.random.default_rng(1), 0.0) == 0


def test_recent_costs_count_for_more() -> None:
    known = Evidence.none(1)
    known.add(0, 100.0, 10, 0.5)
    known.add(0, 10.0, 10, 0.5)

    assert known.cost[0] / known.jobs[0] == pytest.approx((0.5 * 100 + 10) / (0.5 * 10 + 10))


def test_a_period_in_which_nothing_ends_tells_nothing() -> None:
    known = Evidence.none(2)
    known.add(0, 0.0, 0, 1.0)

    assert known.unseen == [0, 1]


def test_chances_of_exp3_are_never_below_the_share_for_all() -> None:
    known = Evidence.none(3)
    for _ in range(500):
        exp3_update(known, 2, 0.0, 0.3)

    chances = exp3_chances(known, 0.3)
    assert chances.sum() == pytest.approx(1.0)
    assert chances == pytest.approx([0.1, 0.1, 0.8], abs=1e-6)
