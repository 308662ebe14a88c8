"""The compiled evolution of populations, and what no plan can exceed."""

from __future__ import annotations

import math
from random import Random
from typing import NamedTuple

import numpy as np
import pytest

from tests.planning import random_case
from tests.scale import enough, many
from utilitysched.kernels.evolution import (
    COMMA,
    GENERATIONAL,
    PLUS,
    RECORD,
    Breeding,
    Population,
    Prior,
    distance,
    evolve,
    keep_best,
    prior_of,
)
from utilitysched.kernels.fitness import Problem, Workspace, ceiling, evaluate
from utilitysched.kernels.operators import FRONT, MIXED, ROULETTE, SWAP, TOURNAMENT, ZIPPER
from utilitysched.model.state import Floats, Integers
from utilitysched.schedulers.genetic.options import GeneticOptions

SIZE = 6
NEAR_GOOD_ORDERS = Breeding(TOURNAMENT, 3, False, MIXED, FRONT, 0.5, PLUS)
PUBLISHED = Breeding(ROULETTE, 3, False, ZIPPER, SWAP, 0.3, GENERATIONAL)


class Run(NamedTuple):
    """What an evolution left."""

    population: Population
    best: Population
    trace: Floats
    bred: int


def run(
    orders: Integers,
    problem: Problem,
    breeding: Breeding,
    generations: int = 15,
    enough: float = math.inf,
    prior: Prior | None = None,
) -> Run:
    ancestry = np.left_shift(1, np.arange(len(orders)))
    population = Population.first(orders, ancestry, SIZE)
    best = Population.first(orders[:1], ancestry[:1], 0)
    trace = np.empty((generations + 1, len(RECORD)))
    workspace = Workspace.empty(len(problem.queue.size), len(problem.queue.release_time))
    stream, goal = np.array([9], np.uint64), (generations, SIZE, enough)
    prior = prior or prior_of(orders[0], 0.0)
    bred = evolve(population, problem, prior, workspace, breeding, stream, best, goal, trace)
    return Run(population, best, trace[: bred + 1], bred)


def drawn(rng: Random, count: int = SIZE, **options: object) -> tuple[Integers, Problem]:
    """Return random orders of a random queue of at least two jobs, and what they are worth."""
    case = random_case(rng)
    while len(case.jobs) < 2:
        case = random_case(rng)
    jobs = len(case.jobs)
    orders = np.array([rng.sample(range(jobs), jobs) for _ in range(count)])
    return orders, case.problem(GeneticOptions(**options))  # type: ignore[arg-type]


def worth(orders: Integers, problem: Problem) -> Floats:
    fitness = np.empty(len(orders))
    queue = problem.queue
    evaluate(orders, problem, Workspace.empty(len(queue.size), len(queue.release_time)), fitness)
    return fitness


@pytest.mark.parametrize("breeding", [NEAR_GOOD_ORDERS, PUBLISHED], ids=["near", "published"])
@pytest.mark.parametrize("weight", [0.0, 3.0])
def test_every_fitness_is_that_of_its_order_after_many_generations(
    breeding: Breeding, weight: float
) -> None:
    rng = Random(5)
    for _ in range(many(60)):
        orders, problem = drawn(rng)
        prior = prior_of(orders[0], weight)

        population, best, _, bred = run(orders, problem, breeding, prior=prior)
        count = int(population.alive[0])
        left, value = population.orders[:count], population.value[:count]
        pull = np.array([distance(order, prior) for order in left])

        assert bred == 15
        assert (np.sort(left) == np.arange(orders.shape[1])).all()
        assert value.tolist() == worth(left, problem).tolist()
        assert population.fitness[:count].tolist() == (value - pull).tolist()
        assert best.value.tolist() == worth(best.orders, problem).tolist()
        assert best.fitness[0] >= population.fitness[:count].max()


def test_the_record_has_every_generation_and_the_best_is_its_most() -> None:
    rng = Random(8)
    for breeding in (NEAR_GOOD_ORDERS, NEAR_GOOD_ORDERS._replace(replace=COMMA), PUBLISHED):
        lost = 0
        for _ in range(many(40)):
            orders, problem = drawn(rng)
            _, best, trace, bred = run(orders, problem, breeding)
            evaluations, plans, most, median, least = trace.T

            assert len(trace) == bred + 1
            assert evaluations.tolist() == [SIZE] * len(trace)
            assert best.fitness[0] == most.max()
            assert best.born[0] == most.argmax()
            assert ((least <= median) & (median <= most)).all()
            assert ((plans >= 1) & (plans <= SIZE)).all()
            lost += (np.diff(most) < 0).any()
        assert (lost > enough(4)) == (breeding.replace != PLUS), "plus never loses the best"


def test_of_equal_plans_the_first_goes_on_and_the_best_come_first() -> None:
    orders = np.array([[0, 1], [1, 0], [0, 1], [1, 0], [1, 0]])
    population = Population.first(orders, np.arange(5), 0)
    population.value[:] = [3.0, 5.0, 3.0, 4.0, 5.0]
    population.fitness[:] = [3.0, 4.0, 3.0, 4.0, 4.5]
    population.born[:] = range(5)

    keep_best(population, 0, 5, 3)

    assert population.alive[0] == 3
    assert population.fitness[:3].tolist() == [4.5, 4.0, 3.0]
    assert population.born[:3].tolist() == [4, 3, 0]
    assert population.ancestry[:3].tolist() == [4, 3, 0]
    assert population.orders[:3].tolist() == [[1, 0], [1, 0], [0, 1]]


def test_a_child_descends_from_both_parents() -> None:
    rng = Random(9)
    mixed = 0
    for _ in range(many(40)):
        orders, problem = drawn(rng, count=2)
        if len(set(worth(orders, problem).tolist())) == 1:
            continue  # one of them goes on
        still = NEAR_GOOD_ORDERS._replace(replace=COMMA, mutation=0.0)
        population = run(orders, problem, still, generations=1).population
        count = int(population.alive[0])
        assert (population.ancestry[:count] == 0b11).all()
        assert (population.born[:count] == 1).all()
        mixed += count > 1
    assert mixed > enough(4)


def test_no_order_is_worth_more_than_the_ceiling_and_some_reach_it() -> None:
    rng = Random(6)
    reached = 0
    for _ in range(many(400)):
        orders, problem = drawn(rng, count=8, duration=rng.choice(["zero", "expected"]))

        most = ceiling(problem, np.empty(len(problem.queue.size)))
        fitness = worth(orders, problem)

        assert fitness.max() <= most
        reached += fitness.max() == most
    assert many(50) < reached < many(390)


def test_charges_have_no_ceiling() -> None:
    case = random_case(Random(7))
    problem = case.problem(GeneticOptions(weights=(("wait", 0.5),)))

    assert ceiling(problem, np.empty(len(case.jobs))) == np.inf


def test_it_ends_where_no_plan_can_be_better() -> None:
    orders, problem = drawn(Random(7))
    same = np.tile(orders[0], (4, 1))  # all the same, and nothing mutates
    still = NEAR_GOOD_ORDERS._replace(mutation=0.0)
    found = worth(same, problem)[0]

    assert run(same, problem, still, 5, found).bred == 0
    assert run(same, problem, still, 5, np.nextafter(found, np.inf)).bred == 5


def test_where_utility_counts_against_a_plan_there_is_no_ceiling() -> None:
    case = random_case(Random(7))
    problem = case.problem(GeneticOptions())
    against = problem._replace(terms=problem.terms._replace(utility=-1.0))

    assert ceiling(against, np.empty(len(case.jobs))) == np.inf
