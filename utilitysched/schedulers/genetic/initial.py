"""The first generation: the orders of good rules, and copies of them with small changes."""

import math
from collections.abc import Sequence

import numpy as np

from utilitysched.kernels.operators import copies_nearby, job_keys, random_orders
from utilitysched.kernels.seeding import GUESSES, dead_last, informed_orders
from utilitysched.kernels.signatures import score_called_from_python
from utilitysched.kernels.stream import Words
from utilitysched.model.forecast import Forecast
from utilitysched.model.scheduling_pass import SchedulingPass
from utilitysched.model.state import Integers, JobTable, QueueState
from utilitysched.schedulers.genetic.options import GeneticOptions
from utilitysched.schedulers.genetic.toolbox import FirstGeneration
from utilitysched.schedulers.orders import Order

Seed = tuple[str, Integers]
"""Where an order comes from, and the order."""

_GUESSED = ("arrival", "priority class", "value per processor-second", "value")
_RANDOM = "random"
_NO_JOBS = np.empty(0, dtype=np.int64)


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
    known: JobTable,
    jobs: Integers,
    given: Sequence[Seed],
    options: GeneticOptions,
    stream: Words,
) -> FirstGeneration:
    """Return the first generation of queue orders.

    Those given come first. Then copies of them in which jobs fall back by chance, or, with an
    infinite spread, random permutations.

    Parameters
    ----------
    known : JobTable
        All jobs.
    jobs : (n,) int64
        The queued jobs to be ordered.
    given : sequence of (str, (n,) int64)
        Names and orders.
    options : GeneticOptions
        How many orders are wanted, and how far from those given.
    stream : (1,) uint64
        The decision's random stream; it does not advance.
    """
    # seeds first, then draws keyed by the data of each job
    seeds = given[: options.population]
    orders = np.empty((options.population, len(jobs)), dtype=np.int64)
    orders[: len(seeds)] = [order for _, order in seeds]
    names, origin = [name for name, _ in seeds], np.arange(options.population)
    keys = job_keys(known.submit[jobs], known.request[jobs], known.size[jobs])
    if math.isinf(options.spread):
        drawn = np.empty_like(orders)  # a row's number keys what is drawn for it
        random_orders(stream, keys, drawn)
        orders[len(seeds) :] = drawn[len(seeds) :]
        return FirstGeneration(orders, (*names, _RANDOM), origin.clip(max=len(seeds)))
    copies_nearby(orders[: len(seeds)], options.spread, stream, keys, orders[len(seeds) :])
    return FirstGeneration(orders, tuple(names), origin % len(seeds))


def guessed(state: QueueState, forecast: Forecast, jobs: Integers) -> list[Seed]:
    """Return LEE's guesses at a good order of jobs, see `informed_orders`."""
    guesses = np.empty((GUESSES, len(jobs)), dtype=np.int64)
    informed_orders(float(state.now), jobs, state.known, forecast, guesses)
    return list(zip(_GUESSED, guesses, strict=True))


def completed(order: Integers, jobs: int) -> Integers:
    """Return `order` followed by the missing numbers below `jobs`."""
    lacking = np.ones(jobs, dtype=np.bool_)
    lacking[order] = False
    return np.concatenate([order, np.flatnonzero(lacking)])
