"""The compiled local search beside its readable twin, and beside every order of small queues."""

from __future__ import annotations

from itertools import permutations
from random import Random

import numpy as np
import pytest

from tests.planning import Case, random_case
from tests.reference.jobs import Running
from tests.reference.plan import fitness, plan
from tests.reference.refinement import Refinement, Situation, best_of
from tests.reference.refinement import refine as refine_slowly
from tests.scale import enough, many
from utilitysched.kernels.fitness import occupied, only, worth_of_only
from utilitysched.kernels.planned_queue import Scratch
from utilitysched.kernels.refinement import Objective, refine
from utilitysched.model.state import Floats
from utilitysched.schedulers.genetic.options import GeneticOptions

OPTIONS = GeneticOptions(duration="expected", delays=(0.0,))


def found(
    case: Case, orders: list[list[int]], size: int, duration: float, threshold: float = np.inf
) -> Floats:
    """Return the starts with `size` processors taken for `duration` (s), and without that."""
    queue, worth = case.problem(OPTIONS, threshold)[:2]
    queues = (occupied(queue, np.array([size]), np.array([duration])), queue)
    movable = np.array(orders)[:, queue.pinned :] - queue.pinned
    start = np.empty((2, len(case.jobs)))
    scratch = Scratch.empty(len(case.jobs), len(case.running) + 1)
    refine(movable, queues, Objective(worth, np.empty(0)), scratch, start)
    return start


def situations(case: Case, size: int, duration: float) -> list[Situation]:
    one = Running(case.now + duration, -1, size)
    return [
        Situation(case.now, [*case.running, one], case.processors),
        Situation(case.now, case.running, case.processors),
    ]


def drawn(rng: Random, most: int) -> tuple[Case, list[int], int, float]:
    """Draw a queue, an order of it, and a job that starts (processors, s)."""
    while True:
        case = random_case(rng, most)
        free = int(case.state.free)
        if free:
            order = list(range(len(case.jobs)))
            rng.shuffle(order)
            return case, order, rng.randint(1, free), rng.choice([0.0, 4.0, 15.0])


def test_it_finds_what_its_twin_finds() -> None:
    rng = Random(3)
    moved = 0
    for _ in range(many(300)):
        case, order, size, duration = drawn(rng, most=9)
        threshold = rng.choice([np.inf, np.inf, 25.0])
        pinned = sum(case.now - job.submit > threshold for job in case.jobs)
        orders = [[*range(pinned), *(job for job in order if job >= pinned)]]
        orders.append([*range(pinned), *reversed(orders[0][pinned:])])
        both = situations(case, size, duration)
        begun = [plan(orders[0], case.jobs, *situation) for situation in both]

        expected = refine_slowly(orders, case.jobs, case.guesses(OPTIONS), both, pinned)

        assert found(case, orders, size, duration, threshold).tolist() == expected
        moved += expected != begun
    assert moved > enough(50)


def test_in_small_queues_it_finds_nearly_always_the_best_and_never_more() -> None:
    rng = Random(4)
    cases, best_found = many(150), 0
    for _ in range(cases):
        case, order, size, duration = drawn(rng, most=5)
        guesses = case.guesses(OPTIONS)
        starts = found(case, [order], size, duration)
        reached = []
        for situation, start in zip(situations(case, size, duration), starts, strict=True):
            values = [
                fitness(case.jobs, plan(one, case.jobs, *situation), guesses)
                for one in (order, *permutations(order))
            ]
            value = fitness(case.jobs, start.tolist(), guesses)
            assert values[0] <= value <= max(values)
            reached.append(value == max(values))
        best_found += all(reached)
    assert best_found > 0.95 * cases


def test_an_order_found_in_one_queue_is_tried_in_the_other() -> None:
    rng = Random(5)
    helped = 0
    for _ in range(many(300, least=150)):
        case, order, size, duration = drawn(rng, most=7)
        queue, worth = case.problem(OPTIONS)[:2]
        guesses = case.guesses(OPTIONS)
        movable, scratch = np.array([order]), Scratch.empty(len(order), len(case.running) + 1)
        alone = np.empty((2, len(order)))
        refine(movable, (queue, queue), Objective(worth, np.empty(0)), scratch, alone)
        together = found(case, [order], size, duration)[1]
        values = [fitness(case.jobs, start.tolist(), guesses) for start in (alone[0], together)]
        helped += values[1] > values[0]
    assert helped > 0


def test_a_queue_of_one_job_is_placed() -> None:
    case, order, size, duration = drawn(Random(6), most=1)

    starts = found(case, [order], size, duration)

    assert starts[1].tolist() == plan(order, case.jobs, *situations(case, 1, 1.0)[1])


def test_an_empty_queue_has_an_empty_plan() -> None:
    case = random_case(Random(7), most=1)
    queue, worth = case.problem(OPTIONS)[:2]
    queues, nobody = (only(queue, np.array([False])),), np.empty((1, 0), np.int64)
    rest = worth_of_only(worth, np.array([False]))
    start = np.empty((1, 0))

    refine(nobody, queues, Objective(rest, np.empty(0)), Scratch.empty(0, len(case.running)), start)

    assert start.tolist() == [[]]


class _ClimbedOnce(Refinement):
    """The search that does not go back to a queue for which another one's climb found more."""

    def climb_all(self, order: list[int]) -> None:
        self.judge(order)
        for k in range(len(self.situations)):
            self.climb(k)


@pytest.mark.parametrize("seed", [59, 888, 2247])
def test_a_queue_is_climbed_again_from_what_came_up_elsewhere(seed: int) -> None:
    case, order, size, duration = drawn(Random(seed), most=9)
    both, guesses = situations(case, size, duration), case.guesses(OPTIONS)

    expected = best_of([order], lambda: Refinement(case.jobs, guesses, both, 0))

    assert best_of([order], lambda: _ClimbedOnce(case.jobs, guesses, both, 0)) != expected
    assert found(case, [order], size, duration).tolist() == expected
