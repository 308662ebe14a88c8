"""The evolution of a queue order: compiled, on DEAP's toolbox, and by DEAP's own algorithms."""

from __future__ import annotations

import math
import random
from dataclasses import replace
from random import Random
from typing import Any

import numpy as np
import pytest
from deap import algorithms, base, tools

from swfx import InputError
from tests.planning import Case, random_case
from tests.scale import enough, many
from utilitysched.kernels.evolution import REPLACEMENTS, distance, prior_of
from utilitysched.kernels.fitness import Problem, ceiling
from utilitysched.kernels.operators import CROSSOVERS, MUTATIONS, SELECTIONS
from utilitysched.schedulers.genetic.evolution import Evolution, Evolved, evolve
from utilitysched.schedulers.genetic.operators import operator
from utilitysched.schedulers.genetic.options import GeneticOptions
from utilitysched.schedulers.genetic.toolbox import (
    DecisionProblem,
    FirstGeneration,
    Operators,
    first_population,
)

SMALL = GeneticOptions(population=6, generations=6)
SELECTIONS_TRIED = (*SELECTIONS, "tournament:tournsize=2")
PAIRED = [
    replace(
        SMALL,
        selection=SELECTIONS_TRIED[(row + column) % 3],
        crossover=crossover,
        mutator=MUTATIONS[(row + column) % 2],
        replacement=going_on,
    )
    for row, crossover in enumerate(CROSSOVERS)
    for column, going_on in enumerate(REPLACEMENTS)
]
"""Every two operators of different kinds meet."""


def cases(seed: int, count: int, least: int = 1) -> list[Case]:
    rng = Random(seed)
    found = [random_case(rng) for _ in range(many(count, least))]
    return [case for case in found if len(case.jobs) > 2]


def searched(case: Case, options: GeneticOptions) -> tuple[DecisionProblem, FirstGeneration]:
    """Return what to search for, always from the same first generation and stream."""
    problem = case.problem(options)
    jobs = len(problem.queue.size)
    rng = np.random.default_rng(jobs)
    orders = np.array([rng.permutation(jobs) for _ in range(options.population)])
    first = FirstGeneration(orders, ("even", "odd"), np.arange(len(orders)) % 2)
    weight = options.prior * sum(max(0.0, value) for value in case_values(problem))
    return DecisionProblem(
        problem, prior_of(orders[0], weight), np.array([17], dtype=np.uint64)
    ), first


def case_values(problem: Problem) -> list[float]:
    most = ceiling(problem, np.empty(len(problem.queue.size)))
    return [most if math.isfinite(most) else 0.0]


def run(case: Case, options: GeneticOptions, toolbox: base.Toolbox | None = None) -> Evolved:
    search, first = searched(case, options)
    return Evolution(Operators(options, toolbox), options).run(search, first)


def by_toolbox(case: Case, options: GeneticOptions) -> Evolved:
    """Return the same by the readable twin: a toolbox of one's own is not compiled."""
    return run(case, options, base.Toolbox())


@pytest.mark.parametrize(
    "options",
    PAIRED,
    ids=lambda each: f"{each.crossover}-{each.replacement}",
)
def test_compiled_generations_equal_those_on_the_toolbox(options: GeneticOptions) -> None:
    drawn = 0
    for number, case in enumerate(cases(1, 20, least=10)):
        signed = number % 3 == 0
        weights = (("utility", 0.3), ("wait", 1.0), ("large", 0.5)) if signed else ()
        these = replace(options, weights=weights, prior=0.0 if number % 2 else 0.2)
        compiled, slow = run(case, these), by_toolbox(case, these)

        assert compiled.order.tolist() == slow.order.tolist()
        assert compiled[1:-1] == slow[1:-1]
        assert np.array_equal(compiled.trace, slow.trace)
        drawn += compiled.generations > 1
    assert drawn > enough(5)


def test_generations_pay_and_never_cost() -> None:
    better = 0
    for case in cases(2, 200):
        few, more = run(case, replace(SMALL, generations=2)), run(case, SMALL)
        assert more.fitness >= few.fitness
        better += more.fitness > few.fitness
        best = more.trace[:, 2]
        assert (np.diff(best) >= 0).all(), "elitist: the best goes on"
        assert (more.trace[:, 2:] == -np.sort(-more.trace[:, 2:], axis=1)).all()
    assert better > enough(20)


def test_no_two_plans_of_a_generation_are_alike() -> None:
    for case in cases(3, 100):
        search, first = searched(case, SMALL)
        toolbox = Operators(SMALL).toolbox(search)
        population = first_population(toolbox, first)
        evolve(population, toolbox, SMALL, tools.HallOfFame(1))
        values = [each.value for each in population]
        assert len(set(values)) == len(values) <= SMALL.population


