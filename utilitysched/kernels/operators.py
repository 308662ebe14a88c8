"""Compiled genetic operators on whole populations of queue orders.

A population is a (P, n) int64 array, one permutation of 0..n-1 a row. `draw_generation` takes
all random numbers of a generation from the stream, child by child: two for the parents, one for
each position of the zipper, one that decides on mutation and, if it does, two for the swap. The
operators then are functions of these draws.
"""

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from utilitysched.kernels.stream import Words, below, combine, uniform
from utilitysched.model.state import Floats, Integers


class Draws(NamedTuple):
    """Random numbers of one generation of P children of n jobs.

    Attributes
    ----------
    parents : (P, 2) float64
        Uniform numbers that choose the first and the second parent.
    zipper : (P, n) bool
        Take the next job from the second parent.
    swap : (P, 2) int64
        Two distinct positions to swap, or -1 for a child that does not mutate.
    """

    parents: Floats
    zipper: NDArray[np.bool_]
    swap: Integers

    @classmethod
    def empty(cls, population: int, jobs: int) -> "Draws":
        """Return room for the draws of a population."""
        return cls(
            np.empty((population, 2)),
            np.empty((population, jobs), dtype=np.bool_),
            np.empty((population, 2), dtype=np.int64),
        )


@njit(cache=True)
def draw_generation(stream: Words, mutation: float, draws: Draws) -> None:
    """Fill `draws` from `stream`, child by child; a child mutates with probability `mutation`."""
    children, jobs = draws.zipper.shape
    for child in range(children):
        draws.parents[child, 0] = uniform(stream)
        draws.parents[child, 1] = uniform(stream)
        for position in range(jobs):
            draws.zipper[child, position] = uniform(stream) >= 0.5
        draws.swap[child, 0] = draws.swap[child, 1] = -1
        if uniform(stream) < mutation and jobs > 1:
            one = below(uniform(stream), jobs)
            other = below(uniform(stream), jobs - 1)
            draws.swap[child, 0] = one
            draws.swap[child, 1] = other + 1 if other >= one else other


@njit(cache=True)
def weigh(fitness: Floats, shifted: bool, weight: Floats) -> int:
    """Fill the roulette's `weight` (P,) and return how many are positive.

    The weight is the fitness, less the least one if `shifted` (where terms can be negative).
    """
    least = fitness.min() if shifted else 0.0
    positive = 0
    for i in range(len(fitness)):
        weight[i] = fitness[i] - least
        positive += weight[i] > 0.0
    return positive


@njit(cache=True)
def spin(weight: Floats, barred: int, draw: float) -> int:
    """Return an individual with probability proportional to `weight`, never `barred`."""
    total = 0.0
    for i in range(len(weight)):
        if i != barred:
            total += weight[i]
    target = draw * total
    chosen = -1
    reached = 0.0
    for i in range(len(weight)):
        if i != barred and weight[i] > 0.0:
            chosen = i
            reached += weight[i]
            if target < reached:
                break
    return chosen


@njit(cache=True)
def select_roulette(fitness: Floats, shifted: bool, draws: Draws, parents: Integers) -> None:
    """Choose two distinct parents per child in proportion to fitness (LEE 3.2.3).

    With fewer than two positive weights the missing parents are drawn uniformly.

    Parameters
    ----------
    fitness : (P,) float64
        Fitness, not negative unless `shifted`.
    shifted : bool
        Take the generation's least fitness from all first.
    draws : Draws
        Draws of this generation.
    parents : (P, 2) int64
        Filled with row numbers.
    """
    count = len(fitness)
    weight = np.empty(count)
    positive = weigh(fitness, shifted, weight)
    for child in range(len(parents)):
        one, other = draws.parents[child, 0], draws.parents[child, 1]
        first = spin(weight, -1, one) if positive > 0 else below(one, count)
        if positive > 1:
            second = spin(weight, first, other)
        else:
            second = below(other, count - 1)
            second += second >= first
        parents[child, 0] = first
        parents[child, 1] = second


@njit(cache=True)
def mate_zipper(population: Integers, parents: Integers, draws: Draws, children: Integers) -> None:
    """Fill each child by popping jobs not yet in it from one parent or the other (LEE 3.2.3).

    Parameters
    ----------
    population : (P, n) int64
        Parents' orders.
    parents : (P, 2) int64
        Row numbers of each child's parents.
    draws : Draws
        Draws of this generation.
    children : (P, n) int64
        Filled.
    """
    count, jobs = children.shape
    used_by = np.full(jobs, -1)
    following = np.empty(2, dtype=np.int64)
    for child in range(count):
        following[0] = following[1] = 0
        for position in range(jobs):
            side = int(draws.zipper[child, position])
            parent = parents[child, side]
            place = following[side]
            job = population[parent, place]
            while used_by[job] == child:
                place += 1
                job = population[parent, place]
            following[side] = place + 1
            used_by[job] = child
            children[child, position] = job


@njit(cache=True)
def mutate_swap(children: Integers, draws: Draws) -> None:
    """Swap two jobs in the children whose draws say so (LEE 3.2.2), in place."""
    for child in range(len(children)):
        one, other = draws.swap[child, 0], draws.swap[child, 1]
        if one >= 0:
            job = children[child, one]
            children[child, one] = children[child, other]
            children[child, other] = job


@njit(cache=True)
def job_keys(submit: Floats, request: Floats, size: Integers) -> Words:
    """Return a number for each job that depends on what it is, not on who else is in the log."""
    keys = np.empty(len(submit), dtype=np.uint64)
    for i in range(len(submit)):
        key = combine(np.float64(submit[i]).view(np.uint64), np.uint64(size[i]))
        keys[i] = combine(key, np.float64(request[i]).view(np.uint64))
    return keys


@njit(cache=True)
def random_orders(stream: Words, keys: Words, orders: Integers) -> None:
    """Fill each row of `orders` with a random permutation that is keyed by job.

    Row i sorts the jobs by a hash of (stream, i, key of the job), ties by number. Without one of
    the jobs the others keep their relative order. The stream does not advance.
    """
    count, jobs = orders.shape
    hashes = np.empty(jobs, dtype=np.uint64)
    for row in range(count):
        own = combine(stream[0], np.uint64(row))
        for job in range(jobs):
            hashes[job] = combine(own, keys[job])
        orders[row] = np.argsort(hashes, kind="mergesort")
