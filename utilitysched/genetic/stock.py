"""DEAP's own operators, made to act on whole populations.

They take and change one individual (a list) or a pair, and draw from Python's global random
generator. Here each call gets a state of that generator that follows from the decision's random
stream, and the state in use outside is put back afterwards.
"""

import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
from deap import tools

from utilitysched.genetic.individuals import individual
from utilitysched.kernels.operators import Draws
from utilitysched.state import Floats, Integers

SETTINGS: dict[str, dict[str, Any]] = {
    "selTournament": {"tournsize": 3},
    "cxUniformPartialyMatched": {"indpb": 0.3},
    "mutShuffleIndexes": {"indpb": 0.05},
}
"""Arguments that DEAP gives no default."""

_PURPOSE = {"select": 1, "mate": 2, "mutate": 3}


def named(name: str) -> Callable[..., Any]:
    """Return DEAP's operator `name`, its arguments settled."""
    operator = getattr(tools, name)
    settings = SETTINGS.get(name, {})
    return lambda *arguments: operator(*arguments, **settings)


def selection(operator: str | Callable[..., Any]) -> Callable[[Floats, Draws], Integers]:
    """Return a population-level selection from ``operator(individuals, k)``.

    Consecutive choices are a child's parents. Where both are the same row, the second is drawn
    uniformly from the others.
    """
    choose = named(operator) if isinstance(operator, str) else operator

    def select(fitness: Floats, draws: Draws) -> Integers:
        count = len(fitness)
        rows = [individual(np.array([i]), value) for i, value in enumerate(fitness)]
        with borrowed_random(draws, "select"):
            chosen = choose(rows, 2 * count)
        parents = np.array([row[0] for row in chosen], dtype=np.int64).reshape(count, 2)
        for child in np.flatnonzero(parents[:, 0] == parents[:, 1]):
            other = int(draws.parents[child, 1] * (count - 1))
            parents[child, 1] = other + (other >= parents[child, 0])
        return parents

    return select


def crossover(operator: str | Callable[..., Any]) -> Callable[..., Integers]:
    """Return a population-level crossover from ``operator(one, other) -> (one, other)``.

    Every child is the first of the two that its parents have.
    """
    cross = named(operator) if isinstance(operator, str) else operator

    def mate(population: Integers, parents: Integers, draws: Draws) -> Integers:
        rows = population.tolist()
        with borrowed_random(draws, "mate"):
            children = [cross(rows[i].copy(), rows[j].copy())[0] for i, j in parents.tolist()]
        return np.array(children, dtype=np.int64)

    return mate


def mutation(operator: str | Callable[..., Any]) -> Callable[[Integers, Draws], Integers]:
    """Return a population-level mutation from ``operator(individual) -> (individual,)``.

    It is applied to the children that our own mutation would change.
    """
    change = named(operator) if isinstance(operator, str) else operator

    def mutate(children: Integers, draws: Draws) -> Integers:
        with borrowed_random(draws, "mutate"):
            for child in np.flatnonzero(draws.swap[:, 0] >= 0):
                children[child] = change(children[child].tolist())[0]
        return children

    return mutate


@contextmanager
def borrowed_random(draws: Draws, purpose: str) -> Iterator[None]:
    """Seed the global random generator from this generation's draws, and put it back after."""
    outside = random.getstate()
    random.seed(f"{draws.parents[0, 0]!r} {_PURPOSE[purpose]}")
    try:
        yield
    finally:
        random.setstate(outside)
