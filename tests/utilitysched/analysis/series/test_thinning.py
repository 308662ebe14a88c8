"""Thinned step functions look the same."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from utilitysched.analysis.series import StepFunction, thinned

COLUMNS = 50


def steps_of(seed: int) -> StepFunction:
    """Many more points than columns, in bursts, whole numbers that go up and down."""
    rng = np.random.default_rng(seed)
    times = np.unique(np.concatenate([rng.integers(0, 10_000, 900), rng.integers(0, 99, 400)]))
    return StepFunction(
        times.astype(np.float64), rng.integers(0, 30, len(times)).astype(np.float64)
    )


def reach(steps: StepFunction, edges: np.ndarray) -> list[tuple[float, float, float, float]]:
    """What a line in steps enters and leaves each column with, and how low and high it goes."""
    found = []
    for begin, end in pairwise(edges):
        inside = steps.value[(steps.time >= begin) & (steps.time < end)]
        entry = steps.at([begin - 1e-9])
        seen = np.concatenate([entry, inside])
        found.append((seen[0], seen[-1], seen.min(), seen.max()))
    return found


@pytest.mark.parametrize("seed", range(5))
def test_every_column_is_entered_left_and_reached_as_before(seed: int) -> None:
    steps = steps_of(seed)
    fewer = thinned(steps, COLUMNS)
    edges = np.linspace(steps.time[0], steps.time[-1], COLUMNS + 1)
    edges[-1] += 1

    assert len(fewer) <= 4 * COLUMNS < len(steps)
    assert reach(fewer, edges) == reach(steps, edges)


def test_few_points_are_left_alone() -> None:
    steps = steps_of(0)

    assert thinned(steps, len(steps)) is steps


def test_the_ends_stay() -> None:
    steps = steps_of(1)
    fewer = thinned(steps, COLUMNS)

    assert (fewer.time[0], fewer.value[0]) == (steps.time[0], steps.value[0])
    assert (fewer.time[-1], fewer.value[-1]) == (steps.time[-1], steps.value[-1])
