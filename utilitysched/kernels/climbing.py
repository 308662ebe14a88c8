"""Compiled hill climbing: single jobs of an order move to the front, or to the end."""

import numpy as np
from numba import njit

from utilitysched.kernels.fitness import Problem, Workspace, evaluate
from utilitysched.kernels.prior import Prior, distance
from utilitysched.model.state import Integers


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
                moved(order, position, target, trial[0])
                evaluate(trial, problem, workspace, fitness)
                found = fitness[0] - distance(trial[0], prior)
                if found > best:
                    best, chosen, place = found, position, target
        if chosen >= 0:
            moved(order, chosen, place, trial[0])
            order[:] = trial[0]
    return best
