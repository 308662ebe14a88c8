"""The evolution of a queue order for one decision: mu + lambda, on DEAP.

`evolve` is the algorithm, as `deap.algorithms.eaMuPlusLambda` would be written for orders of which
no two may have the same plan. `Evolution` runs it, or its compiled twin on whole populations,
`utilitysched.kernels.evolution`, which has the same draws and the same result in a seventh of the
time.
"""

from __future__ import annotations

import math
import pickle
import random
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from deap import base, creator, tools

from swfx import InputError
from swfx.base.atomic import write_whole
from utilitysched.kernels.climbing import climb
from utilitysched.kernels.evolution import RECORD, Breeding, Population, breed
from utilitysched.kernels.evolution import evolve as evolve_compiled
from utilitysched.kernels.fitness import Problem, Workspace, ceiling, evaluate
from utilitysched.kernels.prior import Prior, distance
from utilitysched.kernels.stream import Words, uniform
from utilitysched.model.state import Floats, Integers
from utilitysched.schedulers.genetic.operators import NamedOperator, borrowed_random, named
from utilitysched.schedulers.genetic.options import GeneticOptions

# DEAP's creator puts classes into a global namespace: they are made once
if not hasattr(creator, "PlanFitness"):
    creator.create("PlanFitness", base.Fitness, weights=(1.0,))
if not hasattr(creator, "QueueOrder"):
    creator.create("QueueOrder", list, fitness=creator.PlanFitness, value=None, ancestry=0, born=0)

_ALIASES = {
    "select": "selection",
    "mate": "crossover",
    "mutate": "mutator",
    "replace": "replacement",
}
"""DEAP's alias of each kind of operator."""

_TOURNAMENT = 3


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


class Evolved(NamedTuple):
    """The best order that a search found, and how.

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
        """Plans that were placed."""
        return int(self.trace[:, 0].sum())


class Search(NamedTuple):
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

    def toolbox(self, search: Search) -> base.Toolbox:
        """Return a toolbox for one decision, on which DEAP's algorithms run.

        It holds ``individual(order)``, ``evaluate``, ``select``, ``mate`` and ``mutate`` as DEAP
        calls them, and ``replace(parents, children, k)`` and ``chance()``, a number uniform in
        [0, 1), for `evolve`.
        """
        toolbox = base.Toolbox()
        toolbox.register("clone", clone)
        toolbox.register("individual", individual)
        toolbox.register("chance", uniform, search.stream)
        toolbox.register(
            "evaluate", evaluated, search=search, workspace=search.workspace, fitness=np.empty(1)
        )
        for alias, operator in self.named.items():
            toolbox.register(alias, operator.bound(search.stream))
            own = getattr(self.own, alias, None)
            if own is not None:
                toolbox.register(alias, own)
        return toolbox

    def children(self, orders: Integers, fitness: Floats, count: int, stream: Words) -> Integers:
        """Return so many children of orders (P, n) whose fitness is given by others.

        For searches with a replacement of their own, such as of fronts.
        """
        if self.breeding:
            population = Population.first(orders, np.zeros(len(orders), np.int64), count)
            population.fitness[: len(orders)] = fitness
            breed(population, count, 0, self.breeding, stream)
            return population.orders[len(orders) : len(orders) + count]
        toolbox = self.toolbox(Search(None, None, stream))  # type: ignore[arg-type]
        parents = [individual(order.tolist()) for order in orders]
        for parent, value in zip(parents, fitness.tolist(), strict=True):
            parent.fitness.values = (value,)
        with borrowed_random(stream):
            bred = [child_of(parents, toolbox, self.options.mutation, 0) for _ in range(count)]
        return np.array(bred, dtype=np.int64)


def evolve(
    population: list[Any],
    toolbox: base.Toolbox,
    options: GeneticOptions,
    hall: tools.HallOfFame,
    *,
    enough: float = math.inf,
    checkpoint: Checkpoint | None = None,
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
        Population, generations, probability of a mutation, and budget (s).
    hall : deap.tools.HallOfFame
        Gets the best.
    enough : float
        A fitness that none exceeds: the search ends with it.
    checkpoint : Checkpoint, optional
        Where the search is kept as it goes on, and goes on from.
    """
    stop = time.perf_counter() + options.budget
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

    resumed = checkpoint.load(population, hall, logbook) if checkpoint else 0
    if not logbook:
        goes_on(0, list(population))
    for generation in range(resumed + 1, options.generations + 1):
        if hall[0].fitness.values[0] >= enough or time.perf_counter() >= stop:
            break
        children = [
            child_of(population, toolbox, options.mutation, generation)
            for _ in range(options.population)
        ]
        goes_on(generation, children)
        if checkpoint and generation % checkpoint.every == 0:
            checkpoint.save(generation, population, hall, logbook)
    return logbook


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


