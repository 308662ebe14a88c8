"""The compiled genetic search equals its readable twins: stream, operators, plans, fitness."""

from __future__ import annotations

import dataclasses
from random import Random

import numpy as np
import pytest

from tests.planning import Case, random_case
from tests.reference.genetic import climb as readable_climb
from tests.reference.genetic import next_generation
from tests.reference.plan import fitness as readable_fitness
from tests.reference.plan import plan, terms_of
from tests.reference.stream import Stream
from tests.scale import enough, many
from utilitysched.kernels.evolution import (
    GENERATIONAL,
    Breeding,
    Population,
    breed,
    climb,
    prior_of,
    replace,
)
from utilitysched.kernels.fitness import (
    TERMS,
    Workspace,
    evaluate,
    measure,
    worth_of_order,
)
from utilitysched.kernels.operators import ROULETTE, SWAP, ZIPPER
from utilitysched.kernels.plan import place
from utilitysched.kernels.planned_queue import Scratch
from utilitysched.kernels.stream import below, uniform
from utilitysched.model.state import Floats, Integers
from utilitysched.schedulers.genetic.evolution import Evolution
from utilitysched.schedulers.genetic.options import GeneticOptions
from utilitysched.schedulers.genetic.toolbox import DecisionProblem, FirstGeneration, Operators

BATCHES = 5
CASES_PER_BATCH = many(500)


def batches() -> pytest.MarkDecorator:
    return pytest.mark.parametrize("batch", range(BATCHES))


def compiled_stream(state: int) -> np.ndarray:
    return np.array([state], dtype=np.uint64)


def test_streams_are_equal() -> None:
    for state in (0, 1, 1234567, 2**63, 2**64 - 1):
        readable, compiled = Stream(state), compiled_stream(state)

        expected = [readable.uniform() for _ in range(2000)]

        assert [uniform(compiled) for _ in range(2000)] == expected
        assert compiled[0] == readable.state


def test_whole_numbers_are_equal() -> None:
    readable, compiled = Stream(7), compiled_stream(7)

    expected = [readable.below(n) for n in range(1, 2000)]

    assert [below(uniform(compiled), n) for n in range(1, 2000)] == expected


def random_fitness(rng: Random, count: int, signed: bool) -> list[float]:
    kind = rng.choice(["any", "sparse", "zero", "equal"])
    low = -100.0 if signed else 0.0
    if kind == "equal":
        return [rng.uniform(low, 100)] * count
    share = {"any": 1.0, "sparse": 0.2, "zero": 0.0}[kind]
    return [rng.uniform(low, 100) if rng.random() < share else 0.0 for _ in range(count)]


def next_compiled(
    orders: Integers, fitness: Floats, mutation: float, stream: np.ndarray, signed: bool
) -> Integers:
    count = len(orders)
    population = Population.first(orders, np.zeros(count, np.int64), count)
    population.fitness[:count] = fitness
    breeding = Breeding(
        select=ROULETTE,
        tournament=3,
        signed=signed,
        mate=ZIPPER,
        mutate=SWAP,
        mutation=mutation,
        replace=GENERATIONAL,
    )
    breed(population, count, 1, breeding, stream)
    replace(population, count, count, breeding)
    assert population.alive[0] == count
    assert (population.born[:count] == 1).all()
    return population.orders[:count]


@batches()
def test_generations_are_equal(batch: int) -> None:
    rng = Random(batch)
    for _ in range(CASES_PER_BATCH):
        jobs, count = rng.randint(2, 20), rng.randint(2, 12)
        population = [rng.sample(range(jobs), jobs) for _ in range(count)]
        signed = rng.random() < 0.3
        fitness = random_fitness(rng, count, signed)
        mutation = rng.choice([0.0, 0.3, 1.0])
        state = rng.getrandbits(64)
        readable, compiled = Stream(state), compiled_stream(state)

        expected = next_generation(population, fitness, mutation, readable, signed)
        children = next_compiled(
            np.array(population), np.array(fitness), mutation, compiled, signed
        )

        assert children.tolist() == expected
        assert compiled[0] == readable.state


def pinned_first(case: Case, order: list[int], pinned: int) -> list[int]:
    return [*range(pinned), *(pinned + job for job in order)]


@batches()
def test_plans_are_equal(batch: int) -> None:
    rng = Random(batch)
    for _ in range(CASES_PER_BATCH):
        case = random_case(rng, most=16)
        threshold = rng.choice([np.inf, np.inf, 20.0])
        queue = case.problem(GeneticOptions(), threshold).queue
        order = rng.sample(range(len(case.jobs) - queue.pinned), len(case.jobs) - queue.pinned)
        start = np.empty(len(case.jobs))

        scratch = Scratch.empty(len(case.jobs), len(case.running))
        immediate = place(np.array(order, dtype=np.int64), queue, scratch, start)
        expected = plan(
            pinned_first(case, order, queue.pinned),
            case.jobs,
            case.now,
            case.running,
            case.processors,
        )

        assert start.tolist() == expected
        assert sorted(scratch.placed[: len(order) + queue.pinned]) == list(range(len(start)))
        first = scratch.placed[:immediate]
        assert all(start[first] == case.now)
        assert queue.size[first].sum() <= queue.free
        now_only = Scratch.empty(len(case.jobs), len(case.running))
        again = place(np.array(order, dtype=np.int64), queue, now_only, start, now_only=True)
        assert now_only.placed[:again].tolist() == first.tolist()


