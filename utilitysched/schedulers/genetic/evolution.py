"""The evolution of a queue order for one decision: mu + lambda, on DEAP.

`evolve` is the algorithm, as `deap.algorithms.eaMuPlusLambda` would be written for orders of which
no two may have the same plan. `Evolution` runs it, or its compiled twin on whole populations,
`utilitysched.kernels.evolution`, which has the same draws and the same result in a seventh of the
time.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from deap import base, tools

from utilitysched.kernels.evolution import RECORD, Breeding, Population, climb, distance
from utilitysched.kernels.evolution import evolve as evolve_compiled
from utilitysched.kernels.fitness import Workspace, ceiling
from utilitysched.model.state import Floats, Integers
from utilitysched.schedulers.genetic.operators import borrowed_random
from utilitysched.schedulers.genetic.options import GeneticOptions
from utilitysched.schedulers.genetic.toolbox import (
    DecisionProblem,
    FirstGeneration,
    Operators,
    child_of,
    first_population,
)


class Evolved(NamedTuple):
    """Result of a search: best order, value, ancestry, and trace of the generations.

    Attributes
    ----------
    order : (n,) int64
        The order.
    value, fitness : float
        What its plan is worth, and that less the pull of the prior (SU).
    born : int
        The generation in which it appeared.
    ancestry : int
        Bit i: it descends from the i-th of `FirstGeneration.names`.
    generations : int
        So many were bred.
    trace : (generations + 1, 5) float64
        `utilitysched.kernels.evolution.RECORD` of each.
    """

    order: Integers
    value: float
    fitness: float
    born: int
    ancestry: int
    generations: int
    trace: Floats

    @property
    def evaluations(self) -> int:
        """Number of plans evaluated."""
        return int(self.trace[:, 0].sum())


def evolve(
    population: list[Any],
    toolbox: base.Toolbox,
    options: GeneticOptions,
    hall: tools.HallOfFame,
    *,
    enough: float = math.inf,
) -> tools.Logbook:
    """Evolve a population, as the algorithms of DEAP do, and return the record of it.

    Every generation has as many children as may go on. Each has two parents; it is their
    crossover's first child, and mutated with the probability of the options. ``toolbox.replace``
    says who goes on. The best ever seen is in the hall of fame.

    Parameters
    ----------
    population : list of individuals
        The first generation; it is left holding the last one.
    toolbox : deap.base.Toolbox
        See `Operators.toolbox`.
    options : GeneticOptions
        Population, generations, and probability of a mutation.
    hall : deap.tools.HallOfFame
        Gets the best.
    enough : float
        A fitness that none exceeds: the search ends with it.
    """
    statistics = tools.Statistics(lambda each: each.fitness.values[0])
    for name, measure in (("best", np.max), ("median", np.median), ("worst", np.min)):
        statistics.register(name, measure)
    logbook = tools.Logbook()
    logbook.header = ["generation", *RECORD]

    def goes_on(generation: int, children: list[Any]) -> None:
        """Take the next generation, and keep what it was like."""
        for child in children:
            if not child.fitness.valid:
                child.fitness.values = toolbox.evaluate(child)
        if generation:
            population[:] = toolbox.replace(population, children, options.population)
        else:
            population[:] = toolbox.replace([], children, max(options.population, len(children)))
        hall.update(population)
        logbook.record(
            generation=generation,
            evaluations=len(children),
            plans=len({each.value for each in population}),
            **statistics.compile(population),
        )

    # first generation, then children until no plan can be better
    goes_on(0, list(population))
    for generation in range(1, options.generations + 1):
        if hall[0].fitness.values[0] >= enough:
            break
        children = [
            child_of(population, toolbox, options.mutation, generation)
            for _ in range(options.population)
        ]
        goes_on(generation, children)
    return logbook


class Evolution:
    """Evolution of queue orders, compiled where all operators are.

    Parameters
    ----------
    operators : Operators
        Selection, crossover, mutation and replacement.
    options : GeneticOptions
        Population, generations, mutation and climbing.
    """

    def __init__(self, operators: Operators, options: GeneticOptions) -> None:
        self.operators, self.options = operators, options

    def run(self, search: DecisionProblem, first: FirstGeneration) -> Evolved:
        """Return the best order found from the first generation on."""
        workspace = search.workspace
        enough = ceiling(search.problem, workspace.start)
        breeding = self.operators.breeding
        if breeding:
            evolved = self._compiled(search, first, (breeding, enough), workspace)
        else:
            evolved = self._by_toolbox(search, first, enough)
        if self.options.climb and evolved.fitness < enough:
            return self._climbed(evolved, search, workspace)
        return evolved

    def _compiled(
        self,
        search: DecisionProblem,
        first: FirstGeneration,
        rules: tuple[Breeding, float],
        workspace: Workspace,
    ) -> Evolved:
        options, (breeding, enough) = self.options, rules
        ancestry = np.left_shift(1, first.origin)
        population = Population.first(first.orders, ancestry, options.population)
        best = Population.first(first.orders[:1], ancestry[:1], 0)
        trace = np.empty((options.generations + 1, len(RECORD)))
        goal = options.generations, options.population, enough
        bred = evolve_compiled(
            population,
            search.problem,
            search.prior,
            workspace,
            breeding,
            search.stream,
            best,
            goal,
            trace,
        )
        return Evolved(
            best.orders[0],
            best.value.item(0),
            best.fitness.item(0),
            best.born.item(0),
            best.ancestry.item(0),
            bred,
            trace[: bred + 1],
        )

    def _by_toolbox(
        self, search: DecisionProblem, first: FirstGeneration, enough: float
    ) -> Evolved:
        toolbox, hall = self.operators.toolbox(search), tools.HallOfFame(1)
        population = first_population(toolbox, first)
        with borrowed_random(search.stream):
            logbook = evolve(population, toolbox, self.options, hall, enough=enough)
        best = hall[0]
        trace = np.array([[row[name] for name in RECORD] for row in logbook], dtype=np.float64)
        fitness = best.fitness.values[0]
        order = np.array(best, dtype=np.int64)
        return Evolved(
            order, best.value, fitness, best.born, best.ancestry, len(logbook) - 1, trace
        )

    def _climbed(self, evolved: Evolved, search: DecisionProblem, workspace: Workspace) -> Evolved:
        """Return the order that is climbed to from the best one."""
        order, problem = evolved.order.copy(), search.problem
        reach = self.options.climb
        fitness = climb(order, evolved.fitness, reach, problem, search.prior, workspace)
        value = fitness + distance(order, search.prior)
        return evolved._replace(order=order, value=value, fitness=fitness)
