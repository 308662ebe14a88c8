"""Compiled genetic operators on queue orders.

An order is a permutation of 0..n-1. Each operator draws from the random stream exactly as its
twin in DEAP's signature does, in `utilitysched.schedulers.genetic.operators`, which says what it
is for and where it comes from. `select`, `mate` and `mutate` call the operator of a number: its
place in `SELECTIONS`, `CROSSOVERS` or `MUTATIONS`.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from utilitysched.kernels.compiling import inner, kernel, leaf, leaf_kernel
from utilitysched.kernels.selection import copy, stable_order
from utilitysched.kernels.stream import Words, below, combine, uniform
from utilitysched.model.state import Floats, Integers

SELECTIONS = ("tournament", "roulette")
CROSSOVERS = ("mixed", "order", "one-point", "mean-rank", "zipper")
MUTATIONS = ("front", "swap")

TOURNAMENT, ROULETTE = range(2)
MIXED, ORDER, ONE_POINT, MEAN_RANK, ZIPPER = range(5)
FRONT, SWAP = range(2)


class Room(NamedTuple):
    """Working memory for orders of n jobs: whether a job is used, (n,), and its rank, (n,)."""

    used: NDArray[np.bool_]
    rank: Floats


# Selection


@leaf
def select_tournament(fitness: Floats, size: int, barred: int, stream: Words) -> int:
    """Return the fittest of `size` individuals drawn uniformly, never `barred` (-1: nobody)."""
    count = len(fitness) - (barred >= 0)
    best = -1
    for _ in range(size):
        drawn = below(uniform(stream), count)
        drawn += 0 <= barred <= drawn
        if best < 0 or fitness[drawn] > fitness[best]:
            best = drawn
    return best


@leaf
def select_roulette(fitness: Floats, signed: bool, barred: int, stream: Words) -> int:
    """Return an individual drawn in proportion to its fitness, never `barred` (-1: nobody).

    From each fitness the least one is taken if they may be `signed`. Uniform if no weight is
    positive.
    """
    count = len(fitness)
    least = 0.0
    if signed:
        least = np.inf
        for value in fitness:
            least = min(least, value)
    # the wheel: weights above 0 only
    total, positive = 0.0, 0
    for i in range(count):
        if i != barred and fitness[i] - least > 0.0:
            total += fitness[i] - least
            positive += 1
    draw = uniform(stream)
    if positive == 0:
        drawn = below(draw, count - (barred >= 0))
        return drawn + (0 <= barred <= drawn)
    # the individual in whose share the draw falls
    target, reached, chosen = draw * total, 0.0, -1
    for i in range(count):
        if i != barred and fitness[i] - least > 0.0:
            chosen = i
            reached += fitness[i] - least
            if target < reached:
                break
    return chosen


@leaf_kernel
def select(kind: int, size: int, signed: bool, fitness: Floats, barred: int, stream: Words) -> int:
    """Return an individual by the selection of this number, never `barred` (-1: nobody)."""
    if kind == TOURNAMENT:
        return select_tournament(fitness, size, barred, stream)
    return select_roulette(fitness, signed, barred, stream)


# Crossover


@leaf
def cross_order(one: Integers, other: Integers, stream: Words, room: Room, child: Integers) -> None:
    """Fill a child with a slice of one parent in place, the rest in the other parent's order."""
    jobs = len(one)
    first, last = below(uniform(stream), jobs), below(uniform(stream), jobs)
    if first > last:
        first, last = last, first
    fill_around(one, other, first, last, room.used, child)


@leaf
def cross_one_point(
    one: Integers, other: Integers, stream: Words, room: Room, child: Integers
) -> None:
    """Fill a child with the front of one order, the rest as in the other."""
    front: Any = np.int64(0)  # numba would compile the function anew for a literal number
    last = below(uniform(stream), len(one) - 1)
    fill_around(one, other, front, last, room.used, child)


@leaf
def fill_around(
    one: Integers,
    other: Integers,
    first: int,
    last: int,
    used: NDArray[np.bool_],
    child: Integers,
) -> None:
    """Keep the places `first` to `last` of one order, and fill the others as in the other."""
    used[:] = False
    for i in range(first, last + 1):
        child[i] = one[i]
        used[one[i]] = True
    place = 0
    for job in other:
        if not used[job]:
            if place == first:
                place = last + 1
            child[place] = job
            place += 1


