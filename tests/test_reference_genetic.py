"""Operators and the random stream of the twins, worked out by hand."""

from __future__ import annotations

import pytest

from tests.reference.genetic import mutate, next_generation, select_parents, zipper
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
