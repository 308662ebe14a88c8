"""The first generation: informed guesses, then random orders."""

from collections.abc import Sequence

import numpy as np

from utilitysched.kernels.operators import job_keys, random_orders
from utilitysched.kernels.seeding import GUESSES, dead_last, informed_orders
from utilitysched.kernels.signatures import score_called_from_python
from utilitysched.kernels.stream import Words
from utilitysched.model.forecast import Forecast
from utilitysched.model.scheduling_pass import SchedulingPass
from utilitysched.model.state import Integers, QueueState
from utilitysched.schedulers.order import Order
from utilitysched.schedulers.orderings import orderings

_HOUR = 3600.0  # s
_DELAYS = (12.0, 2.0, 24.0)  # h
_SHARE_OF_LOSS = 0.5
_NO_JOBS = np.empty(0, dtype=np.int64)


def rules(named: str) -> tuple[Order, ...]:
    """Return the rules whose orders a search begins with, the best one first.

    Parameters
    ----------
    named : str
        The option ``rules``; with ``none`` the first still says who is within the depth.
    """
    index, delay = orderings()["index"], orderings()["value-and-delay"]
    learned = Order(index, tuple(index.parameters.values()))
    others = tuple(Order(delay, (_SHARE_OF_LOSS, hours * _HOUR)) for hours in _DELAYS)
    return others if named == "value-and-delay" else (learned, *others)


def ordered_by(
    rules: Sequence[Order], state: QueueState, forecast: Forecast, jobs: Integers
) -> Integers:
    """Return the order of each rule (r, n), jobs that are worth nothing any more last.

    A rule may look at the whole queue, so others are scored, too.
    """
    known, among = state.known, np.union1d(state.queued, jobs)
    score, place = np.empty(len(among)), np.searchsorted(among, jobs)
    moment = SchedulingPass(float(state.now), state.free, _NO_JOBS)
    orders = np.empty((len(rules), len(jobs)), dtype=np.int64)
    for row, rule in zip(orders, rules, strict=True):
        rank = score_called_from_python(rule.ordering.score)
        rank(moment, among, known, forecast, np.array(rule.parameters), score)
        row[:] = dead_last(moment.now, jobs, known, forecast, score[place])
    return orders


def first_generation(
    state: QueueState,
    forecast: Forecast,
    jobs: Integers,
    given: Sequence[Integers],
    draws: tuple[int, Words],
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
    given : sequence of (n,) int64
        Orders that come first.
    draws : (int, (1,) uint64)
        How many orders are wanted, and the decision's random stream; it does not advance.

    Returns
    -------
    (population, n) int64
        One order of 0..n-1 a row: those given, `informed_orders`, then random ones.
    """
    population, stream = draws
    orders, guesses = drawn_and_informed(state, forecast, jobs, population, stream)
    seeds = np.vstack([*given, guesses])[:population]
    orders[: len(seeds)] = seeds
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
