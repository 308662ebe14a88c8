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
from utilitysched.state import Floats, Integers


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
    for bred in range(1, limit + 1):
        draw_generation(stream, mutation, draws)
        select_roulette(fitness, signed, draws, generation.parents)
        mate_zipper(orders, generation.parents, draws, children)
        mutate_swap(children, draws)
        for row in range(orders.shape[0]):
            for position in range(orders.shape[1]):
                orders[row, position] = children[row, position]
        evaluate(orders, problem, workspace, fitness)
        if fitness.max() > enough:
            return bred
    return limit
