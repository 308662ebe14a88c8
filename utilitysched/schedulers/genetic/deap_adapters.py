"""DEAP's own operators, made to act on whole populations.

They take and change one individual (a list) or a pair, and draw from Python's global random
generator. Here each call gets a state of that generator that follows from the decision's random
stream, and the state in use outside is put back afterwards.
"""

import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from deap import base, creator, tools

from utilitysched.kernels.operators import Draws
from utilitysched.model.state import Floats, Integers

# DEAP's creator puts classes into a global namespace: they are made once
if not hasattr(creator, "PlanFitness"):
    creator.create("PlanFitness", base.Fitness, weights=(1.0,))
if not hasattr(creator, "QueueOrder"):
    creator.create("QueueOrder", np.ndarray, fitness=creator.PlanFitness)

SETTINGS: dict[str, dict[str, Any]] = {
    "selTournament": {"tournsize": 3},
    "cxUniformPartialyMatched": {"indpb": 0.3},
    "mutShuffleIndexes": {"indpb": 0.05},
}
"""Arguments that DEAP gives no default."""


def named(name: str) -> Callable[..., Any]:
    """Return DEAP's operator `name`, its arguments settled."""
    return partial(getattr(tools, name), **SETTINGS.get(name, {}))


def individual(order: Integers | Sequence[int], fitness: float) -> "creator.QueueOrder":
    """Return a queue order as DEAP's operators and tools expect it, with its fitness."""
    made = creator.QueueOrder(order)
    made.fitness.values = (float(fitness),)
    return made


@dataclass(frozen=True)
class Selection:
    """A population-level selection from ``operator(individuals, k)``.

    Consecutive choices are a child's parents. Where both are the same row, the second is drawn
    uniformly from the others.
    """

    operator: Callable[..., Any]

    def __call__(self, fitness: Floats, draws: Draws) -> Integers:
        """Return the rows of each child's parents."""
        count = len(fitness)
        rows = [individual([row], value) for row, value in enumerate(fitness)]
        with borrowed_random(draws, "select"):
            chosen = self.operator(rows, 2 * count)
        parents = np.array([row[0] for row in chosen], dtype=np.int64).reshape(count, 2)
        for child in np.flatnonzero(parents[:, 0] == parents[:, 1]):
            other = int(draws.parents[child, 1] * (count - 1))
            parents[child, 1] = other + (other >= parents[child, 0])
        return parents


@dataclass(frozen=True)
class Crossover:
    """A population-level crossover from ``operator(one, other) -> (one, other)``.

    Every child is the first of the two that its parents have.
    """

    operator: Callable[..., Any]

    def __call__(self, population: Integers, parents: Integers, draws: Draws) -> Integers:
        """Return the children."""
        rows = population.tolist()
        with borrowed_random(draws, "mate"):
            pairs = [(rows[i].copy(), rows[j].copy()) for i, j in parents.tolist()]
            children = [self.operator(*pair)[0] for pair in pairs]
        return np.array(children, dtype=np.int64)


@dataclass(frozen=True)
class Mutation:
    """A population-level mutation from ``operator(individual) -> (individual,)``.

    It is applied to the children that our own mutation would change.
    """

    operator: Callable[..., Any]

    def __call__(self, children: Integers, draws: Draws) -> Integers:
        """Return the children, some of them changed."""
        with borrowed_random(draws, "mutate"):
            for child in np.flatnonzero(draws.swap[:, 0] >= 0):
                children[child] = self.operator(children[child].tolist())[0]
        return children


@contextmanager
def borrowed_random(draws: Draws, purpose: str) -> Iterator[None]:
    """Seed the global random generator from this generation's draws, and put it back after."""
    outside = random.getstate()
    random.seed(f"{draws.parents[0, 0].item()!r} {purpose}")
    try:
        yield
    finally:
        random.setstate(outside)
