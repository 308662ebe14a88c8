"""Fronts of plans: none of them is better than another in every term."""

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from deap import base, tools

from utilitysched.kernels.climbing import climb
from utilitysched.kernels.fitness import (
    TERMS,
    Problem,
    Workspace,
    measure_orders,
)
from utilitysched.kernels.prior import prior_of
from utilitysched.kernels.stream import Words
from utilitysched.model.state import Floats, Integers
from utilitysched.schedulers.genetic.options import KNEE, GeneticOptions
from utilitysched.schedulers.genetic.toolbox import Operators

_COSTS = {k: type(f"Costs{k}", (base.Fitness,), {"weights": (-1.0,) * k}) for k in (1, 2, 3)}


class Front(NamedTuple):
    """Orders of which none is better than another in every term.

    Attributes
    ----------
    terms : tuple of str
        Of `utilitysched.kernels.fitness.TERMS`.
    orders : (f, n) int64
        Orders, by the first term, the best first.
    values : (f, k) float64
        What their plans have of each term.
    """

    terms: tuple[str, ...]
    orders: Integers
    values: Floats

    def pick(self, rule: str) -> int:
        """Return the row that a rule takes: the knee, or the best by a term, and the knee of those.

        Ties go to the best by the term named first.
        """
        cost = costs(self.terms, self.values)
        best = np.ones(len(cost), np.bool_)
        if rule != KNEE:
            chosen = cost[:, self.terms.index(rule)]
            best = chosen == chosen.min()
        least, span = cost.min(axis=0), np.ptp(cost, axis=0)
        given_up = ((cost - least) / np.where(span > 0.0, span, 1.0)).sum(axis=1)
        return int(np.where(best, given_up, np.inf).argmin())


class FrontSearch:
    """Non-dominated sorting of parents and children, generation by generation (NSGA-II).

    The first generation gets the best order by each term alone, climbed from the best of those
    given. Of an order and its like in every term one goes on. Parents are selected by their turn:
    the better front first, and in it who is less crowded.

    Parameters
    ----------
    operators : Operators
        Selection, crossover and mutation.
    options : GeneticOptions
        Terms, generations, mutation and climbing.

    References
    ----------
    DEB: NSGA-II, by DEAP's selNSGA2. DAS: the knee, the plan farthest from the plane through the
    best by each term, all terms scaled to their ranges on the front.
    """

    def __init__(self, operators: Operators, options: GeneticOptions) -> None:
        self.operators = operators
        self.options = options
        self._columns = [TERMS.index(term) for term in options.pareto]

    def run(self, problem: Problem, population: Integers, stream: Words) -> Integers:
        """Return the order that the rule picks from the front; `population` is changed."""
        found = self.front(problem, population, stream)
        picked: Integers = found.orders[found.pick(self.options.pick)]
        return picked

    def front(self, problem: Problem, population: Integers, stream: Words) -> Front:
        """Return the front that is found from the first generation on."""
        options = self.options
        workspace = Workspace.empty(len(problem.queue.size), len(problem.queue.release_time))
        measured = partial(self._values, problem=problem, workspace=workspace)
        given = [self._climbed(population, problem, workspace)] if options.climb else []
        orders = np.vstack([*given, population])
        return search_front(options.pareto, orders, measured, (self.operators, options), stream)

    def _climbed(self, orders: Integers, problem: Problem, workspace: Workspace) -> Integers:
        """Return the order that is climbed to by each term, from the best of some."""
        cost = costs(self.options.pareto, self._values(orders, problem, workspace))
        found: Integers = orders[cost.argmin(axis=0)]
        for row, term, least in zip(found, self.options.pareto, cost.min(axis=0), strict=True):
            weights: dict[str, Any] = dict.fromkeys(TERMS, 0.0) | {term: 1.0}
            alone = problem._replace(terms=problem.terms._replace(**weights))
            climb(row, -float(least), self.options.climb, alone, prior_of(row, 0.0), workspace)
        return found

    def _values(self, orders: Integers, problem: Problem, workspace: Workspace) -> Floats:
        values = np.empty((len(orders), len(TERMS)))
        measure_orders(orders, problem, workspace, values)
        asked: Floats = values[:, self._columns]
        return asked


def search_front(
    terms: tuple[str, ...],
    orders: Integers,
    measured: Callable[[Integers], Floats],
    bred: tuple[Operators, GeneticOptions],
    stream: Words,
    patience: int = 0,
) -> Front:
    """Return the front that is found from some orders on.

    Parameters
    ----------
    terms : tuple of str
        What orders are compared by; all but utility are costs.
    orders : (p, n) int64
        Where to begin; `options.population` of them go on.
    measured : callable
        Takes orders and returns what each has of each term.
    bred : (Operators, GeneticOptions)
        Operators; population and generations.
    stream : (1,) uint64
        Random stream.
    patience : int
        Stop after so many generations without another front; 0 for never.
    """
    operators, options = bred
    count = options.population
    orders, values = survivors(terms, orders, measured(orders), count)
    first, since = non_dominated(terms, values), 0
    for _ in range(options.generations):
        turn = np.arange(len(orders), 0.0, -1.0)
        children = operators.children(orders, turn, count, stream)
        both = np.vstack([orders, children]), np.vstack([values, measured(children)])
        before = values[first]
        orders, values = survivors(terms, *both, count)
        first = non_dominated(terms, values)
        since = since + 1 if np.array_equal(before, values[first]) else 0
        if since == patience > 0:
            break
    by_term = first[np.lexsort(costs(terms, values[first]).T[::-1])]
    return Front(terms, orders[by_term], values[by_term])


class _Individual(NamedTuple):
    row: int
    fitness: Any


def costs(terms: tuple[str, ...], values: Floats) -> Floats:
    """Return values as costs, the less the better: utility counts the other way round."""
    found: Floats = values * [-1.0 if term == "utility" else 1.0 for term in terms]
    return found


def survivors(
    terms: tuple[str, ...], orders: Integers, values: Floats, count: int
) -> tuple[Integers, Floats]:
    """Return the orders that go on, in their turn, and their values.

    If fewer differ than are wanted, the others follow as they come.
    """
    _, first = np.unique(values, axis=0, return_index=True)
    first.sort()
    wanted = min(count, len(first))
    chosen = tools.selNSGA2(_individuals(terms, values, first), wanted)
    alike = np.setdiff1d(np.arange(len(values)), first)[: count - wanted]
    rows = np.concatenate([[each.row for each in chosen], alike]).astype(np.int64)
    return orders[rows], values[rows]


def non_dominated(terms: tuple[str, ...], values: Floats) -> Integers:
    """Return the rows that no other is better than in every term, each value once."""
    _, first = np.unique(values, axis=0, return_index=True)
    first.sort()
    cost = costs(terms, values[first])
    no_worse = (cost[:, np.newaxis] <= cost).all(axis=2)  # all differ: the better in some term
    found: Integers = first[no_worse.sum(axis=0) == 1]
    return found


def _individuals(terms: tuple[str, ...], values: Floats, rows: Integers) -> list[_Individual]:
    kind = _COSTS[len(terms)]
    found = costs(terms, values[rows]).tolist()
    return [_Individual(row, kind(cost)) for row, cost in zip(rows.tolist(), found, strict=True)]
