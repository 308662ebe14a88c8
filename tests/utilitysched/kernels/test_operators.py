from __future__ import annotations

import numpy as np
import pytest

from utilitysched.kernels.operators import Draws, select_roulette


def parents(fitness: list[float], draws: list[list[float]]) -> list[list[int]]:
    """Return whom so many children with these draws have as parents."""
    drawn = Draws.empty(len(draws), 1)
    drawn.parents[:] = draws
    chosen = np.full((len(draws), 2), -7)
    select_roulette(np.array(fitness), False, drawn, chosen)
    return chosen.tolist()


@pytest.mark.parametrize(
    ("fitness", "draws", "expected"),
    [
        # in proportion, the second among the others: 3 of 4 for row 2, then 1 of 1 for row 0
        ([1.0, 0.0, 3.0], [[0.2, 0.9], [0.3, 0.9]], [[0, 2], [2, 0]]),
        # one alone is worth something: the other parent is anybody else
        ([0.0, 5.0, 0.0], [[0.9, 0.0], [0.9, 0.6]], [[1, 0], [1, 2]]),
        # nobody is
        ([0.0, 0.0, 0.0], [[0.0, 0.0], [0.9, 0.9]], [[0, 1], [2, 1]]),
    ],
)
def test_two_distinct_parents_in_proportion_to_fitness(
    fitness: list[float], draws: list[list[float]], expected: list[list[int]]
) -> None:
    assert parents(fitness, draws) == expected
