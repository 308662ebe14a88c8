"""The first generation: informed guesses, then random orders."""

import numpy as np

from utilitysched.kernels.fitness import Problem
from utilitysched.kernels.operators import job_keys, random_orders
from utilitysched.kernels.signatures import compiled_score
from utilitysched.kernels.stream import Words
from utilitysched.orderings import orderings
from utilitysched.state import Integers

SEEDS = ("fcfs", "priority-fifo", "value-density", "value")
"""Orderings whose orders are in every first generation (LEE 3.2.1)."""


def first_generation(
    problem: Problem, warm: Integers | None, population: int, stream: Words
) -> Integers:
    """Return the first generation of queue orders.

    Parameters
    ----------
    problem : Problem
        The queue.
    warm : (k,) int64 or None
        Numbers of the jobs of the plan last decided on that still wait, in its order.
    population : int
        Orders wanted.
    stream : (1,) uint64
        The decision's random stream; it does not advance.

    Returns
    -------
    (population, n - pinned) int64
        One order a row: the warm start, if any, arrival order, priority class, current utility per
        processor-second, current utility (LEE 3.2.1), then random orders.
    """
    queue = problem.queue
    movable = slice(queue.pinned, None)
    jobs = queue.job[movable]
    orders = np.empty((population, len(jobs)), dtype=np.int64)
    keys = job_keys(problem.known.submit[jobs], queue.request[movable], queue.size[movable])
    random_orders(stream, keys, orders)
    seeds = [_seed(name, problem, jobs) for name in SEEDS]
    if warm is not None:
        seeds.insert(0, completed(warm - queue.pinned, len(jobs)))
    for row, seed in enumerate(seeds[:population]):
        orders[row] = seed
    return orders


def completed(order: Integers, jobs: int) -> Integers:
    """Return `order` without negative numbers, and the numbers below `jobs` it lacks at its end."""
    order = order[order >= 0]
    lacking = np.ones(jobs, dtype=np.bool_)
    lacking[order] = False
    return np.concatenate([order, np.flatnonzero(lacking)])


def _seed(name: str, problem: Problem, jobs: Integers) -> Integers:
    """Return the order of `jobs` under the ordering `name`, its parameters at their defaults."""
    ordering = orderings()[name]
    parameters = np.array(list(ordering.parameters.values()), dtype=np.float64)
    scores = np.empty(len(jobs))
    score = compiled_score(ordering.score)
    score(problem.queue.now, jobs, problem.known, problem.forecast, parameters, scores)
    return np.argsort(scores, kind="stable")
