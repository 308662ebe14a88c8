"""Individuals and operators as DEAP takes them: the toolbox of a decision."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from deap import base, creator

from utilitysched.kernels.evolution import Breeding, Prior, distance
from utilitysched.kernels.fitness import Problem, Workspace, evaluate
from utilitysched.kernels.stream import Words, uniform
from utilitysched.model.state import Floats, Integers
from utilitysched.schedulers.genetic.operators import NamedOperator, named
from utilitysched.schedulers.genetic.options import GeneticOptions

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
    """The search problem of one decision: plans, prior, random stream.

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
        """Workspace for evaluating plans."""
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
    """Return the fitness of an individual as DEAP's tuple, and store the plan's value."""
    row = np.array([order], dtype=np.int64)
    evaluate(row, search.problem, workspace, fitness)
    order.value = float(fitness[0])
    return (order.value - distance(row[0], search.prior),)


_ALIASES = {
    "select": "selection",
    "mate": "crossover",
    "mutate": "mutator",
    "replace": "replacement",
}
"""DEAP's alias of each kind of operator."""

_TOURNAMENT = 3


class Operators:
    """The operators that options name, or those of a toolbox of one's own.

    Parameters
    ----------
    options : GeneticOptions
        Names, and the probability of a mutation.
    toolbox : deap.base.Toolbox, optional
        What is registered here takes the place of what the options name.

    Attributes
    ----------
    breeding : Breeding or None
        The same for compiled code; None where that lacks one of them.
    """

    def __init__(self, options: GeneticOptions, toolbox: base.Toolbox | None = None) -> None:
        self.options, self.own = options, toolbox
        self.named = {alias: _named(alias, options) for alias in _ALIASES}
        self.breeding = None if toolbox else _breeding(self.named, options)

    def toolbox(self, search: DecisionProblem) -> base.Toolbox:
        """Return a toolbox for one decision, on which DEAP's algorithms run.

        It holds ``individual(order)``, ``evaluate``, ``select``, ``mate`` and ``mutate`` as DEAP
        calls them, and ``replace(parents, children, k)`` and ``chance()``, a number uniform in
        [0, 1), for `evolve`.
        """
        stream = search.stream
        toolbox = base.Toolbox()
        toolbox.register("individual", individual)
        toolbox.register("clone", clone)
        toolbox.register("chance", uniform, stream)
        toolbox.register(
            "evaluate", evaluated, search=search, workspace=search.workspace, fitness=np.empty(1)
        )
        for alias, operator in self.named.items():
            own = getattr(self.own, alias, None)
            toolbox.register(alias, own or operator.bound(stream))
        return toolbox


def child_of(population: Sequence[Any], toolbox: base.Toolbox, mutation: float, born: int) -> Any:
    """Return a child of two of a population, not evaluated."""
    # crossover of clones: parents may go on
    parents = toolbox.select(population, 2)
    child = toolbox.mate(*map(toolbox.clone, parents))[0]
    if toolbox.chance() < mutation:
        (child,) = toolbox.mutate(child)
    del child.fitness.values
    child.ancestry = parents[0].ancestry | parents[1].ancestry
    child.born = born
    return child


def _named(alias: str, options: GeneticOptions) -> NamedOperator:
    kind = _ALIASES[alias]
    operator = named(kind, getattr(options, kind))
    if operator.name == "roulette":
        operator.arguments.setdefault("signed", options.signed)
    return operator


def _breeding(operators: dict[str, NamedOperator], options: GeneticOptions) -> Breeding | None:
    number = {alias: each.number for alias, each in operators.items() if each.number is not None}
    if len(number) < len(operators):
        return None
    size = operators["select"].arguments.get("tournsize", _TOURNAMENT)
    return Breeding(tournament=size, signed=options.signed, mutation=options.mutation, **number)
