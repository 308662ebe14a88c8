"""What the others lose per second: running sums over all of them against exact fractions."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import NamedTuple

import numpy as np
import pytest

from tests.scale import many
from utilitysched.kernels.others_losses import add, others_losses, product, quotient
from utilitysched.model.state import Floats


class Queue(NamedTuple):
    rate: Floats
    left: Floats
    occupancy: Floats

    def losses(self) -> list[float]:
        out = np.empty(len(self.rate))
        others_losses(*self, out)
        return out.tolist()


def drawn(seed: int) -> Queue:
    """Draw jobs of which some lose nothing, some have no time left, some are alike."""
    rng = np.random.default_rng(seed)
    jobs = int(rng.integers(1, 60))
    rate = rng.choice([0.0, 0.1, 3.7e-5, 1 / 3, 1e9], jobs) * rng.choice([1.0, rng.random()], jobs)
    left = rng.choice([0.0, 1.0, 10.5, 3600.0, *(rng.random(3) * 1e5)], jobs)
    occupancy = rng.choice([1.0, 10.5, 10.6, 3600.0, *(rng.random(3) * 1e5)], jobs)
    return Queue(rate, left, occupancy)


def exact(queue: Queue) -> list[Fraction]:
    rate, left = [[Fraction(x) for x in column.tolist()] for column in (queue.rate, queue.left)]
    return [
        sum(
            (rate[k] * min(1, left[k] / Fraction(held)) for k in range(len(rate)) if k != i),
            Fraction(0),
        )
        for i, held in enumerate(queue.occupancy.tolist())
    ]


@pytest.mark.parametrize("seed", range(many(60)))
def test_running_sums_are_the_exact_sums_of_all_pairs_rounded_once(seed: int) -> None:
    queue = drawn(seed)

    assert queue.losses() == [float(loss) for loss in exact(queue)]


def test_ties_are_ties() -> None:
    rng = np.random.default_rng(3)
    rate, left, occupancy = rng.integers(0, 6, (3, 250)).astype(float)
    queue = Queue(rate / 8, left, occupancy + 1)

    assert len(set(queue.losses())) == len(set(exact(queue)))


def test_a_job_that_alone_loses_almost_everything_does_not_hide_what_the_others_lose() -> None:
    queue = Queue(np.array([1e15, 1e-3, 1 / 3]), np.full(3, 7.0), np.full(3, 3.0))

    assert queue.losses() == [float(loss) for loss in exact(queue)]


def drawn_number(rng: Random) -> float:
    return rng.choice([-1, 1]) * rng.random() * 10.0 ** rng.randint(-8, 8)


def exact_number(number: tuple[float, float]) -> Fraction:
    return Fraction(number[0]) + Fraction(number[1])


def test_a_product_is_exact() -> None:
    rng = Random(1)

    for _ in range(200):
        a, b = drawn_number(rng), drawn_number(rng)
        assert exact_number(product(a, b)) == Fraction(a) * Fraction(b)


def test_a_sum_has_twice_the_digits_of_a_float_though_its_parts_cancel() -> None:
    rng = Random(2)

    for _ in range(200):
        a, b = (
            product(drawn_number(rng), drawn_number(rng)),
            product(drawn_number(rng), drawn_number(rng)),
        )
        close = add((-a[0], -a[1]), (0.0, a[0] * 1e-9))
        for other in (b, close):
            total = add(a, other)
            wanted = exact_number(a) + exact_number(other)
            assert abs(exact_number(total) - wanted) <= abs(wanted) / 2**100
            assert total[0] == float(exact_number(total))


def test_a_quotient_has_twice_the_digits_of_a_float() -> None:
    rng = Random(3)

    for _ in range(200):
        a, b = product(drawn_number(rng), drawn_number(rng)), abs(drawn_number(rng))
        wanted = exact_number(a) / Fraction(b)
        assert abs(exact_number(quotient(a, b)) - wanted) <= abs(wanted) / 2**98
