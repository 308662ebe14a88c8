"""Fronts of plans, and who is picked from them."""

from __future__ import annotations

from itertools import permutations
from random import Random

import numpy as np
import pytest

from swfx import InputError
from tests.planning import random_case
from tests.scale import enough, many
from utilitysched.kernels.fitness import TERMS, Workspace, measure_orders, worth_of_order
from utilitysched.kernels.prior import prior_of
from utilitysched.kernels.stream import decision_stream
from utilitysched.model.state import Floats
from utilitysched.schedulers.genetic.evolution import Evolution
from utilitysched.schedulers.genetic.front import Front, FrontSearch, costs
from utilitysched.schedulers.genetic.individuals import DecisionProblem, FirstGeneration
from utilitysched.schedulers.genetic.options import GeneticOptions
from utilitysched.schedulers.genetic.toolbox import Operators
from utilitysched.schedulers.registry import make_scheduler

FOUR = Front(
    ("utility", "wait"),
    np.array([[0, 1, 2], [0, 2, 1], [1, 0, 2], [2, 1, 0]]),
    np.array([[100.0, 50.0], [95.0, 20.0], [90.0, 15.0], [0.0, 10.0]]),
)
"""Scaled to their ranges, plans give up 0 + 1, 0.05 + 0.25, 0.1 + 0.125 and 1 + 0."""


@pytest.mark.parametrize(("rule", "row"), [("knee", 2), ("utility", 0), ("wait", 3)])
def test_a_rule_picks_from_a_front(rule: str, row: int) -> None:
    assert FOUR.pick(rule) == row


def test_of_two_plans_the_one_better_by_the_first_term_is_the_knee() -> None:
    assert Front(FOUR.terms, FOUR.orders[[0, 3]], FOUR.values[[0, 3]]).pick("knee") == 0
    assert Front(FOUR.terms, FOUR.orders[:1], FOUR.values[:1]).pick("knee") == 0


def test_ties_by_a_term_go_to_the_knee_of_those() -> None:
    terms = ("utility", "wait", "longest")
    values = np.array([[9.0, 4.0, 8.0], [9.0, 5.0, 2.0], [1.0, 1.0, 9.0]])

    assert Front(terms, FOUR.orders[:3], values).pick("utility") == 1


def all_values(jobs: int, options: GeneticOptions, seed: int) -> tuple[Floats, Front, float]:
    """Return the values of all orders of a random case, its front, and what is climbed to."""
    rng = Random(seed)
    case = random_case(rng, most=jobs)
    while len(case.jobs) < 2:
        case = random_case(rng, most=jobs)
    problem, count = case.problem(options), len(case.jobs)
    orders = np.array(list(permutations(range(count))))
    found = np.empty((len(orders), len(TERMS)))
    measure_orders(orders, problem, Workspace.empty(count, len(case.running)), found)
    population = np.array([rng.sample(range(count), count) for _ in range(options.population)])
    stream = np.empty(1, dtype=np.uint64)
    decision_stream(seed, case.now, stream)
    front = FrontSearch(Operators(options), options).front(problem, population.copy(), stream)
    single = GeneticOptions(
        population=options.population, generations=0, climb=options.climb, delays=options.delays
    )
    plain = case.problem(single)
    search = DecisionProblem(plain, prior_of(population[0], 0.0), stream)
    first = FirstGeneration(population, ("any",), np.zeros(len(population), np.int64))
    best = Evolution(Operators(single), single).run(search, first)
    columns = [TERMS.index(term) for term in options.pareto]
    return found[:, columns], front, worth_of_order(best.order, plain)


def dominated(cost: Floats, others: Floats) -> bool:
    """Return whether some plan is no better than another in any term, and worse in one."""
    pairs = others[:, np.newaxis]
    return bool(((pairs <= cost).all(axis=2) & (pairs < cost).any(axis=2)).any())


OURS: dict[str, str] = {}
DEAPS = {"selection": "selTournament:tournsize=3", "mutator": "mutInversion"}


@pytest.mark.parametrize(
    ("pareto", "operators"),
    [
        ("utility+wait", OURS),
        ("utility+wait", DEAPS),
        ("utility+longest+jain", OURS),
        ("slowdown+large", OURS),
    ],
)
def test_no_plan_of_a_front_is_worse_in_every_term(pareto: str, operators: dict[str, str]) -> None:
    given = {"pareto": pareto, "population": "8", "generations": "6", "climb": "4"}
    options = GeneticOptions.from_texts(given | operators)
    whole = several = 0
    cases = many(40, least=40)
    for seed in range(cases):
        every, front, alone = all_values(5, options, seed)
        cost = costs(front.terms, front.values)

        assert not dominated(cost, cost)
        assert len(np.unique(cost, axis=0)) == len(cost)
        assert (np.diff(cost[:, 0]) >= 0).all()
        if "utility" in front.terms:
            assert front.values[:, 0].max() >= alone
        whole += not dominated(cost, costs(front.terms, every))
        several += len(cost) > 1
    assert whole >= 0.9 * cases  # of at most 120 orders, few are missed
    assert several >= enough(8)


def test_more_generations_leave_no_term_worse() -> None:
    few, more = (
        GeneticOptions.parse(
            {"pareto": "utility+wait", "population": "6", "generations": str(generations)}
        )
        for generations in (0, 12)
    )
    gained = 0
    for seed in range(many(30)):
        one, other = (all_values(6, options, seed)[1] for options in (few, more))
        least, reached = (costs(each.terms, each.values).min(axis=0) for each in (one, other))
        assert (reached <= least).all()
        gained += (reached < least).any()
    assert gained >= enough(8)


def test_a_front_is_read_where_it_has_the_utility() -> None:
    assert make_scheduler("ga:pareto=utility+wait,duration=requested").reading is not None
    assert make_scheduler("ga:pareto=wait+large").reading is None


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("pareto=utility+wiat", "field pareto: 'wiat' is no term of the fitness; .*wait"),
        ("pareto=utility", "field pareto: utility are not two or three terms"),
        ("pareto=wait+wait", "field pareto: wait.wait are not two or three terms"),
        ("pareto=utility+wait+large+jain", "are not two or three terms; write utility"),
        ("pick=wait", "field pick: 'wait' is no term of the front; name it in pareto"),
        ("pareto=utility+wait,pick=large", "field pick: 'large' is no term of the front"),
        ("pareto=utility+wait,weights=wait:1", "field pareto: terms have no weights there"),
        ("pareto=utility+wait,preempt=true", "field preempt: is not for fronts"),
    ],
)
def test_options_that_contradict_each_other_are_refused(options: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        make_scheduler(f"ga:{options}")
