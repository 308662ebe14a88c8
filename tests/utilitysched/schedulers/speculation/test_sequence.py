from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from utilitysched.schedulers.speculation.sequence import (
    RequestCost,
    best_sequence,
    expected_cost,
)

COSTS = st.builds(
    RequestCost, alpha=st.floats(0.1, 2), beta=st.floats(0, 2), gamma=st.floats(0, 100)
)


@st.composite
def distributions(draw: st.DrawFn) -> tuple[np.ndarray, np.ndarray]:
    runs = sorted(draw(st.sets(st.integers(1, 1000), min_size=1, max_size=7)))
    weights = draw(st.lists(st.integers(1, 20), min_size=len(runs), max_size=len(runs)))
    return np.array(runs, float), np.array(weights) / sum(weights)


def paid(sequence: np.ndarray, run: float, cost: RequestCost) -> float:
    """What one job pays, request by request."""
    total = 0.0
    for request in sequence.tolist():
        total += cost.alpha * request + cost.beta * min(request, run) + cost.gamma
        if run <= request:
            break
    return total


@given(distributions(), COSTS, st.data())
def test_the_expected_cost_is_the_mean_of_what_jobs_pay(
    distribution: tuple[np.ndarray, np.ndarray], cost: RequestCost, data: st.DataObject
) -> None:
    runs, chances = distribution
    extra = data.draw(st.sets(st.integers(1, 999), max_size=4))
    sequence = np.array(sorted({*extra, 1000}), float)

    mean = sum(c * paid(sequence, run, cost) for run, c in zip(runs, chances, strict=True))

    assert expected_cost(sequence, runs, chances, cost) == pytest.approx(mean)


@given(distributions(), COSTS)
def test_no_sequence_is_expected_to_cost_less(
    distribution: tuple[np.ndarray, np.ndarray], cost: RequestCost
) -> None:
    runs, chances = distribution

    best = best_sequence(runs, chances, cost)

    costs = [
        expected_cost(np.array([*some, runs[-1]]), runs, chances, cost)
        for count in range(len(runs))
        for some in combinations(runs[:-1], count)
    ]
    assert best[-1] == runs[-1]
    assert expected_cost(best, runs, chances, cost) == pytest.approx(min(costs))


def test_the_best_first_request_of_uniform_run_times_is_the_longest() -> None:
    """As Aupy et al. prove."""
    runs = np.arange(100.0, 201.0)

    assert best_sequence(runs, np.full(101, 1 / 101)).tolist() == [200]


def test_requests_of_exponential_run_times() -> None:
    """Of rate 1, by Aupy et al.: t_1 = 0.74219."""
    runs = np.linspace(0.01, 15, 1500)
    chances = np.diff(-np.exp(-np.concatenate([[0.0], runs[:-1], [np.inf]])))

    best = best_sequence(runs, chances)

    assert best[0] == pytest.approx(0.742, abs=0.02)
    assert expected_cost(best, runs, chances) == pytest.approx(2.3645, rel=0.01)
