"""The evolution of a queue order."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from deap import tools

from tests.planning import Case, random_case
from tests.scale import enough, many
from utilitysched.kernels.fitness import Problem, Workspace, evaluate
from utilitysched.model.state import Integers
from utilitysched.schedulers.genetic.evolution import Evolution
from utilitysched.schedulers.genetic.operators import make_toolbox
from utilitysched.schedulers.genetic.options import GeneticOptions

STOCK = GeneticOptions(
    population=6,
    generations=6,
    climb=0,
    selection="selTournament",
    crossover="cxPartialyMatched",
    mutator="mutShuffleIndexes",
)
OURS = GeneticOptions(population=6, generations=6, climb=0)
SIGNED = GeneticOptions(population=6, generations=6, climb=0, utility=0.0, wait=1.0, large=0.5)


def with_generations(options: GeneticOptions, generations: int) -> GeneticOptions:
    return GeneticOptions(**{**vars(options), "generations": generations})


def cases(seed: int, count: int) -> list[Case]:
    rng = Random(seed)
    found = [random_case(rng) for _ in range(many(count))]
    return [case for case in found if len(case.jobs) > 2]


def search(
    problem: Problem, options: GeneticOptions, logbook: tools.Logbook | None = None
) -> tuple[Integers, float]:
    """Return the best order and its fitness, always from the same first generation and stream."""
    jobs = len(problem.queue.size)
    rng = np.random.default_rng(jobs)
    population = np.array([rng.permutation(jobs) for _ in range(options.population)])
    stream = np.array([17], dtype=np.uint64)
    order = Evolution(make_toolbox(options), options, logbook).run(problem, population, stream)
    return order, worth(problem, order)


def worth(problem: Problem, order: Integers) -> float:
    fitness = np.empty(1)
    queue = problem.queue
    workspace = Workspace.empty(len(queue.size), len(queue.release_time))
    evaluate(order[np.newaxis], problem, workspace, fitness)
    return float(fitness[0])


@pytest.mark.parametrize("options", [OURS, STOCK, SIGNED], ids=["ours", "stock", "signed"])
def test_more_generations_never_give_a_worse_plan(options: GeneticOptions) -> None:
    improved = 0
    for case in cases(1, 40):
        problem = case.problem(options)
        reached = [search(problem, with_generations(options, g))[1] for g in (0, 1, 2, 5, 12)]

        assert reached == sorted(reached)
        improved += reached[-1] > reached[0]
    assert improved > enough(3)


@pytest.mark.parametrize("options", [OURS, STOCK], ids=["ours", "stock"])
def test_the_best_is_a_permutation_and_always_the_same(options: GeneticOptions) -> None:
    for case in cases(2, 20):
        problem = case.problem(options)

        order, _ = search(problem, options)

        assert sorted(order.tolist()) == list(range(len(case.jobs)))
        assert search(problem, options)[0].tolist() == order.tolist()


def test_going_through_the_toolbox_changes_nothing() -> None:
    for case in cases(3, 40):
        problem = case.problem(OURS)

        fused, _ = search(problem, OURS)
        one_by_one, _ = search(problem, OURS, tools.Logbook())

        assert one_by_one.tolist() == fused.tolist()


def test_the_logbook_has_every_generation() -> None:
    case = max(cases(4, 30), key=lambda case: len(case.jobs))
    logbook = tools.Logbook()

    _, reached = search(case.problem(OURS), OURS, logbook)

    assert logbook.select("generation") == list(range(7))
    assert max(logbook.select("max")) == reached
    assert all(1 <= distinct <= 6 for distinct in logbook.select("distinct"))
    assert all(
        record["min"] <= record["mean"] <= record["max"] and record["now"] == case.now
        for record in logbook
    )


def test_patience_stops_a_search_that_finds_nothing_better() -> None:
    case = max(cases(5, 30), key=lambda case: len(case.jobs))
    patient = GeneticOptions(population=6, generations=200, patience=3)
    logbook = tools.Logbook()

    search(case.problem(patient), patient, logbook)

    best = np.maximum.accumulate(logbook.select("max"))
    last = len(best) - 1
    assert last < 200
    assert best[last - 3] == best[last]
    assert all(best[i] > best[i - 3] for i in range(3, last))


def test_patience_means_the_same_in_compiled_code() -> None:
    patient = GeneticOptions(population=6, generations=50, patience=3)
    for case in cases(6, 40):
        problem = case.problem(patient)

        assert (
            search(problem, patient)[0].tolist()
            == search(problem, patient, tools.Logbook())[0].tolist()
        )


def test_a_spent_budget_stops_the_search() -> None:
    case = max(cases(7, 30), key=lambda case: len(case.jobs))
    hasty = GeneticOptions(population=6, generations=10_000, budget=0.0)
    logbook = tools.Logbook()

    search(case.problem(hasty), hasty, logbook)

    assert logbook.select("generation") == [0, 1]
