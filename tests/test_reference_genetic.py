"""Plans, fitness, operators and the random stream of the twins, worked out by hand."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.reference.genetic import mutate, next_generation, roulette, select_parents, zipper
from tests.reference.jobs import Job, Running, rigid
from tests.reference.plan import fitness, plan
from tests.reference.stream import Stream


class Script(Stream):
    """A stream that says what it is told to and must be used up."""

    def __init__(self, *uniforms: float) -> None:
        self.uniforms = list(uniforms)

    def uniform(self) -> float:
        return self.uniforms.pop(0)


def test_stream_is_splitmix64() -> None:
    stream = Stream(1234567)

    # the published test vector of the algorithm for this seed
    assert [stream.next() for _ in range(5)] == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]


def test_uniforms_are_the_upper_53_bits() -> None:
    assert Stream(1234567).uniform() == 6457827717110365317 // 2**11 / 2**53
    assert Script(0.0, 0.99, 0.5).below(3) == 0
    assert Script(0.99).below(3) == 2
    assert Script(0.5).below(3) == 1


@pytest.mark.parametrize(
    ("uniform", "position"), [(0.0, 1), (0.24, 1), (0.25, 3), (0.74, 3), (0.75, 4), (0.999, 4)]
)
def test_roulette_draws_in_proportion(uniform: float, position: int) -> None:
    assert roulette([0.0, 1.0, 0.0, 2.0, 1.0, 0.0], Script(uniform)) == position


@pytest.mark.parametrize(
    ("fitnesses", "shifted", "uniforms", "parents"),
    [
        ([1, 2, 1], False, (0.3, 0.6), (1, 2)),
        ([1, 2, 1], False, (0.3, 0.4), (1, 0)),
        ([0, 5, 0], False, (0.9, 0.6), (1, 2)),
        ([0, 5, 0], False, (0.9, 0.4), (1, 0)),
        ([0, 0, 0], False, (0.5, 0.1), (1, 0)),
        ([0, 0, 0], False, (0.0, 0.1), (0, 1)),
        ([-1, -3, -2], True, (0.5, 0.5), (0, 2)),
        ([4, 4], True, (0.9, 0.0), (1, 0)),
    ],
)
def test_parents_are_two_different_individuals(
    fitnesses: list[float], shifted: bool, uniforms: tuple[float, ...], parents: tuple[int, int]
) -> None:
    stream = Script(*uniforms)

    assert select_parents(fitnesses, stream, shifted) == parents
    assert stream.uniforms == []


def test_zipper_takes_the_first_unused_job_of_a_random_parent() -> None:
    stream = Script(0.1, 0.5, 0.9, 0.49)

    assert zipper([0, 1, 2, 3], [3, 2, 1, 0], stream) == [0, 3, 2, 1]
    assert stream.uniforms == []


def test_zipper_of_one_parent_with_itself_is_that_parent() -> None:
    assert zipper([2, 0, 1], [2, 0, 1], Stream(1)) == [2, 0, 1]


@pytest.mark.parametrize(
    ("uniforms", "mutant"),
    [
        ((0.3,), [5, 6, 7, 8]),
        ((0.2, 0.0, 0.0), [6, 5, 7, 8]),
        ((0.2, 0.9, 0.0), [8, 6, 7, 5]),
        ((0.2, 0.3, 0.4), [5, 7, 6, 8]),
        ((0.2, 0.3, 0.2), [6, 5, 7, 8]),
    ],
)
def test_mutation_swaps_two_positions(uniforms: tuple[float, ...], mutant: list[int]) -> None:
    stream = Script(*uniforms)

    assert mutate([5, 6, 7, 8], 0.3, stream) == mutant
    assert stream.uniforms == []


def test_mutation_of_a_single_job_draws_once() -> None:
    stream = Script(0.0)

    assert (mutate([0], 1.0, stream), stream.uniforms) == ([0], [])


def test_a_generation_draws_parents_crossover_mutation_for_each_child() -> None:
    stream = Script(0.1, 0.1, 0.9, 0.1, 0.9, 0.9, 0.1, 0.1, 0.1, 0.1, 0.0, 0.0)

    children = next_generation([[0, 1], [1, 0]], [1.0, 1.0], 0.3, stream)

    # child 1: parents 0, 1, zipper second-first, no mutation; child 2: parents 1, 0, swapped
    assert children == [[1, 0], [0, 1]]
    assert stream.uniforms == []


def test_fitter_individuals_are_drawn_more_often() -> None:
    stream = Stream(5)

    first = Counter(select_parents([1.0, 3.0, 4.0], stream)[0] for _ in range(8000))

    # expectations 1000, 3000, 4000; four standard deviations are about 180
    assert abs(first[0] - 1000) < 130
    assert abs(first[1] - 3000) < 180


QUEUE = rigid((0, 1, 10, 4), (0, 1, 5, 1), (0, 1, 20, 1))
BUSY = [Running(10.0, 9, 3)]


@pytest.mark.parametrize(
    ("permutation", "starts"),
    [
        ([0, 1, 2], [10, 0, 20]),
        ([0, 2, 1], [10, 0, 20]),
        ([1, 0, 2], [10, 0, 20]),
        ([2, 1, 0], [20, 10, 0]),
        ([1, 2, 0], [25, 0, 5]),
    ],
)
def test_plan_places_a_permutation_as_easy_would(
    permutation: list[int], starts: list[float]
) -> None:
    assert plan(permutation, QUEUE, 0.0, BUSY, 4) == starts


def test_plan_starts_from_now_with_the_running_jobs_as_given() -> None:
    assert plan([0], QUEUE[:1], 7.0, BUSY, 4) == [10]
    assert plan([0], QUEUE[:1], 7.0, [], 4) == [7]
    assert plan([], [], 7.0, [], 4) == []


def test_plan_lets_a_job_of_zero_seconds_pass_at_once() -> None:
    queue = rigid((0, 0, 0, 4), (0, 5, 5, 4))

    assert plan([0, 1], queue, 3.0, [], 4) == [3, 3]


def test_fitness_sums_mean_values_at_the_planned_ends() -> None:
    jobs = [
        Job(0, 5.0, 1.0, 10.0, 1, points=((0.0, 100.0), (100.0, 0.0))),
        Job(1, 0.0, 1.0, 10.0, 1, points=((0.0, 50.0), (40.0, 50.0))),
        Job(2, 0.0, 1.0, 10.0, 1),
    ]

    # job 0 waits 5 s: 85 and 75; job 1 ends at 40 and at 60
    assert fitness(jobs, [10.0, 20.0, 0.0], [[10, 20], [20, 40], [1, 2]]) == 105.0
