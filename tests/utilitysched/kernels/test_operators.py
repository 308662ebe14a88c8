"""The compiled operators, by themselves.

`test_genetic_evolution` compares them with those in DEAP's signatures.
"""

from __future__ import annotations

from itertools import permutations
from random import Random

import numpy as np
import pytest

from tests.scale import many
from utilitysched.kernels.operators import (
    CROSSOVERS,
    FRONT,
    MEAN_RANK,
    MUTATIONS,
    ONE_POINT,
    ROULETTE,
    SELECTIONS,
    TOURNAMENT,
    Room,
    copies_nearby,
    insert,
    job_keys,
    mate,
    mutate,
    select,
)
from utilitysched.kernels.stream import Words
from utilitysched.model.state import Integers


def stream_of(seed: int) -> Words:
    return np.array([seed], dtype=np.uint64)


def parents(kind: int, fitness: list[float], seed: int, *, signed: bool = False) -> tuple[int, int]:
    """Return whom a child has as parents."""
    stream, weights = stream_of(seed), np.array(fitness)
    one = select(kind, 3, signed, weights, -1, stream)
    return one, select(kind, 3, signed, weights, one, stream)


@pytest.mark.parametrize(
    ("fitness", "pairs"),
    [
        # the worthless one is nobody's parent where two others are worth something
        ([1.0, 0.0, 3.0], {(0, 2), (2, 0)}),
        # one alone is worth something: the other parent is anybody else
        ([0.0, 5.0, 0.0], {(1, 0), (1, 2)}),
        # nobody is
        ([0.0, 0.0, 0.0], {(0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1)}),
    ],
)
def test_roulette_draws_two_distinct_parents_in_proportion_to_fitness(
    fitness: list[float], pairs: set[tuple[int, int]]
) -> None:
    drawn = [parents(ROULETTE, fitness, seed) for seed in range(400)]

    assert set(drawn) == pairs


def test_roulette_draws_in_proportion() -> None:
    first = [parents(ROULETTE, [1.0, 0.0, 3.0], seed)[0] for seed in range(4000)]

    assert np.mean([each == 2 for each in first]) == pytest.approx(0.75, abs=0.03)


def test_signed_roulette_draws_by_what_is_above_the_least() -> None:
    first = [parents(ROULETTE, [-3.0, -4.0, -1.0], seed, signed=True)[0] for seed in range(4000)]

    assert np.mean([each == 2 for each in first]) == pytest.approx(0.75, abs=0.03)
    assert 1 not in first


def test_a_tournament_takes_the_fittest_of_three() -> None:
    fitness = [float(i) for i in range(8)]
    first = [parents(TOURNAMENT, fitness, seed)[0] for seed in range(4000)]

    # the fittest is among three of eight, drawn with replacement
    assert np.mean([each == 7 for each in first]) == pytest.approx(1 - (7 / 8) ** 3, abs=0.03)


@pytest.mark.parametrize("kind", range(len(SELECTIONS)))
def test_nobody_is_both_parents(kind: int) -> None:
    rng = Random(kind)
    for seed in range(many(500)):
        fitness = [rng.choice([0.0, 1.0, rng.uniform(0, 9)]) for _ in range(rng.randint(2, 6))]
        one, other = parents(kind, fitness, seed)
        assert one != other
        assert {one, other} <= set(range(len(fitness)))


def child_of(kind: int, one: Integers, other: Integers, seed: int) -> list[int]:
    child = np.full(len(one), -1)
    room = Room(np.ones(len(one), np.bool_), np.empty(len(one)))
    mate(kind, one, other, stream_of(seed), room, child)
    made: list[int] = child.tolist()
    return made


@pytest.mark.parametrize("kind", range(len(CROSSOVERS)), ids=CROSSOVERS)
def test_children_are_orders_and_keep_what_parents_agree_on(kind: int) -> None:
    rng = np.random.default_rng(kind)
    for seed in range(many(300)):
        jobs = int(rng.integers(2, 12))
        one, other = rng.permutation(jobs), rng.permutation(jobs)
        kept = one.copy(), other.copy()

        child = child_of(kind, one, other, seed)

        assert sorted(child) == list(range(jobs))
        assert child_of(kind, one, one, seed) == one.tolist()
        assert (one == kept[0]).all()
        assert (other == kept[1]).all()
        if kind == MEAN_RANK:  # it turns no pair round that both parents have alike
            place, places = np.argsort(child), (np.argsort(one), np.argsort(other))
            for i, k in permutations(range(jobs), 2):
                if all(each[i] < each[k] for each in places):
                    assert place[i] < place[k]


