"""What the others lose per second: running sums over all of them against exact fractions."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

import numpy as np
import pytest

from tests.scale import many
from utilitysched.kernels.others_losses import others_losses
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
    rate, left, occupancy = rng.integers(0, 6, (3, 700)).astype(float)
    queue = Queue(rate / 8, left, occupancy + 1)

    assert len(set(queue.losses())) == len(set(exact(queue)))


def test_a_job_that_alone_loses_almost_everything_does_not_hide_what_the_others_lose() -> None:
    queue = Queue(np.array([1e15, 1e-3, 1 / 3]), np.full(3, 7.0), np.full(3, 3.0))

    assert queue.losses() == [float(loss) for loss in exact(queue)]
