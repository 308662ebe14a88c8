"""Individuals: queue orders as DEAP's operators and tools expect them, and what they are worth."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from deap import base, creator

from utilitysched.kernels.fitness import Problem, Workspace, evaluate
from utilitysched.kernels.prior import Prior, distance
from utilitysched.kernels.stream import Words
from utilitysched.model.state import Floats, Integers

# DEAP's creator puts classes into a global namespace: they are made once
if not hasattr(creator, "PlanFitness"):
    creator.create("PlanFitness", base.Fitness, weights=(1.0,))
if not hasattr(creator, "QueueOrder"):
    creator.create("QueueOrder", list, fitness=creator.PlanFitness, value=None, ancestry=0, born=0)


class FirstGeneration(NamedTuple):
    """Orders that a search begins with.

    Attributes
    ----------
    orders : (P, n) int64
        One a row; the prior is that of the first.
    names : tuple of str
        Where orders come from, at most 63.
    origin : (P,) int64
        The name of each row, by place in `names`.
    """

    orders: Integers
    names: tuple[str, ...]
    origin: Integers


class DecisionProblem(NamedTuple):
    """What the search of one decision is about.

    Attributes
    ----------
    problem : Problem
        The queue, and what plans are worth.
    prior : Prior
        The order that others are drawn to.
    stream : (1,) uint64
        Random stream; a search advances it.
    """

    problem: Problem
    prior: Prior
    stream: Words

    @property
    def workspace(self) -> Workspace:
        """Working memory for its plans."""
        queue = self.problem.queue
        return Workspace.empty(len(queue.size), len(queue.release_time))


def first_population(toolbox: base.Toolbox, first: FirstGeneration) -> list[Any]:
    """Return the individuals of a first generation, not evaluated."""
    population = []
    for order, origin in zip(first.orders.tolist(), first.origin.tolist(), strict=True):
        made = toolbox.individual(order)
        made.ancestry = 1 << origin
        population.append(made)
    return population


def individual(order: Sequence[int]) -> creator.QueueOrder:
    """Return a queue order as DEAP's operators and tools expect it."""
    return creator.QueueOrder(order)


def clone(other: creator.QueueOrder) -> creator.QueueOrder:
    """Return a copy of an individual with a fitness of its own."""
    made = individual(other)
    made.fitness.values = other.fitness.values
    made.value, made.ancestry, made.born = other.value, other.ancestry, other.born
    return made


def evaluated(
    order: creator.QueueOrder, *, search: DecisionProblem, workspace: Workspace, fitness: Floats
) -> tuple[float]:
    """Return the fitness of an individual as DEAP wants it, and note what its plan is worth."""
    row = np.array([order], dtype=np.int64)
    evaluate(row, search.problem, workspace, fitness)
    order.value = float(fitness[0])
    return (order.value - distance(row[0], search.prior),)
