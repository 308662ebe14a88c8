"""The first generation: informed guesses, then random orders."""

import numpy as np

from utilitysched.kernels.operators import job_keys, random_orders
from utilitysched.kernels.seeding import GUESSES, informed_orders
from utilitysched.kernels.stream import Words
from utilitysched.model.forecast import Forecast
from utilitysched.model.state import Integers, QueueState


def first_generation(
    state: QueueState,
    forecast: Forecast,
    jobs: Integers,
    warm: Integers | None,
    population: int,
    stream: Words,
) -> Integers:
    """Return the first generation of queue orders.

    Parameters
    ----------
    state : QueueState
        What is known.
    forecast : Forecast
        How long jobs may run.
    jobs : (n,) int64
        The queued jobs to be ordered.
    warm : (k,) int64 or None
        Places in `jobs` of those that were in the plan last decided on, in its order.
    population : int
        Orders wanted.
    stream : (1,) uint64
        The decision's random stream; it does not advance.

    Returns
    -------
    (population, n) int64
        One order of 0..n-1 a row: the warm start, if any, `informed_orders`, then random ones.
    """
    orders, guesses = drawn_and_informed(state, forecast, jobs, population, stream)
    if warm is not None:
        guesses = np.vstack([completed(warm, len(jobs)), guesses])
    orders[: len(guesses)] = guesses[:population]
    return orders


def drawn_and_informed(
    state: QueueState, forecast: Forecast, jobs: Integers, population: int, stream: Words
) -> tuple[Integers, Integers]:
    """Return random orders of jobs, and informed guesses; see `first_generation`."""
    known = state.known
    orders = np.empty((population, len(jobs)), dtype=np.int64)
    keys = job_keys(known.submit[jobs], known.request[jobs], known.size[jobs])
    random_orders(stream, keys, orders)
    guesses = np.empty((GUESSES, len(jobs)), dtype=np.int64)
    informed_orders(float(state.now), jobs, known, forecast, guesses)
    return orders, guesses


def completed(order: Integers, jobs: int) -> Integers:
    """Return `order` with the numbers below `jobs` that it lacks at its end."""
    lacking = np.ones(jobs, dtype=np.bool_)
    lacking[order] = False
    return np.concatenate([order, np.flatnonzero(lacking)])