def test_the_prior_draws_to_the_first_order() -> None:
    rng = Random(4)
    for _ in range(many(200)):
        jobs = rng.randint(2, 12)
        first = rng.sample(range(jobs), jobs)
        order = rng.sample(range(jobs), jobs)
        inverted = most = 0.0
        for i in range(jobs):
            for k in range(i + 1, jobs):
                most += 1 / (i + 1)
                inverted += (order.index(first[k]) < order.index(first[i])) / (i + 1)
        prior = prior_of(np.array(first), 5.0)
        assert distance(np.array(order), prior) == pytest.approx(5.0 * inverted / most)
        assert distance(np.array(first), prior) == 0.0
        assert distance(np.array(first[::-1]), prior) == pytest.approx(5.0)


def test_the_decision_is_never_worth_less_than_the_prior_order_in_the_fitness() -> None:
    for case in cases(5, 200):
        search, first = searched(case, SMALL)
        evolved = Evolution(Operators(SMALL), SMALL).run(search, first)
        stays = Evolution(Operators(SMALL), replace(SMALL, generations=0)).run(search, first)
        assert evolved.fitness >= stays.fitness
        assert evolved.fitness <= evolved.value


def test_ancestry_says_what_the_best_descends_from() -> None:
    both = 0
    for case in cases(6, 200):
        evolved = run(case, SMALL)
        assert evolved.ancestry in (1, 2, 3)
        assert (evolved.born == 0) <= (evolved.ancestry in (1, 2))
        both += evolved.ancestry == 3
    assert both > enough(10)


@pytest.mark.parametrize(
    "named",
    [
        {"selection": "selTournament:tournsize=3"},
        {"selection": "selStochasticUniversalSampling", "crossover": "cxOrdered"},
        {"selection": "selBest", "crossover": "cxPartialyMatched"},
        {"crossover": "cxUniformPartialyMatched:indpb=0.3", "mutator": "mutInversion"},
        {"selection": "selDoubleTournament:fitness_size=3+parsimony_size=1.2+fitness_first=true"},
        {"mutator": "mutShuffleIndexes:indpb=0.05"},
    ],
    ids=str,
)
def test_operators_of_deap_are_found_by_name(named: dict[str, str]) -> None:
    options = replace(SMALL, **named)  # type: ignore[arg-type]
    for case in cases(7, 20):
        outside = random.getstate()
        evolved = run(case, options)
        assert sorted(evolved.order.tolist()) == list(range(len(case.jobs)))
        assert run(case, options).order.tolist() == evolved.order.tolist()
        assert random.getstate() == outside, "the global generator is put back"


@pytest.mark.parametrize(
    ("named", "words"),
    [
        ({"selection": "selTournment:tournsize=3"}, ["selection", "did you mean 'selTournament'"]),
        ({"selection": "selTournament"}, ["needs tournsize", "selTournament:tournsize=NUMBER"]),
        ({"selection": "selTournament:size=3"}, ["has no argument 'size'", "tournsize"]),
        ({"mutator": "mutShuffleIndexes:indpb=x"}, ["indpb=x is no number"]),
        ({"crossover": "cxTwoPoint"}, ["'cxTwoPoint' is no crossover"]),
    ],
)
def test_what_is_no_operator_is_refused(named: dict[str, str], words: list[str]) -> None:
    with pytest.raises(InputError) as refusal:
        Operators(replace(SMALL, **named))  # type: ignore[arg-type]
    assert all(word in str(refusal.value) for word in words)


def test_anybody_can_register_an_operator() -> None:
    @operator("mutator", "to-front")
    def to_front(order: list[int], *, place: int = 1) -> tuple[list[int]]:
        order.insert(0, order.pop(min(place, len(order) - 1)))
        return (order,)

    for case in cases(8, 10):
        evolved = run(case, replace(SMALL, mutator="to-front:place=2"))
        assert sorted(evolved.order.tolist()) == list(range(len(case.jobs)))


@pytest.mark.parametrize("algorithm", ["eaSimple", "eaMuPlusLambda", "eaMuCommaLambda"])
def test_the_algorithms_of_deap_run_on_the_toolbox(algorithm: str) -> None:
    calls: dict[str, Any] = {
        "eaSimple": lambda *given, **more: algorithms.eaSimple(*given, 0.6, 0.4, 8, **more),
        "eaMuPlusLambda": lambda *given, **more: algorithms.eaMuPlusLambda(
            *given, 6, 6, 0.6, 0.4, 8, **more
        ),
        "eaMuCommaLambda": lambda *given, **more: algorithms.eaMuCommaLambda(
            *given, 6, 6, 0.6, 0.4, 8, **more
        ),
    }
    better = 0
    for case in cases(9, 30):
        search, first = searched(case, SMALL)
        toolbox, hall = Operators(SMALL).toolbox(search), tools.HallOfFame(1)
        population = first_population(toolbox, first)
        random.seed(3)
        _, logbook = calls[algorithm](population, toolbox, halloffame=hall, verbose=False)
        best = Evolution(Operators(SMALL), replace(SMALL, generations=0)).run(search, first)
        assert hall[0].fitness.values[0] >= best.fitness
        assert len(logbook) == 9
        better += hall[0].fitness.values[0] > best.fitness
    assert better > enough(5)
