"""The compiled evolution of queue orders: the operators on whole populations.

`utilitysched.schedulers.genetic.evolution` is the readable twin: DEAP's toolbox, individual by
individual, with the same draws and so the same result.
"""

from typing import Any, NamedTuple

import numpy as np

from utilitysched.kernels.compiling import inner, kernel, leaf
from utilitysched.kernels.fitness import Problem, Workspace, evaluate
from utilitysched.kernels.operators import Room, insert, mate, mutate, select
from utilitysched.kernels.selection import copy, stable_order
from utilitysched.kernels.stream import Words, uniform
from utilitysched.model.state import Floats, Integers


class Prior(NamedTuple):
    """Preferred order of a search, and the charge for deviating.

    A plan knows no future arrivals and no real run times, so orders that look better by little may
    be no better. A learned order has seen what came of such differences.

    Attributes
    ----------
    place : (n,) int64
        Place of each job in that order.
    weight : float
        What is charged for its reverse (SU); with 0 there is no prior.
    """

    place: Integers
    weight: float


@kernel
def prior_of(order: Integers, weight: float) -> Prior:
    """Return the prior of an order."""
    place = np.empty(len(order), np.int64)
    for i in range(len(order)):
        place[order[i]] = i
    return Prior(place, weight)


@kernel
def distance(order: Integers, prior: Prior) -> float:
    """Return what an order is charged for being another than that of the prior (SU).

    The weight times the share of pairs of jobs that are the other way round. A pair counts with
    1 / (place in the prior of its earlier job), counted from 1: who is in front decides what starts
    now.
    """
    if prior.weight == 0.0:
        return 0.0
    jobs, place = len(order), prior.place
    inverted = most = 0.0
    # later[k]: jobs met so far whose places end with k in a binary indexed tree, from the back
    later = np.zeros(jobs + 1, np.int64)
    for i in range(jobs):
        mine = place[order[i]]
        behind, k = 0, jobs - mine
        while k > 0:
            behind += later[k]
            k -= k & -k
        inverted += behind / (mine + 1.0)
        most += (jobs - 1 - mine) / (mine + 1.0)
        k = jobs - mine
        while k <= jobs:
            later[k] += 1
            k += k & -k
    return prior.weight * inverted / most if most > 0.0 else 0.0


REPLACEMENTS = ("plus", "comma", "generational")
PLUS, COMMA, GENERATIONAL = range(3)

RECORD = ("evaluations", "plans", "best", "median", "worst")
"""What is kept of each generation: plans placed for it, different ones in it, their fitness."""


class Breeding(NamedTuple):
    """How children come about, and who goes on.

    Attributes
    ----------
    select, mate, mutate : int
        Operators by number, as `utilitysched.kernels.operators` takes them.
    tournament : int
        Individuals in a tournament.
    signed : bool
        Whether the fitness can be negative: roulette takes the least from all.
    mutation : float
        Probability that a child is mutated.
    replace : int
        A number of `REPLACEMENTS`. With ``plus`` the best of parents and children go on, with
        ``comma`` the best of the children, of equal plans one. With ``generational`` all children.
    """

    select: int
    tournament: int
    signed: bool
    mate: int
    mutate: int
    mutation: float
    replace: int


class Population(NamedTuple):
    """Columns of individuals; changed in place.

    The first rows go on, as many as `alive` says; those behind are working memory for children.

    Attributes
    ----------
    orders : (M, n) int64
        Queue orders.
    value : (M,) float64
        What their plans are worth (SU, less what terms charge).
    fitness : (M,) float64
        The same less the pull of the prior.
    ancestry : (M,) int64
        Bit i: descends from the i-th order that the search began with.
    born : (M,) int64
        In which generation.
    alive : (1,) int64
        How many there are.
    """

    orders: Integers
    value: Floats
    fitness: Floats
    ancestry: Integers
    born: Integers
    alive: Integers

    @classmethod
    def first(cls, orders: Integers, ancestry: Integers, most: int) -> "Population":
        """Return a first generation with room for as many children as there may be parents."""
        count, jobs = orders.shape
        room = max(count, most) + most
        population = cls(
            np.empty((room, jobs), np.int64),
            np.full(room, np.nan),
            np.empty(room),
            np.zeros(room, np.int64),
            np.zeros(room, np.int64),
            np.array([count]),
        )
        population.orders[:count] = orders
        population.ancestry[:count] = ancestry
        return population


