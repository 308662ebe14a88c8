"""The best of all queue orders under EASY placement."""

from itertools import permutations

import numpy as np

from utilitysched.exact.problem import StaticProblem
from utilitysched.kernels.fitness import FitnessTerms, Problem, Workspace, evaluate
from utilitysched.kernels.plan import place
from utilitysched.kernels.planned_queue import PlannedQueue, Scratch
from utilitysched.model.state import Floats

MOST = 8
"""Jobs of which all orders are tried: 40,320."""


def best_order(problem: StaticProblem) -> Floats | None:
    """Return the starts (s) under the best of all orders, or None for more than `MOST` jobs.

    The genetic scheduler searches these: an order's schedule is its EASY placement from now until
    all have started. The best schedule of all, `optimum`, need not be among them.
    """
    jobs = len(problem.snapshot.queued)
    if not 0 < jobs <= MOST:
        return None if jobs else np.empty(0)
    orders = np.array(list(permutations(range(jobs))), dtype=np.int64)
    queue = _queue(problem)
    running = len(problem.snapshot.running)
    worth = np.empty(len(orders))
    evaluate(
        orders,
        Problem(queue, problem.worth, FitnessTerms(), np.empty(0)),
        Workspace.empty(jobs, running),
        worth,
    )
    start = np.empty(jobs)
    place(orders[np.argmax(worth)], queue, Scratch.empty(jobs, running), start)
    return start


def _queue(problem: StaticProblem) -> PlannedQueue:
    snapshot = problem.snapshot
    state = snapshot.state()
    return PlannedQueue(
        snapshot.now,
        snapshot.free,
        0,
        problem.size,
        problem.request,
        np.empty(0),
        state.expected_end,
        state.known.size[state.running],
    )