@pytest.mark.parametrize("kind", range(len(CROSSOVERS)), ids=CROSSOVERS)
def test_children_differ_from_their_parents(kind: int) -> None:
    one, other = np.arange(8), np.array([6, 3, 0, 7, 4, 1, 2, 5])
    children = [child_of(kind, one, other, seed) for seed in range(50)]

    assert sum(child not in (one.tolist(), other.tolist()) for child in children) > 20


def test_one_point_keeps_a_front_of_the_first_parent() -> None:
    one, other = np.arange(6), np.array([5, 3, 1, 0, 2, 4])
    fronts = set()
    for seed in range(100):
        child = child_of(ONE_POINT, one, other, seed)
        front = next(i for i in range(7) if child[i:] == [j for j in other if j >= i])
        assert child[:front] == list(range(front))
        fronts.add(front)
    assert len(fronts) > 3


@pytest.mark.parametrize(
    ("source", "target", "left"),
    [(3, 0, [3, 0, 1, 2, 4]), (0, 3, [1, 2, 3, 0, 4]), (2, 2, [0, 1, 2, 3, 4])],
)
def test_a_job_is_inserted_elsewhere(source: int, target: int, left: list[int]) -> None:
    order = np.arange(5)
    insert(order, source, target)

    assert order.tolist() == left


@pytest.mark.parametrize("kind", range(len(MUTATIONS)), ids=MUTATIONS)
def test_mutants_are_orders(kind: int) -> None:
    rng = np.random.default_rng(kind)
    changed = 0
    for seed in range(many(300)):
        order = rng.permutation(int(rng.integers(2, 12)))
        before = order.tolist()
        mutate(kind, order, stream_of(seed))
        assert sorted(order.tolist()) == sorted(before)
        changed += order.tolist() != before
    assert changed > 0.6 * many(300)


def test_mutations_are_mostly_of_the_front() -> None:
    front = 0
    for seed in range(2000):
        order = np.arange(100)
        mutate(FRONT, order, stream_of(seed))
        moved = np.flatnonzero(order != np.arange(100))
        front += len(moved) > 0 and moved[0] < 25
    # a target in the first quarter (1/2), or a source there
    assert front > 1000


KEYS = 40


def keys_of(count: int) -> Words:
    return job_keys(np.arange(float(count)), np.full(count, 60.0), np.ones(count, dtype=np.int64))


def copies(seeds: Integers, spread: float, rows: int, keys: Words) -> Integers:
    made = np.empty((rows, seeds.shape[1]), dtype=np.int64)
    copies_nearby(seeds, spread, stream_of(3), keys, made)
    return made


def test_copies_without_spread_are_the_seeds_in_turn() -> None:
    seeds = np.array([np.arange(KEYS), np.arange(KEYS)[::-1]])

    assert copies(seeds, 0.0, 5, keys_of(KEYS)).tolist() == seeds[[0, 1, 0, 1, 0]].tolist()


def test_the_farther_copies_may_be_the_more_pairs_they_turn_round() -> None:
    seeds, keys = np.arange(KEYS)[np.newaxis], keys_of(KEYS)
    turned = []
    for spread in (0.2, 0.67, 3.0, 20.0):
        rows = copies(seeds, spread, 50, keys)
        assert (np.sort(rows) == np.arange(KEYS)).all()
        turned.append(float(np.mean([(np.triu(row[:, None] > row, 1)).sum() for row in rows])))

    assert turned == sorted(turned)
    assert 0 < turned[0] < turned[1] < KEYS
    assert turned[-1] > 5 * turned[1]


def test_without_one_job_copies_keep_the_others_noise() -> None:
    """Who falls back, and how far, depends on the job alone."""
    seeds, keys = np.arange(KEYS)[np.newaxis], keys_of(KEYS)
    last = KEYS - 1
    whole = copies(seeds, 0.67, 20, keys)
    without = copies(seeds[:, :last], 0.67, 20, keys[:last])

    assert without.tolist() == [row[row != last].tolist() for row in whole]
