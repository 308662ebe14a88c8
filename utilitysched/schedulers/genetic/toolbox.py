"""The operators that options name, as a toolbox of DEAP's and for compiled code."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from deap import base

from utilitysched.kernels.evolution import Breeding
from utilitysched.kernels.stream import uniform
from utilitysched.schedulers.genetic.individuals import (
    DecisionProblem,
    clone,
    evaluated,
    individual,
)
from utilitysched.schedulers.genetic.operators import NamedOperator, named
from utilitysched.schedulers.genetic.options import GeneticOptions

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
    found = named(kind, getattr(options, kind))
    if found.name == "roulette":
        found.arguments.setdefault("signed", options.signed)
    return found


def _breeding(operators: dict[str, NamedOperator], options: GeneticOptions) -> Breeding | None:
    number = {alias: each.number for alias, each in operators.items() if each.number is not None}
    if len(number) < len(operators):
        return None
    size = operators["select"].arguments.get("tournsize", _TOURNAMENT)
    return Breeding(tournament=size, signed=options.signed, mutation=options.mutation, **number)
