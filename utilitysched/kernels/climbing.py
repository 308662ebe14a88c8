"""Compiled hill climbing: single jobs of an order move to the front, or to the end."""

import numpy as np
from numba import njit

from utilitysched.kernels.fitness import Problem, Workspace, evaluate
from utilitysched.kernels.operators import insert
from utilitysched.kernels.prior import Prior, distance
from utilitysched.model.state import Integers


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
                trial[0] = order
                insert(trial[0], position, target)
                evaluate(trial, problem, workspace, fitness)
                found = fitness[0] - distance(trial[0], prior)
                if found > best:
                    best, chosen, place = found, position, target
        if chosen >= 0:
            insert(order, chosen, place)
    return best
