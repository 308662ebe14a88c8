"""DEAP's own operators in place of ours."""

from __future__ import annotations

import random

import numpy as np
import pytest
from deap import tools

from utilitysched.kernels.operators import Draws, draw_generation
from utilitysched.model.state import Integers
from utilitysched.schedulers.genetic.deap_adapters import (
    Crossover,
    Mutation,
    Selection,
    named,
)
from utilitysched.schedulers.genetic.options import CROSSOVERS, MUTATORS, SELECTIONS

CHILDREN, JOBS = 8, 7


def draws_of(seed: int, mutation: float = 0.3) -> Draws:
    draws = Draws.empty(CHILDREN, JOBS)
    draw_generation(np.array([seed], dtype=np.uint64), mutation, draws)
    return draws


def population_of(seed: int) -> Integers:
    rng = np.random.default_rng(seed)
    return np.array([rng.permutation(JOBS) for _ in range(CHILDREN)])


@pytest.mark.parametrize("name", SELECTIONS[1:])
def test_selections_give_two_distinct_parents(name: str) -> None:
    fitness = np.array([5.0, 1, 1, 1, 1, 1, 1, 1])
    select = Selection(named(name))

    parents = select(fitness, draws_of(1))

    assert parents.shape == (CHILDREN, 2)
    assert (parents[:, 0] != parents[:, 1]).all()
    assert set(parents.ravel().tolist()) <= set(range(CHILDREN))
    assert (select(fitness, draws_of(1)) == parents).all()


def test_a_tournament_prefers_the_fit() -> None:
    fitness = np.arange(8.0)
    first = [Selection(named("selTournament"))(fitness, draws_of(seed))[:, 0] for seed in range(50)]

    assert np.mean(first) > 4.5


@pytest.mark.parametrize("name", CROSSOVERS[1:])
def test_crossovers_give_permutations(name: str) -> None:
    parents = np.array([[i, (i + 1) % CHILDREN] for i in range(CHILDREN)])
    population = population_of(2)
    before = population.copy()
    mate = Crossover(named(name))

    children = mate(population, parents, draws_of(3))

    assert (np.sort(children) == np.arange(JOBS)).all()
    assert (children != population).any()
    assert (population == before).all()
    assert (mate(population, parents, draws_of(3)) == children).all()


@pytest.mark.parametrize("name", MUTATORS[1:])
def test_mutations_change_the_children_that_are_drawn(name: str) -> None:
    children = population_of(4)
    draws = draws_of(5, mutation=0.5)
    drawn = draws.swap[:, 0] >= 0

    changed = Mutation(named(name))(children.copy(), draws)

    assert 0 < drawn.sum() < CHILDREN
    assert (np.sort(changed) == np.arange(JOBS)).all()
    assert (changed[~drawn] == children[~drawn]).all()


def test_a_crossover_is_deaps() -> None:
    population = population_of(6)
    parents = np.array([[0, 1]] * CHILDREN)
    draws = draws_of(7)

    child = Crossover(tools.cxOrdered)(population, parents, draws)[0]

    outside = random.getstate()
    random.seed(f"{draws.parents[0, 0].item()!r} mate")
    expected, _ = tools.cxOrdered(population[0].tolist(), population[1].tolist())
    random.setstate(outside)
    assert child.tolist() == expected


def test_the_global_random_numbers_go_on_as_if_nothing_had_happened() -> None:
    random.seed(8)
    expected = [random.random() for _ in range(3)]

    random.seed(8)
    found = [random.random()]
    Selection(named("selTournament"))(np.ones(CHILDREN), draws_of(9))
    Crossover(named("cxOrdered"))(population_of(1), np.array([[0, 1]] * CHILDREN), draws_of(9))
    found.append(random.random())
    Mutation(named("mutInversion"))(population_of(1), draws_of(9, mutation=1.0))
    found.append(random.random())

    assert found == expected