@inner
def assess(
    population: Population,
    first: int,
    last: int,
    problem: Problem,
    prior: Prior,
    workspace: Workspace,
) -> None:
    """Fill in value and fitness of the rows from the first up to the second.

    A row whose value is a number has both from a parent that is the same order: late in a search
    that is every third child, and comparing costs far less than placing.
    """
    fresh = first + np.flatnonzero(np.isnan(population.value[first:last]))
    orders, value = population.orders[fresh], np.empty(len(fresh))
    evaluate(orders, problem, workspace, value)
    for i in range(len(fresh)):
        population.value[fresh[i]] = value[i]
        population.fitness[fresh[i]] = value[i] - distance(orders[i], prior)


@kernel
def keep_best(population: Population, first: int, last: int, most: int) -> None:
    """Let the best of the rows from `first` up to `last` go on, one of each value, best first."""
    chosen = np.empty(most, np.int64)
    kept = 0
    for place in stable_order(-population.fitness[first:last]):
        row, known = first + place, False
        for k in range(kept):
            known |= population.value[chosen[k]] == population.value[row]
        if not known:
            chosen[kept] = row
            kept += 1
            if kept == most:
                break
    take(population, chosen[:kept])


@inner
def take(population: Population, rows: Integers) -> None:
    """Let these rows go on, in this order."""
    orders, value = population.orders[rows], population.value[rows]
    fitness, ancestry = population.fitness[rows], population.ancestry[rows]
    born = population.born[rows]
    for k in range(len(rows)):
        copy(orders[k], population.orders[k])
        population.value[k] = value[k]
        population.fitness[k] = fitness[k]
        population.ancestry[k] = ancestry[k]
        population.born[k] = born[k]
    population.alive[0] = len(rows)


@leaf
def alike(one: Integers, other: Integers) -> bool:
    """Return whether two orders are the same."""
    place = 0
    while place < len(one) and one[place] == other[place]:
        place += 1
    return place == len(one)


@kernel
def breed(
    population: Population, children: int, born: int, breeding: Breeding, stream: Words
) -> None:
    """Fill the rows behind the population with children of it."""
    count, orders = population.alive[0], population.orders
    fitness = population.fitness[:count]
    room = Room(np.empty(orders.shape[1], np.bool_), np.empty(orders.shape[1]))
    kind, size, signed = breeding.select, breeding.tournament, breeding.signed
    # numba would compile the functions anew for a literal number
    nobody: Any = np.int64(-1)
    for child in range(count, count + children):
        # two parents, different ones where there are two
        one = select(kind, size, signed, fitness, nobody, stream)
        other = select(kind, size, signed, fitness, one if count > 1 else nobody, stream)
        # their child
        mate(breeding.mate, orders[one], orders[other], stream, room, orders[child])
        if uniform(stream) < breeding.mutation:
            mutate(breeding.mutate, orders[child], stream)
        # who it is
        population.ancestry[child] = population.ancestry[one] | population.ancestry[other]
        population.born[child] = born
        population.value[child] = np.nan
        for parent in (one, other):
            if alike(orders[child], orders[parent]):
                population.value[child] = population.value[parent]
                population.fitness[child] = population.fitness[parent]


@kernel
def replace(population: Population, children: int, most: int, breeding: Breeding) -> None:
    """Let `most` individuals go on, of those there are and of the children behind them."""
    parents = population.alive[0]
    last = parents + children
    if breeding.replace == GENERATIONAL:
        take(population, np.arange(parents, last))
    else:
        keep_best(population, 0 if breeding.replace == PLUS else parents, last, most)