class Checkpoint:
    """A file that keeps a long search: population, hall of fame, logbook and random numbers.

    Parameters
    ----------
    path : Path
        The file, a pickle; read only what you have written yourself.
    search : Search
        What is searched for; its stream goes on where it was.
    every : int
        Generations between two writings.
    """

    def __init__(self, path: Path, search: Search, every: int = 10) -> None:
        self.path, self.search, self.every = path, search, every

    def save(
        self, generation: int, population: list[Any], hall: tools.HallOfFame, logbook: tools.Logbook
    ) -> None:
        """Write the file: it is complete, or as it was."""
        kept = {
            "generation": generation,
            "population": population,
            "hall": hall,
            "logbook": logbook,
            "stream": self.search.stream,
            "random": random.getstate(),
            "jobs": self.search.problem.queue,
        }
        write_whole(self.path, pickle.dumps(kept))

    def load(
        self, population: list[Any], hall: tools.HallOfFame, logbook: tools.Logbook
    ) -> int:
        """Take up a search where it was, and return its generation; 0 if there is no file.

        Raises
        ------
        InputError
            The file is of another decision, or no such file.
        """
        if not self.path.exists():
            return 0
        try:
            kept = pickle.loads(self.path.read_bytes())
            same = all(map(np.array_equal, kept["jobs"], self.search.problem.queue))
        except (KeyError, TypeError, pickle.UnpicklingError, EOFError) as error:
            raise _unusable(self.path, "is no kept search") from error
        if not same:
            raise _unusable(self.path, "keeps the search of another decision")
        population[:] = kept["population"]
        hall.update(kept["hall"])
        for each in kept["logbook"]:
            logbook.record(**each)
        self.search.stream[:] = kept["stream"]
        random.setstate(kept["random"])
        return int(kept["generation"])


def _unusable(path: Path, message: str) -> InputError:
    return InputError(message, source=str(path), remedy="delete it, or name another file")


class Evolution:
    """Runs a search, compiled where it can be.

    Parameters
    ----------
    operators : Operators
        Selection, crossover, mutation and replacement.
    options : GeneticOptions
        Population, generations, mutation, climbing and budget.
    """

    def __init__(self, operators: Operators, options: GeneticOptions) -> None:
        self.operators, self.options = operators, options

    def run(self, search: Search, first: FirstGeneration) -> Evolved:
        """Return the best order found from the first generation on."""
        workspace = search.workspace
        enough = ceiling(search.problem, workspace.start)
        compiled = self.operators.breeding is not None and self.options.budget == math.inf
        run = self._compiled if compiled else self._by_toolbox
        found = run(search, first, enough)
        if self.options.climb and found.fitness < enough:
            return self._climbed(found, search, workspace)
        return found

    def _compiled(self, search: Search, first: FirstGeneration, enough: float) -> Evolved:
        breeding, options = self.operators.breeding, self.options
        ancestry = np.left_shift(1, first.origin)
        population = Population.first(first.orders, ancestry, options.population)
        best = Population.first(first.orders[:1], ancestry[:1], 0)
        trace = np.empty((options.generations + 1, len(RECORD)))
        goal = options.generations, options.population, enough
        bred = evolve_compiled(
            population,
            search.problem,
            search.prior,
            search.workspace,
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

    def _by_toolbox(self, search: Search, first: FirstGeneration, enough: float) -> Evolved:
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

    def _climbed(self, found: Evolved, search: Search, workspace: Workspace) -> Evolved:
        """Return the order that is climbed to from the best one."""
        order, problem = found.order.copy(), search.problem
        reach = self.options.climb
        fitness = climb(order, found.fitness, reach, problem, search.prior, workspace)
        value = fitness + distance(order, search.prior)
        return found._replace(order=order, value=value, fitness=fitness)


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
    order: creator.QueueOrder, *, search: Search, workspace: Workspace, fitness: Floats
) -> tuple[float]:
    """Return the fitness of an individual as DEAP wants it, and note what its plan is worth."""
    row = np.array([order], dtype=np.int64)
    evaluate(row, search.problem, workspace, fitness)
    order.value = float(fitness[0])
    return (order.value - distance(row[0], search.prior),)


def _named(alias: str, options: GeneticOptions) -> NamedOperator:
    kind = _ALIASES[alias]
    found = named(kind, getattr(options, kind))
    if found.name == "roulette":
        found.arguments.setdefault("signed", options.signed)
    return found


def _breeding(operators: dict[str, NamedOperator], options: GeneticOptions) -> Breeding | None:
    number = {alias: operator.number for alias, operator in operators.items()}
    if None in number.values():
        return None
    size = operators["select"].arguments.get("tournsize", _TOURNAMENT)
    return Breeding(
        tournament=size, signed=options.signed, mutation=options.mutation, **number
    )