@inner
def cross_mean_rank(
    one: Integers, other: Integers, stream: Words, room: Room, child: Integers
) -> None:
    """Fill a child with the jobs by a weighted mean of their places in both orders."""
    rank, weight = room.rank, uniform(stream)
    for i in range(len(one)):
        rank[one[i]] = weight * i
    for i in range(len(one)):
        rank[other[i]] += (1.0 - weight) * i
    by_rank = stable_order(rank)
    for i in range(len(one)):
        child[i] = by_rank[i]


@leaf
def cross_zipper(
    one: Integers, other: Integers, stream: Words, room: Room, child: Integers
) -> None:
    """Fill a child by taking the next job not yet in it from one order or the other."""
    used, place_in_one, place_in_other = room.used, 0, 0
    used[:] = False
    for i in range(len(one)):
        if uniform(stream) < 0.5:
            while used[one[place_in_one]]:
                place_in_one += 1
            child[i] = one[place_in_one]
        else:
            while used[other[place_in_other]]:
                place_in_other += 1
            child[i] = other[place_in_other]
        used[child[i]] = True


@kernel
def mate(
    kind: int, one: Integers, other: Integers, stream: Words, room: Room, child: Integers
) -> None:
    """Fill a child by the crossover of this number."""
    if kind == MIXED:
        kind = ORDER + below(uniform(stream), 3)
    if kind == ORDER:
        cross_order(one, other, stream, room, child)
    elif kind == ONE_POINT:
        cross_one_point(one, other, stream, room, child)
    elif kind == MEAN_RANK:
        cross_mean_rank(one, other, stream, room, child)
    else:
        cross_zipper(one, other, stream, room, child)


# Mutation


@leaf_kernel
def insert(order: Integers, source: int, target: int) -> None:
    """Move the job at one place to another, in place; those between close up."""
    job, step = order[source], -1 if target < source else 1
    for i in range(source, target, step):
        order[i] = order[i + step]
    order[target] = job


@leaf_kernel
def mutate_front(order: Integers, stream: Words) -> None:
    """Insert a job near the front, or swap it with one there: place n u^2, u uniform."""
    jobs, inserts = len(order), uniform(stream) < 0.5
    source, draw = below(uniform(stream), jobs), uniform(stream)
    target = below(draw * draw, jobs)
    if inserts:
        insert(order, source, target)
    else:
        order[source], order[target] = order[target], order[source]


@leaf
def mutate_swap(order: Integers, stream: Words) -> None:
    """Swap two jobs."""
    one, other = below(uniform(stream), len(order)), below(uniform(stream), len(order) - 1)
    other += other >= one
    order[one], order[other] = order[other], order[one]


@leaf_kernel
def mutate(kind: int, order: Integers, stream: Words) -> None:
    """Change an order by the mutation of this number, in place."""
    if kind == FRONT:
        mutate_front(order, stream)
    else:
        mutate_swap(order, stream)


# Orders to begin with


@kernel
def job_keys(submit: Floats, request: Floats, size: Integers) -> Words:
    """Return a number for each job that depends on what it is, not on who else is in the log."""
    keys = np.empty(len(submit), dtype=np.uint64)
    for i in range(len(submit)):
        key = combine(np.float64(submit[i]).view(np.uint64), np.uint64(size[i]))
        keys[i] = combine(key, np.float64(request[i]).view(np.uint64))
    return keys


@kernel
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
        copy(stable_order(hashes), orders[row])


@kernel
def copies_nearby(
    seeds: Integers, spread: float, stream: Words, keys: Words, rows: Integers
) -> None:
    """Fill `rows` with copies of `seeds` in turn in which jobs fall back by chance.

    Row i sorts the jobs by their place in the seed plus `spread` times an exponential number keyed
    by (stream, i, key of the job), ties by place: a bias-randomised copy (Juan et al. 2010). The
    stream does not advance.
    """
    jobs = rows.shape[1]
    place = np.empty(jobs)
    unit = 2.0**-53
    for row in range(len(rows)):
        own, seed = combine(stream[0], np.uint64(row)), seeds[row % len(seeds)]
        for i in range(jobs):
            word = combine(own, keys[seed[i]])
            place[i] = i - spread * np.log1p(-unit * (word >> np.uint64(11)))
        by_place = stable_order(place)
        for i in range(jobs):
            rows[row, i] = seed[by_place[i]]
