"""From the state of the queue to the problem that the search solves."""

import numpy as np

from utilitysched.forecast import Forecast
from utilitysched.genetic.memory import Memory
from utilitysched.genetic.options import GeneticOptions
from utilitysched.kernels.fitness import Problem, Terms
from utilitysched.kernels.plan import Queue, Scratch, place
from utilitysched.state import Floats, QueueState
from utilitysched.worth import worth_of


def problem_of(
    state: QueueState,
    forecast: Forecast,
    memory: Memory,
    options: GeneticOptions,
    threshold: float,
) -> Problem:
    """Return the problem of ordering the queue.

    Parameters
    ----------
    state : QueueState
        What is known.
    forecast : Forecast
        How long jobs may run.
    memory : Memory
        The plan last decided on.
    options : GeneticOptions
        Weights of the fitness.
    threshold : float
        Jobs that have waited longer go first (s). The queue is in arrival order, so they are
        the first of it.
    """
    known, queued = state.known, state.queued
    submit = known.submit[queued]
    queue = Queue(
        now=float(state.now),
        free=int(state.free),
        pinned=int(np.count_nonzero(state.now - submit > threshold)),
        size=known.size[queued],
        request=known.request[queued],
        later=np.empty(0),
        release_time=state.expected_end,
        release_size=known.size[state.running],
    )
    terms = Terms(
        float(options.utility),
        float(options.wait),
        float(options.slowdown),
        float(options.fairness),
        float(options.predictability),
        float(options.large),
        _fair_start(queue) if options.fairness else submit,
        memory.promised(queued) if options.predictability else submit,
    )
    return Problem(queue, worth_of(state, forecast), terms, np.empty(0))


def _fair_start(queue: Queue) -> Floats:
    """Return each job's start if the queue were placed in arrival order (s)."""
    start = np.empty(len(queue.size))
    arrival_order = np.arange(len(queue.size) - queue.pinned)
    place(arrival_order, queue, Scratch.empty(len(start), len(queue.release_time)), start)
    return start