@batches()
@pytest.mark.parametrize("duration", ["zero", "requested", "fraction", "expected"])
def test_fitnesses_are_equal(batch: int, duration: str) -> None:
    rng = Random(batch)
    options = GeneticOptions(duration=duration)
    for _ in range(CASES_PER_BATCH // 10):
        case = random_case(rng)
        jobs = len(case.jobs)
        orders = [rng.sample(range(jobs), jobs) for _ in range(4)]
        compiled = np.empty(len(orders))

        evaluate(
            np.array(orders),
            case.problem(options),
            Workspace.empty(jobs, len(case.running)),
            compiled,
        )

        assert compiled.tolist() == [readable_worth(case, order, options) for order in orders]


@batches()
def test_terms_are_equal(batch: int) -> None:
    rng = Random(batch)
    options = GeneticOptions(weights=(("fairness", 1.0), ("large", 1.0)), delays=(0.0,))
    delayed = 0
    for _ in range(CASES_PER_BATCH // 10):
        case = random_case(rng)
        jobs = len(case.jobs)
        orders = [rng.sample(range(jobs), jobs) for _ in range(2)]
        before = [rng.uniform(case.now, case.now + 30) for _ in range(jobs)]
        problem = case.problem(options)
        terms = problem.terms._replace(reserved_start=np.array(before))
        compiled = np.empty((2, len(TERMS)))

        space = Workspace.empty(jobs, len(case.running))
        for order, values in zip(orders, compiled, strict=True):
            place(np.array(order), problem.queue, space.scratch, space.start)
            measure(space.start, problem._replace(terms=terms), values)

        fair = plan(range(jobs), case.jobs, case.now, case.running, case.processors)
        for order, found in zip(orders, compiled, strict=True):
            starts = plan(order, case.jobs, case.now, case.running, case.processors)
            told = terms_of(case.jobs, starts, case.guesses(options), (fair, before))
            assert found == pytest.approx(told, rel=1e-12, abs=1e-12)
            delayed += found[TERMS.index("fairness")] > 0.01
    assert delayed >= enough(10)


def readable_worth(case: Case, order: list[int], options: GeneticOptions) -> float:
    starts = plan(order, case.jobs, case.now, case.running, case.processors)
    guesses = [
        [duration + delay for duration in durations for delay in options.delays]
        for durations in case.guesses(options)
    ]
    return readable_fitness(case.jobs, starts, guesses)


def readable_search(
    case: Case, population: list[list[int]], stream: Stream, options: GeneticOptions
) -> list[int]:
    """The whole search with the twins: the first of the best orders ever seen."""
    fitness = [readable_worth(case, order, options) for order in population]
    most = max(fitness)
    best = population[fitness.index(most)]
    for _ in range(options.generations):
        population = next_generation(population, fitness, options.mutation, stream)
        fitness = [readable_worth(case, order, options) for order in population]
        if max(fitness) > most:
            most = max(fitness)
            best = population[fitness.index(most)]
    if not options.climb:
        return best
    return readable_climb(best, options.climb, lambda order: readable_worth(case, order, options))


PUBLISHED = dataclasses.replace(GeneticOptions.parse({"preset": "plain"}), population=6)
"""Generations of the published operators."""


@batches()
def test_searches_are_equal(batch: int) -> None:
    rng = Random(batch)
    for _ in range(many(20)):
        case = random_case(rng, most=8)
        options = dataclasses.replace(
            PUBLISHED,
            generations=rng.randint(0, 8),
            climb=rng.choice([0, 2]),
            delays=rng.choice([(0.0,), (0.0, 30.0)]),
        )
        jobs = len(case.jobs)
        if jobs < 2:
            continue
        population = [rng.sample(range(jobs), jobs) for _ in range(options.population)]
        state = rng.getrandbits(64)

        orders = np.array(population)
        no_prior = prior_of(orders[0], 0.0)
        search = DecisionProblem(case.problem(options), no_prior, compiled_stream(state))
        first = FirstGeneration(orders, ("any",), np.zeros(len(orders), np.int64))
        found = Evolution(Operators(options), options).run(search, first)

        assert found.order.tolist() == readable_search(case, population, Stream(state), options)


@batches()
def test_climbs_are_equal(batch: int) -> None:
    rng = Random(batch)
    moved = 0
    for _ in range(many(20)):
        case = random_case(rng, most=8)
        options = GeneticOptions(delays=rng.choice([(0.0,), (0.0, 7.0, 30.0)]))
        jobs, reach = len(case.jobs), rng.randint(1, 4)
        order = rng.sample(range(jobs), jobs)
        problem, found = case.problem(options), np.array(order)
        before = worth_of_order(found, problem)

        space = Workspace.empty(jobs, len(case.running))
        reached = climb(found, before, reach, problem, prior_of(found, 0.0), space)

        def worth(order: list[int], case: Case = case, options: GeneticOptions = options) -> float:
            return readable_worth(case, order, options)

        assert found.tolist() == readable_climb(order, reach, worth)
        assert reached == worth_of_order(found, problem)
        moved += reached > before
    assert moved > enough(2)