@inner
def record(population: Population, evaluations: int, row: Floats) -> None:
    """Fill in what is kept of a generation, see `RECORD`."""
    count = population.alive[0]
    fitness, value = population.fitness[:count], population.value[:count]
    fitness, value = fitness[stable_order(fitness)], value[stable_order(value)]
    plans = 1
    for k in range(1, count):
        plans += value[k] != value[k - 1]
    row[0], row[1] = evaluations, plans
    row[2], row[4] = fitness[-1], fitness[0]
    row[3] = (fitness[(count - 1) // 2] + fitness[count // 2]) / 2.0


@kernel
def evolve(
    population: Population,
    problem: Problem,
    prior: Prior,
    workspace: Workspace,
    breeding: Breeding,
    stream: Words,
    best: Population,
    goal: tuple[int, int, float],
    trace: Floats,
) -> int:
    """Breed generations until there are enough, or a plan is worth as much as one can be.

    Parameters
    ----------
    population : Population
        The first generation, not assessed; it is left holding the last one.
    problem, prior, workspace : Problem, Prior, Workspace
        What the fitness is made of.
    breeding : Breeding
        Operators and replacement.
    stream : (1,) uint64
        Random stream; advances by what was drawn.
    best : Population
        Of one row: filled with the first individual that no other exceeded.
    goal : (int, int, float)
        Generations, individuals in each at most, and a fitness that none exceeds.
    trace : (generations + 1, 5) float64
        Filled with the `RECORD` of each generation.

    Returns
    -------
    int
        Generations bred.
    """
    generations, most, enough = goal
    # the first generation
    # numba would compile the functions anew for a literal number
    none: Any = np.int64(0)
    evaluations = population.alive[0]
    assess(population, none, evaluations, problem, prior, workspace)
    if breeding.replace != GENERATIONAL:
        keep_best(population, none, evaluations, most)
    best.fitness[0] = -np.inf
    for bred in range(generations + 1):
        # the best so far is kept aside
        top = population.fitness[: population.alive[0]].argmax()
        if population.fitness[top] > best.fitness[0]:
            copy(population.orders[top], best.orders[0])
            best.value[0] = population.value[top]
            best.fitness[0], best.ancestry[0] = population.fitness[top], population.ancestry[top]
            best.born[0] = population.born[top]
        record(population, evaluations, trace[bred])
        if bred == generations or best.fitness[0] >= enough:
            return bred
        # children, and who goes on
        count = population.alive[0]
        breed(population, most, bred + 1, breeding, stream)
        assess(population, count, count + most, problem, prior, workspace)
        evaluations = most
        replace(population, most, most, breeding)
    return generations


@kernel
def climb(
    order: Integers,
    best: float,
    reach: int,
    problem: Problem,
    prior: Prior,
    workspace: Workspace,
) -> float:
    """Move the job to the place that makes an order worth most, as long as it is worth more then.

    Tried are all jobs at the first `reach` places, one after the other, and at the last: who is in
    front decides what starts now, and later starts are searched for again before they come.

    Parameters
    ----------
    order : (n - pinned,) int64
        Where to start; it is left holding the best order found.
    best : float
        Its fitness.
    reach : int
        Places in front.
    problem, prior, workspace : Problem, Prior, Workspace
        What the fitness is made of.

    Returns
    -------
    float
        The fitness of the best order found.
    """
    jobs = len(order)
    trial = np.empty((1, jobs), np.int64)
    fitness = np.empty(1)
    chosen = place = 0
    while chosen >= 0:
        chosen = -1
        for front in range(min(reach, jobs - 1) + 1):
            target = front if front < min(reach, jobs - 1) else jobs - 1
            for position in range(jobs):
                if position == target:
                    continue
                copy(order, trial[0])
                insert(trial[0], position, target)
                evaluate(trial, problem, workspace, fitness)
                value = fitness[0] - distance(trial[0], prior)
                if value > best:
                    best, chosen, place = value, position, target
        if chosen >= 0:
            insert(order, chosen, place)
    return best
