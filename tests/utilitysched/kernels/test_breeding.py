from __future__ import annotations

from random import Random

import numpy as np

from tests.planning import random_case
from tests.scale import many
from utilitysched.kernels.breeding import Generation, breed, inherit
from utilitysched.kernels.fitness import Workspace, ceiling, evaluate
from utilitysched.schedulers.genetic.options import GeneticOptions


def test_a_child_that_is_a_parent_again_inherits_its_fitness() -> None:
    generation = Generation.first(np.array([[0, 1, 2], [2, 1, 0], [1, 0, 2]]), np.arange(5.0, 8.0))
    generation.children[:] = [[0, 1, 2], [1, 0, 2], [0, 1, 2]]
    generation.parents[:] = [[0, 1], [0, 2], [1, 2]]
    inherited = np.empty(3)

    inherit(generation, inherited)

    assert inherited[:2].tolist() == [5.0, 7.0]
    assert np.isnan(inherited[2])  # the order of row 0, which is no parent of it


def test_every_fitness_is_that_of_its_order_after_many_generations() -> None:
    rng = Random(5)
    for _ in range(many(60)):
        case = random_case(rng)
        jobs = len(case.jobs)
        problem = case.problem(GeneticOptions())
        workspace = Workspace.empty(jobs, len(case.running))
        orders = np.array([rng.sample(range(jobs), jobs) for _ in range(6)])
        fitness = np.empty(6)
        evaluate(orders, problem, workspace, fitness)
        generation = Generation.first(orders, fitness)

        bred = breed(
            generation, problem, workspace, np.array([9], np.uint64), (0.3, False), (np.inf, 15)
        )
        expected = np.empty(6)
        evaluate(generation.orders, problem, workspace, expected)

        assert bred == 15
        assert generation.fitness.tolist() == expected.tolist()


def test_no_order_is_worth_more_than_the_ceiling_and_some_reach_it() -> None:
    rng = Random(6)
    reached = 0
    for _ in range(many(400)):
        case = random_case(rng)
        jobs = len(case.jobs)
        problem = case.problem(GeneticOptions(duration=rng.choice(["zero", "expected"])))
        workspace = Workspace.empty(jobs, len(case.running))
        orders = np.array([rng.sample(range(jobs), jobs) for _ in range(8)])
        fitness = np.empty(8)

        most = ceiling(problem, workspace.start)
        evaluate(orders, problem, workspace, fitness)

        assert fitness.max() <= most
        reached += fitness.max() == most
    assert many(50) < reached < many(390)


def test_charges_have_no_ceiling() -> None:
    case = random_case(Random(7))
    problem = case.problem(GeneticOptions(wait=0.5))

    assert ceiling(problem, np.empty(len(case.jobs))) == np.inf


def test_it_stops_above_the_goal_not_at_it() -> None:
    case = random_case(Random(7))
    problem = case.problem(GeneticOptions())
    workspace = Workspace.empty(len(case.jobs), len(case.running))
    orders = np.tile(np.arange(len(case.jobs)), (4, 1))  # all the same, and nothing mutates
    fitness = np.empty(4)
    evaluate(orders, problem, workspace, fitness)

    def bred(goal: float) -> int:
        generation = Generation.first(orders.copy(), fitness.copy())
        stream = np.array([9], np.uint64)
        return breed(generation, problem, workspace, stream, (0.0, False), (goal, 5))

    assert bred(fitness[0]) == 5
    assert bred(np.nextafter(fitness[0], -np.inf)) == 1


def test_where_utility_counts_against_a_plan_there_is_no_ceiling() -> None:
    case = random_case(Random(7))
    problem = case.problem(GeneticOptions())
    against = problem._replace(terms=problem.terms._replace(utility=-1.0))

    assert ceiling(against, np.empty(len(case.jobs))) == np.inf
