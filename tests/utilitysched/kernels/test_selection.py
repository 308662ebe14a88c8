from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest

from tests.scale import many
from utilitysched.kernels.policy import starved_first
from utilitysched.kernels.selection import (
    close_up,
    find_started,
    first_in_order,
    first_waiting,
    in_order,
    stable_order,
)


@pytest.mark.parametrize(
    ("score", "order"),
    [
        ([1.0, 2.0, 3.0], [4, 6, 9]),
        ([2.0, 1.0, 3.0], [6, 4, 9]),
        ([1.0, 3.0, 2.0], [4, 9, 6]),
        ([2.0, 2.0, 1.0], [9, 4, 6]),
    ],
)
def test_jobs_by_score_ties_by_arrival(score: list[float], order: list[int]) -> None:
    assert in_order(np.array([4, 6, 9]), np.array(score)).tolist() == order


def test_the_first_in_order_are_the_front_of_all_in_order() -> None:
    rng = np.random.default_rng(1)
    for _ in range(many(100)):
        count = int(rng.integers(1, 40))
        score = rng.choice([0.0, 1.0, 2.5, np.inf], count)
        jobs, first = np.arange(count) * 2, int(rng.integers(1, 45))

        front = first_in_order(jobs, score, first)

        assert front.tolist() == in_order(jobs, score)[:first].tolist()


@pytest.mark.parametrize("kind", [np.float64, np.int64])
def test_a_stable_order_is_that_of_numpy(kind: type) -> None:
    rng = Random("stable order")
    for _ in range(many(300)):
        distinct, length = rng.choice([2, 9, 10**6]), rng.choice([3, 21, 100, 700])
        values: Any = np.array(
            [rng.randrange(distinct) for _ in range(rng.randrange(length))], kind
        )
        if kind is np.float64:
            for special in (np.nan, np.inf, -np.inf, -0.0):
                values[[rng.random() < 0.1 for _ in values]] = special
        for each in (values, np.sort(values), np.sort(values)[::-1].copy()):
            assert stable_order(each).tolist() == np.argsort(each, kind="stable").tolist()


def test_the_first_that_waits_is_the_earliest_of_the_least_score() -> None:
    started = np.zeros(3, np.bool_)
    jobs, score = np.arange(3), np.array([1.0, 0.5, 0.5])

    found = []
    for _ in range(3):
        found.append(first_waiting(jobs, score, started))
        started[found[-1]] = True

    assert found == [1, 2, 0]
    assert first_waiting(jobs, score, started) == -1


def test_those_that_start_are_found_and_leave_the_queue_in_order() -> None:
    started = np.array([True, False, True, False, False, True, False])
    queue, positions = np.array([5, 1, 0, 3, 2, 9]), np.zeros(6, np.int64)

    count = find_started(queue[:5], started, positions)
    close_up(queue, 5, positions, count)

    assert positions[:count].tolist() == [0, 2, 4]
    assert queue[: 5 - count].tolist() == [1, 3]
    assert queue[5] == 9


def test_jobs_are_starved_once_they_have_waited_longer_than_the_threshold() -> None:
    score = np.zeros(3)
    starved_first(np.arange(3), np.array([0.0, 10.0, 11.0]), 60.0, 50.0, score)

    assert score.tolist() == [-np.inf, 0.0, 0.0]
