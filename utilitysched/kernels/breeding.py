"""Compiled generations: the genetic operators one after the other, without a call from Python."""

from typing import NamedTuple

import numpy as np
from numba import njit

from utilitysched.kernels.fitness import Problem, Workspace, evaluate
from utilitysched.kernels.operators import (
    Draws,
    draw_generation,
    mate_zipper,
    mutate_swap,
    select_roulette,
)
from utilitysched.kernels.stream import Words
from utilitysched.model.state import Floats, Integers


class Generation(NamedTuple):
    """A generation and room for the next; changed in place.

    Attributes
    ----------
    orders : (P, n) int64
        Queue orders.
    fitness : (P,) float64
        Their fitness.
    children : (P, n) int64
        Working memory.
    parents : (P, 2) int64
        Working memory.
    draws : Draws
        Working memory.
    """

    orders: Integers
    fitness: Floats
    children: Integers
    parents: Integers
    draws: Draws

    @classmethod
    def first(cls, orders: Integers, fitness: Floats) -> "Generation":
        """Return the generation to start from."""
        parents = np.empty((len(orders), 2), dtype=np.int64)
        return cls(orders, fitness, np.empty_like(orders), parents, Draws.empty(*orders.shape))


@njit(cache=True)
def inherit(generation: Generation, inherited: Floats) -> None:
    """Fill in the fitness of the children that are the same order as a parent, NaN for others.

    Late in a search that is every third child, or more; comparing costs far less than placing.
    """
    orders, children, parents = generation.orders, generation.children, generation.parents
    fitness = generation.fitness
    count, jobs = children.shape
    for child in range(count):
        inherited[child] = np.nan
        for side in range(2):
            parent = parents[child, side]
            position = 0
            while position < jobs and children[child, position] == orders[parent, position]:
                position += 1
            if position == jobs:
                inherited[child] = fitness[parent]


@njit(cache=True)
def breed(
    generation: Generation,
    problem: Problem,
    workspace: Workspace,
    stream: Words,
    rules: tuple[float, bool],
    goal: tuple[float, int],
) -> int:
    """Replace the generation by its descendants until one of them is good enough.

    Parameters
    ----------
    generation : Generation
        Where to start; it is left holding the last generation bred.
    problem, workspace : Problem, Workspace
        See `utilitysched.kernels.fitness.evaluate`.
    stream : (1,) uint64
        Random stream; advances by what was drawn.
    rules : (float, bool)
        Probability that a child is mutated; whether fitness can be negative.
    goal : (float, int)
        Stop after a generation with a fitness above the first, or after so many generations.

    Returns
    -------
    int
        Generations bred.
    """
    mutation, signed = rules
    orders, fitness = generation.orders, generation.fitness
    children, draws = generation.children, generation.draws
    enough, limit = goal
    inherited = np.empty(len(fitness))
    fresh = np.empty(len(fitness))
    for bred in range(1, limit + 1):
        draw_generation(stream, mutation, draws)
        select_roulette(fitness, signed, draws, generation.parents)
        mate_zipper(orders, generation.parents, draws, children)
        mutate_swap(children, draws)
        inherit(generation, inherited)
        new = 0
        for row in range(orders.shape[0]):
            unknown = np.isnan(inherited[row])
            for position in range(orders.shape[1]):
                orders[row, position] = children[row, position]
                if unknown:
                    children[new, position] = children[row, position]
            new += unknown
        evaluate(children[:new], problem, workspace, fresh)
        new = 0
        for row in range(orders.shape[0]):
            unknown = np.isnan(inherited[row])
            fitness[row] = fresh[new] if unknown else inherited[row]
            new += unknown
        if fitness.max() > enough:
            return bred
    return limit


@njit(cache=True)
def moved(order: Integers, position: int, target: int, trial: Integers) -> None:
    """Fill `trial` with an order in which the job at a position has gone to another."""
    trial[:] = order
    step = -1 if target < position else 1
    for i in range(position, target, step):
        trial[i] = order[i + step]
    trial[target] = order[position]


@njit(cache=True)
def climb(
    order: Integers, best: float, reach: int, problem: Problem, workspace: Workspace
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
    problem, workspace : Problem, Workspace
        See `utilitysched.kernels.fitness.evaluate`.

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
                moved(order, position, target, trial[0])
                evaluate(trial, problem, workspace, fitness)
                if fitness[0] > best:
                    best, chosen, place = fitness[0], position, target
        if chosen >= 0:
            moved(order, chosen, place, trial[0])
            order[:] = trial[0]
    return best
