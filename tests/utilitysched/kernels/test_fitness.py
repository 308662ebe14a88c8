"""The terms of the fitness, worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest

from utilitysched.kernels.fitness import (
    FitnessTerms,
    Problem,
    Workspace,
    Worth,
    evaluate,
    mark_preempted,
    planned_utility,
)
from utilitysched.kernels.planned_queue import PlannedQueue, Scratch

NO_TERMS = FitnessTerms(
    0.0,
    fair_start=np.array([20.0, 25.0]),
    reserved_start=np.array([np.inf, 22.0]),
)


def fitness(terms: FitnessTerms, order: tuple[int, int] = (0, 1)) -> float:
    """Return the fitness of two jobs that take 2 of 2 processors one after the other from 20 s.

    Submitted at 0 and 15 s, requests 10 and 4 s, worth 100 SU less 1 a second and 50 SU until 10 s.
    """
    queue = PlannedQueue(
        now=20.0,
        free=2,
        pinned=0,
        size=np.array([2, 1]),
        request=np.array([10.0, 4.0]),
        later=np.empty(0),
        release_time=np.empty(0),
        release_size=np.empty(0, np.int64),
    )
    worth = Worth(
        submit=np.array([0.0, 15.0]),
        duration=np.zeros((2, 1)),
        first=np.array([0, 2]),
        last=np.array([2, 4]),
        times=np.array([0.0, 100.0, 0.0, 10.0]),
        values=np.array([100.0, 0.0, 50.0, 50.0]),
    )
    found = np.empty(1)
    evaluate(
        np.array([order]), Problem(queue, worth, terms, np.empty(0)), Workspace.empty(2, 0), found
    )
    return float(found[0])


# in order (0, 1) the jobs start at 20 and 30 s, in order (1, 0) at 24 and 20 s
@pytest.mark.parametrize(
    ("term", "order", "worth"),
    [
        ("utility", (0, 1), 80.0 + 0.0),
        ("utility", (1, 0), 76.0 + 50.0),
        ("wait", (0, 1), -(20 + 15) / 2),
        ("wait", (1, 0), -(24 + 5) / 2),
        ("slowdown", (0, 1), -(30 / 10 + 19 / 10) / 2),
        ("slowdown", (1, 0), -(34 / 10 + 1) / 2),
        ("longest", (0, 1), -20.0),
        ("longest", (1, 0), -24.0),
        ("fairness", (0, 1), -(0 + 5) / 2),
        ("fairness", (1, 0), -(4 + 0) / 2),
        ("predictability", (0, 1), -(0 + 8) / 2),
        ("predictability", (1, 0), 0.0),
        ("large", (0, 1), -(2 * 20 + 1 * 15) / 3),
        ("large", (1, 0), -(2 * 24 + 1 * 5) / 3),
    ],
)
def test_each_term_alone(term: str, order: tuple[int, int], worth: float) -> None:
    assert fitness(NO_TERMS._replace(**{term: 1.0}), order) == pytest.approx(worth)
    assert fitness(NO_TERMS._replace(**{term: 0.5}), order) == pytest.approx(worth / 2)


def test_terms_add_up() -> None:
    both = NO_TERMS._replace(utility=1.0, wait=2.0)

    assert fitness(both) == 80.0 - 2 * 17.5


@pytest.mark.parametrize(("age", "value"), [(0, 9.0), (4, 5.0), (6, 4.0), (10, 4.0), (10.5, 0.0)])
def test_curves_are_read_to_their_last_point(age: float, value: float) -> None:
    worth = Worth(
        submit=np.array([0.0]),
        duration=np.array([[age]]),
        first=np.array([0]),
        last=np.array([3]),
        times=np.array([0.0, 5.0, 10.0]),
        values=np.array([9.0, 4.0, 4.0]),
    )

    assert planned_utility(np.array([0.0]), worth) == value


def test_several_durations_give_the_mean() -> None:
    worth = Worth(
        submit=np.array([0.0]),
        duration=np.array([[0.0, 5.0, 20.0, 20.0]]),
        first=np.array([0]),
        last=np.array([2]),
        times=np.array([0.0, 10.0]),
        values=np.array([8.0, 0.0]),
    )

    assert planned_utility(np.array([0.0]), worth) == (8 + 4) / 4


def test_running_jobs_that_are_not_started_at_once_are_preempted() -> None:
    ones = np.ones(5, np.int64)
    queue = PlannedQueue(
        0.0, 0, 0, ones, np.ones(5), np.ones(3), np.empty(0), np.empty(0, np.int64)
    )
    scratch = Scratch.empty(5, 0)
    scratch.placed[:5] = [2, 1, 4, 3, 0]  # jobs 2, 3 and 4 run
    preempted = np.zeros(5, np.bool_)

    mark_preempted(3, queue, scratch, preempted)

    assert preempted[:3].tolist() == [False, True, False]
