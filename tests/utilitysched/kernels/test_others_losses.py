"""What the others lose: pair by pair, and by running sums over all of them."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import NamedTuple

import numpy as np
import pytest

from tests.scale import many
from utilitysched.kernels.others_losses import by_pairs, by_time_left
from utilitysched.model.state import Floats


class Queue(NamedTuple):
    rate: Floats
    left: Floats
    occupancy: Floats

    def losses(self, kernel: Callable[..., None]) -> list[float]:
        out = np.empty(len(self.rate))
        kernel(*self, out)
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
            (rate[k] * min(Fraction(held), left[k]) for k in range(len(rate)) if k != i),
            Fraction(0),
        )
        for i, held in enumerate(queue.occupancy.tolist())
    ]


@pytest.mark.parametrize("seed", range(many(60)))
def test_running_sums_are_the_exact_sums_of_all_pairs_rounded_once(seed: int) -> None:
    queue = drawn(seed)

    assert queue.losses(by_time_left) == [float(loss) for loss in exact(queue)]
    assert queue.losses(by_pairs) == pytest.approx(queue.losses(by_time_left), rel=1e-13)


def test_where_nothing_is_rounded_both_ways_are_the_same_in_every_tie() -> None:
    rng = np.random.default_rng(3)
    rate, left, occupancy = rng.integers(0, 6, (3, 700)).astype(float)
    queue = Queue(rate / 8, left, occupancy + 1)

    losses = queue.losses(by_time_left)

    assert losses == queue.losses(by_pairs)
    assert len(set(losses)) < 200


def test_a_job_that_alone_loses_almost_everything_does_not_hide_what_the_others_lose() -> None:
    queue = Queue(np.array([1e15, 1e-3, 1 / 3]), np.full(3, 7.0), np.full(3, 3.0))

    assert queue.losses(by_time_left) == [float(loss) for loss in exact(queue)]
